/* SPDX-License-Identifier: MIT */
#include "mechanism/gauss/lognormal.h"

#include <math.h>
#include <stdlib.h>

#include "number/erfc.h"
#include "number/scoped.h"

enum {
    PREC = 192,
    FINENESS = 20, /* cells to a deviation */
    NEAR = 8,      /* deviations with cells so fine */
    COARSE = 4,    /* how much wider they are beyond */
    FAR = 38,      /* deviations: a normal tail of about 1e-300 */
    HEAVY = 8      /* variances from which on one variable may make up a sum */
};

/* ---- places ------------------------------------------------------------------------------------ */

/* Ends of cells, ascending, the first 0; the last cell has no upper end. */
struct knots {
    pby_directed *at;
    size_t count, room;
};

/* Adds a place of few bits, which is exact in the unit of a cell of its size. */
static bool add_knot(struct knots *k, double x)
{
    enum { FEW = 32 };
    int exponent;
    const double few = rint(ldexp(frexp(x, &exponent), FEW));
    const pby_directed at = pby_directed_of_double(ldexp(few, exponent - FEW));
    if (k->count > 0 && pby_directed_cmp(at, k->at[k->count - 1]) == 0)
        return true;
    if (k->count == k->room) {
        const size_t room = k->room == 0 ? 256 : 2 * k->room;
        pby_directed *more = realloc(k->at, room * sizeof *more);
        if (more == NULL)
            return false;
        k->at = more;
        k->room = room;
    }
    k->at[k->count++] = at;
    return true;
}

/* Guesses the width of the law of a sum of n variables about x, above its mean: the deviation of the part
 * that is at most x, or, where that is more, the distance in which the chance of one large variable falls by
 * a third. far is the number of deviations that x lies out. A bad guess costs width and no truth. */
static double width_above(double *far, double x, double n, double v)
{
    enum { MOST = 4 };
    const double root = sqrt(v), all = sqrt(n * expm1(v)), large = x - n,
                 part = erfc(-(log(x) / root - 1.5 * root) * M_SQRT1_2) / 2,
                 out = large > 0 ? (log(large) + v / 2) / root : 0;
    *far = fmin(fmax(out, 0), large / all);
    return fmax(fmax(sqrt(n * expm1(v) * part), fmin(all, x * sqrt(v / n))),
                large * root / fmin(fmax(out, 1), MOST));
}

/* About where the greatest of n variables begins: below it with a chance of 1e-300. A guess, as above. */
static double least_of_greatest(double n, double v)
{
    enum { NATS = 690 };
    double z = NEAR;
    while (z > -FAR && n * log(erfc(-z * M_SQRT1_2) / 2) > -NATS)
        z -= 0.25;
    return exp(sqrt(v) * z - v / 2);
}

/* Knots for a sum of variables, downwards and upwards from its mean. */
static bool place_knots(struct knots *k, int64_t steps, double v)
{
    const double n = (double)steps, root = sqrt(v / n), all = sqrt(n * expm1(v)),
                 end = exp(fmin(FAR * sqrt(v) + v / 2, 650)) + FAR * all;
    double far = 0, x = n;
    bool good = true;
    k->count = 0;
    while (far < FAR && good) {
        const double step = (far < NEAR ? 1.0 : COARSE) / FINENESS;
        x -= fmin(fmin(all, x * root) * step, x / 2);
        far += step;
        good = add_knot(k, x);
    }
    for (const double least = v < HEAVY ? x : least_of_greatest(n, v); x > least && good;) {
        x -= x * fmin(sqrt(v) / (COARSE * FINENESS), 0.5);
        good = add_knot(k, x);
    }
    good = good && add_knot(k, 0);
    for (size_t i = 0; i < k->count / 2 && good; i++) {
        const pby_directed swap = k->at[i];
        k->at[i] = k->at[k->count - 1 - i];
        k->at[k->count - 1 - i] = swap;
    }
    for (x = n; x < end && good;) {
        good = add_knot(k, x);
        const double width = width_above(&far, x, n, v);
        x += width * (far < NEAR ? 1.0 : COARSE) / FINENESS;
    }
    return good && add_knot(k, x);
}

