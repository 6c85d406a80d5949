/* SPDX-License-Identifier: MIT */
#include "probity/experimental/ledgers.h"
#include "probity/ledger.h"

#include <stdbool.h>
#include <string.h>

#include "base/nearest.h"
#include "certificate/ledger/plan_ledger.h"
#include "cli/advice.h"
#include "cli/cmd_release.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "number/integer.h"
#include "plan/plan.h"
#include "probity/rational.h"
#include "release/budget.h"
#include "release/permission.h"

enum {
    EPSILON,
    DELTA,
    RHO,
    RENYI,
    ORDER,
    SPLIT,
    NEIGHBOURS,
    ACCOUNTING,
    ROWS,
    USER,
    PLAN,
    CURVE,
    AFTER,
    JSON,
    OPTIONS
};

static const pby_option known[OPTIONS + 1] = {
    [EPSILON] = {.name = "--epsilon",
                 .shown = "E",
                 .expected = "a rational such as 1/2 or 0.5",
                 .help = "the budget: a rational above 0"},
    [DELTA] = {.name = "--delta",
               .shown = "D",
               .expected = "a rational such as 1e-6",
               .help = "the budget: a rational from 0 to below 1"},
    [RHO] = {.name = "--rho",
             .shown = "R",
             .expected = "a rational such as 1/10",
             .help = "the budget of --accounting zcdp: a rational above 0"},
    [RENYI] = {.name = "--renyi",
               .shown = "B",
               .expected = "a rational such as 1/2",
               .help = "the budget of --accounting renyi: a divergence of that order"},
    [ORDER] = {.name = "--order",
               .shown = "A",
               .expected = "a rational above 1",
               .help = "the order of --accounting renyi: a rational above 1"},
    [SPLIT] = {.name = "--split",
               .shown = "S",
               .expected = "a rational from 0 to below 1",
               .help = "of filter: the share of D that bounds the deltas of releases; 1/2 if left out"},
    [NEIGHBOURS] = {.name = "--neighbours",
                    .shown = "R",
                    .expected = "add-remove, substitute or local",
                    .completes = "add-remove substitute local",
                    .help = "the neighbours: add-remove (one record more or fewer), substitute "
                            "(one changed) or local (any two values "
                            "of one user); add-remove if left out"},
    [ACCOUNTING] =
        {.name = "--accounting",
         .shown = "A",
         .expected = "exact, basic, filter, zcdp or renyi",
         .completes = "exact basic filter zcdp renyi",
         .help = "exact (the default): the exact composition, for mechanisms chosen without looking at "
                 "outputs. Under the others the budget holds however each release is chosen, and charges "
                 "add (docs/ledger.md). basic: the epsilon and the delta of its certificate. filter: a rho "
                 "and a delta, for a budget E and D. zcdp: the same, for a budget R and D. renyi: the "
                 "divergence of order A and a delta, for a budget B and D"},
    [ROWS] = {.name = "--rows",
              .shown = "W",
              .expected = "disjoint or overlapping=N",
              .completes = "disjoint overlapping=",
              .help =
                  "disjoint (the default): a release counts one record in one row; or overlapping=N: in at "
                  "most N rows, where N is known without the data; every release is charged as N uses, "
                  "whatever the number of its rows"},
    [USER] = {.name = "--user",
              .shown = "COLUMN",
              .expected = "the name of the column that tells users apart",
              .help =
                  "the unit of privacy is a user, whom that column of raw records names (see release --by), "
                  "and neighbours differ in all records of one; without it a record. A release by another "
                  "unit is refused"},
    [PLAN] = {.name = "--plan",
              .shown = "PLAN",
              .expected = "the name of a release plan",
              .completes = "file",
              .help = "the budget, the neighbours and the unit of a release plan (probity plan)"},
    [CURVE] = {.name = "--curve",
               .shown = "CURVE",
               .expected = "a file of divergences or deltas",
               .completes = "file",
               .help =
                   "with spend: a CSV file of what is known of the release, its first line order,renyi "
                   "(Renyi divergences) or epsilon,delta, and the numbers below it growing. Charged by one "
                   "point, recorded with the file's SHA-256 (docs/ledger.md)"},
    [AFTER] = {.name = "--after",
               .shown = "DIGEST",
               .expected = "a digest that the ledger had",
               .help =
                   "refuses a ledger that has not had this last digest: an older copy, put back. show and "
                   "release --json print the last digest; note it on another machine"},
    [JSON] = {.name = "--json", .help = "with init, show and spend: one JSON object, as export prints"},
};

