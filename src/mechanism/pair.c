#include "mechanism/pair.h"

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
    if (pair->curve != NULL)
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
    if (pair->count == pair->room) {
        const size_t room = pair->room == 0 ? 16 : 2 * pair->room;
        pby_atom *atoms = realloc(pair->atoms, room * sizeof *atoms);
        if (atoms == NULL)
            return pby_no_memory(err);
        pair->atoms = atoms;
        pair->room = room;
    }
    pby_atom *atom = &pair->atoms[pair->count++];
    pby_expsum_init(atom->p);
    pby_expsum_init(atom->q);
    pby_expsum_swap(atom->p, p);
    pby_expsum_swap(atom->q, q);
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

/* Beyond the bends both laws are exponential, so that the ratio is constant there: an unbounded side
 * is one atom. */
pby_status pby_pair_shift(pby_pair *pair, const pby_law *law, int64_t shift, pby_error *err)
{
    const bool left = !pby_law_bounded_below(law), right = !pby_law_bounded_above(law);
    const int64_t from = (left ? law->bend_lo + 1 : law->lo) + FLINT_MIN(shift, 0);
    const int64_t to = (right ? law->bend_hi - 1 : law->hi) + FLINT_MAX(shift, 0);
    if (to - from >= PBY_ATOMS_MAX)
        return pby_fail(err, PBY_BAD, "%s: expected noise and sensitivity of at most %d outcomes together",
                        law->class->name, PBY_ATOMS_MAX);
    pby_expsum_set(pair->norm_p, law->norm);
    pby_expsum_set(pair->norm_q, law->norm);
    pby_status status = PBY_OK;
    if (left)
        status = append_run(pair, law, INT64_MIN, from - 1, shift, err);
    for (int64_t k = from; k <= to && status == PBY_OK; k++)
        status = append_run(pair, law, k, k, shift, err);
    if (right && status == PBY_OK)
        status = append_run(pair, law, FLINT_MAX(from, to + 1), INT64_MAX, shift, err);
    return status;
}

/* Whether a.p b.q and b.p a.q are certainly different: what balls can tell at a fraction of the cost. */
static bool clearly_apart(const pby_atom *a, const pby_atom *b)
{
    enum { PREC = 128 };
    const pby_expsum_struct *const factor[4] = {a->p, b->q, b->p, a->q};
    arb_t ball[4];
    for (int i = 0; i < 4; i++) {
        arb_init(ball[i]);
        pby_expsum_get_arb(ball[i], factor[i], PREC);
    }
    arb_mul(ball[0], ball[0], ball[1], PREC);
    arb_mul(ball[2], ball[2], ball[3], PREC);
    const bool apart = !arb_overlaps(ball[0], ball[2]);
    for (int i = 0; i < 4; i++)
        arb_clear(ball[i]);
    return apart;
}

/* Whether a.p b.q == b.p a.q. */
static bool same_ratio(const pby_atom *a, const pby_atom *b)
{
    if (clearly_apart(a, b))
        return false;
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

/* The masses of a run are differences of a cdf, so that their sum telescopes: a merged atom is as short
 * as a single one, and the whole pass is linear. */
void pby_pair_merge(pby_pair *pair)
{
    size_t kept = 0;
    for (size_t i = 0; i < pair->count; i++) {
        pby_atom *atom = &pair->atoms[i];
        if (kept > 0 && same_ratio(&pair->atoms[kept - 1], atom)) {
            pby_atom *into = &pair->atoms[kept - 1];
            pby_expsum_add(into->p, into->p, atom->p);
            pby_expsum_add(into->q, into->q, atom->q);
            atom_clear(atom);
        } else {
            if (kept != i)
                pair->atoms[kept] = *atom;
            kept++;
        }
    }
    pair->count = kept;
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
