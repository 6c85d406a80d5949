/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/count/counts.h"
#include "probity/audit.h"
#include "probity/experimental/auditing.h"
#include "tests/audit/mechanisms.h"
#include "tests/edits.h"

static char *some_counts(void)
{
    pby_audit *audit;
    char *text;
    cr_assert_eq(pby_audit_new(&audit, NULL), PBY_OK);
    for (int i = 0; i < 40; i++)
        for (int side = 0; side < 2; side++)
            cr_assert_eq(pby_audit_add(audit, side == 0 ? PBY_LEFT : PBY_RIGHT, i % 3 ? "yes" : "no",
                                       i % 3 ? 3 : 2, NULL),
                         PBY_OK);
    cr_assert_eq(pby_audit_write(&text, audit, NULL), PBY_OK);
    pby_audit_free(audit);
    return text;
}

Test(audit_counts, read_back_as_written)
{
    char *text = some_counts(), *again;
    pby_audit *audit;
    cr_assert_eq(pby_audit_read(&audit, text, strlen(text), NULL), PBY_OK);
    cr_assert_eq(pby_audit_write(&again, audit, NULL), PBY_OK);
    cr_assert_str_eq(text, again);
    free(again);
    free(text);
    pby_audit_free(audit);
}

static void refused(const char *text)
{
    pby_audit *audit;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_audit_read(&audit, text, strlen(text), &err), PBY_BAD, "%.60s", text);
    cr_assert_null(audit);
    cr_assert_str_not_empty(err.text);
}

/* The text with the first occurrence of something replaced. */
static void refused_with(const char *from, const char *to)
{
    char *text = some_counts();
    char *at = strstr(text, from);
    cr_assert_not_null(at, "%s", from);
    char *changed = malloc(strlen(text) + strlen(to) + 1);
    memcpy(changed, text, (size_t)(at - text));
    strcpy(changed + (at - text), to);
    strcat(changed, at + strlen(from));
    refused(changed);
    free(changed);
    free(text);
}

Test(audit_counts, refuses_what_is_not_counts)
{
    refused("");
    refused("[]");
    refused("{}");
    refused("{\"probity\":\"counts\",\"version\":2}");
    refused_with("\"version\":2", "\"version\":2,\"version\":2");
    refused_with("\"counts\"", "\"certificate\"");
    refused_with("\"name\":\"output\"", "\"name\":\"colour\"");
    refused_with("\"level\":0", "\"level\":65");
    refused_with("\"cells\":[[\"", "\"cells\":[[\"-");
    refused_with("\"0x0p+0\"", "\"none\"");
    refused_with("\"seen\":[[", "\"seen\":[[-1");
    refused_with("\"outputs\":[40", "\"outputs\":[\"forty\"");
    refused_with("\"waiting\":[[[", "\"waiting\":[[[7");
}

/* Numbers that no counting gives: an output without a cell, a cell twice or empty, a key that no number has,
 * more that wait or were scored than were seen. */
Test(audit_counts, refuses_impossible_numbers)
{
    char *text = some_counts();
    const char *cells = strstr(text, "\"cells\":[[") + strlen("\"cells\":[");
    char cell[200], twice[500];
    snprintf(cell, sizeof cell, "%.*s", (int)(strchr(cells, ']') + 1 - cells), cells);
    snprintf(twice, sizeof twice, "%s,%s", cell, cell);
    free(text);
    refused_with(cell, twice);
    snprintf(twice, sizeof twice, "%s,", cell);
    refused_with(twice, "");
    refused_with("\"cells\":[[", "\"cells\":[[\"0\",0,0,0,0,0,0],[");
    refused_with("\"name\":\"output\"", "\"name\":\"sum\"");
    refused_with("\"closed\":false", "\"closed\":true");
    refused_with("\"closed\":false", "\"closed\":0");
    refused_with("\"blind\":false", "\"blind\":null");
    refused_with("\"name\":\"number of coordinates\",\"level\":0",
                 "\"name\":\"number of coordinates\",\"level\":60");
    refused_with("\"scored\":[[0", "\"scored\":[[1");
    refused_with("\"scored\":[[0", "\"scored\":[[1000");
    refused_with("\"learning\":\"waiting\"", "\"learning\":\"learned\"");
    refused_with("\"learning\":\"waiting\"", "\"learning\":\"asleep\"");
    refused_with("\"0x0p+0\"", "\"nan\"");
    refused_with("\"outputs\":[40", "\"outputs\":[40.5");
    refused_with("\"outputs\":[40", "\"missing\":[-1,0],\"outputs\":[40");
    refused_with("\"waiting\":[[[2,",
                 "\"waiting\":[[[0,\"eWVz\"],[0,\"eWVz\"],[0,\"eWVz\"],[0,\"eWVz\"],[0,\"eWVz\"],"
                 "[0,\"eWVz\"],[0,\"eWVz\"],[0,\"eWVz\"],[0,\"eWVz\"],[0,\"eWVz\"],[2,");
}

/* The judging relies on no count being larger than its sample. */
Test(audit_counts, refuses_more_in_cells_than_was_seen)
{
    char *text = some_counts();
    char *at = strstr(text, "\"seen\":[[");
    cr_assert_not_null(at);
    at += strlen("\"seen\":[[");
    while (*at != ',')
        *at++ = '0';
    at[-1] = '1';
    for (char *zero = strstr(text, "\"seen\":[[") + 9; zero < at - 1; zero++)
        *zero = ' ';
    refused(text);
    free(text);
}

struct edited {
    size_t accepted;
};

/* The data: cells, outputs that wait, the model that was learned of them, and outputs that did not come. */
static const char *const counted[] = {"features", "waiting", "missing", "model", NULL};

static void try_counts(json_t *edited, const char *path, const char *what, void *with)
{
    struct edited *e = with;
    pby_error err = PBY_NO_ERROR;
    pby_audit *audit = NULL;
    const pby_status status = pby_audit_of_counts(&audit, edited, &err);
    if (status == PBY_OK) {
        e->accepted++;
        cr_expect(pby_edit_within(path, counted), "%s, %s: accepted", path, what);
    } else
        cr_expect(status == PBY_BAD && audit == NULL && strchr(err.text, '\n') == NULL, "%s, %s: %s", path,
                  what, err.text);
    pby_audit_free(audit);
}

/* A member that follows from the data is refused when it says something else. The data themselves are what a
 * machine says that it counted. */
Test(audit_counts, every_edit_is_refused_or_of_the_data)
{
    static const char *const outputs[] = {"1", "-2.5", "yes", "1,2,3", "0x3ff0000000000000"};
    struct edited e = {0};
    pby_audit *audit;
    cr_assert_eq(pby_audit_new(&audit, NULL), PBY_OK);
    for (size_t i = 0; i < 60; i++) {
        const char *output = outputs[i % 5];
        cr_assert_eq(pby_audit_add(audit, i % 3 == 0 ? PBY_LEFT : PBY_RIGHT, output, strlen(output), NULL),
                     PBY_OK);
    }
    pby_audit_missing(audit, PBY_LEFT, 3);
    json_t *counts = pby_audit_counted(audit);
    cr_assert_not_null(counts);
    cr_assert(pby_edits(counts, try_counts, &e) > 200 && e.accepted > 0);
    json_decref(counts);
    pby_audit_free(audit);
}
