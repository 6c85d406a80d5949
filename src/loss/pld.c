#include "loss/pld.h"

#include "number/ball.h"

/* Bits beyond those of the masses: in the balls that they come from, and in the margin of a lower pld. */
enum { GUARD = 64, MARGIN = 8 };

void pby_pld_init(pby_pld *pld, slong bits, bool upper)
{
    *pld = (pby_pld){.bits = bits, .upper = upper};
    fmpz_poly_init(pld->mass);
    fmpz_init(pld->infinite);
}

void pby_pld_clear(pby_pld *pld)
{
    fmpz_poly_clear(pld->mass);
    fmpz_clear(pld->infinite);
}

void pby_pld_one(pby_pld *pld)
{
    fmpz_poly_zero(pld->mass);
    fmpz_poly_set_coeff_ui(pld->mass, 0, 1);
    fmpz_mul_2exp(pld->mass->coeffs, pld->mass->coeffs, (flint_bitcnt_t)pld->bits);
    fmpz_zero(pld->infinite);
    pld->low = 0;
}

/* A piecewise linear potential: the points that it bends at, and its values there. The bends begin with
 * ZERO, where exp(loss) is zero; from the last one on the potential is constant. */
struct potential {
    arb_ptr value; /* at point i = 0 .. n */
    arb_t at_zero;
    slong *bend; /* increasing, bends of them */
    slong bends, n, low, prec;
    const fmpq *step;
    arb_t unit; /* exp(step) - 1 */
};

enum { ZERO = -1 };

/* gap = exp(d step) - 1 */
static void gap_between(arb_t gap, const struct potential *u, slong d)
{
    fmpq_t width;
    if (d == 1) {
        arb_set(gap, u->unit);
        return;
    }
    fmpq_init(width);
    fmpq_mul_si(width, u->step, d);
    arb_set_fmpq(gap, width, u->prec);
    arb_expm1(gap, gap, u->prec);
    fmpq_clear(width);
}

static void potential_init(struct potential *u, const pby_tails *tails, const fmpq_t step, slong prec)
{
    *u = (struct potential){.n = tails->n, .low = tails->low, .prec = prec, .step = step};
    u->value = _arb_vec_init(u->n + 1);
    u->bend = flint_malloc((size_t)(u->n + 2) * sizeof *u->bend);
    u->bend[u->bends++] = ZERO;
    arb_init(u->at_zero);
    arb_init(u->unit);
    arb_set_fmpq(u->unit, step, prec);
    arb_expm1(u->unit, u->unit, prec);
}

static void potential_clear(struct potential *u)
{
    _arb_vec_clear(u->value, u->n + 1);
    flint_free(u->bend);
    arb_clear(u->at_zero);
    arb_clear(u->unit);
}

/* The P-mass at point b of the potential that bends there, coming from a and going to c (beyond n: to no
 * other bend): exp(l_b) times the change of slope,
 *     (u_c - u_b) / (exp(l_c - l_b) - 1) - (u_b - u_a) / (1 - exp(l_a - l_b)). */
static void mass_at(arb_t mass, const struct potential *u, slong a, slong b, slong c)
{
    arb_t part, gap;
    arb_init(part);
    arb_init(gap);
    arb_zero(mass);
    if (c <= u->n) {
        gap_between(gap, u, c - b);
        arb_sub(mass, u->value + c, u->value + b, u->prec);
        arb_div(mass, mass, gap, u->prec);
    }
    arb_sub(part, u->value + b, a == ZERO ? u->at_zero : u->value + a, u->prec);
    if (a != ZERO) {
        gap_between(gap, u, a - b);
        arb_neg(gap, gap);
        arb_div(part, part, gap, u->prec);
    }
    arb_sub(mass, mass, part, u->prec);
    arb_clear(gap);
    arb_clear(part);
}

/* The chords between grid points lie above a convex function, and the greatest of several convex
 * functions is one. From zero the chord starts at 1, the whole mass; beyond the last point the
 * potential stays where it is. */
static void from_above(struct potential *u, const pby_tails *tails, size_t count)
{
    arb_t value;
    arb_init(value);
    for (slong i = 0; i <= u->n; i++) {
        arb_sub(u->value + i, tails->p + 2 * i, tails->q + 2 * i, u->prec);
        for (size_t c = 1; c < count; c++) {
            arb_sub(value, tails[c].p + 2 * i, tails[c].q + 2 * i, u->prec);
            arb_max(u->value + i, u->value + i, value, u->prec);
        }
        u->bend[u->bends++] = i;
    }
    arb_one(u->at_zero);
    arb_clear(value);
}

