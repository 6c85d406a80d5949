/* SPDX-License-Identifier: MIT */
/* The pairs of report noisy max (docs/theory/noisymax.md).
 *
 * Let a set S of candidates fall behind the others by s steps, one at a time, and u_k be the chance that the
 * winner is in S after k of them. A step is paid for by one step of the winner's noise, whoever wins: u_(k+1)
 * >= a u_k and 1 - u_k >= a (1 - u_(k+1)), a = exp(-r). Two-sided geometric noise of rate r has these with
 * equality in the chances of its upper tails, so that no event loses more than that noise shifted by s does;
 * s is 2 d, or d for monotone scores. Two candidates with one-sided noise differ by exactly this noise. With
 * two-sided noise less is lost (growth.c). */
#include <flint/fmpq_vec.h>
#include <math.h>

#include "law/law_exponential.h"
#include "law/laws.h"
#include "mechanism/noisymax/growth.h"
#include "mechanism/noisymax/noisymax.h"
#include "mechanism/shared/monotone.h"
#include "number/scoped.h"
#include "pair/nodes.h"

enum { SENSITIVITY = 1 };

/* ---- the pair that dominates ------------------------------------------------------------------ */

/* A pair has an atom for each step. */
enum { STEPS_MAX = 1 << 14 };

int64_t pby_max_moved(const pby_mechanism *m)
{
    return (pby_monotone(m) ? 1 : 2) * pby_mechanism_natural(m, SENSITIVITY);
}

/* Steps may be taken together, if all are of one length: then so many, at most STEPS_MAX. */
static int64_t steps_of(const pby_mechanism *m)
{
    const int64_t by = pby_max_moved(m);
    int64_t steps = FLINT_MIN(by, STEPS_MAX);
    while (by % steps != 0)
        steps--;
    return steps;
}

/* True if the bound by growth is the better one: of e, the loss that the winner's noise pays for, from 1/156
 * to 3/2, or to 8 for one step. Below 1/100 it takes long, and what may grow as at 1/100 bounds what grows
 * less: sets at to e or to that. So the bound falls with e everywhere, as select takes for granted. */
static bool grows(fmpq_t at, const fmpq_t eps, int64_t by)
{
    enum { LEAST_INVERSE = 156, KNOWN_INVERSE = 100, MOST_HALVES = 3, MOST_ONE = 8 };
    PBY_FMPQ(least, most);
    fmpq_set_si(least, 1, LEAST_INVERSE);
    fmpq_set_si(most, by == 1 ? MOST_ONE : MOST_HALVES, by == 1 ? 1 : 2);
    const bool within = fmpq_cmp(least, eps) <= 0 && fmpq_cmp(eps, most) <= 0;
    fmpq_set_si(least, 1, KNOWN_INVERSE);
    fmpq_set(at, fmpq_cmp(eps, least) < 0 ? least : eps);
    return within;
}

static pby_status pair_of_shift(pby_pairs *out, const pby_mechanism *m, const fmpq_t eps, pby_error *err)
{
    pby_law *law = NULL;
    const int64_t steps = steps_of(m);
    PBY_FMPQ(rate);
    fmpq_set_si(rate, 1, (ulong)steps);
    fmpq_mul(rate, rate, eps);
    pby_status status = pby_law_geometric(&law, rate, err);
    if (status == PBY_OK)
        status = pby_pairs_init(out, 1, err);
    if (status == PBY_OK)
        status = pby_pair_shift(&out->pair[0], law, steps, err);
    pby_law_free(law);
    return status;
}

static pby_status pair_of_growth(pby_pairs *out, const fmpq *loss, const fmpq *delta, pby_error *err)
{
    const pby_status status = pby_pairs_init(out, 1, err);
    return status == PBY_OK ? pby_pair_of_nodes(&out->pair[0], loss, delta, PBY_GROWTH_NODES, err) : status;
}

pby_status pby_max_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted, pby_error *err)
{
    pby_max_noise noise;
    pby_status status = pby_monotone_about(m, wanted->relation, err);
    if (status != PBY_OK)
        return status;
    fmpq *loss = _fmpq_vec_init(PBY_GROWTH_NODES), *delta = _fmpq_vec_init(PBY_GROWTH_NODES);
    pby_max_noise_init(&noise, m);
    PBY_FMPQ(eps, at);
    fmpq_mul_si(eps, noise.rate, pby_max_moved(m));
    if (!noise.one_sided && grows(at, eps, pby_max_moved(m)) && pby_growth_delta(loss, delta, at, eps))
        status = pair_of_growth(out, loss, delta, err);
    else
        status = pair_of_shift(out, m, eps, err);
    pby_max_noise_clear(&noise);
    _fmpq_vec_clear(delta, PBY_GROWTH_NODES);
    _fmpq_vec_clear(loss, PBY_GROWTH_NODES);
    return status;
}

