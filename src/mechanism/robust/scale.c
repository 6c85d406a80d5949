/* SPDX-License-Identifier: MIT */
/* The rate of robust noise (docs/theory/robust.md).
 *
 * With a = exp(-rate) and outputs within k steps, for every h >= 0
 *
 *     p(t) <= E_h q(t),   E_h = (a^-(h+k) - a^(h+k+1)) / (1 + a - 2 a^(h+1)).
 *
 * As a function of x = a^h > 0, E falls and then rises; it is least at
 *
 *     x = A C / (2 a A + sqrt(4 a^2 A^2 - a C^2)),   A = a^-k, C = 1 + a,
 *
 * and at x = 1, h = 0, where that is not below 1 or there is no such x. So the best integer h is next to it.
 * E_h grows with the rate, and so does the least of them; no two sides of a comparison are ever equal, as all
 * are sums of exponentials of different rationals. */
#include "mechanism/robust/scale.h"

#include "number/ball.h"
#include "number/number_texts.h"
#include "number/scoped.h"
#include "probity/experimental/robust.h"
#include "probity/rational.h"

enum { BITS = 15, PREC_MAX = 1 << 14, HALVINGS_MAX = 1 << 12 };

static pby_status undecided(pby_error *err)
{
    return pby_fail(err, PBY_FAILED, "robust: %d bits do not decide; try a larger epsilon", PREC_MAX);
}

pby_status pby_robust_steps(int64_t *k, const fmpq_t rho, const fmpq_t grid, pby_error *err)
{
    PBY_FMPQ(steps);
    PBY_FMPZ(whole);
    fmpq_div(steps, rho, grid);
    fmpz_fdiv_q(whole, fmpq_numref(steps), fmpq_denref(steps));
    const bool fits = fmpz_cmp_si(whole, PBY_ROBUST_STEPS_MAX) <= 0;
    *k = fits ? fmpz_get_si(whole) : 0;
    return fits ? PBY_OK
                : pby_fail(err, PBY_BAD, "rho is above %d steps of the grid: expected a coarser grid",
                           PBY_ROBUST_STEPS_MAX);
}

/* exp(-rate times) */
static void power(arb_t out, const fmpq_t rate, const fmpz_t times, slong prec)
{
    PBY_FMPQ(x);
    fmpq_mul_fmpz(x, rate, times);
    fmpq_neg(x, x);
    pby_exp_fmpq(out, x, prec);
}

/* 1 + a - 2 a^(h+1), the sum of a^|s| over |s| <= h, times 1 - a. */
static void inner(arb_t out, const fmpz_t h, const fmpq_t rate, slong prec)
{
    PBY_FMPZ(n);
    PBY_ARB(part);
    fmpz_add_ui(n, h, 1);
    power(part, rate, n, prec);
    arb_mul_2exp_si(part, part, 1);
    fmpz_one(n);
    power(out, rate, n, prec);
    arb_add_ui(out, out, 1, prec);
    arb_sub(out, out, part, prec);
}

static void ratio_at(arb_t out, const fmpz_t h, int64_t k, const fmpq_t rate, slong prec)
{
    PBY_FMPZ(n);
    PBY_ARB(part);
    fmpz_add_ui(n, h, (ulong)k + 1);
    power(part, rate, n, prec);
    fmpz_sub_ui(n, n, 1);
    fmpz_neg(n, n);
    power(out, rate, n, prec);
    arb_sub(out, out, part, prec);
    inner(part, h, rate, prec);
    arb_div(out, out, part, prec);
}

void pby_robust_share(arb_t share, const fmpz_t h, const fmpq_t rate, slong prec)
{
    if (fmpz_is_zero(h)) {
        arb_one(share);
        return;
    }
    PBY_FMPZ(n);
    PBY_ARB(part);
    fmpz_one(n);
    power(share, rate, n, prec);
    arb_sub_ui(share, share, 1, prec);
    arb_neg(share, share);
    fmpz_mul_2exp(n, h, 1);
    fmpz_add_ui(n, n, 1);
    arb_mul_fmpz(share, share, n, prec);
    inner(part, h, rate, prec);
    arb_div(share, share, part, prec);
}

