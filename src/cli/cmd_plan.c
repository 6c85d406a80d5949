/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "cli/advice.h"
#include "cli/certified.h"
#include "cli/cmd_release.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "io/file.h"
#include "io/spool.h"
#include "release/plan_release.h"
#include "release/plan_template.h"
#include "report/plan/planned.h"

enum { JSON, REPORT, OUTPUT, SIGN, LEDGER, CERTIFICATE, AFTER, PART, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [JSON] = {.name = "--json", .help = "one JSON object"},
    [REPORT] = {.name = "--report",
                .shown = "FILE",
                .expected = "a file for the HTML page",
                .completes = "file",
                .help =
                    "also writes one HTML page that needs nothing from outside, with plots of each error "
                    "against epsilon; the noise is chosen anew for 8 other budgets, which takes its time"},
    [OUTPUT] = {.name = "-o",
                .shown = "FILE|DIR",
                .expected = "the name of a file to write",
                .completes = "file",
                .help =
                    "writes the plan or the certificate to FILE, and not to standard output; of release: the "
                    "folder DIR, which must not exist"},
    [SIGN] = {.name = "--sign",
              .shown = "KEY",
              .expected = "the name of a file that probity keygen wrote",
              .completes = "file",
              .help = "signs it with the secret key of probity keygen"},
    [LEDGER] = {.name = "--ledger",
                .shown = "LEDGER",
                .expected = "the name of a ledger",
                .completes = "file",
                .help =
                    "the ledger that is charged, of the plan's neighbours and unit (probity ledger init)"},
    [CERTIFICATE] = {.name = "--certificate",
                     .shown = "FILE",
                     .expected = "the name of a certificate of the plan",
                     .completes = "file",
                     .help = "refuses to release unless the certificate holds and is of this plan"},
    [AFTER] = {.name = "--after",
               .shown = "DIGEST",
               .expected = "the digest of the ledger's last entry",
               .help = "refuses unless the ledger's last entry has this digest"},
    [PART] = {.name = "--part",
              .shown = "PART",
              .expected = "the name of a part of the ledger's users",
              .help = "the rows are of these users alone, and only their budget is charged"},
};

static pby_status check(int operands, char **argv, const pby_option *o, pby_error *err)
{
    pby_planned *plan;
    char *text = NULL, *page = NULL;
    PBY_TRY(pby_operands_at_most(1, operands, argv, "one PLAN", err));
    PBY_TRY(pby_report_page_ready(o[REPORT].value, err));
    PBY_TRY(pby_planned_read(&plan, argv[0], err));
    pby_status status = pby_planned_report(&text, plan, pby_option_form(&o[JSON]), err);
    if (status == PBY_OK && o[REPORT].value != NULL)
        status = pby_planned_page(&page, plan, err);
    if (status == PBY_OK)
        status = pby_report_page_write(o[REPORT].value, page, err);
    free(page);
    pby_planned_free(plan);
    return pby_print_report(text, status);
}

static pby_status certify(int operands, char **argv, const pby_option *o, pby_error *err)
{
    pby_planned *plan;
    char *text;
    PBY_TRY(pby_operands_at_most(1, operands, argv, "one PLAN", err));
    PBY_TRY(pby_planned_read(&plan, argv[0], err));
    pby_status status = pby_planned_certify(&text, plan, err);
    if (status == PBY_OK)
        status = pby_certified_sign(&text, o[SIGN].value, err);
    if (status == PBY_OK)
        status = pby_spool_text(pby_path_named(o[OUTPUT].value), text, "", err);
    free(text);
    pby_planned_free(plan);
    return status;
}

static pby_status release(int operands, char **argv, const pby_option *o, pby_error *err)
{
    static const pby_plan_arguments names = {"-o", "--ledger", "--certificate"};
    pby_planned *plan;
    PBY_TRY(pby_operands_at_most(2, operands, argv, "a PLAN and the DATA", err));
    if (operands < 2)
        return pby_fail(err, PBY_BAD,
                        "plan release: expected the DATA behind the PLAN, - for standard input");
    if (o[OUTPUT].value == NULL)
        return pby_fail(err, PBY_BAD, "plan release: expected -o, the folder to write");
    if (o[LEDGER].value == NULL)
        return pby_fail(err, PBY_BAD, "plan release: expected --ledger, which is charged for the release");
    PBY_TRY(pby_planned_read(&plan, argv[0], err));
    const pby_plan_release asked = {.data = argv[1],
                                    .folder = o[OUTPUT].value,
                                    .ledger = o[LEDGER].value,
                                    .certificate = o[CERTIFICATE].value,
                                    .after = o[AFTER].value,
                                    .part = o[PART].value};
    const pby_status status = pby_plan_run(plan->plan, &plan->choice, &asked, &names, err);
    pby_planned_free(plan);
    if (status == PBY_BAD && !pby_advise_name(err, "after", o[AFTER].name))
        (void)pby_advise_name(err, "part", o[PART].name);
    if (status == PBY_OK && o[PART].value != NULL)
        pby_tell_part(o[PART].value);
    return status;
}

