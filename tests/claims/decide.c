/* SPDX-License-Identifier: MIT */
#include "tests/claims/decide.h"

#include <criterion/criterion.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/claims/report.h"

enum { ROWS_MAX = 32 };

/* The closest comparison told so far, for each text of rows: a loop over thousands of instances tells only
 * those that come closer than all before. */
static struct {
    const char *rows;
    double gap;
} closest[ROWS_MAX];

static bool closer(const char *rows, double gap)
{
    size_t i = 0;
    while (i < ROWS_MAX && closest[i].rows != NULL && strcmp(closest[i].rows, rows) != 0)
        i++;
    cr_assert(i < ROWS_MAX, "more than %d decisions in a test", ROWS_MAX);
    if (closest[i].rows != NULL && !(gap < closest[i].gap))
        return false;
    closest[i].rows = rows;
    closest[i].gap = gap;
    return true;
}

/* True if the row of CLAIMS_MUTATE is one of rows. */
static bool moved(const char *rows)
{
    const char *wanted = getenv("CLAIMS_MUTATE");
    if (wanted == NULL || strcmp(rows, CLAIMS_ALL) == 0)
        return wanted != NULL;
    for (const char *at = rows;; at += 2) {
        const char *end = strstr(at, "; ");
        const size_t n = end != NULL ? (size_t)(end - at) : strlen(at);
        if (strlen(wanted) == n && strncmp(at, wanted, n) == 0)
            return true;
        if (end == NULL)
            return false;
        at = end;
    }
}

static bool decide(const char *rows, const char *sign, const char *found, const char *bound, bool holds)
{
    const char *path = getenv("CLAIMS_REPORT");
    FILE *out = path != NULL ? fopen(path, "a") : NULL;
    if (out != NULL) {
        fprintf(out, "%s/%s\t%s\t%s\t%s\t%s\n", criterion_current_suite->name, criterion_current_test->name,
                rows, sign, found, bound);
        fclose(out);
    }
    return holds != moved(rows);
}

/* |x - y| in units of the greater. */
static double gap(double x, double y)
{
    const double most = fmax(fabs(x), fabs(y));
    return most > 0 ? fabs(x - y) / most : 0;
}

/* The fraction, or its first digits where it is long: a line of the report is appended in one write. */
static char *text_of(mpq_srcptr x)
{
    enum { LONG = 80 };
    char *text = mpq_get_str(NULL, 10, x);
    if (strlen(text) > LONG)
        snprintf(text, LONG, "%.17g", mpq_get_d(x));
    return text;
}

static bool decide_mpq(const char *rows, const char *sign, mpq_srcptr found, mpq_srcptr bound, bool holds)
{
    if (!closer(rows, gap(mpq_get_d(found), mpq_get_d(bound))))
        return holds != moved(rows);
    char *a = text_of(found), *b = text_of(bound);
    const bool result = decide(rows, sign, a, b, holds);
    free(a);
    free(b);
    return result;
}

static bool decide_arb(const char *rows, const char *sign, const arb_t found, const arb_t bound, bool holds)
{
    if (!closer(rows,
                gap(arf_get_d(arb_midref(found), ARF_RND_NEAR), arf_get_d(arb_midref(bound), ARF_RND_NEAR))))
        return holds != moved(rows);
    char *a = claims_enclosure(found), *b = claims_enclosure(bound);
    const bool result = decide(rows, sign, a, b, holds);
    mpfr_free_str(a);
    mpfr_free_str(b);
    return result;
}

bool claims_le(const char *rows, mpq_srcptr found, mpq_srcptr bound)
{
    return decide_mpq(rows, "<=", found, bound, mpq_cmp(found, bound) <= 0);
}

bool claims_lt(const char *rows, mpq_srcptr found, mpq_srcptr bound)
{
    return decide_mpq(rows, "<", found, bound, mpq_cmp(found, bound) < 0);
}

bool claims_eq(const char *rows, mpq_srcptr found, mpq_srcptr bound)
{
    return decide_mpq(rows, "==", found, bound, mpq_equal(found, bound) != 0);
}

bool claims_le_arb(const char *rows, const arb_t found, const arb_t bound)
{
    return decide_arb(rows, "<=", found, bound, arb_le(found, bound) != 0);
}

bool claims_lt_arb(const char *rows, const arb_t found, const arb_t bound)
{
    return decide_arb(rows, "<", found, bound, arb_lt(found, bound) != 0);
}

bool claims_eq_arb(const char *rows, const arb_t found, const arb_t bound)
{
    return decide_arb(rows, "==", found, bound, arb_overlaps(found, bound) != 0);
}

bool claims_may_le_arb(const char *rows, const arb_t found, const arb_t bound)
{
    return decide_arb(rows, "<=", found, bound, arb_gt(found, bound) == 0);
}

bool claims_le_d(const char *rows, double found, double bound)
{
    if (!closer(rows, gap(found, bound)))
        return (found <= bound) != moved(rows);
    char a[32], b[32];
    snprintf(a, sizeof a, "%.17g", found);
    snprintf(b, sizeof b, "%.17g", bound);
    return decide(rows, "<=", a, b, found <= bound);
}

bool claims_eq_text(const char *rows, const char *found, const char *expected)
{
    const bool holds = strcmp(found, expected) == 0;
    return closer(rows, 1) ? decide(rows, "==", found, expected, holds) : holds != moved(rows);
}

static bool decide_si(const char *rows, const char *sign, long found, long bound, bool holds)
{
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    mpq_set_si(x, found, 1);
    mpq_set_si(y, bound, 1);
    const bool result = decide_mpq(rows, sign, x, y, holds);
    mpq_clears(x, y, NULL);
    return result;
}

bool claims_le_si(const char *rows, long found, long bound)
{
    return decide_si(rows, "<=", found, bound, found <= bound);
}

bool claims_eq_si(const char *rows, long found, long bound)
{
    return decide_si(rows, "==", found, bound, found == bound);
}

bool claims_decide(const char *rows, const char *text, bool holds)
{
    return closer(rows, 1) ? decide(rows, "is", text, "", holds) : holds != moved(rows);
}