/* The h that is a real number, from 0 on; false where the precision does not tell whether there is one. */
static bool real_h(arb_t h, int64_t k, const fmpq_t rate, slong prec)
{
    fmpz_t n;
    PBY_ARB(a, big, c, root);
    fmpz_init_set_si(n, 1);
    power(a, rate, n, prec);
    fmpz_set_si(n, -k);
    power(big, rate, n, prec);
    arb_add_ui(c, a, 1, prec);
    arb_mul(root, a, big, prec);
    arb_mul(root, root, root, prec);
    arb_mul_2exp_si(root, root, 2);
    arb_mul(h, c, c, prec);
    arb_submul(root, h, a, prec);
    const bool known = !arb_contains_zero(root), real = arb_is_positive(root);
    if (known && real) {
        arb_sqrt(root, root, prec);
        arb_mul(h, a, big, prec);
        arb_mul_2exp_si(h, h, 1);
        arb_add(root, root, h, prec);
        arb_mul(h, big, c, prec);
        arb_div(h, root, h, prec); /* 1/x */
        arb_log(h, h, prec);
        arb_set_fmpq(a, rate, prec);
        arb_div(h, h, a, prec);
    } else {
        arb_zero(h);
    }
    fmpz_clear(n);
    return known;
}

/* The integers next to the real h, from 0 on; false where they are more than four. */
static bool bracket(fmpz_t first, fmpz_t last, int64_t k, const fmpq_t rate, slong prec)
{
    PBY_ARB(h);
    PBY_ARF(end);
    bool known = real_h(h, k, rate, prec) && arb_is_finite(h);
    if (known) {
        arb_get_lbound_arf(end, h, prec);
        arf_get_fmpz(first, end, ARF_RND_FLOOR);
        arb_get_ubound_arf(end, h, prec);
        arf_get_fmpz(last, end, ARF_RND_CEIL);
        if (fmpz_sgn(first) < 0)
            fmpz_zero(first);
        if (fmpz_sgn(last) < 0)
            fmpz_zero(last);
        PBY_FMPZ(room);
        fmpz_sub(room, last, first);
        known = fmpz_cmp_ui(room, 4) < 0;
    }
    return known;
}

pby_status pby_robust_least(fmpz_t h, arb_t ratio, int64_t k, const fmpq_t rate, slong prec, pby_error *err)
{
    PBY_FMPZ(first, last);
    PBY_ARB(one);
    while (prec <= PREC_MAX && !bracket(first, last, k, rate, prec))
        prec *= 2;
    const bool found = prec <= PREC_MAX;
    fmpz_set(h, first);
    if (found)
        ratio_at(ratio, first, k, rate, prec);
    for (fmpz_add_ui(first, first, 1); found && fmpz_cmp(first, last) <= 0; fmpz_add_ui(first, first, 1)) {
        ratio_at(one, first, k, rate, prec);
        if (arf_cmp(arb_midref(one), arb_midref(ratio)) < 0)
            fmpz_set(h, first);
        arb_min(ratio, ratio, one, prec);
    }
    return found ? PBY_OK : undecided(err);
}

/* Sets *out if noise of that rate is robust: the least ratio is at most exp(epsilon). */
static pby_status holds(bool *out, int64_t k, const fmpq_t rate, const fmpq_t epsilon, pby_error *err)
{
    pby_status status = PBY_OK;
    bool known = false;
    PBY_ARB(ratio, most);
    PBY_FMPZ(h);
    for (slong prec = PBY_PRECISION_FIRST; prec <= PREC_MAX && status == PBY_OK && !known; prec *= 2) {
        status = pby_robust_least(h, ratio, k, rate, prec, err);
        pby_exp_fmpq(most, epsilon, prec);
        *out = arb_lt(ratio, most);
        known = *out || arb_gt(ratio, most);
    }
    return status == PBY_OK && !known ? undecided(err) : status;
}

/* rate = epsilon/k step / 2^shift */
static void set_rate(fmpq_t rate, int64_t k, const fmpq_t epsilon, ulong step, ulong shift)
{
    fmpq_div_2exp(rate, epsilon, shift);
    fmpz_t n;
    fmpz_init_set_ui(n, step);
    fmpq_mul_fmpz(rate, rate, n);
    fmpz_set_si(n, k);
    fmpq_div_fmpz(rate, rate, n);
    fmpz_clear(n);
}

