/* SPDX-License-Identifier: MIT */
/* Maps in front of a mechanism. The output laws of the composite are enumerated on tiny histograms: maps that
 * bring no two histograms further apart stay within the mechanism's own pairs, and others do not. */
#include <criterion/criterion.h>
#include <string.h>

#include "mechanism/run/noise_bars.h"
#include "probity/experimental/parts.h"
#include "tests/claims/decide.h"
#include "tests/law/fit.h"
#include "tests/law/make.h"
#include "tests/mechanism/outcomes.h"
#include "tests/spec.h"

enum { KEYS = 3, MOST = 3, BARS = 2, SPAN = 14 };

typedef void map(int out[BARS], const int in[KEYS]);

/* ---- the maps --------------------------------------------------------------------------------- */

static void filter(int out[BARS], const int in[KEYS])
{
    out[0] = in[0];
    out[1] = in[2];
}

static void group(int out[BARS], const int in[KEYS])
{
    out[0] = in[0] + in[1];
    out[1] = in[2];
}

static void group_and_truncate(int out[BARS], const int in[KEYS])
{
    group(out, in);
    for (int i = 0; i < BARS; i++)
        out[i] = out[i] < 2 ? out[i] : 2;
}

/* Counts the first key in both bars: no two histograms get more than twice as far apart. */
static void count_twice(int out[BARS], const int in[KEYS])
{
    out[0] = in[0] + in[1];
    out[1] = in[0] + in[2];
}

/* A filter that looks at the data. */
static void keep_the_largest(int out[BARS], const int in[KEYS])
{
    out[0] = in[0] >= in[1] ? in[0] : 0;
    out[1] = in[0] >= in[1] ? 0 : in[1];
}

/* Preserves the norm, and nothing else: all records go to a bar that their number chooses. */
static void norm_alone(int out[BARS], const int in[KEYS])
{
    const int size = in[0] + in[1] + in[2];
    out[0] = size % 2 == 0 ? size : 0;
    out[1] = size % 2 == 0 ? 0 : size;
}

/* ---- the laws --------------------------------------------------------------------------------- */

/* Noisy counts from -SPAN/2 + 1 on; the first and the last outcome are open. */
static void geometric_bar(arb_ptr out, const fmpq_t rate, slong count)
{
    for (slong i = 0; i < SPAN; i++) {
        const slong noise = i - SPAN / 2 + 1 - count;
        if (i == 0)
            outcomes_geometric_from(out + i, rate, -noise);
        else if (i == SPAN - 1)
            outcomes_geometric_from(out + i, rate, noise);
        else
            outcomes_geometric(out + i, rate, noise);
    }
}

/* Nothing, then the noisy counts from the threshold 2 on, the last outcome open. */
static void threshold_bar(arb_ptr out, const fmpq_t rate, slong count)
{
    _arb_vec_zero(out, SPAN);
    arb_one(out);
    for (slong i = 1; i < SPAN && count > 0; i++) {
        const slong noise = i + 1 - count;
        if (i == SPAN - 1)
            outcomes_geometric_from(out + i, rate, noise);
        else
            outcomes_geometric(out + i, rate, noise);
        arb_sub(out, out, out + i, OUTCOMES_PREC);
    }
}

struct mechanism {
    const char *add_remove,
        *substitute; /* the same noise: a changed record moves twice as far as a new one */
    const char *rate;
    void (*bar)(arb_ptr out, const fmpq_t rate, slong count);
};

static const struct mechanism mechanisms[] = {
    {"geometric:eps=1", "geometric:eps=2,sensitivity=2", "1", geometric_bar},
    {"threshold:eps=1,T=2", "threshold:eps=2,T=2,sensitivity=2", "1", threshold_bar},
};

/* ---- enumeration ------------------------------------------------------------------------------ */

struct laws {
    arb_ptr bar[KEYS * MOST + 1]; /* by count */
};

