/* SPDX-License-Identifier: MIT */
#include "base/excerpt.h"
#include "probity/experimental/ledgers.h"
#include "probity/ledger.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "certificate/ledger/ledger.h"
#include "certificate/ledger/plan_ledger.h"
#include "cli/advice.h"
#include "cli/cmd_release.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "number/integer.h"
#include "number/scoped.h"
#include "plan/plan.h"
#include "probity/rational.h"
#include "release/budget.h"
#include "release/permission.h"

enum {
    EPSILON,
    DELTA,
    RHO,
    RENYI,
    MU,
    ORDER,
    SPLIT,
    REFILL,
    EVERY,
    FROM,
    PARTS,
    NEIGHBOURS,
    ACCOUNTING,
    ROWS,
    USER,
    PLAN,
    PART,
    CURVE,
    FORM,
    REPORT,
    PLANNED,
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
             .help = "a budget of rho, of accounting zcdp: a rational above 0"},
    [RENYI] = {.name = "--renyi",
               .shown = "B",
               .expected = "a rational such as 1/2",
               .help = "the budget of --accounting renyi: a divergence of that order"},
    [ORDER] = {.name = "--order",
               .shown = "A",
               .expected = "a rational above 1",
               .help = "the order of --accounting renyi: a rational above 1"},
    [SPLIT] =
        {.name = "--split",
         .shown = "S",
         .expected = "a rational from 0 to below 1",
         .help =
             "of filter and odometer: the share of D that bounds the deltas of releases; 1/2 if left out"},
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
         .expected = "exact, basic, filter, zcdp, renyi, gdp or odometer",
         .completes = "exact basic filter zcdp renyi gdp odometer",
         .help =
             "exact (the default): the exact composition, for mechanisms chosen without looking at "
             "outputs. Under the others the budget holds however each release is chosen, and charges "
             "add (docs/ledger.md). basic: the epsilon and the delta of its certificate. filter: a rho "
             "and a delta, for a budget E and D. zcdp: the same, for a budget R and D. renyi: the "
             "divergence of order A and a delta, for a budget B and D. gdp: the square of a mu and a delta, "
             "for a budget M and D. odometer: a rho and a delta, without a limit on rhos; show says what "
             "was spent"},
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
    [MU] = {.name = "--mu",
            .shown = "M",
            .expected = "a rational such as 1/2",
            .help = "a budget of mu, of accounting gdp: a rational above 0"},
    [REFILL] = {.name = "--refill",
                .shown = "B",
                .expected = "a rational such as 1",
                .help =
                    "with --every: the bound of each period, in place of --epsilon, --rho, --renyi or --mu"},
    [EVERY] = {.name = "--every",
               .shown = "T",
               .expected = "a time such as 30d, 12h or 4w",
               .help = "the budget is that of each period of this length, such as 30d, 12h or 4w; an entry "
                       "counts in the period in which it is recorded"},
    [FROM] = {.name = "--from",
              .shown = "DATE",
              .expected = "a date such as 2026-11-18",
              .help = "with --every: when a period begins; today, in UTC, if left out"},
    [PARTS] = {.name = "--parts",
               .shown = "NAME",
               .expected = "what tells the parts of the users apart",
               .help =
                   "each user (or record) is in one of disjoint parts, told apart by NAME, such as region, "
                   "and the budget bounds each part; add-remove neighbours alone"},
    [PART] = {.name = "--part",
              .shown = "PART",
              .expected = "the name of a part of the users",
              .help = "with spend: the release is about this part alone"},
    [FORM] = {.name = "--form",
              .shown = "F",
              .expected = "json, jsonl or csv",
              .completes = "json jsonl csv",
              .help = "with export: one JSON object (json), or the entries alone, one on a line"},
    [REPORT] = {.name = "--report",
                .shown = "PAGE",
                .expected = "a file for the HTML page",
                .completes = "file",
                .help = "with show: an HTML page of the budget over time and of what is left"},
    [PLANNED] = {.name = "--planned",
                 .shown = "SPEC",
                 .expected = "a SPEC such as gauss:sigma2=400",
                 .help = "with --report: what a release of this would leave"},
    [JSON] = {.name = "--json", .help = "with init, show, spend and copy: one JSON object, as export prints"},
};

