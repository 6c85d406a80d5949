/* SPDX-License-Identifier: MIT */
#include "plan/plan_choose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number/scoped.h"
#include "number/text.h"
#include "plan/plan_error.h"
#include "plan/plan_judge.h"
#include "plan/plan_within.h"
#include "select/select_bisect.h"

enum {
    SHARES = 1000,
    MANTISSA = 1000,
    DECADE = 9 * MANTISSA,
    DECADES_BELOW = 12,
    DECADES = 40,
    DECADES_MORE = 4
};

/* Estimates of two families' costs are taken to be this good, and beyond it one of them is not looked
 * at. */
static const double HOPELESS = 1.15;

/* A candidate that differs in one quantity alone is looked at where it is estimated to be better by so
 * much. */
static const double WORTHWHILE = 0.98;

/* ---- noise at a scale ---------------------------------------------------------------------------- */

/* x rounded to 4 digits, up or down; of the root of x where it is asked for. x is above 0. */
static void four_digits(mpq_t x, bool root, bool up)
{
    PBY_MPZ(n, power);
    PBY_MPQ(scaled);
    /* The number has 4 digits when it lies from 10^3 to 10^4, its square from 10^6 to 10^8. */
    const unsigned base = root ? 100 : 10;
    const unsigned long least = root ? 1000000 : 1000;
    long shift = 0;
    mpq_set(scaled, x);
    for (; mpq_cmp_ui(scaled, least, 1) < 0; shift++)
        mpz_mul_ui(mpq_numref(scaled), mpq_numref(scaled), base), mpq_canonicalize(scaled);
    for (; mpq_cmp_ui(scaled, least * base, 1) >= 0; shift--)
        mpz_mul_ui(mpq_denref(scaled), mpq_denref(scaled), base), mpq_canonicalize(scaled);
    mpz_fdiv_q(n, mpq_numref(scaled), mpq_denref(scaled));
    if (root)
        mpz_sqrt(n, n);
    mpq_set_z(x, n);
    if (root)
        mpq_mul(x, x, x);
    if (up && mpq_cmp(x, scaled) < 0)
        mpz_add_ui(n, n, 1);
    mpz_ui_pow_ui(power, 10, (unsigned long)labs(shift));
    mpq_set_z(x, n);
    mpz_mul(shift > 0 ? mpq_denref(x) : mpq_numref(x), shift > 0 ? mpq_denref(x) : mpq_numref(x), power);
    mpq_canonicalize(x);
}

/* The sum of squares of a list's moves. */
static void squares(mpq_t out, const pby_plan_moves *moves)
{
    PBY_MPZ(term);
    mpq_set_ui(out, 0, 1);
    for (unsigned i = 0; i < moves->parts; i++) {
        mpz_set_ui(term, moves->size[i]);
        mpz_mul_ui(term, term, moves->size[i]);
        mpz_addmul_ui(mpq_numref(out), term, moves->count[i]);
    }
}

void pby_plan_set_noise(pby_plan_quantity *q, unsigned share, mpq_srcptr scale)
{
    PBY_MPQ(x, s);
    mpq_set_ui(x, 2 * share, SHARES);
    mpq_canonicalize(x);
    squares(s, &q->moves);
    mpq_mul(s, s, scale);
    if (q->family == PBY_PLAN_DGAUSS) {
        mpq_div(q->noise, s, x);
        four_digits(q->noise, false, true);
        return;
    }
    mpq_div(x, x, s);
    if (q->family == PBY_PLAN_EXPONENTIAL) /* its rho is eps^2/8 */
        mpq_mul_2exp(x, x, 2);
    mpq_set_ui(q->noise, q->moves.size[0], 1);
    mpq_mul(q->noise, q->noise, q->noise);
    mpq_mul(q->noise, q->noise, x);
    four_digits(q->noise, true, false);
    pby_plan_set_threshold(q);
}

/* ---- shares -------------------------------------------------------------------------------------- */

/* A 95 % error at rho is this over its root: the normal quantile 1.960 of dgauss, log(20) of geometric,
 * log(20 n) of a choice among n, and half of it where scores move one way. */