enum { INIT, SHOW, EXPORT, SPEND };

static const char *const actions[] = {
    [INIT] = "init", [SHOW] = "show", [EXPORT] = "export", [SPEND] = "spend", NULL};

/* ---- show and export -------------------------------------------------------------------------- */

static pby_status show(const char *path, const pby_option *after, pby_report_form form, pby_error *err)
{
    pby_ledger *ledger;
    char *text = NULL;
    pby_status status = pby_ledger_open(&ledger, path, err);
    if (status == PBY_OK)
        status = pby_ledger_option_after(ledger, after, err);
    if (status == PBY_OK)
        status = pby_report_ledger(&text, ledger, form, err);
    pby_ledger_close(ledger);
    return pby_print_report(text, status);
}

/* ---- init ------------------------------------------------------------------------------------- */

/* The kinds of accounting, and which options each takes beside --neighbours and --rows; the first is its
 * budget. */
static const struct kind {
    const char *name;
    pby_composition accounting;
    pby_filter filter;
    bool needs[SPLIT + 1], takes[SPLIT + 1];
} kinds[] = {
    {"exact", PBY_COMPOSE_EXACT, PBY_FILTER_NONE, {[EPSILON] = true, [DELTA] = true}, {false}},
    {"basic", PBY_COMPOSE_BASIC, PBY_FILTER_NONE, {[EPSILON] = true, [DELTA] = true}, {false}},
    {"filter", PBY_COMPOSE_BASIC, PBY_FILTER_APPROX, {[EPSILON] = true, [DELTA] = true}, {[SPLIT] = true}},
    {"zcdp", PBY_COMPOSE_BASIC, PBY_FILTER_RHO, {[RHO] = true}, {[DELTA] = true}},
    {"renyi", PBY_COMPOSE_BASIC, PBY_FILTER_RENYI, {[RENYI] = true, [ORDER] = true}, {[DELTA] = true}},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static pby_status find_kind(const struct kind **out, const char *text, pby_error *err)
{
    const char *names[KINDS + 1] = {NULL};
    size_t i = 0;
    for (size_t k = 0; k < KINDS; k++)
        names[k] = kinds[k].name;
    const pby_status status = text == NULL ? PBY_OK : pby_name_find(&i, names, "--accounting", text, err);
    *out = &kinds[i];
    return status;
}

static pby_status check_kind(const struct kind *kind, const pby_option *options, pby_error *err)
{
    static const char *const budgets[] = {
        [PBY_FILTER_NONE] = "--epsilon E and --delta D",
        [PBY_FILTER_APPROX] = "--epsilon E and --delta D",
        [PBY_FILTER_RHO] = "--rho R",
        [PBY_FILTER_RENYI] = "--order A and --renyi B",
    };
    if (options[ACCOUNTING].value == NULL && options[RHO].value != NULL)
        return pby_option_unread(&options[RHO], "it with --accounting zcdp", err);
    if (options[ACCOUNTING].value == NULL && options[RENYI].value != NULL)
        return pby_option_unread(&options[RENYI], "it with --accounting renyi and --order", err);
    for (size_t i = EPSILON; i <= SPLIT; i++) {
        if (kind->needs[i] && options[i].value == NULL)
            return pby_fail(err, PBY_BAD, "ledger init: expected %s", budgets[kind->filter]);
        if (!kind->needs[i] && !kind->takes[i] && options[i].value != NULL)
            return pby_fail(err, PBY_BAD, "%s '%.100s': expected it with another --accounting than %s",
                            options[i].name, options[i].value, kind->name);
    }
    return PBY_OK;
}

/* Reads the number of rows that a record may be in. */
static pby_status read_rows(unsigned long *out, const char *text, pby_error *err)
{
    static const char overlapping[] = "overlapping=";
    const size_t size = strlen(overlapping);
    *out = 1;
    if (text == NULL || strcmp(text, "disjoint") == 0)
        return PBY_OK;
    if (strncmp(text, overlapping, size) != 0)
        return pby_refuse(err, "--rows", text, "disjoint or overlapping=N");
    return pby_integer_parse(out, "--rows overlapping", text + size, 1, PBY_LEDGER_ROWS_MAX, 1, err);
}

/* A ledger of users is one whose releases are added up exactly or basically. */
static pby_status check_user(const struct kind *kind, unsigned long rows, const pby_option *options,
                             pby_error *err)
{
    const char *user = options[USER].value;
    if (user != NULL && kind->filter != PBY_FILTER_NONE)
        return pby_refuse(err, "--user", user, "exact or basic accounting beside it");
    return user == NULL || rows == 1
               ? PBY_OK
               : pby_refuse(err, "--rows", options[ROWS].value,
                            "disjoint beside --user: contributions bound a user's rows");
}

static pby_status create(const char *path, const struct kind *kind, const pby_option *options, pby_error *err)
{
    pby_neighbours relation;
    unsigned long rows;
    mpq_t x[SPLIT + 1];
    mpq_srcptr given[SPLIT + 1] = {NULL};
    pby_status status = pby_option_neighbours(&relation, options[NEIGHBOURS].value, NULL, err);
    if (status == PBY_OK)
        status = read_rows(&rows, options[ROWS].value, err);
    for (size_t i = EPSILON; i <= SPLIT; i++) {
        mpq_init(x[i]);
        if (status == PBY_OK && options[i].value != NULL) {
            status = pby_rational_parse(x[i], options[i].name, options[i].value, err);
            given[i] = x[i];
        }
    }
    const pby_filter_budget budget = {kind->filter,
                                      given[RHO] != NULL     ? given[RHO]
                                      : given[RENYI] != NULL ? given[RENYI]
                                                             : given[EPSILON],
                                      given[DELTA], given[ORDER], given[SPLIT]};
    if (status == PBY_OK)
        status = check_user(kind, rows, options, err);
    if (status == PBY_OK && options[USER].value != NULL)
        status = pby_ledger_create_user(path, relation, kind->accounting, options[USER].value, x[EPSILON],
                                        x[DELTA], err);
    else if (status == PBY_OK)
        status = kind->filter == PBY_FILTER_NONE
                     ? pby_ledger_create_overlapping(path, relation, kind->accounting, rows, x[EPSILON],
                                                     x[DELTA], err)
                     : pby_ledger_create_filter(path, relation, rows, &budget, err);
    for (size_t i = EPSILON; i <= SPLIT; i++)
        mpq_clear(x[i]);
    return status;
}

/* The plan says all that the other options would. */
static pby_status init_by_plan(const char *path, const pby_option *options, pby_error *err)
{
    pby_release_plan *plan;
    for (size_t i = EPSILON; i <= USER; i++)
        if (options[i].value != NULL)
            return pby_refuse(err, options[i].name, options[i].value,
                              "it without --plan, which has all of it");
    PBY_TRY(pby_plan_read(&plan, options[PLAN].value, err));
    const pby_status status = pby_ledger_create_plan(path, plan, "--plan", err);
    pby_plan_free(plan);
    return status;
}

static pby_status init(const char *path, const pby_option *options, pby_error *err)
{
    const struct kind *kind;
    const bool planned = options[PLAN].value != NULL;
    pby_status status = find_kind(&kind, options[ACCOUNTING].value, err);
    if (status == PBY_OK && !planned)
        status = check_kind(kind, options, err);
    if (status == PBY_OK && options[AFTER].value != NULL)
        status = pby_refuse(err, "--after", options[AFTER].value, "it with ledger show, export or spend");
    if (status == PBY_OK)
        status = planned ? init_by_plan(path, options, err) : create(path, kind, options, err);
    return status == PBY_OK && options[JSON].value != NULL ? show(path, &options[AFTER], PBY_REPORT_JSON, err)
                                                           : status;
}

/* ---- spend ------------------------------------------------------------------------------------ */

/* The unit of the release is what --user says, else that of its certificate. */
static pby_status check_unit(const pby_permission *permission, const char *user, pby_error *err)
{
    const pby_certificate *c = pby_permission_certificate(permission);
    return pby_budget_unit(&permission->budget, user == NULL && c != NULL ? pby_certificate_user(c) : user,
                           "--ledger", err);
}

/* By the rule of a release: the budget is asked, and what would overspend is not recorded. */
static pby_status spend(const char *path, const char *const *texts, size_t count, const pby_option *options,
                        pby_error *err)
{
    pby_permission *permission;
    pby_status status = pby_permission_ask(&permission, texts, count, path, "--ledger", err);
    if (status == PBY_OK)
        status = pby_ledger_option_after(pby_permission_ledger(permission), &options[AFTER], err);
    if (status == PBY_OK)
        status = check_unit(permission, options[USER].value, err);
    if (status == PBY_OK)
        status = pby_budget_spend(&permission->budget, err);
    pby_permission_close(permission);
    return status == PBY_OK && options[JSON].value != NULL ? show(path, &options[AFTER], PBY_REPORT_JSON, err)
                                                           : status;
}

/* Spends by a curve, whose point the ledger chooses. */
static pby_status spend_curve(const char *path, const pby_option *options, pby_error *err)
{
    pby_ledger *ledger;
    pby_status status = pby_ledger_open(&ledger, path, err);
    if (status == PBY_OK)
        status = pby_ledger_option_after(ledger, &options[AFTER], err);
    if (status == PBY_OK)
        status = pby_ledger_for_user(ledger, options[USER].value, err);
    if (status == PBY_OK)
        status = pby_ledger_spend_curve(ledger, options[CURVE].value, err);
    pby_ledger_close(ledger);
    return status == PBY_OK && options[JSON].value != NULL ? show(path, &options[AFTER], PBY_REPORT_JSON, err)
                                                           : status;
}

/* ---- the command ------------------------------------------------------------------------------ */

static pby_status refuse_alien(const pby_option *options, const char *action, pby_error *err)
{
    for (size_t i = EPSILON; i <= ROWS; i++)
        if (options[i].value != NULL)
            return pby_fail(err, PBY_BAD, "%s: expected it with ledger init, not with ledger %s",
                            options[i].name, action);
    if (options[PLAN].value != NULL)
        return pby_refuse(err, "--plan", options[PLAN].value, "it with ledger init");
    return options[USER].value == NULL || strcmp(action, actions[SPEND]) == 0
               ? PBY_OK
               : pby_refuse(err, "--user", options[USER].value, "it with ledger init or spend");
}

static pby_status act(size_t action, const char *const *texts, size_t count, const pby_option *options,
                      pby_error *err)
{
    const bool json = options[JSON].value != NULL;
    if (action == INIT)
        return init(texts[0], options, err);
    if (action == SPEND && options[CURVE].value != NULL)
        return spend_curve(texts[0], options, err);
    if (action == SPEND)
        return spend(texts[0], texts + 1, count - 1, options, err);
    return show(texts[0], &options[AFTER], action == EXPORT || json ? PBY_REPORT_JSON : PBY_REPORT_LINES,
                err);
}

/* The operands behind the action: a FILE, and with spend what is charged. */
static pby_status check_operands(size_t action, int operands, char **argv, const char *curve, pby_error *err)
{
    if (curve != NULL && action != SPEND)
        return pby_refuse(err, "--curve", curve, "it with ledger spend");
    if (curve != NULL && operands > 2)
        return pby_refuse(err, "--curve", curve, "no certificate or SPEC beside it");
    if (curve != NULL)
        return PBY_OK;
    if (action != SPEND)
        return pby_operands_at_most(2, operands, argv, "one FILE, not two", err);
    if (operands < 3)
        return pby_fail(err, PBY_BAD,
                        "ledger spend: expected FILE and a certificate or a SPEC such as stlap:eps=1/2,q=40");
    return pby_operands_at_most(2 + pby_permission_count(operands - 2, argv + 2), operands, argv,
                                "one certificate or SPEC..., nothing more", err);
}

static pby_status run(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    int operands;
    size_t action;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status == PBY_OK && operands < 2)
        status = pby_fail(err, PBY_BAD, "ledger: expected init, show, export or spend, and a FILE");
    if (status == PBY_OK)
        status = pby_name_find(&action, actions, "ledger", argv[0], err);
    if (status == PBY_OK)
        status = check_operands(action, operands, argv, options[CURVE].value, err);
    if (status == PBY_OK && action != INIT)
        status = refuse_alien(options, argv[0], err);
    if (status != PBY_OK)
        return status;
    status = act(action, (const char *const *)argv + 1, (size_t)operands - 1, options, err);
    if (status == PBY_BAD)
        pby_advise_options(err, known);
    return status;
}

