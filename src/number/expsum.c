#include "number/expsum.h"

#include <flint/fmpq_vec.h>

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
    fmpq_t q;
    fmpq_init(q);
    fmpq_set_si(q, c, 1);
    pby_expsum_add_term(x, q, r);
    fmpq_clear(q);
}

void pby_expsum_one(pby_expsum_t x)
{
    fmpq_t zero;
    fmpq_init(zero);
    pby_expsum_zero(x);
    pby_expsum_add_term_si(x, 1, zero);
    fmpq_clear(zero);
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

/* Every term of the shorter factor adds a multiple of the longer one to the sum, which is as long as both. */
void pby_expsum_mul(pby_expsum_t x, const pby_expsum_t y, const pby_expsum_t z)
{
    const pby_expsum_struct *few = y->n < z->n ? y : z, *many = y->n < z->n ? z : y;
    pby_expsum_t sum, part;
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

void pby_expsum_get_arb(arb_t ball, const pby_expsum_t x, slong prec)
{
    arb_t e, c;
    arb_init(e);
    arb_init(c);
    arb_zero(ball);
    for (slong i = 0; i < x->n; i++) {
        arb_set_fmpq(e, x->exponent + i, 2 * prec);
        arb_exp(e, e, prec);
        arb_set_fmpq(c, x->coefficient + i, prec);
        arb_addmul(ball, c, e, prec);
    }
    arb_clear(c);
    arb_clear(e);
}

/* The leading exponential is divided out: it does not change the sign, and huge exponents, of which
 * only the differences matter, do not ask for huge precision. */
int pby_expsum_sign(const pby_expsum_t x)
{
    if (x->n <= 1)
        return x->n == 0 ? 0 : fmpq_sgn(x->coefficient);
    pby_expsum_t scaled;
    arb_t ball;
    fmpq_t one, lead;
    fmpq_init(one);
    fmpq_init(lead);
    arb_init(ball);
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
    arb_clear(ball);
    fmpq_clear(lead);
    fmpq_clear(one);
    return sign;
}