static double error_factor(const pby_plan_quantity *q)
{
    PBY_MPQ(s);
    squares(s, &q->moves);
    const double tail = q->family == PBY_PLAN_DGAUSS ? 1.959964
                        : q->candidates == 0         ? 2.995732
                        : q->general                 ? log(20.0 * (double)q->candidates)
                                                     : log(20.0 * (double)q->candidates) / 2;
    return tail * sqrt(mpq_get_d(s) / 2) / (double)q->unit * mpq_get_d(q->weight) / mpq_get_d(q->scale);
}

/* With delta 0 epsilon itself is shared: by the roots of what a share of it costs. */
static double pure_factor(const pby_plan_quantity *q)
{
    double moved = 0;
    for (unsigned i = 0; i < q->moves.parts; i++)
        moved += (double)q->moves.count[i] * (double)q->moves.size[i];
    return moved / (double)q->unit * mpq_get_d(q->weight) / mpq_get_d(q->scale);
}

/* Thousandths in proportion to the parts, none 0, that add up to 1000; what rounding leaves goes to the
 * greatest. */
static void share_out(unsigned *share, const double *part, size_t n)
{
    double total = 0;
    size_t greatest = 0;
    long left = SHARES;
    for (size_t i = 0; i < n; i++)
        total += part[i];
    for (size_t i = 0; i < n; i++) {
        const double exact = part[i] / total * SHARES;
        share[i] = part[i] <= 0 ? 0 : exact < 1 ? 1 : (unsigned)(exact + 0.5);
        left -= (long)share[i];
        greatest = share[i] > share[greatest] ? i : greatest;
    }
    share[greatest] = (unsigned)((long)share[greatest] + left);
}

static pby_status set_shares(unsigned *share, const pby_plan_quantities *q, bool pure, pby_error *err)
{
    double *part = calloc(q->count + 1, sizeof *part);
    bool some = false;
    if (part == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < q->count; i++) {
        const pby_plan_quantity *x = &q->quantity[i];
        part[i] = x->bounded ? 0 : pure ? sqrt(pure_factor(x)) : pow(error_factor(x), 2.0 / 3);
        some = some || part[i] > 0;
    }
    if (some)
        share_out(share, part, q->count);
    free(part);
    return PBY_OK;
}

/* ---- the scale ----------------------------------------------------------------------------------- */

/* Scales are decimals of 4 digits, numbered from 1 on. */
static void scale_of(mpq_t out, int64_t i)
{
    const int64_t decade = (i - 1) / DECADE, digits = MANTISSA + (i - 1) % DECADE;
    PBY_MPZ(power);
    const int64_t exponent = decade - DECADES_BELOW - 3;
    mpz_ui_pow_ui(power, 10, (unsigned long)(exponent < 0 ? -exponent : exponent));
    mpq_set_ui(out, (unsigned long)digits, 1);
    mpz_mul(exponent < 0 ? mpq_denref(out) : mpq_numref(out),
            exponent < 0 ? mpq_denref(out) : mpq_numref(out), power);
    mpq_canonicalize(out);
}

static int64_t index_near(double scale)
{
    if (!(scale > 1e-11))
        return 1;
    const double exponent = floor(log10(scale));
    const double digits = scale / pow(10, exponent) * MANTISSA;
    const int64_t i = ((int64_t)exponent + DECADES_BELOW) * DECADE + (int64_t)digits - MANTISSA + 1;
    return i < 1 ? 1 : i > (int64_t)DECADES * DECADE ? (int64_t)DECADES * DECADE : i;
}

struct search {
    const pby_release_plan *plan;
    pby_plan_quantities *q;
    const unsigned *share;
};

static void set_all(const struct search *s, mpq_srcptr scale)
{
    for (size_t i = 0; i < s->q->count; i++)
        if (s->share[i] > 0)
            pby_plan_set_noise(&s->q->quantity[i], s->share[i], scale);
}

static size_t gates(const pby_plan_quantities *q)
{
    size_t count = 0;
    for (size_t i = 0; i < q->count; i++)
        count += q->quantity[i].gate ? 1 : 0;
    return count;
}

