/* SPDX-License-Identifier: MIT */
/* A budget, what was spent of it, and every release. */
#include "probity/experimental/ledgers.h"
#include "probity/ledger.h"

#include <stdlib.h>

#include "base/json.h"
#include "certificate/ledger/ledger.h"
#include "certificate/ledger/mode.h"
#include "number/number_json.h"
#include "report/sheet.h"

enum { DIGITS = PBY_DIGITS_DEFAULT, ROWS_SIZE = 48 };

struct spent {
    pby_enclosure reading;      /* of an odometer */
    pby_enclosure delta, bound; /* of epsilon, or what a filter charges beside delta */
    char digest[PBY_LEDGER_DIGEST_SIZE];
};

/* The entries among the lines, or as a list of their own. */
struct entries {
    FILE *lines;
    json_t *list;
    const char *charge; /* what an entry is charged beside delta */
};

static json_t *entry_json(const pby_ledger_entry *entry, const char *charge)
{
    const bool charged = entry->epsilon[0] != '\0'; /* not under exact accounting */
    return json_pack("{s:I, s:s, s:s, s:s*, s:s*, s:s*}", "number", (json_int_t)entry->number, "at",
                     entry->at, "spec", entry->spec, "part", entry->part[0] != '\0' ? entry->part : NULL,
                     charge, charged ? entry->epsilon : NULL, "delta", charged ? entry->delta : NULL);
}

static pby_status print_entry(const pby_ledger_entry *entry, void *what, pby_error *err)
{
    struct entries *e = what;
    (void)err;
    if (e->lines == NULL) {
        e->list = pby_json_append(e->list, entry_json(entry, e->charge));
        return PBY_OK;
    }
    fprintf(e->lines, "%6lld  %s  %s", entry->number, entry->at, entry->spec);
    if (entry->epsilon[0] != '\0')
        fprintf(e->lines, "  %s %s, delta %s", e->charge, entry->epsilon, entry->delta);
    if (entry->part[0] != '\0')
        fprintf(e->lines, "  part %s", entry->part);
    fputc('\n', e->lines);
    return PBY_OK;
}

static void print_rows(pby_sheet *s, const pby_ledger *ledger)
{
    const unsigned long rows = pby_ledger_rows(ledger);
    char text[ROWS_SIZE] = "disjoint";
    if (rows > 1)
        snprintf(text, sizeof text, "overlapping=%lu", rows);
    pby_sheet_text(s, "rows", "rows", text);
}

/* Both sums, and for people what each of them is. */
static void print_sums(pby_sheet *s, const char *name, const char *bound, const struct spent *spent,
                       const char *what_delta, const char *what_bound)
{
    pby_sheet_enclosure(s, name, NULL, &spent->delta, DIGITS, what_delta);
    pby_sheet_enclosure(s, "", NULL, &spent->bound, DIGITS, what_bound);
    pby_sheet_member(s, name,
                     json_pack("{s:o, s:o}", bound, pby_json_enclosure(&spent->bound, DIGITS), "delta",
                               pby_json_enclosure(&spent->delta, DIGITS)));
}

static void print_spent(pby_sheet *s, const pby_ledger *ledger, const struct spent *spent)
{
    const pby_filter filter = pby_ledger_filter(ledger);
    const bool basic = pby_ledger_accounting(ledger) == PBY_COMPOSE_BASIC;
    if (filter != PBY_FILTER_NONE)
        print_sums(s, "charged", pby_mode_charge(filter), spent, "the sum of deltas",
                   filter == PBY_FILTER_RENYI ? "the sum of divergences; what is guaranteed is the budget"
                   : filter == PBY_FILTER_GDP ? "the sum of squares of mu; what is guaranteed is the budget"
                   : filter == PBY_FILTER_ODOMETER ? "the sum of rhos"
                                                   : "the sum of rhos; what is guaranteed is the budget");
    else
        print_sums(s, "spent", "epsilon", spent, basic ? "delta" : "delta, at the budget's epsilon",
                   basic ? "epsilon" : "epsilon, at the budget's delta");
}