static pby_status init(int operands, char **argv, const pby_option *o, pby_error *err)
{
    char *text;
    PBY_TRY(pby_operands_at_most(1, operands, argv, "one table", err));
    PBY_TRY(pby_plan_template(&text, pby_path_named(argv[0]), err));
    const pby_status status = pby_spool_text(pby_path_named(o[OUTPUT].value), text, "", err);
    free(text);
    return status;
}

/* The actions, and the options that each of them reads. */
static const struct action {
    const char *name;
    pby_status (*run)(int operands, char **argv, const pby_option *o, pby_error *err);
    bool reads[OPTIONS];
} actions[] = {
    {"init", init, {[OUTPUT] = true}},
    {"check", check, {[JSON] = true, [REPORT] = true}},
    {"certify", certify, {[OUTPUT] = true, [SIGN] = true}},
    {"release",
     release,
     {[OUTPUT] = true, [LEDGER] = true, [CERTIFICATE] = true, [AFTER] = true, [PART] = true}},
};

enum { ACTIONS = sizeof actions / sizeof *actions };

static pby_status run_plan(int argc, char **argv, pby_error *err)
{
    pby_option o[OPTIONS + 1];
    const char *names[ACTIONS + 1] = {NULL};
    int operands;
    size_t which;
    for (size_t i = 0; i < ACTIONS; i++)
        names[i] = actions[i].name;
    PBY_TRY(pby_options_parse(o, known, argc, argv, &operands, err));
    if (operands == 0)
        return pby_fail(err, PBY_BAD, "plan: expected init, check, certify or release, and a FILE");
    PBY_TRY(pby_name_find(&which, names, "plan", argv[0], err));
    for (size_t i = 0; i < OPTIONS; i++)
        if (o[i].value != NULL && !actions[which].reads[i])
            return pby_option_unread(&o[i], "it with another action of plan", err);
    if (operands == 1)
        return pby_fail(err, PBY_BAD, "plan %s: expected a %s", argv[0],
                        which == 0 ? "table of records, as CSV with names in its first line"
                                   : "PLAN, which probity plan init DATA.csv -o PLAN begins");
    return actions[which].run(operands - 1, argv + 1, o, err);
}

static const char help[] =
    "probity plan: make a whole release, from bounds and one budget\n"
    "\n"
    "usage: probity plan init DATA.csv [-o PLAN]\n"
    "       probity plan check PLAN [--json] [--report FILE]\n"
    "       probity plan certify PLAN [-o FILE] [--sign KEY]\n"
    "       probity plan release PLAN DATA -o DIR --ledger LEDGER [--certificate FILE] [--after DIGEST]\n"
    "                            [--part PART]\n"
    "\n"
    "A PLAN is a file of TOML that states a unit of privacy, bounds on a user's rows, statistics and one\n"
    "budget (docs/plan.md). The sensitivities are derived from the bounds, the budget is shared out, and\n"
    "the noise is the least whose exact composed loss is within the budget.\n"
    "\n"
    "  init      a plan to be filled in, with the columns of the table; no value of it is read\n"
    "  check     what each statistic is worth, what all releases cost, and which changes would help most;\n"
    "            exit status 1 where an error that is asked for (within) does not fit the budget\n"
    "  certify   a certificate of all releases, with the plan in it: probity verify derives the\n"
    "            sensitivities from the plan again\n"
    "  release   one release: bounds each user's rows of DATA, a table in CSV with a header, charges the\n"
    "            ledger once, and makes the folder DIR with NAME.csv of each statistic (its groups, value,\n"
    "            low, high) and release.json\n"
    "\n";

static const char end[] = "\n"
                          "examples:\n"
                          "  probity plan init rows.csv -o visits.toml\n"
                          "  probity plan check visits.toml\n"
                          "  probity plan certify visits.toml -o visits.json\n"
                          "  probity plan release visits.toml rows.csv -o november --ledger visits.ledger\n";

const pby_command pby_command_plan = {
    "plan", "make a whole release, from bounds and one budget", help, known, end, run_plan};
