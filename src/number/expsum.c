/* SPDX-License-Identifier: MIT */
#include "number/expsum.h"
#include "number/scoped.h"

#include <flint/fmpq_vec.h>
#include <flint/fmpz_vec.h>

enum { FIRST_PRECISION = 64 };

void pby_expsum_init(pby_expsum_t x)
{
    *x = (pby_expsum_struct){NULL, NULL, 0, 0};
}

void pby_expsum_clear(pby_expsum_t x)
{
    if (x->alloc > 0) {
        _fmpq_vec_clear(x->coefficient, x->alloc);
        _fmpq_vec_clear(x->exponent, x->alloc);
    }
    pby_expsum_init(x);
}

void pby_expsum_zero(pby_expsum_t x)
{
    x->n = 0;
}

void pby_expsum_swap(pby_expsum_t x, pby_expsum_t y)
{
    const pby_expsum_struct held = *x;
    *x = *y;
    *y = held;
}

static void reserve(pby_expsum_t x, slong n)
{
    if (n <= x->alloc)
        return;
    const slong alloc = FLINT_MAX(n, 2 * x->alloc);
    fmpq *c = _fmpq_vec_init(alloc), *r = _fmpq_vec_init(alloc);
    for (slong i = 0; i < x->n; i++) {
        fmpq_swap(c + i, x->coefficient + i);
        fmpq_swap(r + i, x->exponent + i);
    }
    const slong n_kept = x->n;
    pby_expsum_clear(x);
    *x = (pby_expsum_struct){c, r, n_kept, alloc};
}

void pby_expsum_set(pby_expsum_t x, const pby_expsum_t y)
{
    if (x == y)
        return;
    reserve(x, y->n);
    for (slong i = 0; i < y->n; i++) {
        fmpq_set(x->coefficient + i, y->coefficient + i);
        fmpq_set(x->exponent + i, y->exponent + i);
    }
    x->n = y->n;
}

/* Opens a gap before term i. */
static void open_gap(pby_expsum_t x, slong i)
{
    reserve(x, x->n + 1);
    for (slong j = x->n++; j > i; j--) {
        fmpq_swap(x->coefficient + j, x->coefficient + j - 1);
        fmpq_swap(x->exponent + j, x->exponent + j - 1);
    }
}

static void close_gap(pby_expsum_t x, slong i)
{
    for (slong j = i + 1; j < x->n; j++) {
        fmpq_swap(x->coefficient + j, x->coefficient + j - 1);
        fmpq_swap(x->exponent + j, x->exponent + j - 1);
    }
    x->n--;
}

void pby_expsum_add_term(pby_expsum_t x, const fmpq_t c, const fmpq_t r)
{
    if (fmpq_is_zero(c))
        return;
    slong i = 0;
    while (i < x->n && fmpq_cmp(x->exponent + i, r) > 0)
        i++;
    if (i < x->n && fmpq_equal(x->exponent + i, r)) {
        fmpq_add(x->coefficient + i, x->coefficient + i, c);
        if (fmpq_is_zero(x->coefficient + i))
            close_gap(x, i);
        return;
    }
    open_gap(x, i);
    fmpq_set(x->coefficient + i, c);
    fmpq_set(x->exponent + i, r);
}

void pby_expsum_add_term_si(pby_expsum_t x, slong c, const fmpq_t r)
{
    PBY_FMPQ(q);
    fmpq_set_si(q, c, 1);
    pby_expsum_add_term(x, q, r);
}

void pby_expsum_one(pby_expsum_t x)
{
    PBY_FMPQ(zero);
    pby_expsum_zero(x);
    pby_expsum_add_term_si(x, 1, zero);
}

/* Puts c exp(r) behind the last term, whose exponent is larger. */
static void push_term(pby_expsum_t x, const fmpq_t c, const fmpq_t r, bool minus)
{
    fmpq_set(x->coefficient + x->n, c);
    if (minus)
        fmpq_neg(x->coefficient + x->n, x->coefficient + x->n);
    fmpq_set(x->exponent + x->n++, r);
}