static const char help[] =
    "probity ledger: a privacy budget, and what was spent\n"
    "\n"
    "usage: probity ledger init FILE --epsilon E --delta D [--accounting exact|basic] [OPTION]...\n"
    "       probity ledger init FILE --accounting filter --epsilon E --delta D [--split S] [OPTION]...\n"
    "       probity ledger init FILE --accounting zcdp --rho R [--delta D] [OPTION]...\n"
    "       probity ledger init FILE --accounting renyi --order A --renyi B [--delta D] [OPTION]...\n"
    "           with the options [--neighbours R] [--rows W | --user COLUMN] [--json]\n"
    "       probity ledger init FILE --plan PLAN [--json]\n"
    "       probity ledger show FILE [--after DIGEST] [--json]\n"
    "       probity ledger export FILE [--after DIGEST]\n"
    "       probity ledger spend FILE (CERTIFICATE|SPEC... | --curve CURVE) [--user COLUMN]\n"
    "           [--after DIGEST] [--json]\n"
    "\n"
    "A ledger is a file that keeps the budget of one data set. Every release with --ledger FILE is\n"
    "recorded before any noise is drawn. It is refused (exit status 1) if the composition of all recorded\n"
    "mechanisms and the new one could have a delta above D at E. The record is on the disk before the\n"
    "output is written: an interrupted release has spent its budget, and everything released is in the\n"
    "ledger. A damaged ledger is refused (docs/ledger.md).\n"
    "\n"
    "In place of FILE, postgresql://HOST/DATABASE?ledger=NAME is a ledger in a PostgreSQL database, which\n"
    "machines can share. init makes its tables and roles (docs/ledger.md).\n"
    "\n"
    "  init             makes FILE, with nothing spent; an existing file is left alone\n"
    "  show             the budget, what was spent, the last digest, and every release\n"
    "  export           the same as one JSON object\n"
    "  spend            charges for a release made elsewhere, by its certificate, which is verified\n"
    "                   first, or by its SPEC; refused (exit status 1), and nothing recorded, if it would\n"
    "                   exceed the budget\n";

static const char end[] =
    "\n"
    "examples:\n"
    "  probity ledger init census.ledger --epsilon 1 --delta 1e-6\n"
    "  probity release stlap:eps=1/2,q=60 counts.csv --ledger census.ledger -o noisy.csv\n"
    "  probity ledger spend census.ledger 3*gauss:sigma2=400\n"
    "  probity ledger show census.ledger\n";

const pby_command pby_command_ledger = {"ledger", "a privacy budget, and what was spent", help, known, end,
                                        run};