static pby_status judge_list(pby_decision *verdict, const pby_release_plan *plan,
                             const pby_plan_quantities *q, pby_error *err)
{
    pby_spec *spec;
    PBY_TRY(pby_plan_spec(&spec, q, plan->times, err));
    const pby_status status = pby_plan_judge(verdict, NULL, plan, q, spec, err);
    pby_spec_free(spec);
    return status;
}

/* Judges the list without new groups, at the half of delta that T leaves: soon, and about right. The
 * list itself is judged in the end (settle). */
static pby_status judge_without_gates(pby_decision *verdict, const struct search *s, pby_error *err)
{
    pby_plan_quantities q = *s->q;
    pby_release_plan plan = *s->plan;
    q.quantity = calloc(q.count, sizeof *q.quantity);
    if (q.quantity == NULL)
        return pby_no_memory(err);
    memcpy(q.quantity, s->q->quantity, q.count * sizeof *q.quantity); /* the numbers stay those of s */
    for (size_t i = 0; i < q.count; i++)
        if (q.quantity[i].gate) {
            q.quantity[i].family = PBY_PLAN_GEOMETRIC;
            q.quantity[i].gate = false;
        }
    mpq_init(plan.delta);
    mpq_div_2exp(plan.delta, s->plan->delta, 1);
    const pby_status status = judge_list(verdict, &plan, &q, err);
    mpq_clear(plan.delta);
    free(q.quantity);
    return status;
}

static pby_status judge_noise(pby_decision *verdict, const struct search *s, pby_error *err)
{
    return gates(s->q) > 0 ? judge_without_gates(verdict, s, err) : judge_list(verdict, s->plan, s->q, err);
}

static pby_status judge(pby_decision *verdict, int64_t i, const void *what, pby_error *err)
{
    const struct search *s = what;
    PBY_MPQ(scale);
    scale_of(scale, i);
    set_all(s, scale);
    return judge_noise(verdict, s, err);
}

/* exp(z^2) erfc(z), z > 0 */
static double scaled_tail(double z)
{
    enum { FAR = 20 };
    return z < FAR ? exp(z * z) * erfc(z) : (1 - 0.5 / (z * z)) / (z * sqrt(M_PI));
}

/* delta of continuous Gaussian noise with mean difference mu, about; exp(epsilon) erfc(b/sqrt 2), whose first
 * factor may be beyond all doubles, is exp(-a^2/2) times the scaled tail at b/sqrt 2. Only where the search
 * begins rests on it. */
static double gaussian_delta(double mu, double epsilon)
{
    const double a = epsilon / mu - mu / 2, b = epsilon / mu + mu / 2;
    return 0.5 * (erfc(a / sqrt(2)) - exp(-a * a / 2) * scaled_tail(b / sqrt(2)));
}

/* Where small mus would come to the target: at one rho the square of geometric noise's is pi/2 times that of
 * a Gaussian, and that of a choice, which is taken for one of two answers, is 2 pi times that. */
static double first_scale_of_mu(const struct search *s)
{
    static const double factor[] = {
        [PBY_PLAN_DGAUSS] = 2, [PBY_PLAN_GEOMETRIC] = 3.1416, [PBY_PLAN_EXPONENTIAL] = 12.566};
    double squares = 0;
    for (size_t i = 0; i < s->q->count; i++)
        squares += (double)s->share[i] / SHARES * factor[s->q->quantity[i].family];
    const double mu = mpq_get_d(s->plan->bound);
    return (double)s->plan->times * squares / (mu * mu);
}

/* Where Gaussian noise of as much rho would be at the target; and where epsilons add up to it, if that is
 * less. */