/* The reading of an odometer holds with the ledger's delta, of all of which it is a part. */
static void print_reading(pby_sheet *s, const pby_ledger *ledger, const struct spent *spent)
{
    if (pby_ledger_filter(ledger) == PBY_FILTER_ODOMETER)
        pby_sheet_enclosure(s, "reading", "reading", &spent->reading, DIGITS,
                            "epsilon beside the delta, however releases were chosen");
}

static void print_terms(pby_sheet *s, const pby_ledger *ledger)
{
    char begin[PBY_STORE_TIME], end[PBY_STORE_TIME];
    const pby_budget_terms *t = &ledger->terms;
    if (t->parts != NULL)
        pby_sheet_text(s, "parts", "parts", t->parts);
    if (t->every == 0)
        return;
    pby_terms_begin(begin, t, ledger->totals.period);
    pby_terms_begin(end, t, ledger->totals.period + 1);
    pby_sheet_line(s, "period", "%s to %s", begin, end);
    pby_sheet_member(s, "period", json_pack("{s:s, s:s}", "from", begin, "to", end));
}

static void print_summary(pby_sheet *s, const pby_ledger *ledger, const struct spent *spent)
{
    const char *name = pby_mode_bound(pby_ledger_filter(ledger));
    char *bound = mpq_get_str(NULL, 10, pby_ledger_bound(ledger)),
         *delta = mpq_get_str(NULL, 10, pby_ledger_delta(ledger));
    pby_sheet_text(s, NULL, "format", "probity-ledger");
    pby_sheet_member(s, "version", json_integer(pby_ledger_version(ledger)));
    pby_sheet_text(s, "neighbours", "neighbours", pby_neighbours_text(pby_ledger_neighbours(ledger)));
    pby_sheet_text(s, "accounting", "accounting", pby_ledger_mode(ledger));
    print_rows(s, ledger);
    if (pby_ledger_user(ledger) != NULL) {
        pby_sheet_line(s, "unit", "user by %s", pby_ledger_user(ledger));
        pby_sheet_member(s, "user", json_string(pby_ledger_user(ledger)));
    }
    const bool limited = pby_ledger_filter(ledger) != PBY_FILTER_ODOMETER;
    if (limited)
        pby_sheet_line(s, "budget", "%s %s, delta %s", name, bound, delta);
    else
        pby_sheet_line(s, "budget", "delta %s, and no limit", delta);
    pby_sheet_member(s, "budget", json_pack("{s:s*, s:s}", name, limited ? bound : NULL, "delta", delta));
    print_terms(s, ledger);
    print_spent(s, ledger, spent);
    print_reading(s, ledger, spent);
    pby_sheet_text(s, "digest", "digest", spent->digest);
    free(bound);
    free(delta);
}

static pby_status read_sums(struct spent *spent, pby_ledger *ledger, pby_error *err)
{
    const pby_status status = pby_ledger_filter(ledger) != PBY_FILTER_NONE
                                  ? pby_ledger_charged(&spent->bound, &spent->delta, ledger, err)
                                  : pby_ledger_spent(&spent->delta, &spent->bound, ledger, DIGITS, err);
    if (status == PBY_OK && pby_ledger_filter(ledger) == PBY_FILTER_ODOMETER)
        PBY_TRY(pby_ledger_odometer(&spent->reading, ledger, DIGITS, err));
    return status == PBY_OK ? pby_ledger_digest(spent->digest, ledger, err) : status;
}

pby_status pby_report_ledger(char **text, pby_ledger *ledger, pby_report_form form, pby_error *err)
{
    struct spent spent;
    pby_sheet s;
    pby_enclosure_init(&spent.reading);
    pby_enclosure_init(&spent.delta);
    pby_enclosure_init(&spent.bound);
    pby_sheet_begin(&s, form);
    struct entries entries = {.lines = s.lines,
                              .list = s.lines == NULL ? json_array() : NULL,
                              .charge = pby_mode_charge(pby_ledger_filter(ledger))};
    pby_status status = read_sums(&spent, ledger, err);
    if (status == PBY_OK) {
        print_summary(&s, ledger, &spent);
        status = pby_ledger_each(ledger, print_entry, &entries, err);
    }
    pby_sheet_member(&s, "entries", entries.list);
    pby_enclosure_clear(&spent.bound);
    pby_enclosure_clear(&spent.delta);
    pby_enclosure_clear(&spent.reading);
    return pby_sheet_end(text, &s, status, err);
}
