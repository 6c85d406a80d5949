/* range:eps=e,L=L[,sensitivity=D][,dimensions=d]: every bar gets two-sided geometric noise of rate e/D, and
 * the interval of L around the noisy count is published when it holds the count, else nothing (004
 * section 3).
 *
 * Between a bar of x and one of x + s: the outcomes v = x - L .. x + s - L - 1 are possible on x alone, those
 * up to x + L on both, the others on x + s alone; nothing is published with the same chance on both. No
 * smaller s is worse: as s grows, the chance under x + s of each outcome below it falls, and the others
 * have no positive part (docs/theory/range.md). The way D is divided among bars does matter, and there is a
 * pair for every division of D among at most d bars, among any number when d is left out. Each is its own
 * reverse.
 */
#include <stdlib.h>

#include "kernel/range.h"
#include "law/laws.h"
#include "mechanism/family.h"
#include "mechanism/noise.h"
#include "mechanism/product.h"

enum { EPS, L, SENSITIVITY, DIMENSIONS };

/* The most divisions of D that are enumerated. */
enum { DIVISIONS_MAX = 256 };

static pby_status range_law(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    return pby_law_geometric_over(out, &m->value[EPS], &m->value[SENSITIVITY], err);
}

/* ---- the pair of one bar ---------------------------------------------------------------------- */

static void between(pby_expsum_t out, const pby_law *law, int64_t from, int64_t to)
{
    pby_expsum_t before;
    pby_expsum_init(before);
    pby_law_below(out, law, to);
    pby_law_below(before, law, from - 1);
    pby_expsum_sub(out, out, before);
    pby_expsum_clear(before);
}

/* The outcomes from .. to as one atom, for the bars 0 and s; each side has its own reach. */
static pby_status append_run(pby_pair *pair, const pby_law *law, int64_t reach, int64_t s, int64_t from, int64_t to,
                             pby_error *err)
{
    if (from > to)
        return PBY_OK;
    pby_expsum_t p, q;
    pby_expsum_init(p);
    pby_expsum_init(q);
    if (to <= reach)
        between(p, law, from, to);
    if (from >= s - reach)
        between(q, law, from - s, to - s);
    const pby_status status = pby_pair_append(pair, p, q, err);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return status;
}

static pby_status append_nothing(pby_pair *pair, const pby_law *law, int64_t reach, pby_error *err)
{
    pby_expsum_t p, q;
    pby_expsum_init(p);
    pby_expsum_init(q);
    between(p, law, -reach, reach);
    pby_expsum_sub(p, law->norm, p);
    pby_expsum_set(q, p);
    const pby_status status = pby_pair_append(pair, p, q, err);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return status;
}

/* Both possible: one atom up to 0, one from s on, and one for each outcome between. */
static pby_status append_common(pby_pair *pair, const pby_law *law, int64_t reach, int64_t s, pby_error *err)
{
    const int64_t from = s - reach, to = reach;
    pby_status status = append_run(pair, law, reach, s, from, FLINT_MIN(0, to), err);
    for (int64_t v = FLINT_MAX(from, 1); v < s && v <= to && status == PBY_OK; v++)
        status = append_run(pair, law, reach, s, v, v, err);
    return status == PBY_OK ? append_run(pair, law, reach, s, FLINT_MAX(from, s), to, err) : status;
}

static pby_status bar_pair(pby_pair *pair, const pby_law *law, int64_t reach, int64_t s, pby_error *err)
{
    const int64_t apart = FLINT_MIN(s, 2 * reach + 1);
    pby_expsum_set(pair->norm_p, law->norm);
    pby_expsum_set(pair->norm_q, law->norm);
    pby_status status = append_run(pair, law, reach, apart, -reach, apart - reach - 1, err);
    if (status == PBY_OK)
        status = append_common(pair, law, reach, apart, err);
    if (status == PBY_OK)
        status = append_run(pair, law, reach, apart, reach + 1, apart + reach, err);
    return status == PBY_OK ? append_nothing(pair, law, reach, err) : status;
}

/* ---- divisions -------------------------------------------------------------------------------- */

/* A division of D: its parts, none larger than the one before. */
struct division {
    int64_t *part;
    int64_t count;
};

/* The next division in falling order, from D alone to D ones; false after the last. */
static bool next_division(struct division *d)
{
    int64_t rest = 0;
    while (d->count > 0 && d->part[d->count - 1] == 1) {
        rest++;
        d->count--;
    }
    if (d->count == 0)
        return false;
    const int64_t most = --d->part[d->count - 1];
    for (rest++; rest > 0; rest -= d->part[d->count++])
        d->part[d->count] = FLINT_MIN(rest, most);
    return true;
}

/* How many divisions of D have at most `bars` parts, up to DIVISIONS_MAX + 1: with the conjugate, those whose
 * largest part is at most that. */
static int64_t count_divisions(int64_t all, int64_t bars, pby_error *err, pby_status *status)
{
    *status = PBY_OK;
    if (bars == 1)
        return 1;
    if (all > DIVISIONS_MAX)
        return DIVISIONS_MAX + 1;
    int64_t *ways = calloc((size_t)all + 1, sizeof *ways);
    if (ways == NULL) {
        *status = pby_no_memory(err);
        return 0;
    }
    ways[0] = 1;
    for (int64_t k = 1; k <= FLINT_MIN(bars, all); k++)
        for (int64_t s = k; s <= all; s++)
            ways[s] = FLINT_MIN(ways[s] + ways[s - k], DIVISIONS_MAX + 1);
    const int64_t count = ways[all];
    free(ways);
    return count;
}

