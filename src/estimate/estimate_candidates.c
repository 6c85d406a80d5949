/* SPDX-License-Identifier: MIT */
/* The shares of given candidates, from reports of bits, by least squares.
 *
 * A user is in each of C cohorts with the same chance. The bits of value w in cohort c are x_cw. With n
 * reports, n_c of them in cohort c and y_cb of these for bit b, z_cb = (y_cb - n_c q)/(p - q), and the shares
 * t that make
 *
 *   the sum over c and b of (z_cb - (n/C) sum over w of x_cbw t_w)^2
 *
 * least are t = (C/n) inverse(S) Y, S_vw the bits that v and w share in all cohorts together, and Y_w the sum
 * of z_cb over the bits of w. So an estimate is a sum over the users of independent terms
 *
 *   g = (C/n) sum over b of alpha_cb (r_b - q)/(p - q),   alpha_c = (inverse(S) x_c^T)_v,
 *
 * r being the report. Their means are 1/n for a user of value v and 0 for any other candidate: it is
 * unbiased. The variance is linear in the shares, and so the greatest where all users have one value.
 * Bernstein's inequality gives the interval (docs/theory/rappor.md). */
#include <flint/fmpq_vec.h>
#include <flint/fmpz_mat.h>
#include <flint/fmpz_vec.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "estimate/estimates.h"
#include "estimate/reports.h"
#include "mechanism/rappor/respond.h"
#include "number/ball.h"
#include "number/number_texts.h"
#include "number/scoped.h"
#include "number/text.h"

enum { CANDIDATES_MAX = 256, PLACES_MAX = 1 << 24 };

struct problem {
    const pby_reports *reports;
    pby_rappor r;
    size_t m, cohorts, bits, most; /* candidates, and the most bits of one */
    uint32_t *place;               /* the bits of candidate v in cohort c, from (v cohorts + c) most on */
    uint32_t *count;               /* how many, at v cohorts + c */
    fmpz_mat_t inverse;            /* of S, times den > 0 */
    fmpz_t den;
    fmpq *sums;       /* Y_w (p - q) */
    fmpq_t p, q, gap; /* chances that a report speaks for a bit */
    fmpq_t one, zero; /* the variances of a coin over gap^2, with the bit and without */
    fmpz *t;          /* room for a number for each bit */
};

/* Sums and bounds of the terms of one candidate v, in integers. */
struct terms {
    fmpz_t all; /* the sum of (alpha den)^2 over all cohorts and bits */
    fmpz *own,
        *means;    /* that over the bits of w; and of the squared sums of alpha den over these, by cohort */
    fmpq_t hi, lo; /* of n g: what no term is above or below */
};

/* ---- the bits of the candidates ----------------------------------------------------------------- */

static const uint32_t *places_of(const struct problem *x, size_t v, size_t c)
{
    return x->place + (v * x->cohorts + c) * x->most;
}

static uint32_t count_of(const struct problem *x, size_t v, size_t c)
{
    return x->count[v * x->cohorts + c];
}

static pby_status place_bits(struct problem *x, size_t v, const char *value, pby_error *err)
{
    uint64_t bits[PBY_RAPPOR_BITS_MAX / 64];
    for (size_t c = 0; c < x->cohorts; c++) {
        if (pby_rappor_encode(bits, &x->r, c, value, strlen(value), NULL) != PBY_OK)
            return pby_refuse(err, "candidate", value, "a value that can be reported");
        uint32_t *place = x->place + (v * x->cohorts + c) * x->most, n = 0;
        for (uint32_t b = 0; b < x->bits; b++)
            if (bits[b / 64] >> b % 64 & 1)
                place[n++] = b;
        x->count[v * x->cohorts + c] = n;
    }
    return PBY_OK;
}

