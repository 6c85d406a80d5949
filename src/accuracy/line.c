/* Carrying mass along the line.
 *
 * With b fixed, x may be carried to y when |x - y| <= b. Both sides sorted, let x and y be the first atoms
 * that still have mass. If y is more than b above x, no later y is nearer to x, and x stays; if y is more
 * than b below x, no later x is nearer to y, and y stays empty. Otherwise as much as possible of x goes to y,
 * and an exchange shows that nothing is lost by it. In a best carriage, let x send s > 0 to a later y', and
 * let y take t > 0 from a later x'. Then y <= y' <= x + b and x <= x' <= y + b, so that x' <= y' + b and
 * y' <= x' + b: min(s, t) can be sent from x to y and from x' to y' instead. If only one of the two has such
 * a partner, the mass that the other has free is used at no cost.
 *
 * One pass over both sides therefore carries the most that b allows. That most grows with b, and changes
 * only where b is a difference of two positions, an integer on this scale: bisection over integers finds the
 * least b exactly, in as many passes as the widest difference has bits. */
#include "accuracy/measure.h"

struct sweep {
    fmpz_t gap, left_x, left_y, spare;
};

static void sweep_init(struct sweep *s)
{
    fmpz_init(s->gap);
    fmpz_init(s->left_x);
    fmpz_init(s->left_y);
    fmpz_init(s->spare);
}

static void sweep_clear(struct sweep *s)
{
    fmpz_clear(s->gap);
    fmpz_clear(s->left_x);
    fmpz_clear(s->left_y);
    fmpz_clear(s->spare);
}

/* What becomes of the first atoms left, x at i and y at j. */
enum meeting { CARRY, X_STAYS, Y_STAYS };

static enum meeting meet(fmpz_t gap, const pby_line *x, size_t i, const pby_line *y, size_t j, const fmpz_t b)
{
    if (j == y->count)
        return X_STAYS;
    fmpz_sub(gap, &y->atom[j].at, &x->atom[i].at);
    if (fmpz_cmpabs(gap, b) <= 0)
        return CARRY;
    return fmpz_sgn(gap) > 0 ? X_STAYS : Y_STAYS;
}

/* Whether all of x but `spare` can be carried within b; s->spare is used up. */
static bool carries(struct sweep *s, const pby_line *x, const pby_line *y, const fmpz_t b)
{
    fmpz_zero(s->left_x); /* 0: the atom has not been begun */
    fmpz_zero(s->left_y);
    for (size_t i = 0, j = 0; i < x->count;) {
        const enum meeting met = meet(s->gap, x, i, y, j, b);
        if (fmpz_is_zero(s->left_x))
            fmpz_set(s->left_x, &x->atom[i].mass);
        if (met != X_STAYS && fmpz_is_zero(s->left_y))
            fmpz_set(s->left_y, &y->atom[j].mass);
        if (met == CARRY) {
            fmpz_sub(s->gap, s->left_x, s->left_y);
            const int more = fmpz_sgn(s->gap);
            i += more <= 0;
            j += more >= 0;
            fmpz_abs(more > 0 ? s->left_x : s->left_y, s->gap);
            fmpz_zero(more > 0 ? s->left_y : s->left_x);
        } else if (met == Y_STAYS) {
            fmpz_zero(s->left_y);
            j++;
        } else {
            fmpz_sub(s->spare, s->spare, s->left_x);
            if (fmpz_sgn(s->spare) < 0)
                return false;
            fmpz_zero(s->left_x);
            i++;
        }
    }
    return true;
}

static bool reaches(struct sweep *s, const pby_line *x, const pby_line *y, const fmpz_t need, const fmpz_t b)
{
    fmpz_sub(s->spare, x->total, need);
    return carries(s, x, y, b);
}

/* The greatest distance between an atom of x and one of y. */
static void diameter(fmpz_t d, const pby_line *x, const pby_line *y)
{
    fmpz_t other;
    fmpz_init(other);
    fmpz_zero(d);
    if (x->count > 0 && y->count > 0) {
        fmpz_sub(d, &x->atom[x->count - 1].at, &y->atom[0].at);
        fmpz_sub(other, &y->atom[y->count - 1].at, &x->atom[0].at);
        if (fmpz_cmp(other, d) > 0)
            fmpz_swap(d, other);
    }
    fmpz_clear(other);
}

void pby_line_reach(fmpz_t b, const pby_line *x, const pby_line *y, const fmpz_t need)
{
    struct sweep s;
    fmpz_t lo, middle; /* reached from b on, not at lo */
    sweep_init(&s);
    fmpz_init_set_si(lo, -1);
    fmpz_init(middle);
    diameter(b, x, y);
    for (;;) {
        fmpz_add(middle, lo, b);
        fmpz_fdiv_q_2exp(middle, middle, 1);
        if (fmpz_equal(middle, lo))
            break;
        if (reaches(&s, x, y, need, middle))
            fmpz_set(b, middle);
        else
            fmpz_set(lo, middle);
    }
    fmpz_clear(middle);
    fmpz_clear(lo);
    sweep_clear(&s);
}
