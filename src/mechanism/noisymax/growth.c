/* SPDX-License-Identifier: MIT */
/* Bounds the loss of report noisy max with two-sided noise, from how fast a maximum can grow
 * (docs/theory/noisymax.md).
 *
 * Let e be the loss that the winner's noise pays for, and a = exp(-e). The cdf of the largest noisy score of
 * any candidates is at most K(y) where it was y before a move that costs e. K is concave and has the slope
 * a^(1-j) between q^(j+1) and q^j, q = a/(1+a), where it is (1+a)^-j; what lies below q^LINES goes on with
 * the last slope. With x = exp(epsilon) two neighbours lose at most
 *
 *     the integral over y from q to K(q) of W(y), less x - 1,
 *     W(y) = max of the sum over k of c_k (x b_k - a_k),    a_k <= b_k <= K(a_k), b_k <= a_(k+1),
 *
 * c_k the derivative at y of K applied k times. It is a^k from 0 on; below 0 it is constant between the ends
 * of the paths that K takes from its turns into q .. K(q). For any prices v_k of b_k <= a_(k+1), from 0 to x
 * c_k,
 *
 *     W <= sum over k of the greatest of (x c_k - v_k) K(z) - (c_k - v_(k-1)) z at the turns z of K.
 *
 * Prices come from doubles and the sum from balls: a bad price costs sharpness and no truth. */
#include "mechanism/noisymax/growth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number/scoped.h"
#include "pair/nodes.h"

enum {
    LINES = 16,
    TURNS = LINES + 2, /* 1, q, q^2, ..., q^LINES, 0 */
    LAST = TURNS - 1,
    NODES = PBY_GROWTH_NODES,
    DEPTH = 512, /* the most steps from 0 to q */
    NEAR = 3,    /* paths of each turn, */
    FIRST = 3,
    SHIFTS = 32, /* and of the first of them */
    PREC = 128
};

/* One way to put the levels a_0, a_-1, ...: a turn of K is one of them. */
struct path {
    int kink; /* a_(-kink) is that turn */
    double level[DEPTH + 1];
    int segment[DEPTH + 1]; /* K has the slope a^(1 - segment) there */
};

struct growth {
    double a, at[TURNS], to[TURNS];   /* the turns, falling, and K there */
    double slope[TURNS], back[TURNS]; /* a^(1-j) and its inverse */
    arb_t a_ball;
    arb_ptr at_ball, to_ball, end; /* end: where the path of a turn comes between q and K(q) */
    int steps[TURNS];              /* after so many */
    int rank[TURNS], turn[TURNS];  /* the order of the ends, from 1 on, and its reverse */
    struct path *paths;            /* count of them */
    int count;
};

/* ---- K ------------------------------------------------------------------------------------------ */

static double line(const struct growth *g, int j, double y)
{
    return g->to[j] + g->slope[j] * (y - g->at[j]);
}

static int segment_of(const struct growth *g, double y)
{
    int j = 0;
    while (j < LINES && y < g->at[j + 1])
        j++;
    return j;
}

static double grow(const struct growth *g, double y)
{
    return line(g, segment_of(g, y), y);
}

static double shrink(const struct growth *g, double z)
{
    int j = 0;
    while (j < LINES && z < g->to[j + 1])
        j++;
    const double y = g->at[j] + g->back[j] * (z - g->to[j]);
    return y > 0 ? y : 0;
}

/* out = a^n */
static void power(arb_t out, const struct growth *g, slong n)
{
    fmpz_t exponent;
    fmpz_init_set_si(exponent, n);
    arb_pow_fmpz(out, g->a_ball, exponent, PREC);
    fmpz_clear(exponent);
}

/* The line of K at the turn j, at y. */
static void line_ball(arb_t out, const struct growth *g, int j, const arb_t y)
{
    PBY_ARB(slope);
    power(slope, g, 1 - j);
    arb_sub(out, y, g->at_ball + j, PREC);
    arb_mul(out, out, slope, PREC);
    arb_add(out, out, g->to_ball + j, PREC);
}

