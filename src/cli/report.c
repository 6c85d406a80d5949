#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "io/file.h"
#include "mechanism/rappor/respond.h"
#include "probity/memo.h"
#include "release/budget.h"
#include "release/permission.h"

enum { MEMO, NEW, ONCE, USER, LEDGER, SEED, OPTIONS };
enum { USERS = 1 << 10 }; /* that are drawn for at a time */

static const pby_option known[OPTIONS + 1] = {
    [MEMO] = {"--memo", "the name of a file", 1, NULL},
    [NEW] = {"--new", NULL, 2, NULL},
    [ONCE] = {"--once", NULL, 1, NULL},
    [USER] = {"--user", "a name of 1 to 256 bytes", 0, NULL},
    [LEDGER] = {"--ledger", "the name of a file that probity ledger init made", 0, NULL},
    [SEED] = {"--seed", "64 hexadecimal digits", 0, NULL},
};

/* ---- values, one a line ----------------------------------------------------------------------- */

struct lines {
    char *text;
    size_t size, at;
    uint64_t number;
};

static bool next_line(const char **line, size_t *length, struct lines *l)
{
    if (l->at >= l->size)
        return false;
    const char *from = l->text + l->at, *end = memchr(from, '\n', l->size - l->at);
    *length = end == NULL ? l->size - l->at : (size_t)(end - from);
    l->at += *length + (end != NULL);
    *length -= *length > 0 && from[*length - 1] == '\r';
    *line = from;
    l->number++;
    return true;
}

static void rewind_lines(struct lines *l)
{
    l->at = l->number = 0;
}

/* The refusal of a value, with its line. */
static pby_status at_line(const struct lines *l, const char *input, pby_error *err)
{
    char text[PBY_ERROR_SIZE];
    const pby_status status = err->status;
    const pby_reason reason = err->reason;
    snprintf(text, sizeof text, "%s", err->text);
    return pby_fail_by(err, status, reason, "%s, line %" PRIu64 ": %.400s", pby_path_text(input), l->number,
                       text);
}

/* Every line is a value that can be. */
static pby_status check_lines(struct lines *l, const pby_rappor *r, const char *input, pby_error *err)
{
    pby_status status = PBY_OK;
    const char *line;
    size_t length;
    while (status == PBY_OK && next_line(&line, &length, l))
        if (pby_rappor_check(r, line, length, err) != PBY_OK)
            status = at_line(l, input, err);
    rewind_lines(l);
    return status;
}

/* ---- by a memo -------------------------------------------------------------------------------- */

static pby_status report_lines(pby_memo *memo, struct lines *l, const char *input, pby_error *err)
{
    pby_status status = PBY_OK;
    const char *line;
    size_t length;
    while (status == PBY_OK && next_line(&line, &length, l)) {
        char *report;
        status = pby_memo_report(&report, memo, line, length, err);
        if (status == PBY_OK)
            puts(report);
        else
            status = at_line(l, input, err);
        free(report);
    }
    const pby_status printed = pby_print_end(status == PBY_OK ? err : NULL);
    return status == PBY_OK ? printed : status;
}

static pby_status by_memo(const pby_spec *spec, const pby_option *options, struct lines *l, const char *input,
                          pby_error *err)
{
    pby_memo *memo;
    pby_rappor r;
    pby_status status = pby_memo_open(&memo, options[MEMO].value, spec, options[USER].value, err);
    if (status != PBY_OK)
        return status;
    pby_rappor_of(&r, &spec->use[0].mechanism);
    status = check_lines(l, &r, input, err);
    if (status == PBY_OK)
        status = report_lines(memo, l, input, err);
    pby_memo_close(memo);
    return status;
}

static pby_status make_memo(const char *text, const pby_option *options, pby_error *err)
{
    const char *ledger = options[LEDGER].value, *path = options[MEMO].value;
    pby_permission *permission = NULL;
    pby_status status = ledger == NULL ? PBY_OK : pby_budget_apart(path, ledger, err);
    if (status == PBY_OK)
        status = pby_permission_ask(&permission, &text, 1, ledger, "--ledger", err);
    if (status == PBY_OK)
        status = pby_memo_create(path, permission->budget.spec, options[USER].value,
                                 permission->budget.ledger, err);
    pby_permission_close(permission);
    return status;
}

/* ---- users who report once -------------------------------------------------------------------- */

