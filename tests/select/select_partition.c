/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "probity/experimental/buckets.h"
#include "probity/select.h"

/* The recursion of the optimal chances, p_0 = 0 and p_(k+1) = min(e^eps p_k + delta, 1 - e^-eps (1 - p_k -
 * delta), 1), in doubles, for comparison. */
Test(select_partition, the_chances_are_those_of_the_recursion)
{
    const char *text = "partition:eps=1/2,delta=1/1000";
    const double e = exp(0.5), delta = 1e-3;
    pby_enclosure chance;
    pby_spec *spec;
    pby_error err;
    bool sure = false;
    pby_enclosure_init(&chance);
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, &err), PBY_OK);
    double p = 0;
    for (uint64_t k = 1; !sure; k++) {
        p = fmin(fmin(e * p + delta, 1 - (1 - p - delta) / e), 1);
        cr_assert_eq(pby_partition_chance(&chance, &sure, spec, k, 12, &err), PBY_OK, "%s", err.text);
        cr_assert(fabs(mpfr_get_d(chance.lo, MPFR_RNDN) - p) < 1e-9 &&
                  mpfr_lessequal_p(chance.lo, chance.hi));
        cr_assert_eq(sure, p > 1 - 1e-12, "k = %d", (int)k);
        cr_assert_lt(k, 100);
    }
    pby_spec_free(spec);
    pby_enclosure_clear(&chance);
}

Test(select_partition, is_of_one_partition)
{
    static const char *const others[] = {"stlap:eps=1,q=3",
                                         "partition:eps=1/2,delta=1/1000 partition:eps=1,delta=1/1000"};
    pby_enclosure chance;
    pby_enclosure_init(&chance);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        pby_spec *spec;
        pby_error err;
        bool sure;
        cr_assert_eq(pby_spec_parse(&spec, &others[i], 1, &err), PBY_OK);
        cr_assert_eq(pby_partition_chance(&chance, &sure, spec, 1, 12, &err), PBY_BAD, "%s", others[i]);
        cr_assert_not_null(strstr(err.text, "a partition"), "%s", err.text);
        pby_spec_free(spec);
    }
    pby_enclosure_clear(&chance);
}