/* S, and its inverse. */
static pby_status invert(struct problem *x, pby_error *err)
{
    fmpz_mat_t s;
    char *has = calloc(x->bits, 1);
    if (has == NULL)
        return pby_no_memory(err);
    fmpz_mat_init(s, (slong)x->m, (slong)x->m);
    for (size_t c = 0; c < x->cohorts; c++)
        for (size_t v = 0; v < x->m; v++) {
            const uint32_t *mine = places_of(x, v, c), n = count_of(x, v, c);
            for (uint32_t i = 0; i < n; i++)
                has[mine[i]] = 1;
            for (size_t w = 0; w < x->m; w++) {
                const uint32_t *other = places_of(x, w, c);
                ulong shared = 0;
                for (uint32_t i = 0; i < count_of(x, w, c); i++)
                    shared += (ulong)has[other[i]];
                fmpz_add_ui(fmpz_mat_entry(s, (slong)v, (slong)w), fmpz_mat_entry(s, (slong)v, (slong)w),
                            shared);
            }
            for (uint32_t i = 0; i < n; i++)
                has[mine[i]] = 0;
        }
    const bool regular = fmpz_mat_inv(x->inverse, x->den, s);
    if (regular && fmpz_sgn(x->den) < 0) {
        fmpz_mat_neg(x->inverse, x->inverse);
        fmpz_neg(x->den, x->den);
    }
    fmpz_mat_clear(s);
    free(has);
    return regular ? PBY_OK
                   : pby_fail(err, PBY_BAD,
                              "candidates: expected values that their bits tell apart, but some are sums of "
                              "others, or the same");
}

/* ---- what the reports say ----------------------------------------------------------------------- */

/* Y_w (p - q): the reports for its bits, less q of those in its cohorts. */
static void sum_reports(struct problem *x)
{
    PBY_FMPZ(here, seen, all);
    for (size_t w = 0; w < x->m; w++) {
        fmpz_zero(seen);
        fmpz_zero(all);
        for (size_t c = 0; c < x->cohorts; c++) {
            const uint64_t *cell = x->reports->cell + c * x->bits;
            for (uint32_t i = 0; i < count_of(x, w, c); i++)
                fmpz_add_ui(seen, seen, cell[places_of(x, w, c)[i]]);
            fmpz_set_ui(here, x->reports->cell[x->cohorts * x->bits + c]);
            fmpz_addmul_ui(all, here, count_of(x, w, c));
        }
        fmpq_mul_fmpz(&x->sums[w], x->q, all);
        fmpq_neg(&x->sums[w], &x->sums[w]);
        fmpq_add_fmpz(&x->sums[w], &x->sums[w], seen);
    }
}

/* value = (C/(n gap den)) sum over w of inverse_vw sums_w */
static void estimate(fmpq_t value, const struct problem *x, size_t v)
{
    fmpz_t n;
    PBY_FMPQ(term);
    fmpz_init_set_ui(n, x->reports->count);
    fmpq_zero(value);
    for (size_t w = 0; w < x->m; w++) {
        fmpq_mul_fmpz(term, &x->sums[w], fmpz_mat_entry(x->inverse, (slong)v, (slong)w));
        fmpq_add(value, value, term);
    }
    fmpq_div(value, value, x->gap);
    fmpq_div_fmpz(value, value, x->den);
    fmpq_div_fmpz(value, value, n);
    fmpq_mul_si(value, value, (slong)x->cohorts);
    fmpz_clear(n);
}

/* x->t[b] = alpha_cb den for the bits of candidates; 0 elsewhere. */
static void weigh_bits(struct problem *x, size_t v, size_t c)
{
    for (size_t w = 0; w < x->m; w++)
        for (uint32_t i = 0; i < count_of(x, w, c); i++)
            fmpz_add(x->t + places_of(x, w, c)[i], x->t + places_of(x, w, c)[i],
                     fmpz_mat_entry(x->inverse, (slong)v, (slong)w));
}

/* The most and the least of C times the sum of alpha (r - q)/gap over the bits of one cohort. */
static void widen_terms(struct terms *out, const struct problem *x)
{
    PBY_FMPZ(above, below);
    PBY_FMPQ(a, b, rest);
    for (size_t i = 0; i < x->bits; i++)
        fmpz_add(fmpz_sgn(x->t + i) > 0 ? above : below, fmpz_sgn(x->t + i) > 0 ? above : below, x->t + i);
    fmpq_one(rest);
    fmpq_sub(rest, rest, x->q);
    for (int side = 0; side < 2;
         side++) { /* above (1 - q) - below q; above q - below (1 - q), which is -lo */
        fmpq_mul_fmpz(a, side == 0 ? rest : x->q, above);
        fmpq_mul_fmpz(b, side == 0 ? x->q : rest, below);
        fmpq_sub(a, a, b);
        fmpq_div(a, a, x->gap);
        fmpq_div_fmpz(a, a, x->den);
        fmpq_mul_si(a, a, (slong)x->cohorts);
        if (side == 1)
            fmpq_neg(a, a);
        if (side == 0 ? fmpq_cmp(a, out->hi) > 0 : fmpq_cmp(a, out->lo) < 0)
            fmpq_set(side == 0 ? out->hi : out->lo, a);
    }
}