/* The line p - x q that supports a potential at a point t, p = P(L > t) and q = exp(t) Q(L > t), where x is
 * exp_shift: less the margin and rounded down. */
static void height_of_line(arf_t y, const arb_t p, const arb_t q, const arb_t exp_shift, slong bits, slong prec)
{
    arb_t line, margin;
    arb_init(line);
    arb_init(margin);
    arb_mul(line, q, exp_shift, prec);
    arb_sub(line, p, line, prec);
    arb_one(margin);
    arb_mul_2exp_si(margin, margin, -bits - MARGIN);
    arb_sub(line, line, margin, prec);
    arb_get_lbound_arf(y, line, prec);
    arb_clear(margin);
    arb_clear(line);
}

/* exp(halves step / 2 - slack) */
static void shift_by(arb_t out, slong halves, const fmpq_t step, const fmpq_t slack, slong prec)
{
    fmpq_t by;
    fmpq_init(by);
    fmpq_mul_si(by, step, halves);
    fmpq_div_2exp(by, by, 1);
    fmpq_sub(by, by, slack);
    arb_set_fmpq(out, by, prec);
    arb_exp(out, out, prec);
    fmpq_clear(by);
}

/* What the lines of all cells share: exponentials of the distances to the ends of a cell, each less the
 * slack, and the least height, P(L = inf) less the margin and not below zero. */
struct lines {
    arb_t up, down, stay, down_step;
    arf_t least;
};

static void lines_init(struct lines *lines, const struct potential *u, const pby_tails *tails,
                       const fmpq_t slack, slong bits)
{
    arb_t zero;
    arb_init(zero);
    arb_init(lines->up);
    arb_init(lines->down);
    arb_init(lines->stay);
    arb_init(lines->down_step);
    arf_init(lines->least);
    shift_by(lines->up, 1, u->step, slack, u->prec);
    shift_by(lines->down, -1, u->step, slack, u->prec);
    shift_by(lines->stay, 0, u->step, slack, u->prec);
    shift_by(lines->down_step, -2, u->step, slack, u->prec);
    height_of_line(lines->least, tails->infinite, zero, zero, bits, u->prec);
    if (arf_sgn(lines->least) < 0)
        arf_zero(lines->least);
    arb_clear(zero);
}

static void lines_clear(struct lines *lines)
{
    arb_clear(lines->up);
    arb_clear(lines->down);
    arb_clear(lines->stay);
    arb_clear(lines->down_step);
    arf_clear(lines->least);
}

/* The heights, at both ends of a cell, of a line below the potential there: of the one that supports it in
 * the cell's middle, or (a bounded loss ends at the last point, and that line falls below zero there)
 * just below the last point, or else of the constant P(L = inf). */
static void cell_heights(arf_t left, arf_t right, const struct potential *u, const pby_tails *tails, slong i,
                         const struct lines *lines, slong bits)
{
    arb_srcptr p = tails->p + 2 * i + 1, q = tails->q + 2 * i + 1;
    height_of_line(left, p, q, lines->down, bits, u->prec);
    height_of_line(right, p, q, lines->up, bits, u->prec);
    if (i == u->n - 1 && arf_cmp(right, lines->least) < 0) {
        height_of_line(left, tails->edge_p, tails->edge_q, lines->down_step, bits, u->prec);
        height_of_line(right, tails->edge_p, tails->edge_q, lines->stay, bits, u->prec);
    }
    if (arf_cmp(right, lines->least) < 0) {
        arf_set(left, lines->least);
        arf_set(right, lines->least);
    }
}

/* A value at a grid point that is below the lines of both its cells makes chords that lie below the
 * potential. The margin outweighs every rounding until the masses are integers. */
static void heights_below(struct potential *u, const pby_tails *tails, const fmpq_t slack, slong bits)
{
    struct lines lines;
    arf_t left, right;
    arf_init(left);
    arf_init(right);
    lines_init(&lines, u, tails, slack, bits);
    arf_set(arb_midref(u->value + u->n), lines.least);
    for (slong i = u->n - 1; i >= 0; i--) {
        cell_heights(left, right, u, tails, i, &lines, bits);
        arf_min(arb_midref(u->value + i + 1), arb_midref(u->value + i + 1), right);
        arf_set(arb_midref(u->value + i), left);
    }
    arb_zero(lines.up);
    height_of_line(arb_midref(u->at_zero), tails->p, tails->q, lines.up, bits, u->prec);
    lines_clear(&lines);
    arf_clear(right);
    arf_clear(left);
}

/* Keeps the points of the lower convex hull. A point that balls cannot tell from a chord is left out; the
 * margin covers it, and the check of the masses would show if it did not. */