static void laws_init(struct laws *laws, const struct mechanism *m)
{
    fmpq_t rate;
    fmpq_init(rate);
    set_text(rate, m->rate);
    for (slong c = 0; c <= KEYS * MOST; c++) {
        laws->bar[c] = _arb_vec_init(SPAN);
        m->bar(laws->bar[c], rate, c);
    }
    fmpq_clear(rate);
}

static void laws_clear(struct laws *laws)
{
    for (slong c = 0; c <= KEYS * MOST; c++)
        _arb_vec_clear(laws->bar[c], SPAN);
}

static void between(arb_t out, const struct laws *laws, map *f, const int x[KEYS], const int y[KEYS],
                    const fmpq_t epsilon)
{
    int a[BARS], b[BARS];
    arb_ptr p[BARS], q[BARS];
    f(a, x);
    f(b, y);
    for (int i = 0; i < BARS; i++) {
        p[i] = laws->bar[a[i]];
        q[i] = laws->bar[b[i]];
    }
    outcomes_divergence(out, p, q, BARS, SPAN, epsilon);
}

/* The largest divergence of the composite over all neighbours: one record less, or one that has another key.
 */
static void worst(arb_t out, const struct laws *laws, map *f, pby_neighbours relation, const fmpq_t epsilon)
{
    int x[KEYS], y[KEYS];
    arb_t ball;
    arb_init(ball);
    arb_zero(out);
    for (int code = 0; code < (MOST + 1) * (MOST + 1) * (MOST + 1); code++)
        for (int from = 0; from < KEYS; from++)
            for (int to = 0; to < KEYS; to++) {
                for (int i = 0, rest = code; i < KEYS; i++, rest /= MOST + 1)
                    x[i] = y[i] = rest % (MOST + 1);
                if (x[from] == 0 || (relation == PBY_ADD_REMOVE ? to > 0 : x[to] == MOST))
                    continue;
                y[from]--;
                y[to] += relation == PBY_SUBSTITUTE;
                between(ball, laws, f, x, y, epsilon);
                arb_max(out, out, ball, OUTCOMES_PREC);
                between(ball, laws, f, y, x, epsilon);
                arb_max(out, out, ball, OUTCOMES_PREC);
            }
    arb_clear(ball);
}

/* far: by the pairs of a histogram that moves twice as far. */
static void each_map(map *const *maps, size_t count, pby_neighbours relation, bool far, bool within)
{
    arb_t bound, found;
    fmpq_t epsilon;
    arb_init(bound);
    arb_init(found);
    fmpq_init(epsilon);
    for (size_t i = 0; i < sizeof mechanisms / sizeof *mechanisms; i++) {
        const struct mechanism *m = &mechanisms[i];
        const char *spec = relation == PBY_ADD_REMOVE && !far ? m->add_remove : m->substitute;
        struct laws laws;
        laws_init(&laws, m);
        for (size_t f = 0; f < count; f++)
            for (int num = 1; num <= 5; num += 2) {
                fmpq_set_si(epsilon, num, 2);
                outcomes_bound(bound, spec, relation, epsilon);
                worst(found, &laws, maps[f], relation, epsilon);
                if (within)
                    outcomes_check(bound, found, 0, spec);
                else if (num < 5)
                    cr_assert(claims_lt_arb(CLAIMS_ALL, bound, found), "%s, map %zu at %d/2", spec, f, num);
            }
        laws_clear(&laws);
    }
    fmpq_clear(epsilon);
    arb_clear(found);
    arb_clear(bound);
}

/* claims: Thresh/Corollary 2; Thresh/Theorem 7 */
Test(map, filter_group_and_limit_stay_within_the_pairs)
{
    static map *const maps[] = {filter, group, group_and_truncate};
    each_map(maps, sizeof maps / sizeof *maps, PBY_ADD_REMOVE, false, true);
}

Test(map, a_changed_record_too)
{
    static map *const maps[] = {filter, group, group_and_truncate};
    each_map(maps, sizeof maps / sizeof *maps, PBY_SUBSTITUTE, false, true);
}