static double first_scale(const struct search *s)
{
    const double times = (double)s->plan->times;
    if (s->plan->budget == PBY_ASK_MU)
        return first_scale_of_mu(s);
    if (s->plan->budget == PBY_ASK_RHO)
        return times / mpq_get_d(s->plan->bound);
    const double epsilon = mpq_get_d(s->plan->epsilon), delta = mpq_get_d(s->plan->delta);
    double low = 1e-9, high = 1e9, sum = 0;
    for (int i = 0; i < 200; i++) {
        const double mu = sqrt(low * high);
        if (gaussian_delta(mu, epsilon) > delta)
            high = mu;
        else
            low = mu;
    }
    bool pure = true;
    for (size_t i = 0; i < s->q->count; i++) {
        const pby_plan_quantity *q = &s->q->quantity[i];
        pure = pure && q->family != PBY_PLAN_DGAUSS;
        sum += sqrt((q->family == PBY_PLAN_EXPONENTIAL ? 8.0 : 2.0) * s->share[i] / SHARES *
                    (double)(q->moves.count[0] + q->moves.count[1]));
    }
    const double gauss = 2 * times / (low * low), added = times * sum / epsilon * (times * sum / epsilon);
    return pure && added < gauss ? added : gauss;
}

/* The list with its gates, at the scale that was found without them, or at one of the next. */
static pby_status settle(mpq_t scale, const struct search *s, int64_t i, pby_error *err)
{
    enum { TRIES = 12 };
    pby_decision verdict = PBY_WITHIN;
    for (int tries = 0; tries < TRIES; tries++, i += (int64_t)1 << tries) {
        scale_of(scale, i);
        set_all(s, scale);
        if (gates(s->q) > 0)
            PBY_TRY(judge_list(&verdict, s->plan, s->q, err));
        if (verdict == PBY_WITHIN)
            return PBY_OK;
    }
    return pby_fail(err, PBY_NO, "%.200s: budget: no noise is within what is left of it", s->plan->name);
}

static pby_status find_scale(mpq_t scale, const struct search *s, pby_error *err)
{
    pby_edge edge;
    const int64_t start = index_near(first_scale(s));
    const pby_candidates candidates = {
        .first = 1, .stride = 1, .last = start + (int64_t)DECADES_MORE * DECADE, .start = start};
    PBY_TRY(pby_edge_find(&edge, judge, s, &candidates, true, err));
    if (edge.within == 0)
        return pby_fail(err, PBY_NO, "%.200s: budget: no noise is within what is left of it", s->plan->name);
    return settle(scale, s, edge.within, err);
}

/* The next decimal of 4 digits with less noise. */
static void better_noise(pby_plan_quantity *q)
{
    PBY_MPQ(unit);
    /* a part of 9999, rounded away from what is left, is one unit of the last digit */
    mpq_set_ui(unit, q->family == PBY_PLAN_DGAUSS ? 9999 : 10001, 10000);
    mpq_canonicalize(unit);
    mpq_mul(q->noise, q->noise, unit);
    four_digits(q->noise, false, q->family != PBY_PLAN_DGAUSS);
    pby_plan_set_threshold(q);
}

/* One quantity alone has noise of its own steps, which may be finer than those of the scale. */
static pby_status polish(const struct search *s, size_t only, pby_error *err)
{
    pby_plan_quantity *q = &s->q->quantity[only];
    pby_decision verdict = PBY_WITHIN;
    pby_status status = PBY_OK;
    PBY_MPQ(kept);
    while (status == PBY_OK && verdict == PBY_WITHIN) {
        mpq_set(kept, q->noise);
        better_noise(q);
        status = judge_noise(&verdict, s, err);
    }
    mpq_set(q->noise, kept);
    pby_plan_set_threshold(q);
    return status;
}

static pby_status refuse_within(const pby_release_plan *plan, pby_error *err)
{
    return pby_fail_by(err, PBY_NO, PBY_REASON_TARGET,
                       "%.200s: within: the errors that are asked for take more than the budget", plan->name);
}

/* The uses of a quantity in all releases, those of a smaller move as a part of one. */
static void uses_of(mpq_t uses, const struct search *s, const pby_plan_quantity *q)
{
    PBY_MPQ(part);
    mpq_set_ui(uses, 0, 1);
    for (unsigned k = 0; k < q->moves.parts; k++) {
        mpq_set_ui(part, q->moves.size[k], q->moves.size[0]);
        mpq_canonicalize(part);
        mpz_mul_ui(mpq_numref(part), mpq_numref(part), q->moves.count[k]);
        mpq_canonicalize(part);
        mpq_add(uses, uses, part);
    }
    mpz_mul_ui(mpq_numref(uses), mpq_numref(uses), s->plan->times);
    mpq_canonicalize(uses);
}

