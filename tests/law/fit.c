/* SPDX-License-Identifier: MIT */
#include "tests/law/fit.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16, PREC = 128 };

pby_entropy *seeded(uint8_t seed)
{
    uint8_t key[PBY_SEED_SIZE];
    memset(key, seed, sizeof key);
    pby_entropy *source = NULL;
    cr_assert_eq(pby_entropy_seeded(&source, key, NULL), PBY_OK);
    return source;
}

/* The number of draws at, and below or at, each point of the window. */
struct counts {
    int64_t from, step;
    size_t points;
    size_t *at, *upto; /* upto[i]: above point i-1 and not above point i; summed at the end */
};

static void count(struct counts *c, const int64_t *value, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        const int64_t past = value[j] - c->from;
        const int64_t i = past <= 0 ? 0 : (past + c->step - 1) / c->step;
        if (i >= (int64_t)c->points)
            continue;
        c->upto[i]++;
        c->at[i] += value[j] == c->from + i * c->step;
    }
}

/* n KL(c/n || p) */
static void evidence(arb_t out, size_t c, size_t n, const arb_t p)
{
    arb_t share, ratio, q;
    arb_init(share);
    arb_init(ratio);
    arb_init(q);
    arb_zero(out);
    for (int side = 0; side <= 1; side++) {
        const size_t k = side == 0 ? c : n - c;
        if (k == 0)
            continue;
        arb_set_ui(share, k);
        arb_div_ui(share, share, n, PREC);
        arb_sub_ui(q, p, 1, PREC);
        arb_neg(q, q);
        arb_div(ratio, share, side == 0 ? p : q, PREC);
        arb_log(ratio, ratio, PREC);
        arb_mul(ratio, ratio, share, PREC);
        arb_mul_ui(ratio, ratio, n, PREC);
        arb_add(out, out, ratio, PREC);
    }
    arb_clear(q);
    arb_clear(ratio);
    arb_clear(share);
}

static void judge(const pby_law *law, const struct counts *c, size_t n)
{
    arb_t p, found, allowed;
    arb_init(p);
    arb_init(found);
    arb_init(allowed);
    arb_set_str(allowed, "4e9", PREC); /* two kinds of event, two sides, 1e-9 */
    arb_mul_ui(allowed, allowed, c->points, PREC);
    arb_log(allowed, allowed, PREC);
    for (size_t i = 0, below = 0; i < c->points; i++) {
        const int64_t k = c->from + (int64_t)i * c->step;
        below += c->upto[i];
        pby_law_mass_arb(p, law, k, PREC);
        evidence(found, c->at[i], n, p);
        cr_assert(arb_lt(found, allowed), "%s: the mass at %lld does not fit", law->class->name,
                  (long long)k);
        if (k >= law->hi) {
            cr_assert_eq(below, n, "a value above the support");
            continue;
        }
        pby_law_cdf_arb(p, law, k, PREC);
        evidence(found, below, n, p);
        cr_assert(arb_lt(found, allowed), "%s: the cdf at %lld does not fit", law->class->name, (long long)k);
    }
    arb_clear(allowed);
    arb_clear(found);
    arb_clear(p);
}

void check_fit(pby_sampler *sampler, size_t n, int64_t from, int64_t to, int64_t step, uint8_t seed)
{
    struct counts c = {.from = from, .step = step, .points = (size_t)((to - from) / step) + 1};
    c.at = calloc(c.points, sizeof *c.at);
    c.upto = calloc(c.points, sizeof *c.upto);
    int64_t *value = malloc(CHUNK * sizeof *value);
    pby_entropy *source = seeded(seed);
    for (size_t done = 0; done < n;) {
        const size_t m = n - done < CHUNK ? n - done : CHUNK;
        cr_assert_eq(pby_draw_many(sampler, source, value, m, NULL), PBY_OK);
        count(&c, value, m);
        done += m;
    }
    judge(sampler->law, &c, n);
    pby_entropy_free(source);
    free(value);
    free(c.upto);
    free(c.at);
}