/* Two inputs k steps apart have a ratio of exp(k rate), so no rate from epsilon/k on will do. */
pby_status pby_robust_rate(fmpq_t rate, int64_t k, const fmpq_t epsilon, pby_error *err)
{
    ulong shift = 0, good = (ulong)1 << BITS, bad = (ulong)2 << BITS;
    pby_status status = PBY_OK;
    for (bool found = false; !found && status == PBY_OK;) {
        shift++;
        set_rate(rate, k, epsilon, 1, shift);
        status = shift > HALVINGS_MAX ? undecided(err) : holds(&found, k, rate, epsilon, err);
    }
    while (bad - good > 1 && status == PBY_OK) {
        const ulong middle = good + (bad - good) / 2;
        bool found = false;
        set_rate(rate, k, epsilon, middle, shift + BITS);
        status = holds(&found, k, rate, epsilon, err);
        good = found ? middle : good;
        bad = found ? bad : middle;
    }
    set_rate(rate, k, epsilon, good, shift + BITS);
    return status;
}

/* ---- the public functions ---------------------------------------------------------------------- */

/* Positive numbers, by name, and the steps of rho on the grid. */
static pby_status read_numbers(fmpq_t rho, fmpq_t other, fmpq_t grid, mpq_srcptr r, mpq_srcptr o,
                               mpq_srcptr g, const char *name, int64_t *k, pby_error *err)
{
    if (mpq_sgn(r) <= 0 || mpq_sgn(o) <= 0 || mpq_sgn(g) <= 0)
        return pby_fail(err, PBY_BAD, "%s: expected a rational above 0",
                        mpq_sgn(r) <= 0   ? "rho"
                        : mpq_sgn(o) <= 0 ? name
                                          : "grid");
    fmpq_set_mpq(rho, r);
    fmpq_set_mpq(other, o);
    fmpq_set_mpq(grid, g);
    return pby_robust_steps(k, rho, grid, err);
}

pby_status pby_robust_scale(mpq_t scale, mpq_srcptr rho, mpq_srcptr epsilon, mpq_srcptr grid, pby_error *err)
{
    int64_t k = 0;
    PBY_FMPQ(r, e, g);
    pby_status status = read_numbers(r, e, g, rho, epsilon, grid, "epsilon", &k, err);
    if (status == PBY_OK && k == 0)
        status = pby_fail(err, PBY_BAD, "rho: expected a rational from the grid on");
    if (status == PBY_OK)
        status = pby_robust_rate(r, k, e, err);
    if (status == PBY_OK) {
        fmpq_div(g, g, r);
        fmpq_get_mpq(scale, g);
    }
    return status;
}

struct noise {
    fmpq_t rate, epsilon;
    int64_t k;
};

static pby_status log_ratio(arb_t out, const void *what, slong prec, pby_error *err)
{
    const struct noise *noise = what;
    PBY_FMPZ(h);
    const pby_status status = pby_robust_least(h, out, noise->k, noise->rate, prec, err);
    arb_log(out, out, prec);
    return status;
}

/* The least h at which the ratio is at most exp(epsilon), between 0 and the best one: the share grows with h.
 * Where the precision does not decide of some h, it is passed over, which only makes the share larger. */
static pby_status least_share(arb_t out, const void *what, slong prec, pby_error *err)
{
    const struct noise *noise = what;
    fmpz_t low;
    fmpz_init_set_si(low, -1);
    PBY_FMPZ(high, middle);
    PBY_ARB(ratio, most);
    pby_exp_fmpq(most, noise->epsilon, prec);
    pby_status status = pby_robust_least(high, ratio, noise->k, noise->rate, prec, err);
    if (status == PBY_OK && arb_gt(ratio, most))
        status = pby_fail(err, PBY_BAD, "epsilon: expected at least what the scale is robust for");
    if (status == PBY_OK)
        ratio_at(ratio, high, noise->k, noise->rate, prec);
    const bool known = status == PBY_OK && arb_le(ratio, most);
    while (known) {
        fmpz_add(middle, low, high);
        fmpz_fdiv_q_2exp(middle, middle, 1);
        if (fmpz_equal(middle, low))
            break;
        ratio_at(ratio, middle, noise->k, noise->rate, prec);
        fmpz_set(arb_le(ratio, most) ? high : low, middle);
    }
    if (known)
        pby_robust_share(out, high, noise->rate, prec);
    else
        arb_indeterminate(out); /* more bits will tell */
    fmpz_clear(low);
    return status;
}