/* An expansion by 2 needs twice the sensitivity: one is not enough. */
Test(map, an_expansion_multiplies_the_sensitivity)
{
    static map *const maps[] = {count_twice};
    each_map(maps, 1, PBY_ADD_REMOVE, true, true);
    each_map(maps, 1, PBY_ADD_REMOVE, false, false);
}

/* 004 Lemma 9 claims the second for every map that preserves the norm: one record goes to the second bar, two
 * go to the first, and they are three apart.
 * claims: Thresh/Lemma 9; Thresh/Theorem 7 */
Test(map, a_look_at_the_data_breaks_it_even_if_the_norm_is_preserved)
{
    static map *const maps[] = {keep_the_largest, norm_alone};
    each_map(maps, sizeof maps / sizeof *maps, PBY_ADD_REMOVE, false, false);
}

/* ---- the release ------------------------------------------------------------------------------ */

static void release(int64_t *y, const int64_t *x, size_t n, const char *text, int64_t limit)
{
    pby_spec *spec = spec_of(text);
    pby_release *r = NULL;
    cr_assert_eq(pby_release_with(&r, spec, PBY_ADD_REMOVE, seeded(77), NULL), PBY_OK);
    if (limit > 0)
        cr_assert_eq(pby_release_truncate(r, limit, NULL), PBY_OK);
    cr_assert_eq(pby_release_mapped(r, NULL), PBY_OK);
    cr_assert_eq(pby_release_counts(r, x, y, n, NULL), PBY_OK);
    pby_release_free(r);
    pby_spec_free(spec);
}

/* The mechanism sees min(x, limit) and nothing else of x, in place or not. */
Test(map, the_limit_stands_in_front_of_the_mechanism)
{
    enum { N = 4000, LIMIT = 7 };
    static const char *const specs[] = {"geometric:eps=1/2", "threshold:eps=1/2,T=5", "stlap:eps=1,q=6",
                                        "range:eps=1/2,L=3", "partition:eps=1,delta=1/100"};
    static int64_t x[N], cut[N], y[N], z[N];
    for (int64_t i = 0; i < N; i++) {
        x[i] = i % 20 == 19 ? (int64_t)1 << 40 : i % 20;
        cut[i] = x[i] < LIMIT ? x[i] : LIMIT;
    }
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        release(y, x, N, specs[s], LIMIT);
        release(z, cut, N, specs[s], 0);
        cr_assert_arr_eq(y, z, sizeof y, "%s", specs[s]);
        memcpy(z, x, sizeof z);
        release(z, z, N, specs[s], LIMIT);
        cr_assert_arr_eq(y, z, sizeof y, "%s", specs[s]);
        release(z, x, N, specs[s], 0);
        cr_assert_arr_neq(y, z, sizeof y, "%s", specs[s]);
    }
}

/* Behind a filter or a limit one changed record may move the size, which these pairs keep fixed. */
Test(map, refused_for_a_mechanism_that_reads_its_size)
{
    pby_spec *spec = spec_of("stlap:eps=1/2,tau=1/75,n=3000,bars=3");
    pby_release *r = NULL;
    cr_assert_eq(pby_release_new(&r, spec, PBY_ADD_REMOVE, NULL), PBY_OK);
    cr_assert_eq(pby_release_mapped(r, NULL), PBY_BAD);
    cr_assert_eq(pby_release_truncate(r, 5, NULL), PBY_BAD);
    pby_release_free(r);
    pby_spec_free(spec);
}

Test(map, a_limit_below_one_is_refused)
{
    pby_spec *spec = spec_of("geometric:eps=1");
    pby_release *r = NULL;
    cr_assert_eq(pby_release_new(&r, spec, PBY_ADD_REMOVE, NULL), PBY_OK);
    cr_assert_eq(pby_release_truncate(r, 0, NULL), PBY_BAD);
    cr_assert_eq(pby_release_truncate(r, -1, NULL), PBY_BAD);
    cr_assert_eq(pby_release_truncate(r, 1, NULL), PBY_OK);
    pby_release_free(r);
    pby_spec_free(spec);
}
