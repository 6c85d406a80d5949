/* SPDX-License-Identifier: MIT */
/* The chance of a course with two-sided geometric noise of rate r1 on the threshold and r2 on answers.
 *
 * Let b = exp(-r2). Where the threshold's noise is z, an answer q stays below it with the chance
 *
 *     1 - b^(z-q)/(1 + b) from z = q on,    b^(1+q-z)/(1 + b) up to q.
 *
 * So between two neighbouring answers the chance of success is a polynomial in y = b^z and 1/y, and the sum
 * over z of each of its terms, times exp(-r1 |z|), is geometric. */
#include <stdlib.h>

#include "mechanism/above/course.h"
#include "number/ball.h"
#include "number/scoped.h"

enum { GUARD = 64 };

/* Values of z with one polynomial, in y = b^(z - from): from .. from + length - 1; or, where length is 0, all
 * from `from` on, or all below it. */
struct segment {
    int64_t from, length;
    bool left;
};

/* Terms y^-half .. y^half, of which those from lo to hi may differ from 0. */
struct polynomial {
    arb_ptr term;
    slong half, lo, hi;
};

struct work {
    const fmpq *threshold, *answer;
    slong prec;
    arb_t g; /* 1 + b */
    struct polynomial value, goal;
};

static void polynomial_init(struct polynomial *a, slong half)
{
    a->term = _arb_vec_init(2 * half + 1);
    a->half = half;
    a->lo = a->hi = 0;
}

static void polynomial_clear(struct polynomial *a)
{
    _arb_vec_clear(a->term, 2 * a->half + 1);
}

static arb_ptr term_of(const struct polynomial *a, slong k)
{
    return a->term + a->half + k;
}

static void set_constant(struct polynomial *a, slong c)
{
    _arb_vec_zero(term_of(a, a->lo), a->hi - a->lo + 1);
    a->lo = a->hi = 0;
    arb_set_si(term_of(a, 0), c);
}

static void copy(struct polynomial *a, const struct polynomial *b)
{
    set_constant(a, 0);
    a->lo = b->lo;
    a->hi = b->hi;
    _arb_vec_set(term_of(a, a->lo), term_of(b, b->lo), b->hi - b->lo + 1);
}

/* a = b - a */
static void subtract_from(struct polynomial *a, const struct polynomial *b, slong prec)
{
    a->lo = FLINT_MIN(a->lo, b->lo);
    a->hi = FLINT_MAX(a->hi, b->hi);
    for (slong k = a->lo; k <= a->hi; k++)
        arb_sub(term_of(a, k), term_of(b, k), term_of(a, k), prec);
}

/* a *= c/y */
static void times_over_y(struct polynomial *a, const arb_t c, slong prec)
{
    for (slong k = a->lo; k <= a->hi; k++)
        arb_mul(term_of(a, k - 1), term_of(a, k), c, prec);
    arb_zero(term_of(a, a->hi));
    a->lo--;
    a->hi--;
}

/* a *= 1 - c y */
static void times_one_less(struct polynomial *a, const arb_t c, slong prec)
{
    a->hi++;
    for (slong k = a->hi; k > a->lo; k--)
        arb_submul(term_of(a, k), term_of(a, k - 1), c, prec);
}

/* out = exp(-rate n) */
static void power(arb_t out, const fmpq_t rate, int64_t n, slong prec)
{
    PBY_FMPQ(x);
    fmpq_mul_si(x, rate, n);
    fmpq_neg(x, x);
    pby_exp_fmpq(out, x, prec);
}

/* a *= the chance that `times` answers q stay below */
static void stay_below(struct polynomial *a, const struct work *w, const struct segment *s, int64_t q,
                       unsigned times)
{
    const bool right = s->left ? s->from > q : s->from >= q;
    PBY_ARB(c);
    power(c, w->answer, right ? s->from - q : 1 + q - s->from, w->prec);
    arb_div(c, c, w->g, w->prec);
    for (unsigned i = 0; i < times; i++)
        if (right)
            times_one_less(a, c, w->prec);
        else
            times_over_y(a, c, w->prec);
}

/* The chance of success given z, backwards: where the rest succeeds with the chance A and a turn that has
 * ended well with the chance G, a stretch that stays below with the chance s makes it s A, or G - s (G - A)
 * where it counts. */
static void find_value(struct work *w, const struct segment *s, const pby_course *course, int input)
{
    struct polynomial *value = &w->value, *goal = &w->goal;
    set_constant(goal, 1);
    for (unsigned turn = 0; turn < course->tops; turn++) {
        set_constant(value, 0);
        for (size_t i = course->count; i-- > 0;) {
            const pby_stretch *part = &course->stretch[i];
            if (part->counts)
                subtract_from(value, goal, w->prec);
            stay_below(value, w, s, part->at[input], part->times);
            if (part->counts)
                subtract_from(value, goal, w->prec);
        }
        copy(goal, value);
    }
}