static pby_status enclose(pby_enclosure *out, pby_real f, mpq_srcptr rho, mpq_srcptr epsilon,
                          mpq_srcptr scale, mpq_srcptr grid, unsigned digits, pby_error *err)
{
    const unsigned wanted = digits == 0 ? PBY_DIGITS_DEFAULT : digits;
    struct noise noise = {.k = 0};
    fmpq_init(noise.rate);
    fmpq_init(noise.epsilon);
    PBY_FMPQ(r, g);
    PBY_ARB(ball);
    pby_status status = read_numbers(r, noise.rate, g, rho, scale, grid, "scale", &noise.k, err);
    if (status == PBY_OK && epsilon != NULL) {
        fmpq_set_mpq(noise.epsilon, epsilon);
        if (mpq_sgn(epsilon) <= 0)
            status = pby_fail(err, PBY_BAD, "epsilon: expected a rational above 0");
    }
    if (status == PBY_OK)
        fmpq_div(noise.rate, g, noise.rate);
    if (status == PBY_OK && noise.k > 0)
        status = pby_enclose(ball, f, &noise, wanted, err);
    else if (status == PBY_OK && epsilon != NULL)
        arb_one(ball); /* outputs within rho are equal but for theta */
    if (status == PBY_OK)
        pby_enclosure_set_arb(out, ball, wanted);
    fmpq_clear(noise.epsilon);
    fmpq_clear(noise.rate);
    return status;
}

pby_status pby_robust_epsilon(pby_enclosure *epsilon, mpq_srcptr rho, mpq_srcptr scale, mpq_srcptr grid,
                              unsigned digits, pby_error *err)
{
    return enclose(epsilon, log_ratio, rho, NULL, scale, grid, digits, err);
}

pby_status pby_robust_theta(pby_enclosure *factor, mpq_srcptr rho, mpq_srcptr epsilon, mpq_srcptr scale,
                            mpq_srcptr grid, unsigned digits, pby_error *err)
{
    return enclose(factor, least_share, rho, epsilon, scale, grid, digits, err);
}

/* ---- numbers as text --------------------------------------------------------------------------- */

enum { NUMBERS = 4 };

static pby_status parse(mpq_t *x, const char *rho, const char *epsilon, const char *scale, const char *grid,
                        pby_error *err)
{
    static const char *const names[NUMBERS] = {"rho", "epsilon", "scale", "grid"};
    const char *const texts[NUMBERS] = {rho, epsilon, scale, grid};
    for (size_t i = 0; i < NUMBERS; i++)
        mpq_init(x[i]);
    return pby_worded_parse(x, names, texts, NUMBERS, err);
}

static void clear(mpq_t *x)
{
    for (size_t i = 0; i < NUMBERS; i++)
        mpq_clear(x[i]);
}

pby_status pby_robust_epsilon_text(pby_decimals *epsilon, const char *rho, const char *scale,
                                   const char *grid, unsigned digits, pby_error *err)
{
    mpq_t x[NUMBERS];
    pby_enclosure found;
    pby_enclosure_init(&found);
    pby_status status = parse(x, rho, NULL, scale, grid, err);
    if (status == PBY_OK)
        status = pby_robust_epsilon(&found, x[0], x[2], x[3], digits, err);
    if (status == PBY_OK)
        pby_decimals_set(epsilon, &found, digits);
    clear(x);
    pby_enclosure_clear(&found);
    return status;
}

pby_status pby_robust_scale_text(char **scale, const char *rho, const char *epsilon, const char *grid,
                                 pby_error *err)
{
    mpq_t x[NUMBERS];
    *scale = NULL;
    pby_status status = parse(x, rho, epsilon, NULL, grid, err);
    if (status == PBY_OK)
        status = pby_robust_scale(x[2], x[0], x[1], x[3], err);
    if (status == PBY_OK)
        status = pby_rational_print(scale, x[2], err);
    clear(x);
    return status;
}

pby_status pby_robust_theta_text(pby_decimals *factor, const char *rho, const char *epsilon,
                                 const char *scale, const char *grid, unsigned digits, pby_error *err)
{
    mpq_t x[NUMBERS];
    pby_enclosure found;
    pby_enclosure_init(&found);
    pby_status status = parse(x, rho, epsilon, scale, grid, err);
    if (status == PBY_OK)
        status = pby_robust_theta(&found, x[0], x[1], x[2], x[3], digits, err);
    if (status == PBY_OK)
        pby_decimals_set(factor, &found, digits);
    clear(x);
    pby_enclosure_clear(&found);
    return status;
}
