/* The pairs that dominate above threshold (docs/theory/above.md). */
#include "mechanism/above/pairs.h"

/* ---- general queries -------------------------------------------------------------------------- */

/* Appends (p, q), (q, p) and takes both out of what is left of the mass. */
static pby_status append_both(pby_pair *pair, const pby_expsum_t p, const pby_expsum_t q, pby_expsum_t left,
                              pby_error *err)
{
    pby_expsum_t x, y;
    pby_expsum_init(x);
    pby_expsum_init(y);
    pby_status status = PBY_OK;
    for (int order = 0; order < 2 && status == PBY_OK; order++) {
        pby_expsum_set(x, order == 0 ? p : q);
        pby_expsum_set(y, order == 0 ? q : p);
        pby_expsum_sub(left, left, x);
        status = pby_pair_append(pair, x, y, err);
    }
    pby_expsum_clear(y);
    pby_expsum_clear(x);
    return status;
}

/* The outcomes of the shifted noise with Q of exp(-eps/2) of its mass, as far as their loss is above 0; the
 * same reversed; and without a loss what is left, which is never below 0. */
static pby_status thin(pby_pair *pair, const pby_pair *shifted, const fmpq_t half, pby_error *err)
{
    fmpq_t one, rate;
    pby_expsum_t q, left, again;
    fmpq_init(one);
    fmpq_init(rate);
    pby_expsum_init(q);
    pby_expsum_init(left);
    pby_expsum_init(again);
    fmpq_one(one);
    fmpq_neg(rate, half);
    pby_expsum_set(pair->norm_p, shifted->norm_p);
    pby_expsum_set(pair->norm_q, shifted->norm_p);
    pby_expsum_set(left, shifted->norm_p);
    pby_status status = PBY_OK;
    for (size_t i = 0; i < shifted->count && status == PBY_OK; i++) {
        pby_expsum_mul_term(q, shifted->atoms[i].q, one, rate);
        if (!pby_expsum_equal(q, shifted->atoms[i].p))
            status = append_both(pair, shifted->atoms[i].p, q, left, err);
    }
    pby_expsum_set(again, left);
    if (status == PBY_OK)
        status = pby_pair_append(pair, left, again, err);
    pby_expsum_clear(again);
    pby_expsum_clear(left);
    pby_expsum_clear(q);
    fmpq_clear(rate);
    fmpq_clear(one);
    return status;
}

pby_status pby_above_pairs_general(pby_pairs *out, const pby_pair *shifted, const fmpq_t half, pby_error *err)
{
    const pby_status status = pby_pairs_init(out, 1, err);
    return status == PBY_OK ? thin(&out->pair[0], shifted, half, err) : status;
}

/* ---- monotone queries ------------------------------------------------------------------------- */

/* The rest of the masses, and what makes two outcomes of it. */
struct rest {
    pby_expsum_t p, q, low; /* low = p - exp(-half) q */
    pby_expsum_t gap;       /* exp(loss) - exp(-half), of the outcome that is split off */
    fmpq_t down;            /* -half */
};

static void rest_init(struct rest *r, const pby_pair *shifted, const fmpq_t half)
{
    pby_expsum_init(r->p);
    pby_expsum_init(r->q);
    pby_expsum_init(r->low);
    pby_expsum_init(r->gap);
    fmpq_init(r->down);
    fmpq_neg(r->down, half);
    pby_expsum_set(r->p, shifted->norm_p);
    pby_expsum_set(r->q, shifted->norm_p);
}

static void rest_clear(struct rest *r)
{
    fmpq_clear(r->down);
    pby_expsum_clear(r->gap);
    pby_expsum_clear(r->low);
    pby_expsum_clear(r->q);
    pby_expsum_clear(r->p);
}

static void times_exp(pby_expsum_t x, const pby_expsum_t y, const fmpq_t by)
{
    fmpq_t one;
    fmpq_init(one);
    fmpq_one(one);
    pby_expsum_mul_term(x, y, one, by);
    fmpq_clear(one);
}

/* Of the atom of the shifted noise with its Q-mass times exp(-half): whether the rest needs less than this
 * Q-mass at that loss. Leaves gap and low. */