/* out = sum of exp(-rate u), u = 0 .. length - 1, or of all where length is 0. */
static void geometric_sum(arb_t out, const fmpq_t rate, int64_t length, slong prec)
{
    PBY_FMPQ(x);
    PBY_ARB(one);
    if (length > 0 && fmpq_is_zero(rate)) {
        arb_set_si(out, length);
    } else {
        fmpq_neg(x, rate);
        arb_set_fmpq(one, x, prec);
        pby_expm1(one, one, prec);
        fmpq_mul_si(x, x, length);
        arb_set_fmpq(out, x, prec);
        if (length > 0)
            pby_expm1(out, out, prec);
        else
            arb_set_si(out, -1);
        arb_div(out, out, one, prec);
    }
}

/* total += the sum over the segment of exp(-r1 |z|) times the polynomial. Along a segment the k-th term falls
 * with z by r1 + k r2, where z is not negative, and else by k r2 - r1; to the left without an end it is read
 * from its right end. */
static void add_segment(arb_t total, const struct work *w, const struct segment *s)
{
    const struct polynomial *a = &w->value;
    const int64_t first = s->left ? s->from - 1 : s->from;
    PBY_FMPQ(rate);
    PBY_ARB(sum, y);
    for (slong k = a->lo; k <= a->hi; k++) {
        fmpq_mul_si(rate, w->answer, k);
        if (s->left || first < 0)
            fmpq_sub(rate, rate, w->threshold);
        else
            fmpq_add(rate, rate, w->threshold);
        if (s->left)
            fmpq_neg(rate, rate);
        geometric_sum(sum, rate, s->length, w->prec);
        arb_mul(sum, sum, term_of(a, k), w->prec);
        power(y, w->answer, s->left ? -k : 0, w->prec);
        arb_mul(sum, sum, y, w->prec);
        power(y, w->threshold, first < 0 ? -first : first, w->prec);
        arb_addmul(total, sum, y, w->prec);
    }
}

static int by_value(const void *one, const void *other)
{
    const int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

/* 0 and the answers in order. */
static size_t find_ends(int64_t *end, const pby_course *course, int input)
{
    size_t n = 1;
    end[0] = 0;
    for (size_t i = 0; i < course->count; i++)
        end[n++] = course->stretch[i].at[input];
    qsort(end, n, sizeof *end, by_value);
    return n;
}

static void add_all(arb_t total, struct work *w, const pby_course *course, int input)
{
    int64_t end[PBY_STRETCHES + 1];
    const size_t n = find_ends(end, course, input);
    for (size_t i = 0; i <= n; i++) {
        const struct segment s = {end[i == 0 ? 0 : i - 1], i == 0 || i == n ? 0 : end[i] - end[i - 1],
                                  i == 0};
        if (i > 0 && i < n && s.length == 0)
            continue;
        find_value(w, &s, course, input);
        add_segment(total, w, &s);
    }
}

void pby_course_geometric(arb_t chance, const pby_course *course, int input, const fmpq_t threshold,
                          const fmpq_t answer, slong prec)
{
    const slong half = (slong)pby_course_length(course) + 1;
    struct work w = {.threshold = threshold, .answer = answer, .prec = prec + GUARD + 4 * half};
    PBY_ARB(norm);
    arb_init(w.g);
    polynomial_init(&w.value, half);
    polynomial_init(&w.goal, half);
    power(w.g, answer, 1, w.prec);
    arb_add_ui(w.g, w.g, 1, w.prec);
    arb_zero(chance);
    add_all(chance, &w, course, input);
    /* (1 - exp(-r1))/(1 + exp(-r1)) */
    PBY_FMPQ(minus);
    fmpq_neg(minus, threshold);
    arb_set_fmpq(norm, minus, w.prec);
    pby_expm1(norm, norm, w.prec);
    arb_neg(norm, norm);
    arb_mul(chance, chance, norm, w.prec);
    power(norm, threshold, 1, w.prec);
    arb_add_ui(norm, norm, 1, w.prec);
    arb_div(chance, chance, norm, prec);
    polynomial_clear(&w.goal);
    polynomial_clear(&w.value);
    arb_clear(w.g);
}

/* The course of the first so many answers, all of which count. */
static void cut_course(pby_course *cut, const pby_course *course, unsigned length)
{
    *cut = *course;
    cut->tops = 1;
    cut->count = 0;
    for (size_t i = 0; i < course->count && length > 0; i++) {
        pby_stretch *part = &cut->stretch[cut->count++];
        part->counts = true;
        part->times = FLINT_MIN(part->times, length);
        length -= part->times;
    }
}

void pby_outputs_geometric(arb_ptr chance, const pby_course *course, int input, const fmpq_t threshold,
                           const fmpq_t answer, slong prec)
{
    const unsigned length = pby_course_length(course) / course->tops;
    pby_course cut;
    PBY_ARB(before, some);
    for (unsigned i = 0; i < length; i++) {
        cut_course(&cut, course, i + 1);
        pby_course_geometric(some, &cut, input, threshold, answer, prec);
        arb_sub(chance + i, some, before, prec);
        arb_swap(before, some);
    }
    arb_sub_ui(chance + length, before, 1, prec);
    arb_neg(chance + length, chance + length);
}