/* x = y + sign z: both are in order, and are merged. */
static void combine(pby_expsum_t x, const pby_expsum_t y, const pby_expsum_t z, bool minus)
{
    pby_expsum_t sum;
    pby_expsum_init(sum);
    reserve(sum, y->n + z->n);
    for (slong i = 0, j = 0; i < y->n || j < z->n;) {
        const int order = i == y->n ? -1 : j == z->n ? 1 : fmpq_cmp(y->exponent + i, z->exponent + j);
        if (order >= 0) {
            push_term(sum, y->coefficient + i, y->exponent + i, false);
            i++;
        } else {
            push_term(sum, z->coefficient + j, z->exponent + j, minus);
            j++;
        }
        if (order == 0) {
            fmpq *c = sum->coefficient + sum->n - 1;
            (minus ? fmpq_sub : fmpq_add)(c, c, z->coefficient + j++);
            sum->n -= fmpq_is_zero(c);
        }
    }
    pby_expsum_swap(x, sum);
    pby_expsum_clear(sum);
}

void pby_expsum_add(pby_expsum_t x, const pby_expsum_t y, const pby_expsum_t z)
{
    combine(x, y, z, false);
}

void pby_expsum_sub(pby_expsum_t x, const pby_expsum_t y, const pby_expsum_t z)
{
    combine(x, y, z, true);
}

void pby_expsum_mul_term(pby_expsum_t x, const pby_expsum_t y, const fmpq_t c, const fmpq_t r)
{
    if (fmpq_is_zero(c)) {
        pby_expsum_zero(x);
        return;
    }
    pby_expsum_set(x, y);
    for (slong i = 0; i < x->n; i++) {
        fmpq_mul(x->coefficient + i, x->coefficient + i, c);
        fmpq_add(x->exponent + i, x->exponent + i, r);
    }
}

/* ---- products ----------------------------------------------------------------------------------- */

/* A sum with its exponents and its coefficients as whole numbers, over two denominators. */
struct whole {
    slong *exponent;
    fmpz *coefficient;
    slong n;
};

static void whole_init(struct whole *w, slong room)
{
    *w = (struct whole){flint_malloc((size_t)room * sizeof(slong) + 1), _fmpz_vec_init(room), 0};
}

static void whole_clear(struct whole *w, slong room)
{
    _fmpz_vec_clear(w->coefficient, room);
    flint_free(w->exponent);
}

/* The least common denominator of n rationals and of `out`. */
static void common_denominator(fmpz_t out, const fmpq *q, slong n)
{
    for (slong i = 0; i < n; i++)
        if (!fmpz_is_one(fmpq_denref(q + i)))
            fmpz_lcm(out, out, fmpq_denref(q + i));
}

/* z = q times a multiple of its denominator */
static void times_denominator(fmpz_t z, const fmpq_t q, const fmpz_t multiple)
{
    fmpz_divexact(z, multiple, fmpq_denref(q));
    fmpz_mul(z, z, fmpq_numref(q));
}

/* False where an exponent is so large that a sum of two may not be an slong. */
static bool whole_set(struct whole *w, const pby_expsum_t x, const fmpz_t grain, const fmpz_t parts)
{
    bool fits = true;
    PBY_FMPZ(e);
    for (slong i = 0; i < x->n && fits; i++) {
        times_denominator(e, x->exponent + i, grain);
        fits = fmpz_bits(e) <= FLINT_BITS - 3;
        if (fits)
            w->exponent[i] = fmpz_get_si(e);
        times_denominator(w->coefficient + i, x->coefficient + i, parts);
    }
    w->n = x->n;
    return fits;
}

/* out = sum + many times term i of few: both are in order, and are merged. The sum is used up. */
static void whole_row(struct whole *out, struct whole *sum, const struct whole *few, slong i,
                      const struct whole *many)
{
    slong n = 0;
    const slong shift = few->exponent[i];
    for (slong j = 0, k = 0; j < sum->n || k < many->n;) {
        const bool ours = j < sum->n && (k == many->n || sum->exponent[j] >= shift + many->exponent[k]);
        const bool theirs = k < many->n && (j == sum->n || sum->exponent[j] <= shift + many->exponent[k]);
        fmpz *c = out->coefficient + n;
        out->exponent[n] = ours ? sum->exponent[j] : shift + many->exponent[k];
        if (ours)
            fmpz_swap(c, sum->coefficient + j++);
        else
            fmpz_zero(c);
        if (theirs)
            fmpz_addmul(c, few->coefficient + i, many->coefficient + k++);
        n += !fmpz_is_zero(c);
    }
    out->n = n;
}