static void hull(struct potential *u)
{
    arb_t mass;
    arb_init(mass);
    for (slong i = 0; i <= u->n; i++) {
        while (u->bends >= 2) {
            mass_at(mass, u, u->bend[u->bends - 2], u->bend[u->bends - 1], i);
            if (arb_is_positive(mass))
                break;
            u->bends--;
        }
        u->bend[u->bends++] = i;
    }
    arb_clear(mass);
}

/* x 2^bits as an integer, rounded to the pld's side; not below zero. */
static void set_rounded(fmpz_t out, const arb_t x, const pby_pld *pld, slong prec)
{
    arf_t end;
    arf_init(end);
    if (pld->upper)
        arb_get_ubound_arf(end, x, prec);
    else
        arb_get_lbound_arf(end, x, prec);
    arf_mul_2exp_si(end, end, pld->bits);
    arf_get_fmpz(out, end, pld->upper ? ARF_RND_CEIL : ARF_RND_FLOOR);
    if (fmpz_sgn(out) < 0)
        fmpz_zero(out);
    arf_clear(end);
}

static void set_masses(pby_pld *pld, const struct potential *u)
{
    arb_t mass;
    fmpz_t integer;
    arb_init(mass);
    fmpz_init(integer);
    fmpz_poly_zero(pld->mass);
    fmpz_poly_fit_length(pld->mass, u->n + 1);
    pld->low = u->low;
    for (slong j = 1; j < u->bends; j++) {
        mass_at(mass, u, u->bend[j - 1], u->bend[j], j + 1 < u->bends ? u->bend[j + 1] : u->n + 1);
        set_rounded(integer, mass, pld, u->prec);
        fmpz_poly_set_coeff_fmpz(pld->mass, u->bend[j], integer);
    }
    set_rounded(pld->infinite, u->value + u->n, pld, u->prec);
    fmpz_clear(integer);
    arb_clear(mass);
}

/* Whether height 2^-bits is at most the value, plus the margin that was taken off a value above zero. */
static bool within(const arb_t height, const arb_t value, slong bits, slong prec)
{
    arb_t allowed;
    arb_init(allowed);
    arb_mul_2exp_si(allowed, value, bits + MARGIN);
    if (!arb_is_zero(value))
        arb_add_ui(allowed, allowed, 1, prec);
    arb_mul_2exp_si(allowed, allowed, -MARGIN);
    const bool yes = arb_le(height, allowed);
    arb_clear(allowed);
    return yes;
}

/* Whether the potential of the masses is nowhere above what it may be, at every point and at zero. There
 * D(x_i) = A_i - C_i, where A_i is the mass from i on and C_i the same weighted by exp(l_i - l). */
static bool stays_below(const pby_pld *pld, const struct potential *u)
{
    arb_t tilted, decay, height;
    fmpz_t whole;
    bool below = true;
    arb_init(tilted);
    arb_init(decay);
    arb_init(height);
    fmpz_init_set(whole, pld->infinite);
    arb_add_ui(decay, u->unit, 1, u->prec);
    arb_inv(decay, decay, u->prec);
    for (slong i = u->n; i >= 0 && below; i--) {
        arb_mul(tilted, tilted, decay, u->prec);
        if (i < fmpz_poly_length(pld->mass)) {
            arb_add_fmpz(tilted, tilted, pld->mass->coeffs + i, u->prec);
            fmpz_add(whole, whole, pld->mass->coeffs + i);
        }
        arb_sub_fmpz(height, tilted, whole, u->prec);
        arb_neg(height, height);
        below = within(height, u->value + i, pld->bits, u->prec);
    }
    arb_set_fmpz(height, whole);
    below = below && within(height, u->at_zero, pld->bits, u->prec);
    fmpz_clear(whole);
    arb_clear(height);
    arb_clear(decay);
    arb_clear(tilted);
    return below;
}

pby_status pby_pld_from_tails(pby_pld *pld, const pby_tails *tails, size_t count, const fmpq_t step,
                              const fmpq_t slack, pby_error *err)
{
    struct potential u;
    pby_status status = PBY_OK;
    potential_init(&u, tails, step, pld->bits + GUARD + pby_step_places(step));
    if (pld->upper) {
        from_above(&u, tails, count);
        set_masses(pld, &u);
    } else {
        heights_below(&u, tails, slack, pld->bits);
        hull(&u);
        set_masses(pld, &u);
        if (!stays_below(pld, &u))
            status = pby_fail(err, PBY_FAILED, "a lower bound on the loss could not be checked");
    }
    potential_clear(&u);
    return status;
}
