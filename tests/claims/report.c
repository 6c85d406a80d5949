/* SPDX-License-Identifier: MIT */
#include "tests/claims/report.h"

#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>

/* One short line, appended in one write: the tests of a suite run beside each other. */
static void append(const char *row, const char *found, const char *promised)
{
    const char *path = getenv("CLAIMS_REPORT");
    FILE *out = path != NULL ? fopen(path, "a") : NULL;
    if (out == NULL)
        return;
    fprintf(out, "%s\t%s\t%s\n", row, found, promised);
    fclose(out);
}

void claims_tell(const char *row, mpq_srcptr found, mpq_srcptr promised)
{
    char *a = mpq_get_str(NULL, 10, found), *b = mpq_get_str(NULL, 10, promised);
    append(row, a, b);
    free(a);
    free(b);
}

char *claims_enclosure(const arb_t x)
{
    char *text = NULL;
    mpfr_t lo, hi;
    mpfr_inits2(arb_bits(x) + 64, lo, hi, (mpfr_ptr)NULL);
    arb_get_interval_mpfr(lo, hi, x);
    if (mpfr_asprintf(&text, "[%.12RDe, %.12RUe]", lo, hi) < 0)
        abort();
    mpfr_clears(lo, hi, (mpfr_ptr)NULL);
    return text;
}

void claims_tell_arb(const char *row, const arb_t found, const arb_t promised)
{
    char *a = claims_enclosure(found), *b = claims_enclosure(promised);
    append(row, a, b);
    mpfr_free_str(a);
    mpfr_free_str(b);
}