/* y = K(y), the least of its lines; it is enough to try those around a guess. Returns false where the guess
 * cannot be confirmed. */
static bool grow_ball(arb_t y, const struct growth *g)
{
    const int j = segment_of(g, arf_get_d(arb_midref(y), ARF_RND_NEAR));
    const int above = j > 0 ? j - 1 : 0, below = j < LINES ? j + 1 : LINES;
    const bool sure = (above == 0 || arb_lt(y, g->at_ball + above)) &&
                      (below == LINES || arb_gt(y, g->at_ball + below + 1));
    PBY_ARB(best, other);
    line_ball(best, g, above, y);
    for (int i = above + 1; i <= below; i++) {
        line_ball(other, g, i, y);
        arb_min(best, best, other, PREC);
    }
    arb_swap(y, best);
    return sure;
}

/* ---- the turns and their paths -------------------------------------------------------------------- */

static void set_turns(struct growth *g, const fmpq_t eps)
{
    PBY_ARB(q, next);
    arb_set_fmpq(g->a_ball, eps, PREC);
    arb_neg(g->a_ball, g->a_ball);
    arb_exp(g->a_ball, g->a_ball, PREC);
    arb_add_ui(next, g->a_ball, 1, PREC);
    arb_div(q, g->a_ball, next, PREC);
    arb_inv(next, next, PREC);
    for (int j = 0; j <= LINES; j++) {
        arb_pow_ui(g->at_ball + j, q, (ulong)j, PREC);
        arb_pow_ui(g->to_ball + j, next, (ulong)j, PREC);
    }
    arb_zero(g->at_ball + LAST);
    arb_sub_ui(q, g->a_ball, 1, PREC);
    arb_neg(q, q);
    arb_mul(g->to_ball + LAST, q, g->to_ball + LINES, PREC);
    g->a = arf_get_d(arb_midref(g->a_ball), ARF_RND_NEAR);
    for (int j = 0; j < TURNS; j++) {
        g->at[j] = arf_get_d(arb_midref(g->at_ball + j), ARF_RND_NEAR);
        g->to[j] = arf_get_d(arb_midref(g->to_ball + j), ARF_RND_NEAR);
        g->slope[j] = pow(g->a, 1 - j);
        g->back[j] = pow(g->a, j - 1);
    }
}

/* Follows each turn below q to its end. */
static bool follow(struct growth *g)
{
    arb_set(g->end + 1, g->at_ball + 1);
    g->steps[1] = 0;
    for (int j = 2; j < TURNS; j++) {
        arb_ptr y = g->end + j;
        arb_set(y, g->to_ball + j);
        for (g->steps[j] = 1; arb_lt(y, g->at_ball + 1); g->steps[j]++)
            if (g->steps[j] >= DEPTH - SHIFTS || !grow_ball(y, g))
                return false;
        if (!arb_gt(y, g->at_ball + 1))
            return false;
    }
    return true;
}

/* Puts the ends in order; false where two cannot be told apart. */
static bool sort_ends(struct growth *g)
{
    for (int j = 1; j < TURNS; j++) {
        g->rank[j] = 0;
        for (int i = 1; i < TURNS; i++) {
            if (i != j && !arb_lt(g->end + i, g->end + j) && !arb_gt(g->end + i, g->end + j))
                return false;
            g->rank[j] += arb_lt(g->end + i, g->end + j);
        }
        g->turn[g->rank[j]] = j;
    }
    return g->rank[1] == 0;
}

static void set_path(struct path *p, const struct growth *g, int turn, int kink)
{
    p->kink = kink;
    p->level[kink] = g->at[turn];
    for (int i = kink; i > 0; i--)
        p->level[i - 1] = grow(g, p->level[i]);
    for (int i = kink; i < DEPTH; i++)
        p->level[i + 1] = shrink(g, p->level[i]);
    for (int i = 0; i <= DEPTH; i++)
        p->segment[i] = segment_of(g, p->level[i]);
}

