#include <criterion/criterion.h>
#include <stdlib.h>

#include "../law/fit.h"
#include "../law/make.h"
#include "loss/divergence.h"
#include "loss/loss.h"
#include "mechanism/release.h"
#include "outcomes.h"

static pby_spec *both(const char *threshold, const char *inner)
{
    const char *const texts[2] = {threshold, inner};
    pby_spec *spec = NULL;
    pby_error err = {0};
    cr_assert_eq(pby_spec_parse(&spec, texts, 2, &err), PBY_OK, "%s", err.text);
    return spec;
}

/* Only what passed is published, and of that what the mechanism makes of the exact count. */
Test(stabilise, a_million_bars)
{
    enum { N = 1000000 };
    pby_spec *spec = both("threshold:eps=1,T=20", "stlap:eps=1,q=4");
    pby_release *release = NULL;
    int64_t *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    size_t shown = 0;
    for (size_t i = 0; i < N; i++)
        x[i] = (int64_t)(i % 41);
    cr_assert_eq(pby_release_with(&release, spec, seeded(25), NULL), PBY_OK);
    cr_assert_eq(pby_release_form_of(release), PBY_RELEASE_PASSED);
    cr_assert_eq(pby_release_counts(release, x, y, N, NULL), PBY_OK);
    for (size_t i = 0; i < N; i++) {
        cr_assert(x[i] != 0 || y[i] == PBY_SUPPRESSED);
        cr_assert(y[i] == PBY_SUPPRESSED || (y[i] <= x[i] && x[i] - y[i] <= 4));
        shown += y[i] != PBY_SUPPRESSED;
    }
    cr_assert(shown > N / 3 && shown < 2 * N / 3, "%zu", shown);
    pby_release_free(release);
    free(y);
    free(x);
    pby_spec_free(spec);
}

enum { SPAN = 24, MOST = 6 };

/* A bar of that count: outcome 0 is nothing, the others are the noisy counts from -SPAN/2 on, both ends open. */
static void bar_law(arb_ptr out, const fmpq_t rate, const fmpq_t inner, slong threshold, slong count)
{
    arb_t pass;
    arb_init(pass);
    for (slong i = 0; i <= SPAN; i++)
        arb_zero(out + i);
    arb_one(out);
    if (count > 0) {
        outcomes_geometric_from(pass, rate, threshold - count);
        arb_sub(out, out, pass, OUTCOMES_PREC);
        for (slong i = 1; i <= SPAN; i++) {
            const slong v = i - SPAN / 2 - count;
            outcomes_geometric(out + i, inner, v);
            if (i == SPAN)
                outcomes_geometric_from(out + i, inner, v);
            if (i == 1)
                outcomes_geometric_from(out + i, inner, -v);
            arb_mul(out + i, out + i, pass, OUTCOMES_PREC);
        }
    }
    arb_clear(pass);
}

/* The largest divergence of the products of their pairs. */
static void product_bound(arb_t out, const char *one, const char *other, const fmpq_t epsilon)
{
    pby_spec *a = outcomes_spec(one), *b = outcomes_spec(other);
    pby_pairs p, q;
    arb_t ball;
    arb_init(ball);
    arb_zero(out);
    cr_assert_eq(pby_loss_pairs(&p, a, PBY_ADD_REMOVE, true, NULL), PBY_OK);
    cr_assert_eq(pby_loss_pairs(&q, b, PBY_ADD_REMOVE, true, NULL), PBY_OK);
    for (size_t i = 0; i < p.count; i++)
        for (size_t j = 0; j < q.count; j++) {
            pby_pair both_pairs;
            pby_pair_init(&both_pairs);
            cr_assert_eq(pby_pair_product(&both_pairs, &p.pair[i], &q.pair[j], NULL), PBY_OK);
            pby_hockey_stick_direct(ball, &both_pairs, epsilon, OUTCOMES_PREC);
            arb_max(out, out, ball, OUTCOMES_PREC);
            pby_pair_clear(&both_pairs);
        }
    pby_pairs_clear(&q);
    pby_pairs_clear(&p);
    arb_clear(ball);
    pby_spec_free(b);
    pby_spec_free(a);
}

/* The composition of the threshold and the mechanism bounds the stabilised mechanism at every count. */
Test(stabilise, the_composition_bounds_it)
{
    arb_ptr law[MOST + 1];
    fmpq_t rate, inner, epsilon;
    arb_t ball, bound;
    arb_init(ball);
    arb_init(bound);
    fmpq_init(rate);
    fmpq_init(inner);
    fmpq_init(epsilon);
    fmpq_one(rate);
    set_text(inner, "1/2");
    for (slong c = 0; c <= MOST; c++) {
        law[c] = _arb_vec_init(SPAN + 1);
        bar_law(law[c], rate, inner, 3, c);
    }
    for (int num = 0; num <= 8; num++) {
        fmpq_set_si(epsilon, num, 4);
        product_bound(bound, "threshold:eps=1,T=3", "geometric:eps=1/2", epsilon);
        for (slong c = 0; c < MOST; c++)
            for (int back = 0; back < 2; back++) {
                outcomes_divergence(ball, &law[c + back], &law[c + 1 - back], 1, SPAN + 1, epsilon);
                outcomes_check(bound, ball, 0, "threshold:eps=1,T=3 geometric:eps=1/2");
            }
    }
    for (slong c = 0; c <= MOST; c++)
        _arb_vec_clear(law[c], SPAN + 1);
    fmpq_clear(epsilon);
    fmpq_clear(inner);
    fmpq_clear(rate);
    arb_clear(bound);
    arb_clear(ball);
}

Test(stabilise, refused)
{
    static const char *const pairs[][2] = {{"geometric:eps=1", "threshold:eps=1,T=3"},
                                           {"threshold:eps=1,T=3", "range:eps=1,L=3"},
                                           {"threshold:eps=1,T=3", "stlap:eps=1,tau=1/2,n=5,bars=2"},
                                           {"threshold:eps=1,T=3", "2*geometric:eps=1"},
                                           {"threshold:eps=1,T=3", "gauss:sigma2=1,sensitivity=1"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        pby_spec *spec = both(pairs[i][0], pairs[i][1]);
        pby_release *release;
        cr_assert_eq(pby_release_new(&release, spec, NULL), PBY_BAD, "%s", pairs[i][1]);
        pby_spec_free(spec);
    }
}
