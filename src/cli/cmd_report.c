/* SPDX-License-Identifier: MIT */
#include <sodium.h>
#include <stdio.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "probity/experimental/memo.h"
#include "probity/release.h"
#include "release/budget.h"
#include "session/courses.h"

enum { MEMO, NEW, ONCE, USER, LEDGER, SEED, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [MEMO] = {.name = "--memo",
              .shown = "FILE",
              .expected = "the name of a file",
              .alternative = 1,
              .completes = "file",
              .help =
                  "the client's own memo. It holds the values and their permanent responses, each drawn "
                  "once: keep it where the values are, and restore no copy. What is printed is on the disk "
                  "first"},
    [NEW] = {.name = "--new",
             .alternative = 2,
             .help = "makes the memo, which must not exist, and draws its cohort"},
    [ONCE] = {.name = "--once",
              .alternative = 1,
              .help = "every line is the value of another user, who reports once and keeps no memo; for "
                      "reports=1 and values=1, or memobit, whose users have a line of values"},
    [USER] = {.name = "--user",
              .shown = "NAME",
              .expected = "a name of 1 to 256 bytes",
              .help = "whose memo it is; reports for another user are refused"},
    [LEDGER] = {.name = "--ledger",
                .shown = "LEDGER",
                .expected = "the name of a file that probity ledger init made",
                .completes = "file",
                .help =
                    "the budget that all of V values and N reports on each are charged to, when the memo is "
                    "made; refused (exit status 1) when it would overspend"},
    [SEED] = {.name = "--seed",
              .shown = "HEX",
              .expected = "64 hexadecimal digits",
              .help = "64 hexadecimal digits, for simulations: the reports are no secret then"},
};

static pby_status print(void *what, const char *report, pby_error *err)
{
    (void)what;
    return puts(report) == EOF ? pby_print_end(err) : PBY_OK;
}

static pby_status make_memo(const pby_permission *permission, const pby_option *options, pby_error *err)
{
    return pby_memo_create(options[MEMO].value, pby_permission_spec(permission), options[USER].value,
                           pby_permission_ledger(permission), err);
}

static pby_status by_memo(const pby_permission *permission, const pby_option *options, const char *input,
                          pby_error *err)
{
    pby_memo *memo;
    pby_status status =
        pby_memo_open(&memo, options[MEMO].value, pby_permission_spec(permission), options[USER].value, err);
    if (status == PBY_OK)
        status = pby_memo_report_lines(memo, input, print, NULL, err);
    pby_memo_close(memo);
    return status;
}

static pby_status once(const pby_permission *permission, const pby_option *options, const char *input,
                       pby_error *err)
{
    uint8_t seed[PBY_SEED_SIZE];
    const bool seeded = options[SEED].value != NULL;
    const pby_spec *spec = pby_permission_spec(permission);
    pby_ledger *ledger = pby_permission_ledger(permission);
    pby_status status = seeded ? pby_option_seed(seed, options[SEED].value, err) : PBY_OK;
    if (status == PBY_OK)
        status = (pby_course_takes(spec) ? pby_course_report : pby_memo_report_once)(
            spec, input, ledger, seeded ? seed : NULL, print, NULL, err);
    sodium_memzero(seed, sizeof seed);
    return status;
}

static pby_status report(const pby_permission *permission, const pby_option *options, const char *input,
                         pby_error *err)
{
    const pby_status status = pby_print_ready(err);
    if (status != PBY_OK)
        return status;
    return options[ONCE].value != NULL ? once(permission, options, input, err)
                                       : by_memo(permission, options, input, err);
}

static pby_status act(const char *spec, const pby_option *options, const char *input, pby_error *err)
{
    const pby_permission_options from = {.spec = spec, .ledger = options[LEDGER].value};
    pby_permission *permission = NULL;
    pby_status status = from.ledger == NULL ? PBY_OK
                                            : pby_budget_apart(options[MEMO].value, from.ledger, err);
    if (status == PBY_OK)
        status = pby_permission_open(&permission, &from, err);
    if (status == PBY_OK)
        status = options[NEW].value != NULL ? make_memo(permission, options, err)
                                            : report(permission, options, input, err);
    pby_permission_close(permission);
    return status;
}

static pby_status check_options(const pby_option *options, int operands, char **argv, pby_error *err)
{
    const bool new = options[NEW].value != NULL, once = options[ONCE].value != NULL;
    if (options[MEMO].value == NULL && !once)
        return pby_fail(err, PBY_BAD, "report: expected --memo FILE, or --once for users who report once");
    if (once && (new || options[USER].value != NULL))
        return pby_refuse(err, new ? "--new" : "--user", new ? "" : options[USER].value,
                          "it with --memo alone");
    if (!once && options[SEED].value != NULL)
        return pby_fail(err, PBY_BAD, "--seed (not shown): expected it with --once alone");
    if (!once && !new &&options[LEDGER].value != NULL)
        return pby_refuse(err, "--ledger", options[LEDGER].value,
                          "it with --new: all reports are paid for then");
    return pby_operands_at_most(new ? 1 : 2, operands, argv,
                                new ? "one SPEC alone" : "one SPEC and one INPUT", err);
}

static pby_status run_report(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status == PBY_OK)
        status = check_options(options, operands, argv, err);
    if (status == PBY_OK && operands == 0)
        status = pby_fail(err, PBY_BAD, "report: expected a SPEC such as rappor:bits=8,f=1/2");
    return status == PBY_OK ? act(argv[0], options, operands > 1 ? argv[1] : NULL, err) : status;
}

static const char help[] =
    "probity report: make RAPPOR and memoised reports on the client\n"
    "\n"
    "usage: probity report SPEC --memo FILE --new [--user NAME] [--ledger LEDGER]\n"
    "       probity report SPEC --memo FILE [INPUT] [--user NAME]\n"
    "       probity report SPEC --once [INPUT] [--ledger LEDGER] [--seed HEX]\n"
    "\n"
    "  SPEC             rappor:bits=K[,hashes=H],f=F[,p=P][,q=Q][,reports=N][,values=V]...\n"
    "                   or, with --once, memobit:eps=E,hi=H,drift=W[,lo=L][,grid=G]\n"
    "  INPUT            values, one a line; - or nothing is standard input. A report is printed for each:\n"
    "                   its bits as 0 and 1, with the cohort and a colon in front where there are several.\n"
    "                   Without hashes a value is an integer from 0 to K - 1, with them 1 to 4096 bytes.\n"
    "                   Of memobit: the values of a user in all rounds, with a comma between two; bits\n"
    "                   are printed in their place\n";

static const char end[] =
    "\n"
    "Exit status 1 when the memo holds V values and another is to be reported, or a value was reported\n"
    "N times. A value that cannot be, a memo of another spec or user, and a memo that others may read are\n"
    "refused before anything is drawn.\n"
    "\n"
    "examples:\n"
    "  probity report rappor:bits=8,f=1/2 --memo me.memo --new\n"
    "  echo 3 | probity report rappor:bits=8,f=1/2 --memo me.memo\n"
    "  probity report rappor:bits=128,hashes=2,f=1/2,p=3/4,q=1/4,reports=1 --once values.txt\n"
    "  echo 40,40,41 | probity report memobit:eps=1,hi=100,drift=2 --once\n";

const pby_command pby_command_report = {
    .name = "report",
    .summary = "make RAPPOR and memoised reports on the client",
    .help = help,
    .options = known,
    .end = end,
    .run = run_report,
};