/* ---- laws -------------------------------------------------------------------------------------- */

void pby_sum_clear(pby_sum *m)
{
    free(m->mass);
    free(m->low);
    free(m->high);
    *m = (pby_sum){.count = 0};
}

static bool measure_init(pby_sum *m, size_t count)
{
    *m = (pby_sum){.mass = calloc(count, sizeof *m->mass),
                   .low = calloc(count, sizeof *m->low),
                   .high = calloc(count, sizeof *m->high),
                   .count = count};
    return m->mass != NULL && m->low != NULL && m->high != NULL;
}

/* The mass that falls into one cell. From above: mass times the distance to the end on the other side, which
 * is that end's part. From below: mass and moment, rounded both ways. */
struct cell {
    pby_directed mass, mass_up, low, high;
};

static void fall(struct cell *c, pby_directed mass, pby_directed low, pby_directed high,
                 const struct knots *k, size_t i, bool upper)
{
    if (upper && i + 1 < k->count) {
        low = pby_directed_sub(k->at[i + 1], low, true);
        high = pby_directed_sub(high, k->at[i], true);
    }
    c->mass = pby_directed_add(c->mass, mass, upper);
    if (!upper)
        c->mass_up = pby_directed_add(c->mass_up, mass, true);
    c->low = pby_directed_add(c->low, pby_directed_mul(mass, low, upper), upper);
    c->high = pby_directed_add(c->high, pby_directed_mul(mass, high, true), true);
}

/* A measure that is greater in the convex order: the content of every cell goes to its two ends. */
static void spread(pby_sum *out, const struct cell *cell, const struct knots *k)
{
    const size_t last = k->count - 1;
    for (size_t i = 0; i <= last; i++) {
        out->low[i] = out->high[i] = k->at[i];
        out->mass[i] = (pby_directed){0, 0};
    }
    for (size_t i = 0; i < last; i++) {
        const pby_directed width = pby_directed_sub(k->at[i + 1], k->at[i], false);
        out->mass[i] = pby_directed_add(out->mass[i], pby_directed_div(cell[i].low, width, true), true);
        out->mass[i + 1] = pby_directed_div(cell[i].high, width, true);
    }
    out->beyond = pby_directed_add(out->beyond, cell[last].mass, true);
    out->beyond_mean = pby_directed_add(out->beyond_mean, cell[last].high, true);
}

/* A smaller one: the content of every cell goes to its mean. */
static void contract(pby_sum *out, const struct cell *cell, const struct knots *k)
{
    size_t n = 0;
    for (size_t i = 0; i < k->count; i++) {
        if (cell[i].mass.bits == 0)
            continue;
        out->mass[n] = cell[i].mass;
        out->low[n] = pby_directed_div(cell[i].low, cell[i].mass_up, false);
        out->high[n++] = pby_directed_div(cell[i].high, cell[i].mass, true);
    }
    out->count = n;
}

/* out += mass and mean of all of a measure, beyond all places too, rounded up. */
static void totals(pby_directed *mass, pby_directed *mean, const pby_sum *m)
{
    *mass = m->beyond;
    *mean = m->beyond_mean;
    for (size_t i = 0; i < m->count; i++) {
        *mass = pby_directed_add(*mass, m->mass[i], true);
        *mean = pby_directed_add(*mean, pby_directed_mul(m->mass[i], m->high[i], true), true);
    }
}

/* Adds to out the mass of a sum that lies beyond all places because its first part does. */
static void carry_beyond(pby_sum *out, const pby_sum *a, const pby_sum *b)
{
    pby_directed mass, mean;
    totals(&mass, &mean, b);
    out->beyond = pby_directed_add(out->beyond, pby_directed_mul(a->beyond, mass, true), true);
    out->beyond_mean = pby_directed_add(out->beyond_mean, pby_directed_mul(a->beyond_mean, mass, true), true);
    out->beyond_mean = pby_directed_add(out->beyond_mean, pby_directed_mul(a->beyond, mean, true), true);
}

