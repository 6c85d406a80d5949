/* SPDX-License-Identifier: MIT */
#include "pair/pair.h"
#include "base/array.h"
#include "number/scoped.h"

#include <stdlib.h>

void pby_pair_init(pby_pair *pair)
{
    *pair = (pby_pair){.direction = PBY_BOTH};
    pby_expsum_init(pair->norm_p);
    pby_expsum_init(pair->norm_q);
}

static void atom_clear(pby_atom *atom)
{
    pby_expsum_clear(atom->p);
    pby_expsum_clear(atom->q);
}

void pby_pair_clear(pby_pair *pair)
{
    for (size_t i = 0; i < pair->count; i++)
        atom_clear(&pair->atoms[i]);
    free(pair->atoms);
    pby_expsum_clear(pair->norm_p);
    pby_expsum_clear(pair->norm_q);
    if (pair->curve != NULL && pair->curve->copies-- == 0)
        pair->curve->class->free(pair->curve);
    pby_pair_init(pair);
}

pby_status pby_pairs_init(pby_pairs *pairs, size_t count, pby_error *err)
{
    *pairs = (pby_pairs){calloc(count, sizeof *pairs->pair), count};
    if (pairs->pair == NULL) {
        pairs->count = 0;
        return pby_no_memory(err);
    }
    for (size_t i = 0; i < count; i++)
        pby_pair_init(&pairs->pair[i]);
    return PBY_OK;
}

void pby_pairs_clear(pby_pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++)
        pby_pair_clear(&pairs->pair[i]);
    free(pairs->pair);
    *pairs = (pby_pairs){NULL, 0};
}

pby_status pby_pair_append(pby_pair *pair, pby_expsum_t p, pby_expsum_t q, pby_error *err)
{
    if (pby_expsum_is_zero(p) && pby_expsum_is_zero(q))
        return PBY_OK;
    PBY_RESERVE(pair->atoms, pair->room, pair->count + 1, err);
    pby_atom *atom = &pair->atoms[pair->count++];
    pby_expsum_init(atom->p);
    pby_expsum_init(atom->q);
    pby_expsum_swap(atom->p, p);
    pby_expsum_swap(atom->q, q);
    return PBY_OK;
}

pby_status pby_pair_append_rest(pby_pair *pair, pby_expsum_t p, pby_expsum_t q, pby_error *err)
{
    pby_expsum_t not_p, not_q;
    pby_expsum_init(not_p);
    pby_expsum_init(not_q);
    pby_expsum_sub(not_p, pair->norm_p, p);
    pby_expsum_sub(not_q, pair->norm_q, q);
    pby_status status = pby_pair_append(pair, p, q, err);
    if (status == PBY_OK)
        status = pby_pair_append(pair, not_p, not_q, err);
    pby_expsum_clear(not_q);
    pby_expsum_clear(not_p);
    return status;
}

pby_status pby_pair_two(pby_pair *pair, const pby_expsum_t norm, pby_expsum_t p, pby_expsum_t q,
                        pby_error *err)
{
    pby_expsum_set(pair->norm_p, norm);
    pby_expsum_set(pair->norm_q, norm);
    return pby_pair_append_rest(pair, p, q, err);
}

enum { ROUNDED_BITS = 192, CHANCE_BITS_MAX = 1 << 30 };

/* An end of a chance as a constant; false of one so small that its denominator has more bits than GMP's
 * numbers may have. */
static bool set_end(pby_expsum_t x, const arb_t chance, bool up)
{
    PBY_ARF(end);
    PBY_FMPQ(c, zero);
    if (up)
        arb_get_ubound_arf(end, chance, ROUNDED_BITS);
    else
        arb_get_lbound_arf(end, chance, ROUNDED_BITS);
    if (arf_sgn(end) < 0)
        arf_zero(end);
    if (arf_cmp_si(end, 1) > 0)
        arf_one(end);
    if (!arf_is_zero(end) && arf_cmpabs_2exp_si(end, -CHANCE_BITS_MAX) < 0)
        return false;
    arf_get_fmpq(c, end);
    pby_expsum_zero(x);
    pby_expsum_add_term(x, c, zero);
    return true;
}

pby_status pby_pair_two_balls(pby_pair *pair, const arb_t p, const arb_t q, pby_error *err)
{
    pby_expsum_t norm, x, y;
    pby_expsum_init(norm);
    pby_expsum_init(x);
    pby_expsum_init(y);
    pby_expsum_one(norm);
    const bool falls = arb_gt(p, q);
    const bool held = set_end(x, p, !falls) && set_end(y, q, falls);
    if (!falls && !arb_lt(p, q))
        pby_expsum_set(y, x);
    const pby_status status =
        held ? pby_pair_two(pair, norm, x, y, err)
             : pby_fail(err, PBY_FAILED, "a chance below 2^-%d, too small to compute with", CHANCE_BITS_MAX);
    pby_expsum_clear(y);
    pby_expsum_clear(x);
    pby_expsum_clear(norm);
    return status;
}