static void whole_get(pby_expsum_t x, const struct whole *w, const fmpz_t grain, const fmpz_t parts)
{
    PBY_FMPZ(e);
    reserve(x, w->n);
    x->n = w->n;
    for (slong i = 0; i < w->n; i++) {
        fmpz_set_si(e, w->exponent[i]);
        fmpq_set_fmpz_frac(x->exponent + i, e, grain);
        fmpq_set_fmpz_frac(x->coefficient + i, w->coefficient + i, parts);
    }
}

/* x = y z in whole numbers; false, and x as it was, where exponents are too large. */
static bool mul_whole(pby_expsum_t x, const pby_expsum_t few, const pby_expsum_t many)
{
    const slong rows = few->n, columns = many->n, room = rows * columns; /* x may be one of them */
    struct whole a, b, sum, next;
    fmpz_t grain, parts_a, parts_b;
    fmpz_init_set_ui(grain, 1);
    fmpz_init_set_ui(parts_a, 1);
    fmpz_init_set_ui(parts_b, 1);
    common_denominator(grain, few->exponent, few->n);
    common_denominator(grain, many->exponent, many->n);
    common_denominator(parts_a, few->coefficient, few->n);
    common_denominator(parts_b, many->coefficient, many->n);
    whole_init(&a, rows);
    whole_init(&b, columns);
    whole_init(&sum, room);
    whole_init(&next, room);
    const bool fits = whole_set(&a, few, grain, parts_a) && whole_set(&b, many, grain, parts_b);
    for (slong i = 0; i < rows && fits; i++) {
        whole_row(&next, &sum, &a, i, &b);
        const struct whole held = sum;
        sum = next;
        next = held;
    }
    fmpz_mul(parts_a, parts_a, parts_b);
    if (fits)
        whole_get(x, &sum, grain, parts_a);
    whole_clear(&next, room);
    whole_clear(&sum, room);
    whole_clear(&b, columns);
    whole_clear(&a, rows);
    fmpz_clear(parts_b);
    fmpz_clear(parts_a);
    fmpz_clear(grain);
    return fits;
}

/* Every term of the shorter factor adds a multiple of the longer one to the sum, which is as long as both. */
void pby_expsum_mul(pby_expsum_t x, const pby_expsum_t y, const pby_expsum_t z)
{
    const pby_expsum_struct *few = y->n < z->n ? y : z, *many = y->n < z->n ? z : y;
    pby_expsum_t sum, part;
    if (few->n > 1 && mul_whole(x, few, many))
        return;
    pby_expsum_init(sum);
    pby_expsum_init(part);
    for (slong i = 0; i < few->n; i++) {
        pby_expsum_mul_term(part, many, few->coefficient + i, few->exponent + i);
        pby_expsum_add(sum, sum, part);
    }
    pby_expsum_swap(x, sum);
    pby_expsum_clear(part);
    pby_expsum_clear(sum);
}

bool pby_expsum_is_zero(const pby_expsum_t x)
{
    return x->n == 0;
}

bool pby_expsum_equal(const pby_expsum_t x, const pby_expsum_t y)
{
    if (x->n != y->n)
        return false;
    for (slong i = 0; i < x->n; i++)
        if (!fmpq_equal(x->coefficient + i, y->coefficient + i) ||
            !fmpq_equal(x->exponent + i, y->exponent + i))
            return false;
    return true;
}

bool pby_expsum_proportional(fmpq_t c, fmpq_t r, const pby_expsum_t x, const pby_expsum_t y)
{
    if (y->n == 0 || x->n != y->n)
        return false;
    fmpq_div(c, x->coefficient, y->coefficient);
    fmpq_sub(r, x->exponent, y->exponent);
    pby_expsum_t scaled;
    pby_expsum_init(scaled);
    pby_expsum_mul_term(scaled, y, c, r);
    const bool same = pby_expsum_equal(x, scaled);
    pby_expsum_clear(scaled);
    return same;
}

/* ball = ball exp(gap) + c, `step` being exp(gap) */
static void horner(arb_t ball, const arb_t step, const fmpq_t c, arb_t room, slong prec)
{
    arb_mul(ball, ball, step, prec);
    if (fmpz_is_one(fmpq_denref(c))) {
        arb_add_fmpz(ball, ball, fmpq_numref(c), prec);
    } else {
        arb_set_fmpq(room, c, prec);
        arb_add(ball, ball, room, prec);
    }
}