static void add_cohort(struct terms *out, struct problem *x, size_t v, size_t c)
{
    PBY_FMPZ(mean);
    weigh_bits(x, v, c);
    for (size_t b = 0; b < x->bits; b++)
        fmpz_addmul(out->all, x->t + b, x->t + b);
    for (size_t w = 0; w < x->m; w++) {
        fmpz_zero(mean);
        for (uint32_t i = 0; i < count_of(x, w, c); i++) {
            const fmpz *t = x->t + places_of(x, w, c)[i];
            fmpz_addmul(out->own + w, t, t);
            fmpz_add(mean, mean, t);
        }
        fmpz_addmul(out->means + w, mean, mean);
    }
    widen_terms(out, x);
    for (size_t b = 0; b < x->bits; b++)
        fmpz_zero(x->t + b);
}

/* The variance where every user has the value w: (C/(n den^2)) [zero all + (one - zero) own_w + means_w],
 * less 1/n where w is v. */
static void variance(fmpq_t out, const struct problem *x, const struct terms *t, size_t v, size_t w)
{
    fmpz_t n;
    PBY_FMPQ(term);
    fmpz_init_set_ui(n, x->reports->count);
    fmpq_mul_fmpz(out, x->zero, t->all);
    fmpq_sub(term, x->one, x->zero);
    fmpq_mul_fmpz(term, term, t->own + w);
    fmpq_add(out, out, term);
    fmpq_add_fmpz(out, out, t->means + w);
    fmpq_div_fmpz(out, out, x->den);
    fmpq_div_fmpz(out, out, x->den);
    fmpq_mul_si(out, out, (slong)x->cohorts);
    if (w == v)
        fmpq_sub_si(out, out, 1);
    fmpq_div_fmpz(out, out, n);
    fmpz_clear(n);
}

/* ---- the answer --------------------------------------------------------------------------------- */

static void set_number(pby_enclosure *out, const fmpq_t x, unsigned digits)
{
    PBY_ARB(ball);
    arb_set_fmpq(ball, x, pby_precision_for_digits(digits));
    pby_enclosure_set_arb(out, ball, digits);
}

/* From one number to another. */
static void set_span(pby_enclosure *out, const fmpq_t from, const fmpq_t to, unsigned digits)
{
    pby_enclosure upper;
    pby_enclosure_init(&upper);
    set_number(out, from, digits);
    set_number(&upper, to, digits);
    mpfr_swap(out->hi, upper.hi);
    pby_enclosure_clear(&upper);
}

/* Half the width of the interval: R l/3 + sqrt((R l/3)^2 + 2 l most), R = max(hi, 1 - lo)/n, l = log(2
 * m/error). */
static void reach(arb_t out, const struct problem *x, const struct terms *t, const fmpq_t most,
                  mpq_srcptr error, slong prec)
{
    PBY_FMPQ(r, e);
    PBY_ARB(l, v);
    fmpq_set_mpq(e, error);
    fmpq_inv(e, e);
    fmpq_mul_si(e, e, 2 * (slong)x->m);
    arb_set_fmpq(l, e, prec);
    arb_log(l, l, prec);
    fmpq_one(r);
    fmpq_sub(r, r, t->lo);
    if (fmpq_cmp(t->hi, r) > 0)
        fmpq_set(r, t->hi);
    arb_set_fmpq(out, r, prec);
    arb_div_ui(out, out, x->reports->count, prec);
    arb_mul(out, out, l, prec);
    arb_div_ui(out, out, 3, prec);
    arb_set_fmpq(v, most, prec);
    arb_mul(v, v, l, prec);
    arb_mul_2exp_si(v, v, 1);
    arb_addmul(v, out, out, prec);
    arb_sqrt(v, v, prec);
    arb_add(out, out, v, prec);
}