struct crowd {
    pby_rappor r;
    pby_responder responder;
    pby_entropy *source;
    bool even;
    uint64_t *bits, cohort[USERS];
    char *text;
};

/* The bits of up to USERS lines. */
static pby_status encode(struct crowd *c, size_t *n, struct lines *l, pby_error *err)
{
    pby_status status = PBY_OK;
    const char *line;
    size_t length;
    for (*n = 0; *n < USERS && status == PBY_OK && next_line(&line, &length, l); (*n)++) {
        status = pby_rappor_cohort(&c->cohort[*n], &c->r, c->source, err);
        if (status == PBY_OK)
            status =
                pby_rappor_encode(c->bits + *n * c->responder.words, &c->r, c->cohort[*n], line, length, err);
    }
    return status;
}

static pby_status report_crowd(struct crowd *c, struct lines *l, pby_error *err)
{
    pby_status status = PBY_OK;
    size_t n = USERS;
    while (n == USERS && status == PBY_OK) {
        status = encode(c, &n, l, err);
        if (status == PBY_OK)
            status = pby_responder_permanent(&c->responder, c->source, c->even, c->bits, c->bits, n, err);
        if (status == PBY_OK)
            status = pby_responder_report(&c->responder, c->source, c->even, c->bits, c->bits, n, err);
        for (size_t i = 0; i < n && status == PBY_OK; i++) {
            pby_rappor_text(c->text, &c->r, c->cohort[i], c->bits + i * c->responder.words);
            puts(c->text);
        }
    }
    return status == PBY_OK ? pby_print_end(err) : status;
}

static pby_status read_seed(uint8_t seed[PBY_SEED_SIZE], const char *hex, pby_error *err)
{
    size_t size;
    const char *end;
    if (strlen(hex) != 2 * PBY_SEED_SIZE ||
        sodium_hex2bin(seed, PBY_SEED_SIZE, hex, 2 * PBY_SEED_SIZE, NULL, &size, &end) != 0 ||
        size != PBY_SEED_SIZE)
        return pby_fail(err, PBY_BAD, "--seed (not shown): expected %d hexadecimal digits",
                        2 * PBY_SEED_SIZE);
    return PBY_OK;
}

static pby_status open_source(pby_entropy **out, const char *hex, pby_error *err)
{
    uint8_t seed[PBY_SEED_SIZE];
    *out = NULL;
    if (hex == NULL)
        return pby_entropy_system(out, err);
    pby_status status = read_seed(seed, hex, err);
    if (status == PBY_OK)
        status = pby_entropy_seeded(out, seed, err);
    sodium_memzero(seed, sizeof seed);
    return status;
}

static pby_status charge(const char *text, const char *ledger, pby_error *err)
{
    pby_permission *permission = NULL;
    if (ledger == NULL)
        return PBY_OK;
    pby_status status = pby_permission_ask(&permission, &text, 1, ledger, "--ledger", err);
    if (status == PBY_OK)
        status = pby_ledger_spend(permission->budget.ledger, permission->budget.spec, NULL, err);
    pby_permission_close(permission);
    return status;
}

static pby_status by_crowd(const pby_spec *spec, const pby_option *options, struct lines *l,
                           const char *input, pby_error *err)
{
    struct crowd *c = calloc(1, sizeof *c);
    if (c == NULL)
        return pby_no_memory(err);
    pby_rappor_of(&c->r, &spec->use[0].mechanism);
    c->even = options[SEED].value == NULL;
    pby_status status = PBY_OK;
    if (c->r.reports != 1 || c->r.values != 1)
        status = pby_refuse(err, "SPEC", pby_spec_text(spec),
                            "reports=1 and values=1 with --once: more reports need a memo");
    if (status == PBY_OK)
        status = check_lines(l, &c->r, input, err);
    if (status == PBY_OK)
        status = open_source(&c->source, options[SEED].value, err);
    if (status == PBY_OK)
        status = pby_responder_init(&c->responder, &c->r, err);
    if (status == PBY_OK) {
        c->bits = calloc(USERS * c->responder.words, sizeof *c->bits);
        c->text = malloc(pby_rappor_text_size(&c->r));
        status = c->bits == NULL || c->text == NULL ? pby_no_memory(err) : PBY_OK;
    }
    if (status == PBY_OK)
        status = charge(pby_spec_text(spec), options[LEDGER].value, err);
    if (status == PBY_OK)
        status = report_crowd(c, l, err);
    if (c->bits != NULL)
        sodium_memzero(c->bits, USERS * c->responder.words * sizeof *c->bits);
    free(c->bits);
    free(c->text);
    pby_responder_clear(&c->responder);
    pby_entropy_free(c->source);
    free(c);
    return status;
}