/* With delta 0: eps of each quantity, so that all of them add up to epsilon exactly, those whose errors
 * were asked for among them. PBY_NO where these leave nothing. */
static pby_status share_epsilon(const struct search *s, pby_error *err)
{
    PBY_MPQ(part, uses, left);
    mpq_set(left, s->plan->epsilon);
    for (size_t i = 0; i < s->q->count; i++) {
        const pby_plan_quantity *q = &s->q->quantity[i];
        if (!q->bounded)
            continue;
        uses_of(uses, s, q);
        mpq_mul(part, uses, q->noise);
        mpq_sub(left, left, part);
    }
    if (mpq_sgn(left) <= 0)
        return refuse_within(s->plan, err);
    /* Losses of choices that add up to exactly epsilon are not told from more by balls: a hair is left. */
    mpq_set_ui(part, 999999, 1000000);
    for (size_t i = 0; i < s->q->count; i++)
        if (s->q->quantity[i].candidates > 0) {
            mpq_mul(left, left, part);
            break;
        }
    for (size_t i = 0; i < s->q->count; i++) {
        pby_plan_quantity *q = &s->q->quantity[i];
        if (s->share[i] == 0)
            continue;
        uses_of(uses, s, q);
        mpq_set_ui(part, s->share[i], SHARES);
        mpq_canonicalize(part);
        mpq_mul(part, part, left);
        mpq_div(q->noise, part, uses);
        pby_plan_set_threshold(q);
    }
    return PBY_OK;
}

/* ---- one candidate ------------------------------------------------------------------------------- */

/* The weighted sum of errors over all cells, each relative to its scale. */
static pby_status set_cost(pby_plan_choice *c, pby_error *err)
{
    PBY_MPQ(error);
    mpq_set_ui(c->cost, 0, 1);
    for (size_t i = 0; i < c->quantities.count; i++) {
        const pby_plan_quantity *q = &c->quantities.quantity[i];
        if (q->bounded)
            continue;
        PBY_TRY(pby_plan_error(error, q, q->cells, 20, err));
        mpq_mul(error, error, q->weight);
        mpq_div(error, error, q->scale);
        mpq_add(c->cost, c->cost, error);
    }
    return PBY_OK;
}

static void init_choice(pby_plan_choice *c)
{
    memset(c, 0, sizeof *c);
    mpq_inits(c->scale, c->cost, (mpq_ptr)0);
    pby_enclosure_init(&c->loss);
}

void pby_plan_choice_clear(pby_plan_choice *c)
{
    pby_plan_quantities_clear(&c->quantities);
    free(c->share);
    mpq_clears(c->scale, c->cost, (mpq_ptr)0);
    pby_spec_free(c->once);
    pby_spec_free(c->all);
    pby_enclosure_clear(&c->loss);
}

static bool some_share(const pby_plan_choice *c)
{
    bool some = false;
    for (size_t i = 0; i < c->quantities.count; i++)
        some = some || c->share[i] > 0;
    return some;
}

/* Epsilons of 2 digits, from 0.01 on, numbered from 1 on. */
enum { EPSILONS = 90, EPSILON_DECADES = 7 };

static void epsilon_of(mpq_t out, int64_t i)
{
    PBY_MPZ(power);
    mpz_ui_pow_ui(power, 10, (unsigned long)((i - 1) / EPSILONS));
    mpq_set_ui(out, (unsigned long)(10 + (i - 1) % EPSILONS), 1);
    mpz_mul(mpq_numref(out), mpq_numref(out), power);
    mpz_set_ui(mpq_denref(out), 1000);
    mpq_canonicalize(out);
}