bool pby_max_is_exact(const pby_mechanism *m)
{
    pby_max_noise noise;
    pby_max_noise_init(&noise, m);
    const bool exact = noise.one_sided && steps_of(m) == pby_max_moved(m);
    pby_max_noise_clear(&noise);
    return exact;
}

/* ---- two candidates --------------------------------------------------------------------------- */

/* The farthest lead is overcome with a chance of some exp(-FAR_LEVEL); the loss there is below eps by about
 * eps/FAR_LEVEL. */
enum { FAR_LEVEL = 1 << 16 };
#define LEAD_MAX ((int64_t)1 << 60)

/* 1 + a, or (1 + a)^3 */
static void lead_norm(pby_expsum_t x, const pby_max_noise *noise)
{
    static const slong one_sided[] = {1, 1, 0, 0}, two_sided[] = {1, 3, 3, 1};
    pby_expsum_zero(x);
    for (int k = 0; k < 4; k++)
        pby_add_power(x, (noise->one_sided ? one_sided : two_sided)[k], noise->rate, k);
}

/* P(V >= j) over that norm, V the difference of two noises: for j >= 0 one-sided a^j, two-sided
 * a^j ((j+1)(1 - a^2) + a + 3 a^2); and V has the law of -V. */
static void lead(pby_expsum_t x, const pby_max_noise *noise, int64_t j)
{
    const int64_t k = j >= 0 ? j : 1 - j;
    pby_expsum_zero(x);
    pby_add_power(x, noise->one_sided ? 1 : k + 1, noise->rate, k);
    if (!noise->one_sided) {
        pby_add_power(x, 1, noise->rate, k + 1);
        pby_add_power(x, 2 - k, noise->rate, k + 2);
    }
    if (j >= 0)
        return;
    pby_expsum_t norm;
    pby_expsum_init(norm);
    lead_norm(norm, noise);
    pby_expsum_sub(x, norm, x);
    pby_expsum_clear(norm);
}

/* Two candidates, the one behind by `from` on the one input and by `to` on the other. */
static pby_status lead_pair(pby_pair *pair, const pby_max_noise *noise, int64_t from, int64_t to,
                            pby_error *err)
{
    pby_expsum_t norm, p, q;
    pby_expsum_init(norm);
    pby_expsum_init(p);
    pby_expsum_init(q);
    lead_norm(norm, noise);
    lead(p, noise, from);
    lead(q, noise, to);
    const pby_status status = pby_pair_two(pair, norm, p, q, err);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    pby_expsum_clear(norm);
    return status;
}

/* ---- a few candidates, two-sided noise -------------------------------------------------------- */

/* `front` candidates of S against `back` others, of which `high` lie a step higher. */
struct field {
    size_t front, back, high;
};

static const struct field fields[] = {{1, 2, 0}, {1, 2, 1}, {1, 3, 0}, {1, 3, 1}, {1, 4, 0}, {1, 4, 2},
                                      {1, 4, 3}, {1, 5, 0}, {1, 5, 4}, {2, 2, 0}, {2, 2, 1}, {2, 3, 1}};

enum {
    FIELDS = sizeof fields / sizeof *fields,
    PLACES = 7, /* leads of S that are tried */
    ASKED = 8,  /* epsilons that the best is kept for: 0, eps/ASKED, ... */
    CANDIDATES = 6,
    GUESS_BITS = 53,
    ROUNDED_BITS = 192
};

/* A ball around the chance that the winner is in S, which is `ahead` of the others. */
static pby_status field_chance(arb_t chance, const pby_max_noise *noise, const struct field *f, int64_t ahead,
                               slong prec, pby_error *err)
{
    int64_t x[CANDIDATES];
    PBY_ARB(one);
    arb_zero(chance);
    pby_status status = PBY_OK;
    for (size_t i = 0; i < f->front + f->back; i++)
        x[i] = i < f->front ? ahead : i < f->front + f->high;
    for (size_t i = 0; i < f->front && status == PBY_OK; i++) {
        status = pby_max_chance(one, noise, x, f->front + f->back, i, prec, err);
        arb_add(chance, chance, one, prec);
    }
    return status;
}