static pby_status division_pair(pby_pair *pair, const pby_law *law, int64_t reach, const struct division *d,
                                pby_error *err)
{
    pby_status status = bar_pair(pair, law, reach, d->part[0], err);
    pby_pair_merge(pair);
    for (int64_t i = 1; i < d->count && status == PBY_OK; i++) {
        pby_pair bar;
        pby_pair_init(&bar);
        status = bar_pair(&bar, law, reach, d->part[i], err);
        pby_pair_merge(&bar);
        if (status == PBY_OK)
            status = pby_pair_multiply(pair, &bar, err);
        pby_pair_clear(&bar);
    }
    return status;
}

static pby_status each_division(pby_pairs *out, const pby_law *law, int64_t reach, int64_t all, int64_t bars,
                                pby_error *err)
{
    struct division d = {malloc((size_t)(bars == 1 ? 1 : all) * sizeof *d.part), 1};
    if (d.part == NULL)
        return pby_no_memory(err);
    d.part[0] = all;
    pby_status status = PBY_OK;
    size_t made = 0;
    bool more = true;
    while (more && made < out->count && status == PBY_OK) {
        if (d.count <= bars)
            status = division_pair(&out->pair[made++], law, reach, &d, err);
        more = bars > 1 && next_division(&d);
    }
    free(d.part);
    return status;
}

static pby_status range_pairs(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation, pby_error *err)
{
    (void)relation;
    const int64_t all = pby_mechanism_natural(m, SENSITIVITY);
    const int64_t bars = pby_mechanism_has(m, DIMENSIONS) ? pby_mechanism_natural(m, DIMENSIONS) : all;
    pby_law *law;
    pby_status status;
    const int64_t count = count_divisions(all, bars, err, &status);
    if (status != PBY_OK)
        return status;
    if (count > DIVISIONS_MAX)
        return pby_fail(err, PBY_BAD, "range:sensitivity: more than %d ways to divide it among bars: expected a smaller "
                        "one, or dimensions=1", DIVISIONS_MAX);
    status = range_law(&law, m, err);
    if (status == PBY_OK)
        status = pby_pairs_init(out, (size_t)count, err);
    if (status == PBY_OK)
        status = each_division(out, law, pby_mechanism_natural(m, L), all, bars, err);
    pby_law_free(law);
    return status;
}

/* ---- the paper's claim, and the release ------------------------------------------------------- */

/* x = exp(-num/den-of-w times far), w = eps/D. */
static void decay(arb_t x, const pby_mechanism *m, int64_t far, slong prec)
{
    fmpq_t t;
    fmpz_t k;
    fmpq_init(t);
    fmpz_init_set_si(k, -far);
    fmpq_div(t, &m->value[EPS], &m->value[SENSITIVITY]);
    fmpq_mul_fmpz(t, t, k);
    arb_set_fmpq(x, t, prec);
    arb_exp(x, x, prec);
    fmpz_clear(k);
    fmpq_clear(t);
}

/* Lemma 2 for sensitivity 1, d (1-a)/(1+a) a^L, and Theorem 2 for the others, d a^(L+D-1), a = exp(-eps/D). */
static bool range_claim(arb_t delta, const pby_mechanism *m, pby_neighbours relation, const fmpq_t epsilon,
                        slong prec)
{
    (void)relation;
    if (fmpq_cmp(epsilon, &m->value[EPS]) < 0)
        return false;
    const int64_t reach = pby_mechanism_natural(m, L), all = pby_mechanism_natural(m, SENSITIVITY);
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    decay(delta, m, all == 1 ? reach : reach + all - 1, prec);
    if (all == 1) {
        decay(a, m, 1, prec);
        arb_sub_ui(b, a, 1, prec);
        arb_add_ui(a, a, 1, prec);
        arb_div(b, b, a, prec);
        arb_neg(b, b);
        arb_mul(delta, delta, b, prec);
    }
    if (pby_mechanism_has(m, DIMENSIONS))
        arb_mul_si(delta, delta, pby_mechanism_natural(m, DIMENSIONS), prec);
    arb_clear(b);
    arb_clear(a);
    return true;
}

static int64_t range_reach(const pby_mechanism *m)
{
    return pby_mechanism_natural(m, L);
}

static pby_status range_release(const pby_mechanism *m, pby_sampler *sampler, pby_entropy *source,
                                const int64_t *counts, int64_t *noisy, size_t n, pby_error *err)
{
    const int64_t reach = range_reach(m);
    for (size_t i = 0; i < n; i++)
        if (counts[i] > INT64_MAX - 2 * reach)
            return pby_fail(err, PBY_BAD, "counts: bar %zu of the chunk is too large for its range", i);
    int64_t *noise;
    const pby_status status = pby_noise_draw(&noise, sampler, source, n, err);
    if (status == PBY_OK)
        pby_ranges(noisy, counts, n, noise, reach);
    pby_noise_free(noise, n);
    return status;
}

const pby_family pby_family_range = {
    .name = "range",
    .summary = "intervals that hold the count, or nothing",
    .parameters = {{"eps", PBY_POSITIVE, NULL, "eps=E, the loss where both intervals are possible, a rational above 0"},
                   {"L", PBY_NATURAL, NULL, "L=L, half the length of an interval, an integer from 1 on"},
                   {"sensitivity", PBY_NATURAL, "1", "sensitivity=D, the most that neighbours differ by in all"},
                   {"dimensions", PBY_NATURAL, "", "dimensions=K, the most bars that one record touches"}},
    .law = range_law,
    .pairs = range_pairs,
    .claim = range_claim,
    .claim_source = "004 Lemma 2 (sensitivity 1) and Theorem 2",
    .form = PBY_RELEASE_RANGES,
    .reach = range_reach,
    .release = range_release,
};