static pby_status judge_epsilon(pby_decision *verdict, int64_t i, const void *what, pby_error *err)
{
    const struct search *s = what;
    pby_release_plan plan = *s->plan;
    mpq_init(plan.epsilon);
    epsilon_of(plan.epsilon, i);
    const pby_status status = judge_list(verdict, &plan, s->q, err);
    mpq_clear(plan.epsilon);
    return status;
}

/* Refuses the errors that are asked for, and names the least epsilon that they take by themselves. */
static pby_status refuse_bounded(const pby_release_plan *plan, pby_plan_quantities *bounded, pby_error *err)
{
    const struct search s = {plan, bounded, NULL};
    const pby_candidates candidates = {
        .first = 1, .stride = 1, .last = (int64_t)EPSILONS * EPSILON_DECADES, .anywhere = true};
    pby_edge edge;
    char text[PBY_DECIMAL_SIZE];
    PBY_MPQ(least);
    if (plan->budget != PBY_ASK_DELTA)
        return refuse_within(plan, err);
    PBY_TRY(pby_edge_find(&edge, judge_epsilon, &s, &candidates, true, err));
    if (edge.within == 0)
        return refuse_within(plan, err);
    epsilon_of(least, edge.within);
    pby_mpq_text(text, least);
    return pby_fail_by(err, PBY_NO, PBY_REASON_TARGET,
                       "%.200s: within: the errors that are asked for take more than the budget: expected "
                       "an epsilon of at least %s for them alone",
                       plan->name, text);
}

/* The quantities whose errors were asked for must be within the budget by themselves. */
static pby_status check_bounded(const pby_plan_choice *c, const pby_release_plan *plan, pby_error *err)
{
    pby_plan_quantities bounded = {.count = 0};
    pby_spec *spec = NULL;
    pby_decision verdict = PBY_WITHIN;
    bounded.quantity = calloc(c->quantities.count + 1, sizeof *bounded.quantity);
    if (bounded.quantity == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < c->quantities.count; i++)
        if (c->quantities.quantity[i].bounded)
            bounded.quantity[bounded.count++] = c->quantities.quantity[i];
    pby_status status = bounded.count == 0 ? PBY_OK : pby_plan_spec(&spec, &bounded, plan->times, err);
    if (status == PBY_OK && spec != NULL)
        status = pby_plan_judge(&verdict, NULL, plan, &bounded, spec, err);
    pby_spec_free(spec);
    if (status == PBY_OK && verdict != PBY_WITHIN)
        status = refuse_bounded(plan, &bounded, err);
    free(bounded.quantity); /* the numbers are the choice's */
    return status;
}

static pby_status finish(pby_plan_choice *c, const pby_release_plan *plan, pby_error *err)
{
    pby_decision verdict;
    PBY_TRY(pby_plan_spec(&c->once, &c->quantities, 1, err));
    PBY_TRY(pby_plan_spec(&c->all, &c->quantities, plan->times, err));
    PBY_TRY(pby_plan_judge(&verdict, &c->loss, plan, &c->quantities, c->all, err));
    if (verdict != PBY_WITHIN)
        return refuse_within(plan, err);
    return set_cost(c, err);
}

/* The cost about, at the scale where the search would begin. Normal and exponential tails of all cells. */
static double estimated_cost(const struct search *s)
{
    const double scale = first_scale(s);
    double cost = 0;
    PBY_MPQ(at);
    mpq_set_d(at, scale);
    set_all(s, at);
    for (size_t i = 0; i < s->q->count; i++) {
        const pby_plan_quantity *q = &s->q->quantity[i];
        if (s->share[i] == 0)
            continue;
        const double noise = mpq_get_d(q->noise), size = (double)q->moves.size[0] / (double)q->unit,
                     tail = log(20.0 * (double)q->cells * (double)(q->candidates > 0 ? q->candidates : 1));
        const double error = q->family == PBY_PLAN_DGAUSS ? sqrt(2 * noise * fmax(tail - log(tail) / 2, 1))
                                                          : (q->general ? 2 : 1) * tail * size / noise;
        cost += error * mpq_get_d(q->weight) / mpq_get_d(q->scale);
    }
    return cost;
}