enum { INIT, SHOW, EXPORT, SPEND, COPY };

static const char *const actions[] = {
    [INIT] = "init", [SHOW] = "show", [EXPORT] = "export", [SPEND] = "spend", [COPY] = "copy", NULL};

/* ---- show and export -------------------------------------------------------------------------- */

static pby_status open_after(pby_ledger **ledger, const char *path, const pby_option *after, pby_error *err)
{
    PBY_TRY(pby_ledger_open(ledger, path, err));
    return pby_ledger_option_after(*ledger, after, err);
}

static pby_status show(const char *path, const pby_option *after, pby_report_form form, pby_error *err)
{
    pby_ledger *ledger = NULL;
    char *text = NULL;
    pby_status status = open_after(&ledger, path, after, err);
    if (status == PBY_OK)
        status = pby_report_ledger(&text, ledger, form, err);
    pby_ledger_close(ledger);
    return pby_print_report(text, status);
}

static pby_status list(const char *path, const pby_option *after, pby_ledger_form form, pby_error *err)
{
    pby_ledger *ledger = NULL;
    char *text = NULL;
    pby_status status = open_after(&ledger, path, after, err);
    if (status == PBY_OK)
        status = pby_ledger_list(&text, ledger, form, err);
    pby_ledger_close(ledger);
    return pby_print_report(text, status);
}

static pby_status export(const char *path, const pby_option *options, pby_error *err)
{
    static const char *const forms[] = {"json", "jsonl", "csv", NULL};
    size_t form = 0;
    if (options[FORM].value != NULL)
        PBY_TRY(pby_name_find(&form, forms, "--form", options[FORM].value, err));
    if (form == 0)
        return show(path, &options[AFTER], PBY_REPORT_JSON, err);
    return list(path, &options[AFTER], form == 1 ? PBY_LEDGER_JSON_LINES : PBY_LEDGER_CSV, err);
}

/* The page is written before anything is printed. */
static pby_status write_page(const char *path, const pby_option *options, pby_error *err)
{
    const char *file = options[REPORT].value, *planned = options[PLANNED].value;
    pby_ledger *ledger = NULL;
    pby_spec *spec = NULL;
    char *page = NULL;
    pby_status status = pby_budget_apart(file, path, err);
    if (status == PBY_OK)
        status = pby_report_page_ready(file, err);
    if (status == PBY_OK && planned != NULL)
        status = pby_spec_parse(&spec, &planned, 1, err);
    if (status == PBY_OK)
        status = open_after(&ledger, path, &options[AFTER], err);
    if (status == PBY_OK)
        status = pby_ledger_page(&page, ledger, spec, NULL, err);
    if (status == PBY_OK)
        status = pby_report_page_write(file, page, err);
    free(page);
    pby_ledger_close(ledger);
    pby_spec_free(spec);
    return status;
}

static pby_status show_with(const char *path, const pby_option *options, pby_error *err)
{
    if (options[PLANNED].value != NULL && options[REPORT].value == NULL)
        return pby_refuse(err, "--planned", options[PLANNED].value, "it beside --report FILE");
    if (options[REPORT].value != NULL)
        PBY_TRY(write_page(path, options, err));
    return show(path, &options[AFTER], options[JSON].value != NULL ? PBY_REPORT_JSON : PBY_REPORT_LINES, err);
}

/* ---- init ------------------------------------------------------------------------------------- */

/* The kinds of accounting, and which options each takes beside those of every ledger; bound is that of its
 * budget, which --refill stands for where the budget comes back. */