/* ---- sums -------------------------------------------------------------------------------------- */

/* The content of a cell that begins above 0, in integers: masses in units of 2^(exponent - GUARD), places in
 * the unit of the cell, and moments about the lower end in both units times 2^PLACE. Each of `count` parts
 * may lack up to four units of 2^GUARD of either. */
struct tally {
    pby_directed_double mass, low, high;
    int64_t exponent;
    uint64_t count;
};

/* The unit is such that the upper end of the cell has PLACE bits. */
enum { PLACE = 62, GUARD = 40 };

struct frame {
    int64_t unit;
    uint64_t from, to;
};

/* x in units, rounded down; 2^PLACE for what is as great or greater. */
static uint64_t in_units(pby_directed x, int64_t unit)
{
    const int64_t by = unit - x.exponent;
    if (by < 64 - PLACE && x.bits != 0)
        return UINT64_C(1) << PLACE;
    return x.bits != 0 && by < 64 ? x.bits >> by : 0;
}

static struct frame frame_of(const struct knots *k, size_t i)
{
    /* Knots below k->count are set.
     * NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
    const int64_t unit = k->at[i + 1].exponent + 64 - PLACE;
    return (struct frame){unit, in_units(k->at[i], unit), in_units(k->at[i + 1], unit)};
}

static pby_directed_double shifted(pby_directed_double x, int64_t by)
{
    return by < 128 ? x >> by : 0;
}

/* Adds a mass w 2^exponent at two places, given as distances from the lower end. */
static void count_in(struct tally *t, uint64_t w, int64_t exponent, uint64_t low, uint64_t high, bool upper)
{
    if (t->count == 0)
        t->exponent = exponent;
    if (exponent > t->exponent) {
        t->mass = shifted(t->mass, exponent - t->exponent);
        t->low = shifted(t->low, exponent - t->exponent);
        t->high = shifted(t->high, exponent - t->exponent);
        t->exponent = exponent;
        t->count++;
    }
    const int64_t by = t->exponent - exponent;
    t->count++;
    if (by >= 128)
        return;
    t->mass += (pby_directed_double)w << GUARD >> by;
    t->low += ((pby_directed_double)w * low >> PLACE) << GUARD >> by;
    if (!upper)
        t->high += ((pby_directed_double)w * high >> PLACE) << GUARD >> by;
}

/* x 2^exponent */
static pby_directed rounded(pby_directed_double x, int64_t exponent, bool up)
{
    if (x == 0)
        return (pby_directed){0, 0};
    for (int by = 64; by > 0; by /= 2)
        if (x >> (127 - by) == 0) {
            x <<= by;
            exponent -= by;
        }
    return pby_directed_cut(x, exponent, false, up);
}

/* c += the content of the tally. */
static void settle(struct cell *c, const struct tally *t, const struct knots *k, size_t i, bool upper)
{
    if (t->count == 0)
        return;
    const struct frame f = frame_of(k, i);
    const pby_directed_double lack = (pby_directed_double)t->count << (GUARD + 2);
    const int64_t mass_unit = t->exponent - GUARD, unit = mass_unit + PLACE + f.unit;
    const pby_directed mass = rounded(t->mass, mass_unit, false),
                       mass_up = rounded(t->mass + lack, mass_unit, true);
    const pby_directed slack = {UINT64_C(1) << 63, f.unit - 62}; /* two units */
    pby_directed low, high;
    if (upper) { /* they lie less than a unit above where they were counted, and in the cell */
        const pby_directed width = pby_directed_sub(k->at[i + 1], k->at[i], true);
        high = pby_directed_add(rounded(t->low + lack, unit, true), pby_directed_mul(mass_up, slack, true),
                                true);
        low = pby_directed_sub(pby_directed_mul(mass_up, width, true), rounded(t->low, unit, false), true);
    } else { /* they lie within two units of it */
        low = pby_directed_add(pby_directed_mul(mass, k->at[i], false), rounded(t->low, unit, false), false);
        low = pby_directed_sub(low, pby_directed_mul(mass_up, slack, true), false);
        high = pby_directed_add(pby_directed_mul(mass_up, k->at[i], true),
                                rounded(t->high + lack, unit, true), true);
        high = pby_directed_add(high, pby_directed_mul(mass_up, slack, true), true);
        c->mass = pby_directed_add(c->mass, mass, false);
        c->mass_up = pby_directed_add(c->mass_up, mass_up, true);
    }
    c->low = pby_directed_add(c->low, low, upper);
    c->high = pby_directed_add(c->high, high, true);
}

/* Adds the sums of a's i-th mass and the first n masses of b. */
static void add_row(struct cell *cell, struct tally *tally, const pby_sum *a, size_t i, const pby_sum *b,
                    size_t n, const struct knots *k, bool upper)
{
    const size_t last = k->count - 1;
    const pby_directed mass = a->mass[i], low = a->low[i], high = a->high[i];
    size_t at = 0;
    struct frame f = frame_of(k, 0);
    for (size_t j = 0; j < n; j++) {
        if (b->mass[j].bits == 0)
            continue;
        const int64_t twice = a == b && j < i;
        uint64_t y = 0;
        while (at < last && (y = in_units(low, f.unit) + in_units(b->low[j], f.unit)) >= f.to)
            if (++at < last)
                f = frame_of(k, at);
        if (at > 0 && at < last) {
            const pby_directed_double w = (pby_directed_double)mass.bits * b->mass[j].bits;
            const uint64_t z = upper ? y : in_units(high, f.unit) + in_units(b->high[j], f.unit);
            count_in(&tally[at], (uint64_t)(w >> 64), mass.exponent + b->mass[j].exponent + 64 + twice,
                     y > f.from ? y - f.from : 0, z > f.from ? z - f.from : 0, upper);
        } else {
            pby_directed w = pby_directed_mul(mass, b->mass[j], upper);
            w.exponent += twice;
            const pby_directed down = pby_directed_add(low, b->low[j], false),
                               up = pby_directed_add(high, b->high[j], true);
            size_t to = at;
            while (to < last && pby_directed_cmp(k->at[to + 1], down) <= 0)
                to++;
            fall(&cell[to], w, down, up, k, to, upper);
        }
    }
}

/* out = the law of the sum of independent a and b, on the places k; a may be b. */
static bool convolve(pby_sum *out, const pby_sum *a, const pby_sum *b, const struct knots *k, bool upper)
{
    struct cell *cell = calloc(k->count, sizeof *cell);
    struct tally *tally = calloc(k->count, sizeof *tally);
    const bool good = measure_init(out, k->count) && cell != NULL && tally != NULL;
    for (size_t i = 0; i < a->count && good; i++)
        if (a->mass[i].bits != 0)
            add_row(cell, tally, a, i, b, a == b ? i + 1 : b->count, k, upper);
    for (size_t i = 0; i + 1 < k->count && good; i++)
        settle(&cell[i], &tally[i], k, i, upper);
    if (good && upper) {
        carry_beyond(out, a, b);
        carry_beyond(out, b, a);
        spread(out, cell, k);
    } else if (good) {
        contract(out, cell, k);
    }
    free(tally);
    free(cell);
    return good;
}

/* ---- one variable ------------------------------------------------------------------------------ */

/* The mass and the mean of a lognormal variable between 0 and y, or, for `above`, from y on: the normal
 * distribution at (log y +- ratio/2)/root, relatively exact far out. */
static void part_of_one(arb_t mass, arb_t mean, const fmpq_t ratio, pby_directed y, bool above)
{
    PBY_ARB(x, scale);
    PBY_FMPQ(q);
    if (y.bits == 0) {
        arb_set_ui(mass, above);
        arb_set_ui(mean, above);
    } else {
        pby_directed_get_fmpq(q, y);
        arb_set_fmpq(x, q, PREC);
        arb_log(x, x, PREC);
        arb_set_fmpq(scale, ratio, PREC);
        arb_mul_2exp_si(mass, scale, -1);
        arb_mul_2exp_si(scale, scale, 1);
        arb_sqrt(scale, scale, PREC);
        arb_sub(mean, x, mass, PREC);
        arb_add(mass, x, mass, PREC);
        arb_div(mean, mean, scale, PREC);
        arb_div(mass, mass, scale, PREC);
        if (!above) {
            arb_neg(mean, mean);
            arb_neg(mass, mass);
        }
        pby_erfc(x, mean, PREC);
        arb_mul_2exp_si(mean, x, -1);
        pby_erfc(x, mass, PREC);
        arb_mul_2exp_si(mass, x, -1);
    }
}

/* x -= at y */
static void subtract_at(arb_t x, pby_directed at, const arb_t y)
{
    PBY_FMPQ(q);
    PBY_ARB(place);
    pby_directed_get_fmpq(q, at);
    arb_set_fmpq(place, q, PREC);
    arb_submul(x, place, y, PREC);
}

/* A cell of one variable, whose mass and mean are known by balls. */
static void fill_cell(struct cell *c, arb_t mass, arb_t mean, const struct knots *k, size_t i, bool upper)
{
    c->mass = pby_directed_of_ball(mass, upper);
    c->mass_up = pby_directed_of_ball(mass, true);
    c->low = pby_directed_of_ball(mean, upper);
    c->high = pby_directed_of_ball(mean, true);
    if (upper && i + 1 < k->count) {
        PBY_ARB(x);
        arb_set(x, mean);
        subtract_at(x, k->at[i], mass);
        c->high = pby_directed_of_ball(x, true);
        arb_set(x, mean);
        subtract_at(x, k->at[i + 1], mass);
        arb_neg(x, x);
        c->low = pby_directed_of_ball(x, true);
    }
}

static bool make_one(pby_sum *out, const fmpq_t ratio, const struct knots *k, bool upper)
{
    struct cell *cell = calloc(k->count, sizeof *cell);
    const bool good = measure_init(out, k->count) && cell != NULL;
    const pby_directed one = {UINT64_C(1) << 63, -63};
    PBY_ARB(mass, mean, next_mass, next_mean);
    for (size_t i = 0; i < k->count && good; i++) {
        const bool above = pby_directed_cmp(k->at[i], one) >= 0; /* the side that is the lighter one */
        part_of_one(mass, mean, ratio, k->at[i], above);
        if (i + 1 < k->count) {
            part_of_one(next_mass, next_mean, ratio, k->at[i + 1], above);
            arb_sub(mass, mass, next_mass, PREC);
            arb_sub(mean, mean, next_mean, PREC);
            if (!above) {
                arb_neg(mass, mass);
                arb_neg(mean, mean);
            }
        }
        fill_cell(&cell[i], mass, mean, k, i, upper);
    }
    if (good && upper)
        spread(out, cell, k);
    else if (good)
        contract(out, cell, k);
    free(cell);
    return good;
}

/* The sum of `steps` variables: doubled, and one more added, along the bits of their number. */
bool pby_sum_make(pby_sum *out, const fmpq_t ratio, int64_t steps, bool upper)
{
    const double v = fmpq_get_d(ratio);
    struct knots k = {NULL, 0, 0};
    pby_sum one = {.count = 0}, next;
    int bit = 62;
    while (steps >> bit == 0)
        bit--;
    bool good = place_knots(&k, 1, v) && make_one(&one, ratio, &k, upper) && make_one(out, ratio, &k, upper);
    for (int64_t n = 1; --bit >= 0 && good;) {
        n *= 2;
        good = place_knots(&k, n, v) && convolve(&next, out, out, &k, upper);
        pby_sum_clear(out);
        *out = next;
        if (good && (steps >> bit & 1)) {
            n++;
            good = place_knots(&k, n, v) && convolve(&next, out, &one, &k, upper);
            pby_sum_clear(out);
            *out = next;
        }
    }
    pby_sum_clear(&one);
    free(k.at);
    return good;
}
