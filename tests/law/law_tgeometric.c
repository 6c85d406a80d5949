/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "law/laws.h"
#include "tests/law/cuts.h"
#include "tests/law/fit.h"
#include "tests/law/make.h"

enum { PREC = 300 };

/* Clipping gathers on each end all that lies at it or beyond it. */
static void check_clipping(const char *rate, int64_t bound)
{
    pby_law *law = make_tgeometric(rate, bound), *whole = make_geometric(rate);
    arb_t mass, expected;
    arb_init(mass);
    arb_init(expected);
    for (int64_t k = -bound - 2; k <= bound + 2; k++) {
        pby_law_mass_arb(mass, law, k, PREC);
        if (k < -bound || k > bound) {
            arb_zero(expected);
        } else if (k == -bound || k == bound) {
            pby_law_cdf_arb(expected, whole, -bound, PREC);
        } else {
            pby_law_mass_arb(expected, whole, k, PREC);
        }
        cr_assert(arb_overlaps(mass, expected), "rate %s, bound %lld, at %lld", rate, (long long)bound,
                  (long long)k);
        cr_assert(arb_is_zero(mass) == (k < -bound || k > bound));
    }
    arb_clear(expected);
    arb_clear(mass);
    pby_law_free(whole);
    pby_law_free(law);
}

Test(tgeometric_law, is_the_geometric_law_clipped)
{
    check_clipping("1", 1);
    check_clipping("1", 10);
    check_clipping("1/100", 7);
    check_clipping("20", 3);
}

Test(tgeometric_law, the_refining_path_at_every_cut)
{
    check_cuts(make_tgeometric("1", 5));
    check_cuts(make_tgeometric("1/10", 20));
}

Test(tgeometric_law, a_million_draws_fit)
{
    pby_sampler *s = make_sampler(make_tgeometric("1/3", 6));
    check_fit(s, 1000000, -8, 8, 1, 31);
    pby_sampler_free(s);
}

Test(tgeometric_law, an_absurd_bound_is_refused)
{
    pby_law *law = NULL;
    pby_error err;
    fmpq_t r;
    fmpq_init(r);
    set_text(r, "1");
    cr_assert_eq(pby_law_tgeometric(&law, r, 1 << 30, &err), PBY_BAD);
    cr_assert_null(law);
    cr_assert_not_null(strstr(err.text, "tgeometric:bound '1073741824': expected at most 524287,"), "%s",
                       err.text);
    fmpq_clear(r);
}
