/* SPDX-License-Identifier: MIT */
/* The least cost of carrying mass along the line. When nothing may stay it is the area between the two cdfs.
 *
 * Otherwise let what stays be charged a price m each. A carriage of cost A that leaves B then costs A + m B;
 * let V(m) be the least of that. Each carriage is a line in m, and V, their lower envelope, is concave. By
 * duality the least cost of leaving `spare` is the greatest value of V(m) - m spare. The lines meet where m
 * is a sum and difference of positions, an integer on this scale; so the greatest value is at an integer, the
 * last m on the left of which V has a slope above spare.
 *
 * By duality again V(m) is the greatest sum of f(z) (x(z) - y(z)) over functions f from 0 to m that change by
 * at most the distance. Going up the line, let F(v) be the most that the stops so far give with v the last
 * value of f. F is concave. A step of length g moves its rising part g to the left and its falling part g to
 * the right; a stop of surplus w > 0 tilts it, so that the first w of what its slope loses on the right of
 * its maximum are lost on the left from then on. So the kinks on either side of the maximum are two stacks.
 * At the bottom of the left one is a kink at 0, of the right one a kink at m, both without end; a kink that
 * has gone past these is never used again. The maximum grows by position times mass of the kinks that go to
 * the left, and shrinks by that of those that go to the right. Where a kink stands at an end, the end is used
 * first, as it would be for an m just below: so B, which counts what has come from the end at m, is the slope
 * of V on the left of m.
 *
 * A price takes one pass over the stops, and the time of the kinks that change sides: for each of n random
 * stops some sqrt(n), and never more than n. */
#include <stdlib.h>

#include "number/scoped.h"
#include "transport/transport_measure.h"

/* It stands at `at` above m if it comes from the end at m, else above 0; `at` goes by the position of the
 * stop, which has been added on the left of the maximum and taken off on the right. */
struct kink {
    fmpz at, mass;
    bool upper;
};

struct stack {
    struct kink *kink;
    size_t count;
};

struct chain {
    fmpz *at, *surplus; /* of the stops where x and y differ */
    size_t count, room;
    flint_bitcnt_t twos; /* positions are over the unit divided by two so often */
    struct stack left, right;
    fmpz_t rest, part, value, step;
};

/* A price, and the cost and the loss of a carriage that is the least at it. */
struct offer {
    fmpz_t price, cost, loss;
};

/* ---- memory ------------------------------------------------------------------------------------- */

/* The scale fills its limbs with zero bits; without them numbers are small again. */
static void shorten(struct chain *c)
{
    PBY_FMPZ(all);
    for (size_t i = 0; i < c->count; i++)
        fmpz_or(all, all, &c->at[i]);
    c->twos = fmpz_val2(all);
    for (size_t i = 0; i < c->count; i++)
        fmpz_fdiv_q_2exp(&c->at[i], &c->at[i], c->twos);
}

static bool chain_init(struct chain *c, const pby_lines *l)
{
    *c = (struct chain){.room = l->x.count + l->y.count};
    c->at = calloc(c->room, sizeof *c->at);
    c->surplus = calloc(c->room, sizeof *c->surplus);
    c->left.kink = calloc(c->room, sizeof *c->left.kink);
    c->right.kink = calloc(c->room, sizeof *c->right.kink);
    fmpz_init(c->rest);
    fmpz_init(c->part);
    fmpz_init(c->value);
    fmpz_init(c->step);
    if (c->at == NULL || c->surplus == NULL || c->left.kink == NULL || c->right.kink == NULL)
        return false;
    for (pby_stop s = {.i = 0}; pby_stop_next(&s, l);) {
        pby_stop_surplus(&c->surplus[c->count], &s, l);
        fmpz_set_ui_array(&c->at[c->count], s.at, (slong)l->x.at_limbs);
        c->count += !fmpz_is_zero(&c->surplus[c->count]);
    }
    shorten(c);
    return true;
}

static void clear_all(fmpz *x, size_t count)
{
    for (size_t i = 0; x != NULL && i < count; i++)
        fmpz_clear(&x[i]);
    pby_wipe_free(x, count * sizeof *x);
}