static pby_status pair_copy(pby_pair *out, const pby_pair *pair, pby_error *err)
{
    pby_expsum_t p, q;
    pby_status status = PBY_OK;
    pby_expsum_init(p);
    pby_expsum_init(q);
    pby_expsum_set(out->norm_p, pair->norm_p);
    pby_expsum_set(out->norm_q, pair->norm_q);
    out->direction = pair->direction;
    for (size_t i = 0; i < pair->count && status == PBY_OK; i++) {
        pby_expsum_set(p, pair->atoms[i].p);
        pby_expsum_set(q, pair->atoms[i].q);
        status = pby_pair_append(out, p, q, err);
    }
    out->curve = pair->curve;
    if (out->curve != NULL)
        out->curve->copies++;
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return status;
}

pby_status pby_pairs_copy(pby_pairs *out, const pby_pairs *pairs, pby_error *err)
{
    PBY_TRY(pby_pairs_init(out, pairs->count, err));
    for (size_t i = 0; i < out->count; i++)
        PBY_TRY(pair_copy(&out->pair[i], &pairs->pair[i], err));
    return PBY_OK;
}

/* Outcomes from `from` to `to` under the law as one numerator; an open end is INT64_MIN or
 * INT64_MAX. */
static void run_mass(pby_expsum_t out, const pby_law *law, int64_t from, int64_t to)
{
    if (from == to) {
        pby_law_mass(out, law, from);
        return;
    }
    pby_expsum_t before;
    pby_expsum_init(before);
    pby_law_below(out, law, to);
    if (from > law->lo)
        pby_law_below(before, law, from - 1);
    pby_expsum_sub(out, out, before);
    pby_expsum_clear(before);
}

static int64_t moved(int64_t k, int64_t by)
{
    return k == INT64_MIN || k == INT64_MAX ? k : k + by;
}

static pby_status append_run(pby_pair *pair, const pby_law *law, int64_t from, int64_t to, int64_t shift,
                             pby_error *err)
{
    pby_expsum_t p, q;
    pby_expsum_init(p);
    pby_expsum_init(q);
    run_mass(p, law, from, to);
    run_mass(q, law, moved(from, -shift), moved(to, -shift));
    const pby_status status = pby_pair_append(pair, p, q, err);
    pby_expsum_clear(p);
    pby_expsum_clear(q);
    return status;
}

/* The last outcome that has the ratio of k because both laws are in one run of theirs. */
static int64_t run_end(const pby_law *law, int64_t k, int64_t shift)
{
    for (int i = 0; i < 2; i++) {
        const int64_t from = law->run[i].from + FLINT_MAX(shift, 0),
                      to = law->run[i].to + FLINT_MIN(shift, 0);
        if (k >= from && k < to)
            return to;
    }
    return k;
}

/* Beyond the bends both laws are exponential, so that the ratio is constant there: an unbounded side
 * is one atom; and so is a run of a bounded law that has very many outcomes. */
pby_status pby_pair_shift(pby_pair *pair, const pby_law *law, int64_t shift, pby_error *err)
{
    const bool left = !pby_law_bounded_below(law), right = !pby_law_bounded_above(law);
    const int64_t from = (left ? law->bend_lo + 1 : law->lo) + FLINT_MIN(shift, 0);
    const int64_t to = (right ? law->bend_hi - 1 : law->hi) + FLINT_MAX(shift, 0);
    if (to - from >= PBY_ATOMS_MAX)
        return pby_fail(err, PBY_BAD, "SPEC: expected noise and sensitivity of at most %d outcomes together",
                        PBY_ATOMS_MAX);
    pby_expsum_set(pair->norm_p, law->norm);
    pby_expsum_set(pair->norm_q, law->norm);
    pby_status status = PBY_OK;
    if (left)
        status = append_run(pair, law, INT64_MIN, from - 1, shift, err);
    for (int64_t k = from, end; k <= to && status == PBY_OK; k = end + 1) {
        end = to - from < PBY_SINGLE_MAX ? k : run_end(law, k, shift);
        status = append_run(pair, law, k, end, shift, err);
    }
    if (right && status == PBY_OK)
        status = append_run(pair, law, FLINT_MAX(from, to + 1), INT64_MAX, shift, err);
    return status;
}

/* Balls around a ratio p : q, which decide most comparisons at a fraction of the cost. */
struct ratio {
    arb_t p, q;
};

enum { RATIO_PREC = 128 };

static void ratio_init(struct ratio *r)
{
    arb_init(r->p);
    arb_init(r->q);
}

static void ratio_set(struct ratio *r, const pby_atom *atom)
{
    pby_expsum_get_arb(r->p, atom->p, RATIO_PREC);
    pby_expsum_get_arb(r->q, atom->q, RATIO_PREC);
}

static void ratio_clear(struct ratio *r)
{
    arb_clear(r->q);
    arb_clear(r->p);
}

/* True if the two are certainly different. */
static bool clearly_apart(const struct ratio *a, const struct ratio *b)
{
    PBY_ARB(x, y);
    arb_mul(x, a->p, b->q, RATIO_PREC);
    arb_mul(y, b->p, a->q, RATIO_PREC);
    return !arb_overlaps(x, y);
}

