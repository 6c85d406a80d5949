/* A budget, what was spent of it, and every release. */
#include "probity/ledger.h"

#include <stdlib.h>

#include "base/json.h"
#include "number/json.h"
#include "report/sheet.h"

enum { DIGITS = PBY_DIGITS_DEFAULT, ROWS_SIZE = 48 };

struct spent {
    pby_enclosure delta, epsilon;
    char digest[PBY_LEDGER_DIGEST_SIZE];
};

/* The entries among the lines, or as a list of their own. */
struct entries {
    FILE *lines;
    json_t *list;
};

static json_t *entry_json(const pby_ledger_entry *entry)
{
    const bool charged = entry->epsilon[0] != '\0'; /* of basic accounting alone */
    return json_pack("{s:I, s:s, s:s, s:s*, s:s*}", "number", (json_int_t)entry->number, "at", entry->at,
                     "spec", entry->spec, "epsilon", charged ? entry->epsilon : NULL, "delta",
                     charged ? entry->delta : NULL);
}

static pby_status tell_entry(const pby_ledger_entry *entry, void *what, pby_error *err)
{
    struct entries *e = what;
    (void)err;
    if (e->lines == NULL) {
        e->list = pby_json_append(e->list, entry_json(entry));
        return PBY_OK;
    }
    fprintf(e->lines, "%6lld  %s  %s", entry->number, entry->at, entry->spec);
    if (entry->epsilon[0] != '\0')
        fprintf(e->lines, "  epsilon %s, delta %s", entry->epsilon, entry->delta);
    fputc('\n', e->lines);
    return PBY_OK;
}

static void tell_rows(pby_sheet *s, const pby_ledger *ledger)
{
    const unsigned long rows = pby_ledger_rows(ledger);
    char text[ROWS_SIZE] = "disjoint";
    if (rows > 1)
        snprintf(text, sizeof text, "overlapping=%lu", rows);
    pby_sheet_text(s, "rows", "rows", text);
}

static void tell_summary(pby_sheet *s, const pby_ledger *ledger, const struct spent *spent)
{
    const bool basic = pby_ledger_accounting(ledger) == PBY_COMPOSE_BASIC;
    char *epsilon = mpq_get_str(NULL, 10, pby_ledger_epsilon(ledger)),
         *delta = mpq_get_str(NULL, 10, pby_ledger_delta(ledger));
    pby_sheet_text(s, NULL, "format", "probity-ledger");
    pby_sheet_member(s, "version", json_integer(pby_ledger_version(ledger)));
    pby_sheet_text(s, "neighbours", "neighbours", pby_neighbours_text(pby_ledger_neighbours(ledger)));
    pby_sheet_text(s, "accounting", "accounting", pby_composition_text(pby_ledger_accounting(ledger)));
    tell_rows(s, ledger);
    if (pby_ledger_user(ledger) != NULL) {
        pby_sheet_line(s, "unit", "user by %s", pby_ledger_user(ledger));
        pby_sheet_member(s, "user", json_string(pby_ledger_user(ledger)));
    }
    pby_sheet_line(s, "budget", "epsilon %s, delta %s", epsilon, delta);
    pby_sheet_member(s, "budget", json_pack("{s:s, s:s}", "epsilon", epsilon, "delta", delta));
    pby_sheet_enclosure(s, "spent", NULL, &spent->delta, DIGITS,
                        basic ? "delta" : "delta, at the budget's epsilon");
    pby_sheet_enclosure(s, "", NULL, &spent->epsilon, DIGITS,
                        basic ? "epsilon" : "epsilon, at the budget's delta");
    pby_sheet_member(s, "spent",
                     json_pack("{s:o, s:o}", "epsilon", pby_json_enclosure(&spent->epsilon, DIGITS), "delta",
                               pby_json_enclosure(&spent->delta, DIGITS)));
    pby_sheet_text(s, "digest", "digest", spent->digest);
    free(epsilon);
    free(delta);
}

pby_status pby_report_ledger(char **text, pby_ledger *ledger, pby_report_form form, pby_error *err)
{
    struct spent spent;
    pby_sheet s;
    pby_enclosure_init(&spent.delta);
    pby_enclosure_init(&spent.epsilon);
    pby_sheet_begin(&s, form);
    struct entries entries = {.lines = s.lines, .list = s.lines == NULL ? json_array() : NULL};
    pby_status status = pby_ledger_spent(&spent.delta, &spent.epsilon, ledger, DIGITS, err);
    if (status == PBY_OK)
        status = pby_ledger_digest(spent.digest, ledger, err);
    if (status == PBY_OK) {
        tell_summary(&s, ledger, &spent);
        status = pby_ledger_each(ledger, tell_entry, &entries, err);
    }
    pby_sheet_member(&s, "entries", entries.list);
    pby_enclosure_clear(&spent.epsilon);
    pby_enclosure_clear(&spent.delta);
    return pby_sheet_end(text, &s, status, err);
}