/* value -+ half, within [0, 1]; true where nothing is left, and then it is the nearest share. */
static bool set_interval(pby_enclosure *out, const fmpq_t value, const arb_t half, unsigned digits)
{
    const slong prec = pby_precision_for_digits(digits);
    pby_enclosure upper;
    PBY_ARB(lo, hi, one);
    pby_enclosure_init(&upper);
    arb_one(one);
    arb_set_fmpq(lo, value, prec);
    arb_add(hi, lo, half, prec);
    arb_sub(lo, lo, half, prec);
    const bool below = arb_is_negative(hi), above = arb_gt(lo, one);
    if (!arb_is_positive(lo))
        arb_zero(lo);
    if (above)
        arb_one(lo);
    if (!arb_lt(hi, one))
        arb_one(hi);
    if (below)
        arb_zero(hi);
    pby_enclosure_set_arb(out, lo, digits);
    pby_enclosure_set_arb(&upper, hi, digits);
    mpfr_swap(out->hi, upper.hi);
    pby_enclosure_clear(&upper);
    return below || above;
}

/* The variances, and in *most the greatest. */
static void set_variances(pby_estimate *out, fmpq_t most, const struct problem *x, const struct terms *t,
                          size_t v, unsigned digits)
{
    bool others = false;
    PBY_FMPQ(one, least, own, low, high);
    variance(own, x, t, v, v);
    fmpq_set(least, own);
    fmpq_set(most, own);
    fmpq_set(low, own);
    fmpq_set(high, own);
    for (size_t w = 0; w < x->m; w++) {
        if (w == v)
            continue;
        variance(one, x, t, v, w);
        if (!others || fmpq_cmp(one, low) < 0)
            fmpq_set(low, one);
        if (!others || fmpq_cmp(one, high) > 0)
            fmpq_set(high, one);
        others = true;
    }
    if (fmpq_cmp(low, least) < 0)
        fmpq_set(least, low);
    if (fmpq_cmp(high, most) > 0)
        fmpq_set(most, high);
    set_number(&out->all, own, digits);
    set_span(&out->none, low, high, digits);
    set_number(&out->least, least, digits);
    set_number(&out->most, most, digits);
    set_span(&out->variance, least, most, digits);
}

static void set_intervals(pby_estimate *out, const fmpq_t value, const fmpq_t most, const struct problem *x,
                          const struct terms *t, mpq_srcptr error, unsigned digits)
{
    const slong prec = pby_precision_for_digits(digits);
    PBY_ARB(half);
    PBY_FMPQ(quarter);
    reach(half, x, t, most, error, prec);
    out->empty = set_interval(&out->interval, value, half, digits);
    /* a random user has the value or not: t (1 - t)/n more */
    fmpq_set_si(quarter, 1, 4);
    fmpz_mul_ui(fmpq_denref(quarter), fmpq_denref(quarter), x->reports->count);
    fmpq_add(quarter, quarter, most);
    reach(half, x, t, quarter, error, prec);
    (void)set_interval(&out->population, value, half, digits);
}

static pby_status set_estimate(pby_estimate *out, struct problem *x, size_t v, const char *name,
                               mpq_srcptr error, unsigned digits, pby_error *err)
{
    struct terms t = {.own = _fmpz_vec_init((slong)x->m), .means = _fmpz_vec_init((slong)x->m)};
    fmpz_init(t.all);
    fmpq_init(t.hi);
    fmpq_init(t.lo);
    PBY_FMPQ(value, most);
    for (size_t c = 0; c < x->cohorts; c++)
        add_cohort(&t, x, v, c);
    estimate(value, x, v);
    set_number(&out->value, value, digits);
    set_variances(out, most, x, &t, v, digits);
    set_intervals(out, value, most, x, &t, error, digits);
    out->seen = x->reports->count;
    out->name = strdup(name);
    fmpq_clear(t.lo);
    fmpq_clear(t.hi);
    fmpz_clear(t.all);
    _fmpz_vec_clear(t.means, (slong)x->m);
    _fmpz_vec_clear(t.own, (slong)x->m);
    return out->name == NULL ? pby_no_memory(err) : PBY_OK;
}

/* ---- the problem -------------------------------------------------------------------------------- */

/* p (1 - p)/gap^2 */
static void coin(fmpq_t out, const fmpq_t p, const fmpq_t gap)
{
    fmpq_one(out);
    fmpq_sub(out, out, p);
    fmpq_mul(out, out, p);
    fmpq_div(out, out, gap);
    fmpq_div(out, out, gap);
}