/* Each turn about where its path ends, the first few also well behind that. */
static void set_paths(struct growth *g)
{
    g->count = 0;
    for (int j = 1; j < TURNS; j++)
        for (int s = 0; s < (j <= FIRST ? SHIFTS : NEAR); s++)
            if (g->steps[j] + s > 0)
                set_path(&g->paths[g->count++], g, j, g->steps[j] + s - 1);
}

/* ---- one piece of q .. K(q) ----------------------------------------------------------------------- */

/* Between the ends of the ranks `place` and place + 1. */
struct piece {
    int place, depth; /* k goes down to -depth */
    double c[DEPTH + 1];
    arb_ptr c_ball; /* c_0, c_-1, ... */
};

static void set_piece(struct piece *s, const struct growth *g, int place)
{
    PBY_ARB(factor);
    s->place = place;
    s->depth = g->steps[LAST] - (g->rank[LAST] > place);
    arb_one(s->c_ball);
    s->c[0] = 1;
    for (int i = 1; i <= s->depth; i++) {
        int lower = 0; /* turns above the level i steps back */
        for (int j = 2; j <= LINES; j++)
            lower += g->steps[j] < i || (g->steps[j] == i && g->rank[j] > place);
        power(factor, g, lower);
        arb_mul(s->c_ball + i, s->c_ball + i - 1, factor, PREC);
        s->c[i] = arf_get_d(arb_midref(s->c_ball + i), ARF_RND_NEAR);
    }
}

/* v[i] is the price at k = -i. Away from the turn, the terms must not prefer another level of the segment. */
static void set_prices(double *v, const struct path *p, const struct growth *g, const struct piece *s,
                       double x)
{
    const double a = g->a;
    v[0] = (1 - x * a) * a / (1 - a * a);
    v[s->depth + 1] = 0;
    for (int i = 0; i < p->kink && i <= s->depth; i++)
        v[i + 1] = s->c[i] - (x * s->c[i] - v[i]) * g->slope[p->segment[i]];
    for (int i = s->depth; i > p->kink; i--)
        v[i] = p->level[i] > 0 ? x * s->c[i] - (s->c[i] - v[i + 1]) * g->back[p->segment[i]] : x * s->c[i];
    for (int i = 1; i <= s->depth; i++)
        v[i] = fmax(0, fmin(v[i], x * s->c[i]));
}

/* Returns the greatest of rise K(z) - fall z at the turns. K is concave: climbs from the turn *j to one whose
 * neighbours are no greater. */
static double climb(int *j, const struct growth *g, double rise, double fall)
{
    double most = rise * g->to[*j] - fall * g->at[*j];
    for (int way = -1; way <= 1; way += 2)
        while (*j + way >= 0 && *j + way < TURNS) {
            const double next = rise * g->to[*j + way] - fall * g->at[*j + way];
            if (!(next > most))
                break;
            most = next;
            *j += way;
        }
    return most;
}

/* Returns the bound that these prices give on the piece's sum, in doubles. */
static double bound_of(const double *v, const struct growth *g, const struct piece *s, double x)
{
    double sum = v[0];
    int turn = 0;
    for (int i = 0; i <= s->depth; i++)
        sum += climb(&turn, g, x * s->c[i] - v[i], s->c[i] - v[i + 1]);
    return sum;
}

/* The prices of the path that gives the least bound. */
static void choose_prices(double *v, const struct growth *g, const struct piece *s, double x)
{
    double tried[DEPTH + 2], least = INFINITY;
    for (int i = 0; i < g->count; i++) {
        if (g->paths[i].kink > s->depth)
            continue;
        set_prices(tried, &g->paths[i], g, s, x);
        const double bound = bound_of(tried, g, s, x);
        if (bound < least) {
            least = bound;
            memcpy(v, tried, sizeof *v * (size_t)(s->depth + 2));
        }
    }
}

/* out = rise K(z) - fall z at a turn */
static void at_turn(arb_t out, const struct growth *g, int j, const arb_t rise, const arb_t fall)
{
    arb_mul(out, rise, g->to_ball + j, PREC);
    arb_submul(out, fall, g->at_ball + j, PREC);
}

