#include <criterion/criterion.h>
#include <stdlib.h>

#include "../law/fit.h"
#include "mechanism/release.h"
#include "outcomes.h"

/* Every bar gets noise, the empty ones too: one word each, and the mean of the noise is near 0. */
Test(geometric_mechanism, a_million_bars)
{
    enum { N = 1000000 };
    pby_spec *spec = outcomes_spec("geometric:eps=1");
    pby_release *release = NULL;
    pby_entropy *source = seeded(24);
    int64_t *x = calloc(N, sizeof *x), *y = malloc(N * sizeof *y), sum = 0;
    size_t moved = 0;
    cr_assert_eq(pby_release_with(&release, spec, source, NULL), PBY_OK);
    cr_assert_eq(pby_release_form_of(release), PBY_RELEASE_COUNTS);
    cr_assert_eq(pby_release_counts(release, x, y, N, NULL), PBY_OK);
    for (size_t i = 0; i < N; i++) {
        sum += y[i];
        moved += y[i] != 0;
    }
    /* variance 2a/(1-a)^2 = 1.84; the chance of 0 is (1-a)/(1+a) = 0.462; six and a half standard deviations */
    cr_assert(llabs(sum) < 8900, "%lld", (long long)sum);
    cr_assert(moved > 534600 && moved < 541200, "%zu", moved);
    pby_release_free(release);
    free(y);
    free(x);
    pby_spec_free(spec);
}