static void stack_clear(struct stack *s, size_t room)
{
    for (size_t i = 0; s->kink != NULL && i < room; i++) {
        fmpz_clear(&s->kink[i].at);
        fmpz_clear(&s->kink[i].mass);
    }
    pby_wipe_free(s->kink, room * sizeof *s->kink);
}

static void chain_clear(struct chain *c)
{
    clear_all(c->at, c->room);
    clear_all(c->surplus, c->room);
    stack_clear(&c->left, c->room);
    stack_clear(&c->right, c->room);
    fmpz_clear(c->rest);
    fmpz_clear(c->part);
    fmpz_clear(c->value);
    fmpz_clear(c->step);
}

static void offer_init(struct offer *o)
{
    fmpz_init(o->price);
    fmpz_init(o->cost);
    fmpz_init(o->loss);
}

static void offer_clear(struct offer *o)
{
    fmpz_clear(o->price);
    fmpz_clear(o->cost);
    fmpz_clear(o->loss);
}

static void offer_swap(struct offer *a, struct offer *b)
{
    fmpz_swap(a->price, b->price);
    fmpz_swap(a->cost, b->cost);
    fmpz_swap(a->loss, b->loss);
}

/* ---- at a price --------------------------------------------------------------------------------- */

static void push(struct stack *s, const fmpz_t at, const fmpz_t mass, bool upper)
{
    struct kink *k = &s->kink[s->count++];
    fmpz_set(&k->at, at);
    fmpz_set(&k->mass, mass);
    k->upper = upper;
}

/* True if the kink whose position is c->value stands at the end that the maximum goes to, or past it. */
static bool at_end(const struct chain *c, const struct kink *k, bool right, const fmpz_t price)
{
    const int sign = fmpz_sgn(c->value);
    if (right == k->upper)
        return right ? sign >= 0 : sign <= 0;
    return (right ? sign > 0 : sign < 0) && fmpz_cmpabs(c->value, price) >= 0;
}

/* Takes c->rest off the first kinks that the maximum meets on its way, to the right or to the left. */
static void tilt(struct chain *c, struct offer *o, bool right)
{
    struct stack *from = right ? &c->right : &c->left, *to = right ? &c->left : &c->right;
    while (from->count > 0) {
        struct kink *k = &from->kink[from->count - 1];
        fmpz_add(c->value, &k->at, c->step);
        if (at_end(c, k, right, o->price))
            break;
        const bool whole = fmpz_cmp(&k->mass, c->rest) <= 0;
        fmpz_set(c->part, whole ? &k->mass : c->rest);
        (right ? fmpz_addmul : fmpz_submul)(o->cost, c->part, c->value);
        if (k->upper)
            (right ? fmpz_add : fmpz_sub)(o->loss, o->loss, c->part);
        fmpz_add(c->value, c->value, c->step);
        push(to, c->value, c->part, k->upper);
        fmpz_sub(&k->mass, &k->mass, c->part);
        fmpz_sub(c->rest, c->rest, c->part);
        from->count -= whole;
        if (fmpz_is_zero(c->rest))
            return;
    }
    from->count = 0;
    push(to, c->step, c->rest, right);
    if (right)
        fmpz_add(o->loss, o->loss, c->rest);
}

/* The least carriage at o->price. */
static void set_offer(struct offer *o, struct chain *c)
{
    c->left.count = c->right.count = 0;
    fmpz_zero(o->cost);
    fmpz_zero(o->loss);
    for (size_t i = 0; i < c->count; i++) {
        const bool right = fmpz_sgn(&c->surplus[i]) > 0;
        fmpz_abs(c->rest, &c->surplus[i]);
        fmpz_set(c->step, &c->at[i]);
        if (!right)
            fmpz_neg(c->step, c->step);
        tilt(c, o, right);
    }
}

/* ---- the price ---------------------------------------------------------------------------------- */

/* Where the two lines meet, rounded down, or every other time in the middle: so that neither the number of
 * lines nor that of bits is exceeded by much. Always between the two. */
