/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probity.h"

enum { INPUTS = 3, OUTPUTS = 3 };

static void set(mpq_t *x, const unsigned *numerators, unsigned denominator, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        mpq_set_ui(x[i], numerators[i], denominator);
        mpq_canonicalize(x[i]);
    }
}

/* All logarithms of ratios over distances, by the definition, in floating point. */
static long double by_definition(const unsigned *p, const unsigned *d)
{
    long double worst = 0;
    for (int x = 0; x < INPUTS; x++)
        for (int y = 0; y < INPUTS; y++)
            for (int z = 0; z < OUTPUTS; z++) {
                const unsigned a = p[x * OUTPUTS + z], b = p[y * OUTPUTS + z], apart = d[x * INPUTS + y];
                if (a <= b)
                    continue;
                worst = b == 0 || apart == 0 ? INFINITY
                                             : fmaxl(worst, logl((long double)a / (long double)b) / apart);
            }
    return worst;
}

/* Channels of tenths drawn by a seeded stream, with metrics of small numbers. */
Test(condensed, the_least_alpha_is_that_of_the_definition)
{
    unsigned seed = 7, infinite = 0;
    mpq_t p[INPUTS * OUTPUTS], d[INPUTS * INPUTS], alpha;
    pby_enclosure least;
    mpq_init(alpha);
    pby_enclosure_init(&least);
    for (size_t i = 0; i < INPUTS * OUTPUTS; i++)
        mpq_init(p[i]);
    for (size_t i = 0; i < INPUTS * INPUTS; i++)
        mpq_init(d[i]);
    for (int round = 0; round < 500; round++) {
        unsigned chance[INPUTS * OUTPUTS], apart[INPUTS * INPUTS] = {0};
        for (int x = 0; x < INPUTS; x++) {
            seed = seed * 1103515245U + 12345U;
            chance[x * OUTPUTS] = (seed >> 16) % 8;
            chance[x * OUTPUTS + 1] = (seed >> 20) % (11 - chance[x * OUTPUTS]);
            chance[x * OUTPUTS + 2] = 10 - chance[x * OUTPUTS] - chance[x * OUTPUTS + 1];
            for (int y = 0; y < x; y++)
                apart[x * INPUTS + y] = apart[y * INPUTS + x] = (seed >> (17 + 3 * y)) % 4;
        }
        set(p, chance, 10, INPUTS * OUTPUTS);
        set(d, apart, 1, INPUTS * INPUTS);
        const long double truth = by_definition(chance, apart);
        pby_condensed_pair worst;
        pby_error err = PBY_NO_ERROR;
        bool holds;
        cr_assert_eq(pby_condensed_least(&least, &worst, *p, *d, INPUTS, OUTPUTS, 9, &err), PBY_OK, "%s",
                     err.text);
        if (isinf(truth)) {
            infinite++;
            cr_assert(mpfr_inf_p(least.lo) && mpfr_inf_p(least.hi));
        } else
            cr_assert(mpfr_get_ld(least.lo, MPFR_RNDD) <= truth + 1e-15L &&
                      mpfr_get_ld(least.hi, MPFR_RNDU) >= truth - 1e-15L &&
                      mpfr_get_ld(least.hi, MPFR_RNDU) <= truth * (1 + 1e-9L) + 1e-15L);
        const unsigned a = chance[worst.x * OUTPUTS + worst.output],
                       b = chance[worst.y * OUTPUTS + worst.output],
                       between = apart[worst.x * INPUTS + worst.y];
        if (truth > 0)
            cr_assert(isinf(truth) ? (b == 0 || between == 0) && a > b
                                   : fabsl(logl((long double)a / b) / between - truth) < 1e-15L);
        for (unsigned tenth = 0; tenth < 30; tenth += 3) {
            mpq_set_ui(alpha, tenth, 10);
            mpq_canonicalize(alpha);
            cr_assert_eq(pby_condensed_holds(&holds, &worst, *p, *d, INPUTS, OUTPUTS, alpha, &err), PBY_OK);
            cr_assert_eq(holds, tenth / 10.0L >= truth); /* a logarithm is no tenth, but 0 */
        }
    }
    cr_assert(infinite > 20 && infinite < 480);
    for (size_t i = 0; i < INPUTS * OUTPUTS; i++)
        mpq_clear(p[i]);
    for (size_t i = 0; i < INPUTS * INPUTS; i++)
        mpq_clear(d[i]);
    pby_enclosure_clear(&least);
    mpq_clear(alpha);
}

/* Randomised response is private at log of its odds for the discrete metric. */
Test(condensed, of_texts)
{
    static const char *const channel[] = {"3/4", "1/4", "0.25", "0.75"}, *const metric[] = {"0", "2", "2",
                                                                                            "0"};
    pby_decimals alpha;
    pby_condensed_pair worst;
    bool holds;
    cr_assert_eq(pby_condensed_least_text(&alpha, &worst, channel, metric, 2, 2, 9, NULL), PBY_OK);
    cr_assert_str_eq(alpha.lo, "0.549306144");
    cr_assert_str_eq(alpha.hi, "0.549306145");
    cr_assert(worst.x == 0 && worst.y == 1 && worst.output == 0);
    cr_assert_eq(pby_condensed_holds_text(&holds, &worst, channel, metric, 2, 2, "0.5493", NULL), PBY_OK);
    cr_assert_not(holds);
    cr_assert_eq(pby_condensed_holds_text(&holds, &worst, channel, metric, 2, 2, "0.5494", NULL), PBY_OK);
    cr_assert(holds);
}

Test(condensed, what_is_refused)
{
    static const char *const good[] = {"1/2", "1/2", "1/3", "2/3"}, *const metric[] = {"0", "1", "1", "0"};
    static const struct {
        const char *channel[4], *metric[4], *alpha, *text;
    } bad[] = {
        {{"1/2", "1/3", "1/3", "2/3"},
         {"0", "1", "1", "0"},
         "1",
         "input 1: expected chances that add up to 1"},
        {{"1/2", "1/2", "4/3", "-1/3"}, {"0", "1", "1", "0"}, "1", "input 2, output 2: expected a chance"},
        {{"1/2", "1/2", "1/3", "2/3"}, {"0", "1", "2", "0"}, "1", "inputs 1 and 2: expected a distance"},
        {{"1/2", "1/2", "1/3", "2/3"}, {"0", "1", "1", "1"}, "1", "inputs 2 and 2: expected a distance"},
        {{"1/2", "1/2", "1/3", "2/3"}, {"0", "-1", "-1", "0"}, "1", "inputs 1 and 2: expected a distance"},
        {{"1/2", "1/2", "1/3", "2/3"},
         {"0", "1", "1", "0"},
         "-1",
         "alpha '-1': expected a rational from 0 on"},
        {{"1/2", "x", "1/3", "2/3"}, {"0", "1", "1", "0"}, "1", "channel 'x'"},
    };
    pby_condensed_pair worst;
    pby_decimals alpha;
    pby_error err = PBY_NO_ERROR;
    bool holds;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_expect_eq(
            pby_condensed_holds_text(&holds, &worst, bad[i].channel, bad[i].metric, 2, 2, bad[i].alpha, &err),
            PBY_BAD);
        cr_expect(strstr(err.text, bad[i].text) != NULL, "%s", err.text);
    }
    cr_assert_eq(pby_condensed_least_text(&alpha, &worst, good, metric, 0, 2, 9, &err), PBY_BAD);
}