static const struct kind {
    const char *name, *budget;
    int bound; /* OPTIONS: none */
    bool needs[SPLIT + 1], takes[SPLIT + 1];
} kinds[] = {
    {"exact", "--epsilon E and --delta D", EPSILON, {[DELTA] = true}, {false}},
    {"basic", "--epsilon E and --delta D", EPSILON, {[DELTA] = true}, {false}},
    {"filter", "--epsilon E and --delta D", EPSILON, {[DELTA] = true}, {[SPLIT] = true}},
    {"zcdp", "--rho R", RHO, {false}, {[DELTA] = true}},
    {"renyi", "--order A and --renyi B", RENYI, {[ORDER] = true}, {[DELTA] = true}},
    {"gdp", "--mu M", MU, {false}, {[DELTA] = true}},
    {"odometer", "--delta D", OPTIONS, {[DELTA] = true}, {[SPLIT] = true}},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* A budget of rho or mu says which accounting it is of. */
static pby_status find_kind(const struct kind **out, const pby_option *options, pby_error *err)
{
    const char *names[KINDS + 1] = {NULL}, *text = options[ACCOUNTING].value;
    size_t i = 0;
    for (size_t k = 0; k < KINDS; k++) {
        names[k] = kinds[k].name;
        const bool implied = kinds[k].bound == RHO || kinds[k].bound == MU;
        if (text == NULL && implied && options[kinds[k].bound].value != NULL)
            i = k;
    }
    const pby_status status = text == NULL ? PBY_OK : pby_name_find(&i, names, "--accounting", text, err);
    *out = &kinds[i];
    return status;
}

static bool is_given(const pby_option *options, int option)
{
    return option < OPTIONS && options[option].value != NULL;
}

/* --refill is the bound of a budget that comes back. */
static pby_status check_refill(const struct kind *kind, const pby_option *options, pby_error *err)
{
    const char *refill = options[REFILL].value;
    if (refill == NULL)
        return PBY_OK;
    if (options[EVERY].value == NULL || kind->bound == OPTIONS)
        return pby_refuse(err, "--refill", refill, "it with --every, and an accounting that has a budget");
    return is_given(options, kind->bound)
               ? pby_fail(err, PBY_BAD, "--refill '%s': expected no %s beside it, which is the same",
                          PBY_EXCERPT(refill), options[kind->bound].name)
               : PBY_OK;
}

static pby_status check_kind(const struct kind *kind, const pby_option *options, pby_error *err)
{
    PBY_TRY(check_refill(kind, options, err));
    if (kind->bound < OPTIONS && !is_given(options, kind->bound) && !is_given(options, REFILL))
        return pby_fail(err, PBY_BAD, "ledger init: expected %s", kind->budget);
    for (int i = EPSILON; i <= SPLIT; i++) {
        if (kind->needs[i] && options[i].value == NULL)
            return pby_fail(err, PBY_BAD, "ledger init: expected %s", kind->budget);
        if (i != kind->bound && !kind->needs[i] && !kind->takes[i] && options[i].value != NULL)
            return pby_fail(err, PBY_BAD, "%s '%s': expected it with another --accounting than %s",
                            options[i].name, PBY_EXCERPT(options[i].value), kind->name);
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

static pby_status check_user(unsigned long rows, const pby_option *options, pby_error *err)
{
    return options[USER].value == NULL || rows == 1
               ? PBY_OK
               : pby_refuse(err, "--rows", options[ROWS].value,
                            "disjoint beside --user: contributions bound a user's rows");
}

/* Reads the neighbours by their option's name, and every number, so that a refusal names the option. */
static pby_status check_numbers(const pby_option *options, pby_error *err)
{
    pby_neighbours relation;
    PBY_MPQ(x);
    PBY_TRY(pby_option_neighbours(&relation, options[NEIGHBOURS].value, NULL, err));
    for (size_t i = EPSILON; i <= REFILL; i++)
        if (options[i].value != NULL)
            PBY_TRY(pby_rational_parse(x, options[i].name, options[i].value, err));
    return PBY_OK;
}

static pby_status create(const char *path, const struct kind *kind, const pby_option *options, pby_error *err)
{
    pby_ledger_terms terms = {.accounting = kind->name,
                              .bound = is_given(options, kind->bound) ? options[kind->bound].value
                                                                      : options[REFILL].value,
                              .delta = options[DELTA].value,
                              .order = options[ORDER].value,
                              .split = options[SPLIT].value,
                              .neighbours = options[NEIGHBOURS].value,
                              .user = options[USER].value,
                              .every = options[EVERY].value,
                              .from = options[FROM].value,
                              .parts = options[PARTS].value};
    PBY_TRY(check_numbers(options, err));
    PBY_TRY(read_rows(&terms.rows, options[ROWS].value, err));
    PBY_TRY(check_user(terms.rows, options, err));
    return pby_ledger_create_terms(path, &terms, err);
}

/* The plan says all that the other options would, but for the periods and the parts of the ledger. */
static pby_status init_by_plan(const char *path, const pby_option *options, pby_error *err)
{
    pby_release_plan *plan;
    const pby_ledger_terms more = {
        .every = options[EVERY].value, .from = options[FROM].value, .parts = options[PARTS].value};
    for (size_t i = EPSILON; i <= USER; i++)
        if (options[i].value != NULL && (i < EVERY || i > PARTS))
            return pby_refuse(err, options[i].name, options[i].value,
                              "it without --plan, which has all of it");
    PBY_TRY(pby_plan_read(&plan, options[PLAN].value, err));
    const pby_status status = pby_ledger_create_plan(path, plan, &more, err);
    pby_plan_free(plan);
    return status;
}

static pby_status init(const char *path, const pby_option *options, pby_error *err)
{
    const struct kind *kind;
    const bool planned = options[PLAN].value != NULL;
    pby_status status = find_kind(&kind, options, err);
    if (status == PBY_OK && !planned)
        status = check_kind(kind, options, err);
    for (size_t i = PART; i <= AFTER && status == PBY_OK; i++)
        if (options[i].value != NULL)
            status = pby_refuse(err, options[i].name, options[i].value,
                                i == AFTER ? "it with ledger show, export or spend"
                                           : "it with another action than init");
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
        status = pby_ledger_option_part(pby_permission_ledger(permission), &options[PART], err);
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
    pby_status status = pby_ledger_open_to_charge(&ledger, path, err);
    if (status == PBY_OK)
        status = pby_ledger_option_after(ledger, &options[AFTER], err);
    if (status == PBY_OK)
        status = pby_ledger_for_user(ledger, options[USER].value, err);
    if (status == PBY_OK)
        status = pby_ledger_option_part(ledger, &options[PART], err);
    if (status == PBY_OK)
        status = pby_ledger_spend_curve(ledger, options[CURVE].value, err);
    pby_ledger_close(ledger);
    return status == PBY_OK && options[JSON].value != NULL ? show(path, &options[AFTER], PBY_REPORT_JSON, err)
                                                           : status;
}

/* ---- copy ------------------------------------------------------------------------------------- */

static pby_status copy(const char *from, const char *to, const pby_option *options, pby_error *err)
{
    pby_ledger *ledger = NULL;
    pby_status status = open_after(&ledger, from, &options[AFTER], err);
    pby_ledger_close(ledger);
    if (status == PBY_OK)
        status = pby_ledger_copy(from, to, err);
    return status == PBY_OK && options[JSON].value != NULL ? show(to, &options[AFTER], PBY_REPORT_JSON, err)
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
    static const struct {
        int option, action;
        const char *expected;
    } only[] = {{PART, SPEND, "it with ledger spend"},
                {FORM, EXPORT, "it with ledger export"},
                {REPORT, SHOW, "it with ledger show"},
                {PLANNED, SHOW, "it with ledger show"}};
    for (size_t i = 0; i < sizeof only / sizeof *only; i++)
        if (options[only[i].option].value != NULL && strcmp(action, actions[only[i].action]) != 0)
            return pby_refuse(err, options[only[i].option].name, options[only[i].option].value,
                              only[i].expected);
    return options[USER].value == NULL || strcmp(action, actions[SPEND]) == 0
               ? PBY_OK
               : pby_refuse(err, "--user", options[USER].value, "it with ledger init or spend");
}

static pby_status act(size_t action, const char *const *texts, size_t count, const pby_option *options,
                      pby_error *err)
{
    if (action == INIT)
        return init(texts[0], options, err);
    if (action == SPEND && options[CURVE].value != NULL)
        return spend_curve(texts[0], options, err);
    if (action == SPEND)
        return spend(texts[0], texts + 1, count - 1, options, err);
    if (action == COPY)
        return copy(texts[0], texts[1], options, err);
    return action == EXPORT ? export(texts[0], options, err) : show_with(texts[0], options, err);
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
    if (action == COPY && operands < 3)
        return pby_fail(err, PBY_BAD, "ledger copy: expected FROM and TO");
    if (action != SPEND)
        return pby_operands_at_most(action == COPY ? 3 : 2, operands, argv,
                                    action == COPY ? "FROM and TO, nothing more" : "one FILE, not two", err);
    if (operands < 3)
        return pby_fail(err, PBY_BAD,
                        "ledger spend: expected FILE and a certificate or a SPEC such as stlap:eps=1/2,q=40");
    return pby_operands_at_most(2 + pby_permission_count(operands - 2, argv + 2), operands, argv,
                                "one certificate or SPEC..., nothing more", err);
}

static pby_status run_ledger(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    int operands;
    size_t action;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status == PBY_OK && operands < 2)
        status = pby_fail(err, PBY_BAD, "ledger: expected init, show, export, spend or copy, and a FILE");
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
    "probity ledger: keep a privacy budget, and what was spent\n"
    "\n"
    "usage: probity ledger init FILE BUDGET [--neighbours R] [--rows W | --user COLUMN] [--parts NAME]\n"
    "           [--every T [--from DATE] [--refill B]] [--json]\n"
    "       probity ledger init FILE --plan PLAN [--parts NAME] [--every T [--from DATE]] [--json]\n"
    "       probity ledger show FILE [--after DIGEST] [--report PAGE [--planned SPEC]] [--json]\n"
    "       probity ledger export FILE [--after DIGEST] [--form json|jsonl|csv]\n"
    "       probity ledger spend FILE (CERTIFICATE|SPEC... | --curve CURVE) [--user COLUMN] [--part PART]\n"
    "           [--after DIGEST] [--json]\n"
    "       probity ledger copy FROM TO [--after DIGEST] [--json]\n"
    "\n"
    "  BUDGET                             and how releases are charged (--accounting A, docs/ledger.md)\n"
    "  --epsilon E --delta D              exact: the exact composition, for mechanisms chosen without\n"
    "                                     looking at outputs; the others hold however they are chosen\n"
    "    --accounting basic               by certificates, whose epsilons and deltas add\n"
    "    --accounting filter [--split S]  rhos add; the share S of D (1/2) is for deltas\n"
    "  --rho R [--delta D]                zcdp: rhos and deltas add\n"
    "  --mu M [--delta D]                 gdp: the squares of mus add, and deltas\n"
    "  --order A --renyi B [--delta D] --accounting renyi      divergences of order A and deltas add\n"
    "  --delta D [--split S] --accounting odometer             no limit: show says what was spent\n"
    "\n"
    "Every release with --ledger FILE is recorded before any noise is drawn, and refused (exit status 1) if\n"
    "it could exceed the budget: an interrupted release has spent its budget, and everything released is in\n"
    "the ledger. FILE may be postgresql://HOST/DATABASE?ledger=NAME, a ledger that machines share.\n"
    "\n"
    "  init             makes FILE, with nothing spent; an existing file is left alone\n"
    "  show             the budget, what was spent, the last digest, and every release\n"
    "  export           the same as one JSON object, or its entries as lines\n"
    "  spend            charges for a release made elsewhere, by its certificate, which is verified\n"
    "                   first, or by its SPEC; refused (exit status 1), and nothing recorded, if it would\n"
    "                   exceed the budget\n"
    "  copy             makes TO of FROM with its entries, times and digests, between file and database;\n"
    "                   FROM must not be charged any more\n";

static const char end[] =
    "\n"
    "examples:\n"
    "  probity ledger init census.ledger --epsilon 1 --delta 1e-6\n"
    "  probity release stlap:eps=1/2,q=60 counts.csv --ledger census.ledger -o noisy.csv\n"
    "  probity ledger spend census.ledger 3*gauss:sigma2=400\n";

const pby_command pby_command_ledger = {
    "ledger", "keep a privacy budget, and what was spent", help, known, end, run_ledger};