static void set_price(fmpz_t price, const struct offer *lo, const struct offer *hi, bool middle)
{
    PBY_FMPZ(rise);
    if (middle) {
        fmpz_add(price, lo->price, hi->price);
        fmpz_fdiv_q_2exp(price, price, 1);
    } else {
        fmpz_sub(price, hi->cost, lo->cost);
        fmpz_sub(rise, lo->loss, hi->loss);
        fmpz_fdiv_q(price, price, rise);
    }
    fmpz_add_ui(rise, lo->price, 1);
    if (fmpz_cmp(price, rise) < 0)
        fmpz_set(price, rise);
    fmpz_sub_ui(rise, hi->price, 1);
    if (fmpz_cmp(price, rise) > 0)
        fmpz_set(price, rise);
}

/* spare is num/den. lo loses more, hi as much or less; in the end hi is the next price after lo. */
static void search(struct offer *lo, struct offer *hi, struct chain *c, const fmpz_t num, const fmpz_t den)
{
    struct offer o;
    bool middle = false;
    offer_init(&o);
    PBY_FMPZ(gap, loss);
    for (;;) {
        fmpz_sub(gap, hi->price, lo->price);
        if (fmpz_is_one(gap))
            break;
        set_price(o.price, lo, hi, middle);
        set_offer(&o, c);
        fmpz_mul(loss, o.loss, den);
        offer_swap(&o, fmpz_cmp(loss, num) > 0 ? lo : hi);
        middle = !middle;
    }
    offer_clear(&o);
}

/* den (cost + price loss) - price num at the best price. */
static void best(fmpz_t out, struct chain *c, const fmpz_t total, const fmpz_t num, const fmpz_t den)
{
    struct offer lo, hi; /* carry nothing at the price 0, and all at one above every distance */
    offer_init(&lo);
    offer_init(&hi);
    fmpz_set(lo.loss, total);
    fmpz_sub(hi.price, &c->at[c->count - 1], &c->at[0]);
    fmpz_add_ui(hi.price, hi.price, 1);
    set_offer(&hi, c);
    search(&lo, &hi, c, num, den);
    fmpz_set(out, lo.cost);
    fmpz_addmul(out, lo.price, lo.loss);
    fmpz_mul(out, out, den);
    fmpz_submul(out, lo.price, num);
    offer_clear(&hi);
    offer_clear(&lo);
}

/* When nothing may stay: what crosses each gap between neighbours is the difference of the two cdfs. */
static void crossing(fmpz_t out, struct chain *c)
{
    fmpz_zero(c->rest);
    for (size_t i = 0; i + 1 < c->count; i++) {
        fmpz_add(c->rest, c->rest, &c->surplus[i]);
        fmpz_abs(c->part, c->rest);
        fmpz_sub(c->step, &c->at[i + 1], &c->at[i]);
        fmpz_addmul(out, c->part, c->step);
    }
}

pby_status pby_lines_cost(fmpz_t cost, const pby_lines *l, mpq_srcptr gamma, pby_error *err)
{
    if (mpq_sgn(gamma) > 0 && l->x.count + l->y.count > PBY_AVERAGE_MAX)
        return pby_fail(err, PBY_BAD, "average: expected at most %d atoms in all, or gamma 0",
                        PBY_AVERAGE_MAX);
    struct chain c;
    PBY_FMPZ(num, den);
    fmpz_set_mpz(num, mpq_numref(gamma));
    fmpz_set_mpz(den, mpq_denref(gamma));
    const bool room = chain_init(&c, l), all = fmpz_equal(num, den);
    fmpz_mul(num, num, l->x.total);
    fmpz_zero(cost);
    if (room && fmpz_is_zero(num))
        crossing(cost, &c);
    else if (room && c.count > 0 && !all)
        best(cost, &c, l->x.total, num, den);
    fmpz_mul_2exp(cost, cost, c.twos);
    chain_clear(&c);
    return room ? PBY_OK : pby_no_memory(err);
}