/* False if noise of the best candidate's cost is beyond the budget: the search would end behind it. Errors
 * grow about as the root of the scale; a candidate that is passed over costs accuracy and no truth. */
static pby_status is_promising(bool *promising, pby_plan_choice *c, const pby_plan_choice *best,
                               const struct search *s, double limit, pby_error *err)
{
    pby_decision verdict;
    *promising = true;
    if (mpq_sgn(best->scale) == 0 || mpq_sgn(best->cost) == 0)
        return PBY_OK;
    if (estimated_cost(s) > limit * best->estimate) {
        *promising = false;
        return PBY_OK;
    }
    set_all(s, best->scale);
    PBY_TRY(set_cost(c, err));
    const double ratio = mpq_get_d(best->cost) / mpq_get_d(c->cost);
    PBY_TRY(judge(&verdict, index_near(mpq_get_d(best->scale) * ratio * ratio), s, err));
    *promising = verdict == PBY_WITHIN;
    return PBY_OK;
}

/* All quantities are of the family but for one of them, or none. With `pure` epsilon itself is shared, and
 * delta is left for new groups. */
struct candidate {
    pby_plan_family family;
    size_t other; /* SIZE_MAX: none */
    bool pure;
};

/* The quantities with their families, all the first one but for one of them, or none, and with the noise of
 * those whose errors were asked for. */
static pby_status begin_candidate(pby_plan_choice *c, const pby_release_plan *plan,
                                  const struct candidate *asked, pby_error *err)
{
    const pby_plan_family family = asked->family;
    const size_t other = asked->other;
    const bool pure = asked->pure;
    init_choice(c);
    PBY_TRY(pby_plan_quantities_of(&c->quantities, plan, err));
    c->share = calloc(c->quantities.count + 1, sizeof *c->share);
    if (c->share == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < c->quantities.count; i++) {
        pby_plan_quantity *q = &c->quantities.quantity[i];
        const pby_plan_family switched = family == PBY_PLAN_DGAUSS ? PBY_PLAN_GEOMETRIC : PBY_PLAN_DGAUSS;
        if (!q->fixed)
            q->family = i != other ? family : switched;
        if (q->gate) /* half of delta is for new groups, or all of it where epsilons add up */
            q->pass = -expm1(log1p(-mpq_get_d(plan->delta) / (pure ? 1 : 2) / (double)gates(&c->quantities)) /
                             (double)(plan->times * q->moves.count[0]));
        if (q->bounded)
            PBY_TRY(pby_plan_set_within(q, err));
        if (q->bounded)
            pby_plan_set_threshold(q);
    }
    PBY_TRY(check_bounded(c, plan, err));
    return set_shares(c->share, &c->quantities, pure, err);
}

/* PBY_NO where the budget does not allow it, or where it is not better than the best, which may be NULL. */
static pby_status try_candidate(pby_plan_choice *c, const pby_plan_choice *best, const pby_release_plan *plan,
                                const struct candidate *asked, pby_error *err)
{
    const bool pure = asked->pure;
    bool promising = true;
    PBY_TRY(begin_candidate(c, plan, asked, err));
    const struct search s = {plan, &c->quantities, c->share};
    if (best != NULL && some_share(c) && !pure)
        PBY_TRY(is_promising(&promising, c, best, &s, asked->other == SIZE_MAX ? HOPELESS : WORTHWHILE, err));
    if (promising && some_share(c) && !pure)
        c->estimate = estimated_cost(&s);
    if (!promising)
        return PBY_NO;
    if (some_share(c) && pure)
        PBY_TRY(share_epsilon(&s, err));
    else if (some_share(c))
        PBY_TRY(find_scale(c->scale, &s, err));
    for (size_t i = 0; i < c->quantities.count && !pure; i++)
        if (c->share[i] == SHARES && !c->quantities.quantity[i].gate)
            PBY_TRY(polish(&s, i, err));
    return finish(c, plan, err);
}