/* Returns true if out, at the turn j, is surely no less than at the turns beside it. */
static bool is_top(const arb_t out, const struct growth *g, int j, const arb_t rise, const arb_t fall)
{
    PBY_ARB(beside);
    for (int i = j - 1; i <= j + 1; i += 2) {
        if (i < 0 || i >= TURNS)
            continue;
        at_turn(beside, g, i, rise, fall);
        if (!arb_ge(out, beside))
            return false;
    }
    return true;
}

/* out = the greatest of rise K(z) - fall z, rise from 0 on. It is concave in z: a turn that is no less than
 * its neighbours is the greatest. *j is where to look first, and is set to where doubles find it. */
static void greatest(arb_t out, int *j, const struct growth *g, const arb_t rise, const arb_t fall)
{
    PBY_ARB(value);
    climb(j, g, arf_get_d(arb_midref(rise), ARF_RND_NEAR), arf_get_d(arb_midref(fall), ARF_RND_NEAR));
    at_turn(out, g, *j, rise, fall);
    if (arb_is_nonnegative(rise) && is_top(out, g, *j, rise, fall))
        return;
    for (int i = 0; i < TURNS; i++) {
        at_turn(value, g, i, rise, fall);
        arb_max(out, out, value, PREC);
    }
}

/* A price as a ball, from 0 to x c. */
static void price(arb_t out, double v, const arb_t xc)
{
    PBY_ARB(zero);
    arb_set_d(out, isfinite(v) && v > 0 ? v : 0);
    arb_min(out, out, xc, PREC);
    arb_max(out, out, zero, PREC);
}

/* W of the piece, but for what all have: (x - 1) a/(1 - a) of k >= 1. */
static void sum_piece(arb_t sum, const struct growth *g, const struct piece *s, const arb_t x)
{
    double v[DEPTH + 2];
    int turn = 0;
    const double near = arf_get_d(arb_midref(x), ARF_RND_NEAR);
    arb_t xc, here, next, rise, fall, term;
    arb_init(xc), arb_init(here), arb_init(next), arb_init(rise), arb_init(fall), arb_init(term);
    choose_prices(v, g, s, near);
    /* v_0 = (1 - x a) a/(1 - a^2), with which the terms from 1 on add up to it */
    arb_mul(here, x, g->a_ball, PREC);
    arb_sub_ui(here, here, 1, PREC);
    arb_neg(here, here);
    arb_mul(here, here, g->a_ball, PREC);
    arb_mul(term, g->a_ball, g->a_ball, PREC);
    arb_sub_ui(term, term, 1, PREC);
    arb_neg(term, term);
    arb_div(here, here, term, PREC);
    arb_set(sum, here);
    for (int i = 0; i <= s->depth; i++) {
        if (i < s->depth) {
            arb_mul(xc, x, s->c_ball + i + 1, PREC);
            price(next, v[i + 1], xc);
        } else {
            arb_zero(next);
        }
        arb_mul(xc, x, s->c_ball + i, PREC);
        arb_sub(rise, xc, here, PREC);
        arb_sub(fall, s->c_ball + i, next, PREC);
        greatest(term, &turn, g, rise, fall);
        arb_add(sum, sum, term, PREC);
        arb_swap(here, next);
    }
    arb_clear(term), arb_clear(fall), arb_clear(rise), arb_clear(next), arb_clear(here), arb_clear(xc);
}

/* ---- the bound ------------------------------------------------------------------------------------ */

/* Adds the piece's width times its W to every delta. */
static void add_piece(arb_ptr delta, const struct growth *g, const struct piece *s, arb_srcptr x)
{
    PBY_ARB(width, sum);
    arb_set(width, s->place < LAST - 1 ? g->end + g->turn[s->place + 1] : g->to_ball + 1);
    arb_sub(width, width, g->end + g->turn[s->place], PREC);
    for (int i = 0; i < NODES - 1; i++) {
        sum_piece(sum, g, s, x + i);
        arb_addmul(delta + i, width, sum, PREC);
    }
}