/* total >= |c1| + ... + |cn| */
static void total_coefficient(mag_t total, const pby_expsum_t x)
{
    PBY_MAG(above, below);
    mag_zero(total);
    for (slong i = 0; i < x->n; i++) {
        mag_set_fmpz(above, fmpq_numref(x->coefficient + i));
        if (!fmpz_is_one(fmpq_denref(x->coefficient + i))) {
            mag_set_fmpz_lower(below, fmpq_denref(x->coefficient + i));
            mag_div(above, above, below);
        }
        mag_add(total, total, above);
    }
}

/* gap = the first exponent less exponent i */
static void fall(fmpq_t gap, const pby_expsum_t x, slong i)
{
    fmpq_sub(gap, x->exponent, x->exponent + i);
}

/* Returns the number of terms that count at so many bits, and sets others to a bound of the rest. Exponents
 * fall, so that all from the kth term on are at most `total` exp(rk); they are left out where this is about
 * 2^-bits of the first. */
static slong terms_that_count(mag_t others, const pby_expsum_t x, slong bits)
{
    slong kept = x->n;
    PBY_FMPQ(gap);
    mag_zero(others);
    fall(gap, x, x->n - 1);
    if (fmpq_cmp_si(gap, bits / 2) > 0) {
        total_coefficient(others, x);
        const slong first = (slong)fmpz_bits(fmpq_numref(x->coefficient)) -
                            (slong)fmpz_bits(fmpq_denref(x->coefficient)) - 1;
        const slong far = 7 * (bits + fmpz_get_si(MAG_EXPREF(others)) - first) / 10 + 1;
        slong low = 0; /* the first that counts, and the first that does not */
        while (kept - low > 1) {
            const slong middle = low + (kept - low) / 2;
            fall(gap, x, middle);
            if (fmpq_cmp_si(gap, far) > 0)
                kept = middle;
            else
                low = middle;
        }
    }
    if (kept == x->n) {
        mag_zero(others);
    } else {
        PBY_ARB(most);
        PBY_MAG(exponential);
        arb_set_fmpq(most, x->exponent + kept, 2 * MAG_BITS);
        arb_exp(most, most, MAG_BITS);
        arb_get_mag(exponential, most);
        mag_mul(others, others, exponential);
    }
    return kept;
}

/* By Horner's rule on the gaps between exponents, which most sums have in progression: then one exponential
 * serves many terms. The n products lose at most about 2 log2(n) bits, which are added beforehand. */
void pby_expsum_get_arb(arb_t ball, const pby_expsum_t x, slong prec)
{
    if (x->n == 0) {
        arb_zero(ball);
        return;
    }
    const slong wide = prec + 2 * (slong)FLINT_BIT_COUNT((ulong)x->n) + 2;
    PBY_ARB(step, room);
    PBY_MAG(others);
    PBY_FMPQ(gap, next);
    const slong n = terms_that_count(others, x, wide);
    arb_set_fmpq(ball, x->coefficient, wide);
    for (slong i = 1; i < n; i++) {
        fmpq_sub(next, x->exponent + i - 1, x->exponent + i);
        if (!fmpq_equal(next, gap)) {
            fmpq_swap(next, gap);
            arb_set_fmpq(step, gap, 2 * wide);
            arb_exp(step, step, wide);
        }
        horner(ball, step, x->coefficient + i, room, wide);
    }
    if (!fmpq_is_zero(x->exponent + n - 1)) {
        arb_set_fmpq(step, x->exponent + n - 1, 2 * wide);
        arb_exp(step, step, wide);
        arb_mul(ball, ball, step, wide);
    }
    arb_add_error_mag(ball, others);
    arb_set_round(ball, ball, prec);
}

/* The leading exponential is divided out: it does not change the sign, and huge exponents, of which
 * only the differences matter, do not ask for huge precision. */
int pby_expsum_sign(const pby_expsum_t x)
{
    if (x->n <= 1)
        return x->n == 0 ? 0 : fmpq_sgn(x->coefficient);
    pby_expsum_t scaled;
    PBY_FMPQ(one, lead);
    PBY_ARB(ball);
    pby_expsum_init(scaled);
    fmpq_one(one);
    fmpq_neg(lead, x->exponent);
    pby_expsum_mul_term(scaled, x, one, lead);
    for (slong prec = FIRST_PRECISION;; prec *= 2) {
        pby_expsum_get_arb(ball, scaled, prec);
        if (!arb_contains_zero(ball))
            break;
    }
    const int sign = arf_sgn(arb_midref(ball));
    pby_expsum_clear(scaled);
    return sign;
}