/* Keeps the better of two. */
static pby_status keep_better(pby_plan_choice *best, bool *some, const pby_release_plan *plan,
                              struct candidate asked, pby_error *err)
{
    pby_plan_choice c;
    const pby_status status = try_candidate(&c, *some ? best : NULL, plan, &asked, err);
    if (status == PBY_OK && (!*some || mpq_cmp(c.cost, best->cost) < 0)) {
        pby_plan_choice_clear(best);
        *best = c;
        *some = true;
        return PBY_OK;
    }
    pby_plan_choice_clear(&c);
    return status == PBY_NO && *some ? PBY_OK : status;
}

/* The quantities that have a choice of families. */
static size_t open_quantities(const pby_plan_choice *c)
{
    size_t open = 0;
    for (size_t i = 0; i < c->quantities.count; i++)
        open += c->quantities.quantity[i].fixed ? 0 : 1;
    return open;
}

pby_plan_family pby_plan_choice_family(const pby_plan_choice *c)
{
    for (size_t i = 0; i < c->quantities.count; i++)
        if (!c->quantities.quantity[i].fixed)
            return c->quantities.quantity[i].family;
    return PBY_PLAN_GEOMETRIC;
}

static bool is_pure(const pby_release_plan *plan)
{
    return plan->budget == PBY_ASK_DELTA && mpq_sgn(plan->delta) == 0;
}

pby_status pby_plan_choose(pby_plan_choice *out, const pby_release_plan *plan, pby_error *err)
{
    const bool pure = is_pure(plan);
    const struct candidate gauss = {PBY_PLAN_DGAUSS, SIZE_MAX, false},
                           geometric = {PBY_PLAN_GEOMETRIC, SIZE_MAX, pure},
                           added = {PBY_PLAN_GEOMETRIC, SIZE_MAX, true};
    bool some = false;
    pby_status status = PBY_OK;
    init_choice(out);
    if (!pure)
        status = keep_better(out, &some, plan, gauss, err);
    if (status == PBY_NO || (status == PBY_OK && (pure || open_quantities(out) > 0)))
        status = keep_better(out, &some, plan, geometric, err);
    if (pure || status != PBY_OK)
        return status;
    if (gates(&out->quantities) > 0)
        status = keep_better(out, &some, plan, added, err);
    const pby_plan_family family = pby_plan_choice_family(out);
    const size_t count = out->quantities.count, open = open_quantities(out);
    for (size_t i = 0; i < count && open > 1 && mpq_sgn(out->scale) > 0 && status == PBY_OK; i++)
        if (!out->quantities.quantity[i].fixed)
            status = keep_better(out, &some, plan, (struct candidate){family, i, false}, err);
    return status;
}

/* The estimate of one family. */
static pby_status estimate_family(double *cost, const pby_release_plan *plan, pby_plan_family family,
                                  pby_error *err)
{
    pby_plan_choice c;
    const struct candidate asked = {family, SIZE_MAX, false};
    const pby_status status = begin_candidate(&c, plan, &asked, err);
    const struct search s = {plan, &c.quantities, c.share};
    if (status == PBY_OK && some_share(&c))
        *cost = estimated_cost(&s);
    pby_plan_choice_clear(&c);
    return status;
}

pby_status pby_plan_estimate(double *cost, const pby_release_plan *plan, pby_error *err)
{
    double gauss = 0, geometric = 0;
    pby_plan_choice c;
    if (is_pure(plan)) {
        const pby_status status = pby_plan_choose_family(&c, plan, PBY_PLAN_GEOMETRIC, err);
        *cost = status == PBY_OK ? mpq_get_d(c.cost) : 0;
        pby_plan_choice_clear(&c);
        return status;
    }
    PBY_TRY(estimate_family(&gauss, plan, PBY_PLAN_DGAUSS, err));
    PBY_TRY(estimate_family(&geometric, plan, PBY_PLAN_GEOMETRIC, err));
    *cost = gauss < geometric ? gauss : geometric;
    return PBY_OK;
}

pby_status pby_plan_choose_family(pby_plan_choice *out, const pby_release_plan *plan, pby_plan_family family,
                                  pby_error *err)
{
    const struct candidate asked = {family, SIZE_MAX, is_pure(plan)};
    return try_candidate(out, NULL, plan, &asked, err);
}