/* Adds the term that every W has, less x - 1: (x - 1) ((K(q) - q) a/(1 - a) - 1) */
static void add_rest(arb_ptr delta, const struct growth *g, arb_srcptr x)
{
    PBY_ARB(factor, term);
    arb_sub_ui(factor, g->a_ball, 1, PREC);
    arb_neg(factor, factor);
    arb_div(factor, g->a_ball, factor, PREC);
    arb_sub(term, g->to_ball + 1, g->at_ball + 1, PREC);
    arb_mul(factor, factor, term, PREC);
    arb_sub_ui(factor, factor, 1, PREC);
    for (int i = 0; i < NODES - 1; i++) {
        arb_sub_ui(term, x + i, 1, PREC);
        arb_addmul(delta + i, term, factor, PREC);
    }
}

static void add_pieces(arb_ptr delta, const struct growth *g, arb_srcptr x)
{
    struct piece s = {.c_ball = _arb_vec_init(DEPTH + 1)};
    for (int place = 0; place < LAST; place++) {
        set_piece(&s, g, place);
        add_piece(delta, g, &s, x);
    }
    add_rest(delta, g, x);
    _arb_vec_clear(s.c_ball, DEPTH + 1);
}

/* Lowers the bounds to the chords that end at the last node, where nothing is lost: a profile is convex in x.
 */
static void lower_to_chords(arb_ptr delta, arb_srcptr x)
{
    PBY_ARB(chord, width);
    for (int i = 1; i < NODES - 1; i++)
        for (int j = 0; j < i; j++) {
            arb_sub(chord, x + NODES - 1, x + i, PREC);
            arb_sub(width, x + NODES - 1, x + j, PREC);
            arb_div(chord, chord, width, PREC);
            arb_mul(chord, chord, delta + j, PREC);
            arb_min(delta + i, delta + i, chord, PREC);
        }
}

/* The nodes of eps below last, then last, and between them halves of what is left. Returns how many are nodes
 * of eps: these are the same for every last, so that the bound falls with it. */
static int set_nodes(fmpq *loss, const fmpq_t eps, const fmpq_t last)
{
    int placed = 0;
    for (int i = 0; i < NODES - 1; i++) {
        fmpq_set_si(&loss[i], i, NODES - 1);
        fmpq_mul(&loss[i], &loss[i], eps);
        if (fmpq_cmp(&loss[i], last) < 0) {
            placed++;
        } else {
            fmpq_add(&loss[i], &loss[i - 1], last);
            fmpq_div_2exp(&loss[i], &loss[i], 1);
        }
    }
    fmpq_set(&loss[NODES - 1], last);
    return placed;
}

bool pby_growth_delta(fmpq *loss, fmpq *delta, const fmpq_t eps, const fmpq_t last)
{
    struct growth g = {
        .at_ball = _arb_vec_init(TURNS), .to_ball = _arb_vec_init(TURNS), .end = _arb_vec_init(TURNS)};
    arb_ptr x = _arb_vec_init(NODES), ball = _arb_vec_init(NODES);
    arb_init(g.a_ball);
    g.paths = malloc(sizeof *g.paths * TURNS * SHIFTS);
    set_turns(&g, eps);
    const bool known = g.paths != NULL && follow(&g) && sort_ends(&g);
    if (known) {
        const int placed = set_nodes(loss, eps, last);
        for (int i = 0; i < NODES; i++) {
            arb_set_fmpq(x + i, &loss[i], PREC);
            arb_exp(x + i, x + i, PREC);
        }
        set_paths(&g);
        add_pieces(ball, &g, x);
        for (int i = placed; i < NODES - 1; i++)
            arb_one(ball + i);
        lower_to_chords(ball, x);
        for (int i = 0; i < NODES - 1; i++)
            pby_node_round_up(&delta[i], ball + i);
        fmpq_zero(&delta[NODES - 1]);
    }
    free(g.paths);
    arb_clear(g.a_ball);
    _arb_vec_clear(ball, NODES);
    _arb_vec_clear(x, NODES);
    _arb_vec_clear(g.end, TURNS);
    _arb_vec_clear(g.to_ball, TURNS);
    _arb_vec_clear(g.at_ball, TURNS);
    return known;
}