/* True if a.p b.q == b.p a.q. */
static bool equal_ratio(const pby_atom *a, const pby_atom *b)
{
    pby_expsum_t left, right;
    pby_expsum_init(left);
    pby_expsum_init(right);
    pby_expsum_mul(left, a->p, b->q);
    pby_expsum_mul(right, b->p, a->q);
    const bool same = pby_expsum_equal(left, right);
    pby_expsum_clear(right);
    pby_expsum_clear(left);
    return same;
}

/* Adds an atom to one of the same ratio. */
static void join(pby_atom *into, pby_atom *atom)
{
    pby_expsum_add(into->p, into->p, atom->p);
    pby_expsum_add(into->q, into->q, atom->q);
    atom_clear(atom);
}

/* The masses of a run are differences of a cdf, so that their sum telescopes: a merged atom is as short
 * as a single one, and the whole pass is linear. Its ratio is that of its first. */
void pby_pair_merge(pby_pair *pair)
{
    struct ratio last, next;
    size_t kept = 0;
    ratio_init(&last);
    ratio_init(&next);
    for (size_t i = 0; i < pair->count; i++) {
        pby_atom *atom = &pair->atoms[i], *into = kept > 0 ? &pair->atoms[kept - 1] : NULL;
        ratio_set(&next, atom);
        if (into != NULL && !clearly_apart(&last, &next) && equal_ratio(into, atom)) {
            join(into, atom);
        } else {
            pair->atoms[kept++] = *atom;
            const struct ratio held = last;
            last = next;
            next = held;
        }
    }
    ratio_clear(&next);
    ratio_clear(&last);
    pair->count = kept;
}

/* ---- gathering ------------------------------------------------------------------------------ */

struct keyed {
    struct ratio ratio;
    arf_t key;
    pby_atom atom;
    bool joins; /* has the ratio of the one before */
};

static void keyed_init(struct keyed *k, const pby_atom *atom)
{
    ratio_init(&k->ratio);
    ratio_set(&k->ratio, atom);
    arf_init(k->key);
    k->atom = *atom;
    if (arb_is_zero(k->ratio.q))
        arf_pos_inf(k->key);
    else
        arf_div(k->key, arb_midref(k->ratio.p), arb_midref(k->ratio.q), RATIO_PREC / 4, ARF_RND_NEAR);
}

static void keyed_clear(struct keyed *k)
{
    ratio_clear(&k->ratio);
    arf_clear(k->key);
}

static int by_key(const void *a, const void *b)
{
    return arf_cmp(((const struct keyed *)a)->key, ((const struct keyed *)b)->key);
}

/* Single atoms are compared, before any is joined: the sums of these grow. No atom is 0 on both sides
 * (pby_pair_append), so that what is equal one after the other is equal throughout. A misplaced atom costs a
 * merge and no truth. */
pby_status pby_pair_gather(pby_pair *pair, pby_error *err)
{
    const size_t n = pair->count;
    struct keyed *list = malloc(n * sizeof *list + 1);
    if (list == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < n; i++)
        keyed_init(&list[i], &pair->atoms[i]);
    qsort(list, n, sizeof *list, by_key);
    for (size_t i = 0; i < n; i++)
        list[i].joins = i > 0 && !clearly_apart(&list[i - 1].ratio, &list[i].ratio) &&
                        equal_ratio(&list[i - 1].atom, &list[i].atom);
    pair->count = 0;
    for (size_t i = 0; i < n; i++) {
        if (list[i].joins)
            join(&pair->atoms[pair->count - 1], &list[i].atom);
        else
            pair->atoms[pair->count++] = list[i].atom;
        keyed_clear(&list[i]);
    }
    free(list);
    return PBY_OK;
}

bool pby_pair_dense(const pby_pair *pair)
{
    if (pair->curve == NULL)
        return false;
    const pby_curve_class *class = pair->curve->class;
    return class->near != NULL || (class->dense != NULL && class->dense(pair->curve));
}

pby_status pby_pair_product(pby_pair *out, const pby_pair *a, const pby_pair *b, pby_error *err)
{
    pby_expsum_t p, q;
    pby_status status = PBY_OK;
    pby_expsum_init(p);
    pby_expsum_init(q);
    pby_expsum_mul(out->norm_p, a->norm_p, b->norm_p);
    pby_expsum_mul(out->norm_q, a->norm_q, b->norm_q);
    for (size_t i = 0; i < a->count && status == PBY_OK; i++)
        for (size_t j = 0; j < b->count && status == PBY_OK; j++) {
            pby_expsum_mul(p, a->atoms[i].p, b->atoms[j].p);
            pby_expsum_mul(q, a->atoms[i].q, b->atoms[j].q);
            status = pby_pair_append(out, p, q, err);
        }
    pby_expsum_clear(p);
    pby_expsum_clear(q);
    return status;
}

void pby_pair_reverse(pby_pair *pair)
{
    for (size_t i = 0; i < pair->count; i++)
        pby_expsum_swap(pair->atoms[i].p, pair->atoms[i].q);
    pby_expsum_swap(pair->norm_p, pair->norm_q);
}