static bool ends_at(struct rest *r, const pby_atom *atom, const fmpq_t half)
{
    fmpq_t c, loss;
    pby_expsum_t most, one;
    fmpq_init(c);
    fmpq_init(loss);
    pby_expsum_init(most);
    pby_expsum_init(one);
    pby_expsum_proportional(c, loss, atom->p, atom->q);
    fmpq_add(loss, loss, half);
    pby_expsum_one(one);
    times_exp(r->gap, one, loss);
    times_exp(one, one, r->down);
    pby_expsum_sub(r->gap, r->gap, one);
    times_exp(r->low, r->q, r->down);
    pby_expsum_sub(r->low, r->p, r->low);
    times_exp(most, atom->q, r->down);
    pby_expsum_mul(most, most, r->gap);
    pby_expsum_sub(most, most, r->low);
    const bool ends = pby_expsum_sign(most) >= 0;
    pby_expsum_clear(one);
    pby_expsum_clear(most);
    fmpq_clear(loss);
    fmpq_clear(c);
    return ends;
}

/* Appends (p, q exp(by)), both times the gap. */
static pby_status append_scaled(pby_pair *pair, const struct rest *r, const pby_expsum_t p,
                                const pby_expsum_t q, const fmpq_t by, pby_error *err)
{
    pby_expsum_t x, y;
    pby_expsum_init(x);
    pby_expsum_init(y);
    pby_expsum_mul(x, p, r->gap);
    times_exp(y, q, by);
    pby_expsum_mul(y, y, r->gap);
    const pby_status status = pby_pair_append(pair, x, y, err);
    pby_expsum_clear(y);
    pby_expsum_clear(x);
    return status;
}

/* What is left, as two outcomes: of the loss of the atom, and of -half. */
static pby_status append_rest(pby_pair *pair, const struct rest *r, pby_error *err)
{
    pby_expsum_t x, y;
    pby_expsum_init(x);
    pby_expsum_init(y);
    pby_expsum_one(y);
    times_exp(y, y, r->down);
    pby_expsum_add(y, y, r->gap);
    pby_expsum_mul(x, y, r->low);
    pby_expsum_set(y, r->low);
    pby_status status = pby_pair_append(pair, x, y, err);
    if (status == PBY_OK) {
        pby_expsum_mul(y, r->q, r->gap);
        pby_expsum_sub(y, y, r->low);
        times_exp(x, y, r->down);
        status = pby_pair_append(pair, x, y, err);
    }
    pby_expsum_clear(y);
    pby_expsum_clear(x);
    return status;
}

/* Answers rise from P to Q. The atoms of the shifted noise have falling losses: those before the first at
 * which the rest needs no more than there is stay as they are. */
static pby_status rising(pby_pair *pair, const pby_pair *shifted, const fmpq_t half, pby_error *err)
{
    struct rest r;
    pby_expsum_t q;
    size_t kept = 0;
    pby_expsum_init(q);
    rest_init(&r, shifted, half);
    while (!ends_at(&r, &shifted->atoms[kept], half) && kept + 1 < shifted->count) {
        pby_expsum_sub(r.p, r.p, shifted->atoms[kept].p);
        times_exp(q, shifted->atoms[kept].q, r.down);
        pby_expsum_sub(r.q, r.q, q);
        kept++;
    }
    pby_expsum_mul(pair->norm_p, shifted->norm_p, r.gap);
    pby_expsum_set(pair->norm_q, pair->norm_p);
    pby_status status = PBY_OK;
    for (size_t i = 0; i < kept && status == PBY_OK; i++)
        status = append_scaled(pair, &r, shifted->atoms[i].p, shifted->atoms[i].q, r.down, err);
    if (status == PBY_OK)
        status = append_rest(pair, &r, err);
    rest_clear(&r);
    pby_expsum_clear(q);
    return status;
}

pby_status pby_above_pairs_monotone(pby_pairs *out, const pby_pair *shifted, const fmpq_t half,
                                    pby_error *err)
{
    pby_status status = pby_pairs_init(out, 2, err);
    for (size_t i = 0; i < 2 && status == PBY_OK; i++) {
        status = rising(&out->pair[i], shifted, half, err);
        out->pair[i].direction = i == 0 ? PBY_FORWARD : PBY_BACKWARD;
    }
    if (status == PBY_OK)
        pby_pair_reverse(&out->pair[1]);
    return status;
}