/* One that was tried, by its chances in doubles: they only choose among neighbours. */
struct trial {
    size_t field;
    int64_t ahead;
    double p, q;
};

static pby_status try_all(struct trial *trial, const pby_max_noise *noise, int64_t by, pby_error *err)
{
    PBY_ARB(chance);
    pby_status status = PBY_OK;
    for (size_t i = 0; i < FIELDS * PLACES && status == PBY_OK; i++) {
        struct trial *t = &trial[i];
        t->field = i / PLACES;
        t->ahead = by <= 4 ? (int64_t)(i % PLACES) - 1 : by * (int64_t)(i % PLACES) / (PLACES + 3);
        status = field_chance(chance, noise, &fields[t->field], t->ahead, GUESS_BITS, err);
        t->p = arf_get_d(arb_midref(chance), ARF_RND_NEAR);
        if (status == PBY_OK)
            status = field_chance(chance, noise, &fields[t->field], t->ahead - by, GUESS_BITS, err);
        t->q = arf_get_d(arb_midref(chance), ARF_RND_NEAR);
    }
    return status;
}

static const struct trial *best_at(const struct trial *trial, double factor)
{
    const struct trial *best = trial;
    for (size_t i = 1; i < FIELDS * PLACES; i++)
        if (trial[i].p - factor * trial[i].q > best->p - factor * best->q)
            best = &trial[i];
    return best;
}

static pby_status field_pair(pby_pair *pair, const pby_max_noise *noise, const struct trial *t, int64_t by,
                             pby_error *err)
{
    const struct field *f = &fields[t->field];
    PBY_ARB(p, q);
    PBY_TRY(field_chance(p, noise, f, t->ahead, ROUNDED_BITS, err));
    PBY_TRY(field_chance(q, noise, f, t->ahead - by, ROUNDED_BITS, err));
    return pby_pair_two_balls(pair, p, q, err);
}

/* Fills pair[0] .. pair[ASKED - 1]. */
static pby_status field_pairs(pby_pair *pair, const pby_max_noise *noise, int64_t by, pby_error *err)
{
    struct trial trial[FIELDS * PLACES];
    const double eps = fmpq_get_d(noise->rate) * (double)by;
    PBY_TRY(try_all(trial, noise, by, err));
    for (int i = 0; i < ASKED; i++)
        PBY_TRY(field_pair(&pair[i], noise, best_at(trial, exp(eps * i / ASKED)), by, err));
    return PBY_OK;
}

/* ---- those that are attained ------------------------------------------------------------------ */

/* One-sided noise: two candidates that are equal at some of the steps. */
static pby_status one_sided_attained(pby_pairs *out, const pby_max_noise *noise, int64_t by, pby_error *err)
{
    enum { MOST = 9 };
    const int64_t count = FLINT_MIN(by, MOST);
    pby_status status = pby_pairs_init(out, (size_t)count, err);
    for (int64_t i = 0; i < count && status == PBY_OK; i++) {
        const int64_t ahead = count > 1 ? i * ((by - 1) / (count - 1)) : 0;
        status = lead_pair(&out->pair[i], noise, -ahead, by - ahead, err);
    }
    return status;
}

/* Two-sided noise: two candidates from a lead in whose middle they are equal up to where the loss is, and
 * those few that are the worst found at some epsilons. */
static pby_status two_sided_attained(pby_pairs *out, const pby_max_noise *noise, int64_t by, pby_error *err)
{
    const int64_t far = FLINT_MIN(pby_decay_length(noise->rate, FAR_LEVEL), LEAD_MAX);
    const int64_t leads[] = {-(by / 2), 0, by, 4 * by, 16 * by, far};
    enum { LEADS = sizeof leads / sizeof *leads };
    pby_status status = pby_pairs_init(out, LEADS + ASKED, err);
    for (size_t i = 0; i < LEADS && status == PBY_OK; i++)
        status = lead_pair(&out->pair[i], noise, leads[i], leads[i] + by, err);
    return status == PBY_OK ? field_pairs(&out->pair[LEADS], noise, by, err) : status;
}

pby_status pby_max_attained(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted, pby_error *err)
{
    pby_max_noise noise;
    pby_status status = pby_monotone_about(m, wanted->relation, err);
    if (status != PBY_OK)
        return status;
    pby_max_noise_init(&noise, m);
    status = noise.one_sided ? one_sided_attained(out, &noise, pby_max_moved(m), err)
                             : two_sided_attained(out, &noise, pby_max_moved(m), err);
    pby_max_noise_clear(&noise);
    return status;
}