static void set_chances(struct problem *x)
{
    pby_rappor_chances(x->p, x->q, &x->r);
    if (fmpq_cmp(x->p, x->q) < 0) { /* zeros are counted */
        fmpq_neg(x->p, x->p);
        fmpq_neg(x->q, x->q);
        fmpq_add_si(x->p, x->p, 1);
        fmpq_add_si(x->q, x->q, 1);
    }
    fmpq_sub(x->gap, x->p, x->q);
    if (!fmpq_is_zero(x->gap)) {
        coin(x->one, x->p, x->gap);
        coin(x->zero, x->q, x->gap);
    }
}

static pby_status problem_init(struct problem *x, const pby_reports *reports, size_t count, pby_error *err)
{
    *x = (struct problem){.reports = reports, .m = count};
    pby_rappor_of(&x->r, &reports->mechanism);
    x->cohorts = (size_t)x->r.cohorts;
    x->bits = (size_t)x->r.bits;
    x->most = (size_t)pby_rappor_differ(&x->r);
    fmpz_mat_init(x->inverse, (slong)count, (slong)count);
    fmpz_init(x->den);
    fmpq_init(x->p);
    fmpq_init(x->q);
    fmpq_init(x->gap);
    fmpq_init(x->one);
    fmpq_init(x->zero);
    x->sums = _fmpq_vec_init((slong)count);
    x->t = _fmpz_vec_init((slong)x->bits);
    set_chances(x);
    if (x->cohorts > PLACES_MAX / (count * x->most))
        return pby_fail(err, PBY_BAD, "candidates: expected fewer, or fewer cohorts or hashes");
    x->place = calloc(count * x->cohorts * x->most, sizeof *x->place);
    x->count = calloc(count * x->cohorts, sizeof *x->count);
    return x->place == NULL || x->count == NULL ? pby_no_memory(err) : PBY_OK;
}

static void problem_clear(struct problem *x)
{
    free(x->count);
    free(x->place);
    _fmpz_vec_clear(x->t, (slong)x->bits);
    _fmpq_vec_clear(x->sums, (slong)x->m);
    fmpq_clear(x->zero);
    fmpq_clear(x->one);
    fmpq_clear(x->gap);
    fmpq_clear(x->q);
    fmpq_clear(x->p);
    fmpz_clear(x->den);
    fmpz_mat_clear(x->inverse);
}

static pby_status solve(pby_estimates *out, struct problem *x, const char *const *candidates,
                        mpq_srcptr error, unsigned digits, pby_error *err)
{
    for (size_t v = 0; v < x->m; v++)
        PBY_TRY(place_bits(x, v, candidates[v], err));
    PBY_TRY(invert(x, err));
    sum_reports(x);
    for (size_t v = 0; v < x->m; v++)
        PBY_TRY(set_estimate(&out->at[v], x, v, candidates[v], error, digits, err));
    return PBY_OK;
}

static pby_status check(const pby_reports *reports, size_t count, mpq_srcptr error, pby_error *err)
{
    if (!pby_mechanism_is_rappor(&reports->mechanism))
        return pby_family_lacks(&reports->mechanism, "candidates", err);
    if (mpq_sgn(error) <= 0 || mpq_cmp_ui(error, 1, 1) >= 0)
        return pby_refuse_mpq(err, "error", error, "a rational above 0 and below 1");
    if (count < 1 || count > CANDIDATES_MAX)
        return pby_fail(err, PBY_BAD, "candidates: expected 1 to %d of them, not %zu", CANDIDATES_MAX, count);
    return reports->count > 0 ? PBY_OK : pby_refuse(err, "reports", "0", "at least 1 report");
}

pby_status pby_estimates_candidates(pby_estimates **out, const pby_reports *reports,
                                    const char *const *candidates, size_t count, pby_value allowed,
                                    unsigned digits, pby_error *err)
{
    struct problem x;
    PBY_MPQ(error);
    *out = NULL;
    PBY_TRY(pby_value_need(error, "error", allowed, err));
    pby_status status = check(reports, count, error, err);
    if (status != PBY_OK)
        return status;
    status = problem_init(&x, reports, count, err);
    if (status == PBY_OK && fmpq_is_zero(x.gap))
        status = pby_mechanism_refuse(&reports->mechanism, "reports that say something", err);
    if (status == PBY_OK)
        status = pby_estimates_alloc(out, count, err);
    if (status == PBY_OK)
        status = solve(*out, &x, candidates, error, digits == 0 ? PBY_DIGITS_DEFAULT : digits, err);
    problem_clear(&x);
    if (status != PBY_OK) {
        pby_estimates_free(*out);
        *out = NULL;
    }
    return status;
}