/* ---- all of it -------------------------------------------------------------------------------- */

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

static pby_status report(const pby_spec *spec, const pby_option *options, const char *input, pby_error *err)
{
    struct lines l = {NULL, 0, 0, 0};
    pby_status status = pby_print_ready(err);
    if (status == PBY_OK)
        status = pby_file_read_table(&l.text, &l.size, pby_path_named(input), err);
    if (status == PBY_OK)
        status = options[ONCE].value != NULL ? by_crowd(spec, options, &l, input, err)
                                             : by_memo(spec, options, &l, input, err);
    if (l.text != NULL)
        sodium_memzero(l.text, l.size);
    free(l.text);
    return status;
}

static pby_status run(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    pby_spec *spec = NULL;
    const pby_mechanism *m;
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status == PBY_OK)
        status = check_options(options, operands, argv, err);
    if (status == PBY_OK && operands == 0)
        status = pby_fail(err, PBY_BAD, "report: expected a SPEC such as rappor:bits=8,f=1/2");
    if (status == PBY_OK)
        status = pby_spec_parse(&spec, (const char *const *)argv, 1, err);
    if (status == PBY_OK)
        status = pby_spec_single(&m, spec, "one use of rappor", err);
    if (status == PBY_OK && !pby_mechanism_is_rappor(m))
        status = pby_refuse(err, "SPEC", pby_spec_text(spec), "one use of rappor");
    if (status == PBY_OK)
        status = options[NEW].value != NULL ? make_memo(argv[0], options, err)
                                            : report(spec, options, operands > 1 ? argv[1] : NULL, err);
    pby_spec_free(spec);
    return status;
}

static const char help[] =
    "probity report: what a client tells of its own values, by RAPPOR\n"
    "\n"
    "usage: probity report SPEC --memo FILE --new [--user NAME] [--ledger LEDGER]\n"
    "       probity report SPEC --memo FILE [INPUT] [--user NAME]\n"
    "       probity report SPEC --once [INPUT] [--ledger LEDGER] [--seed HEX]\n"
    "\n"
    "  SPEC             rappor:bits=K[,hashes=H],f=F[,p=P][,q=Q][,reports=N][,values=V]...\n"
    "  INPUT            values, one a line; - or nothing is standard input. A report is printed for each:\n"
    "                   its bits as 0 and 1, with the cohort and a colon in front where there are several.\n"
    "                   Without hashes a value is an integer from 0 to K - 1, with them 1 to 4096 bytes\n"
    "  --memo FILE      the client's own memo. It holds the values and their permanent responses, each\n"
    "                   drawn once: keep it where the values are, and restore no copy. What is printed is\n"
    "                   on the disk first\n"
    "  --new            makes the memo, which must not exist, and draws its cohort\n"
    "  --user NAME      whose memo it is; reports for another user are refused\n"
    "  --ledger LEDGER  the budget that all of V values and N reports on each are charged to, when the\n"
    "                   memo is made; refused (exit status 1) when it would overspend\n"
    "  --once           every line is the value of another user, who reports once and keeps no memo;\n"
    "                   for reports=1 and values=1\n"
    "  --seed HEX       64 hexadecimal digits, for simulations: the reports are no secret then\n"
    "\n"
    "Exit status 1 when the memo holds V values and another is to be reported, or a value was reported\n"
    "N times. A value that cannot be, a memo of another spec or user, and a memo that others may read are\n"
    "refused before anything is drawn.\n"
    "\n"
    "examples:\n"
    "  probity report rappor:bits=8,f=1/2 --memo me.memo --new\n"
    "  echo 3 | probity report rappor:bits=8,f=1/2 --memo me.memo\n"
    "  probity report rappor:bits=128,hashes=2,f=1/2,p=3/4,q=1/4,reports=1 --once values.txt\n";

const pby_command pby_command_report = {
    .name = "report",
    .summary = "what a client tells of its own values, by RAPPOR",
    .help = help,
    .run = run,
};
