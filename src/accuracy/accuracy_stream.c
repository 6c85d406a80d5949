/* SPDX-License-Identifier: MIT */
/* The accuracy of a session's answers.
 *
 * An answer is wrong by more than beta if it says above of a query below T - beta, or below of one above
 * T + beta. One use has at most c positive answers and k questions. No input is worse than k - h queries just
 * below T - beta and h just above T + beta, for some h <= c (docs/theory/above.md, docs/theory/sparse.md).
 * With Z the noise of the threshold, V that of an answer and b = floor(beta), these are right with the chance
 *
 *     R(h) = E P(V <= b + Z)^(k-h) P(V <= b + 1 - Z)^h.
 *
 * The last use is right with at least the least of these, and so is one that its questions end; another has
 * to reach its c positive answers for the next one to begin, and is right with R(c). With a gap a query is
 * compared as if no lower than T - gap. Values are right independently of that, each if its noise does not
 * pass b. */
#include <math.h>
#include <stdlib.h>

#include "accuracy/average.h"
#include "accuracy/chance.h"
#include "accuracy/row.h"
#include "mechanism/shared/stream.h"
#include "number/integer.h"
#include "number/scoped.h"
#include "number/text.h"

/* Limits: the outcomes of a threshold's noise that are summed on either side of 0, and the tops that are
 * tried. */
enum { OUTCOMES_MAX = 1 << 18, BITS_TO_SPARE = 16, TOPS_MAX = 64 };

/* The values of a law computed so far at -MEMO .. MEMO, at one precision; NULL where nothing is kept. */
enum { MEMO = 1 << 14 };

struct memo {
    arb_ptr value;
    bool *known;
};

struct stream {
    pby_law *threshold, *answer, *value; /* value is NULL where none is given */
    struct memo masses, logs;            /* of the threshold, and of the cdf of an answer */
    pby_stream_width wide, answer_wide;
    pby_stream_limits limits;
    uint64_t uses, questions, values;
    bool ends; /* with its questions, so that a next use begins all the same */
    int64_t reach;
};

/* log P(V <= b) */
static void log_below(arb_t out, const pby_law *law, int64_t b, slong prec)
{
    if (b >= 0) {
        pby_law_cdf_arb(out, law, -b - 1, prec);
        arb_neg(out, out);
        arb_log1p(out, out, prec);
    } else {
        pby_law_cdf_arb(out, law, b, prec);
        arb_log(out, out, prec);
    }
}

/* f(law, k), which is kept. */
static void recall(arb_t out, const struct memo *memo, void (*f)(arb_t, const pby_law *, int64_t, slong),
                   const pby_law *law, int64_t k, slong prec)
{
    if (memo->known == NULL || k < -MEMO || k > MEMO) {
        f(out, law, k, prec);
        return;
    }
    arb_ptr at = memo->value + k + MEMO;
    if (!memo->known[k + MEMO])
        f(at, law, k, prec);
    memo->known[k + MEMO] = true;
    arb_set(out, at);
}

static bool memo_init(struct memo *memo)
{
    memo->known = calloc(2 * MEMO + 1, sizeof *memo->known);
    memo->value = memo->known == NULL ? NULL : _arb_vec_init(2 * MEMO + 1);
    return memo->known != NULL;
}

static void memo_clear(struct memo *memo)
{
    if (memo->known != NULL)
        _arb_vec_clear(memo->value, 2 * MEMO + 1);
    free(memo->known);
}

/* Returns, less 1, the most that a query just below T - beta can lie below T. */
static int64_t low_reach(const struct stream *s)
{
    return s->limits.gap > 0 && s->reach >= s->limits.gap ? s->limits.gap - 1 : s->reach;
}

/* The most queries above T + beta in one use. */
static uint64_t most_high(const struct stream *s)
{
    return (uint64_t)s->limits.tops < s->questions ? (uint64_t)s->limits.tops : s->questions;
}

/* The chances that an answer is wrong, given the threshold's noise t, for h = 0, 1, ... */
static void wrong_at(arb_ptr wrong, const struct stream *s, int64_t t, slong prec)
{
    PBY_ARB(low, high);
    recall(low, &s->logs, log_below, s->answer, low_reach(s) + t, prec);
    recall(high, &s->logs, log_below, s->answer, s->reach + 1 - t, prec);
    for (uint64_t h = 0; h <= most_high(s); h++) {
        arb_mul_ui(wrong + h, low, s->questions - h, prec);
        arb_addmul_ui(wrong + h, high, h, prec);
        arb_expm1(wrong + h, wrong + h, prec);
        arb_neg(wrong + h, wrong + h);
    }
}

/* Returns how far Z must be summed so that the tail left out is below the precision. */
static double far_of(const struct stream *s, slong prec)
{
    const double level = ((double)prec / 2 + BITS_TO_SPARE) * 0.6931471806;
    return ceil(s->wide.gaussian ? s->wide.size * sqrt(2 * level) : level / s->wide.size) + 1;
}

/* The chances of one use. Farther out than is summed they are anything from 0 to 1. */
static pby_status wrong_in_one(arb_ptr wrong, const struct stream *s, slong prec, pby_error *err)
{
    const double needed = far_of(s, prec);
    if (!(needed <= OUTCOMES_MAX))
        return pby_fail(err, PBY_FAILED, "accuracy: the noise of the threshold is too wide to be summed");
    const int64_t far = (int64_t)needed;
    const slong count = (slong)most_high(s) + 1;
    arb_ptr one = _arb_vec_init(count);
    PBY_ARB(mass);
    _arb_vec_zero(wrong, count);
    for (int64_t t = -far; t <= far; t++) {
        recall(mass, &s->masses, pby_law_mass_arb, s->threshold, t, prec);
        wrong_at(one, s, t, prec);
        for (slong h = 0; h < count; h++)
            arb_addmul(wrong + h, one + h, mass, prec);
    }
    pby_law_cdf_arb(mass, s->threshold, -far - 1, prec);
    for (slong h = 0; h < count; h++) {
        arb_add_error(wrong + h, mass);
        arb_add(wrong + h, wrong + h, mass, prec);
    }
    _arb_vec_clear(one, count);
    return PBY_OK;
}

/* out += times log(1 - x) */
static void add_right(arb_t out, const arb_t x, uint64_t times, slong prec)
{
    PBY_ARB(log);
    arb_neg(log, x);
    arb_log1p(log, log, prec);
    arb_addmul_ui(out, log, times, prec);
}

static pby_status chance_of(arb_t ball, const void *what, slong prec, pby_error *err)
{
    const struct stream *s = what;
    const slong count = (slong)most_high(s) + 1;
    arb_ptr wrong = _arb_vec_init(count);
    PBY_ARB(worst);
    const pby_status status = wrong_in_one(wrong, s, prec, err);
    for (slong h = 0; h < count; h++)
        arb_max(worst, worst, wrong + h, prec);
    arb_zero(ball);
    add_right(ball, worst, 1, prec);
    if (s->uses > 1 && s->ends)
        add_right(ball, worst, s->uses - 1, prec);
    else if (s->uses > 1 && count > s->limits.tops)
        add_right(ball, wrong + count - 1, s->uses - 1, prec);
    if (s->value != NULL) {
        pby_law_cdf_arb(worst, s->value, -s->reach - 1, prec);
        arb_mul_2exp_si(worst, worst, 1);
        add_right(ball, worst, s->values, prec);
    }
    arb_expm1(ball, ball, prec);
    arb_neg(ball, ball);
    _arb_vec_clear(wrong, count);
    return status;
}

/* ---- the reach that is asked for ----------------------------------------------------------------- */

/* From there on nothing changes. */
#define REACH_MAX ((int64_t)1 << 60)

static pby_status is_likely(bool *likely, struct stream *s, int64_t reach, const fmpq_t gamma, pby_error *err)
{
    int sign = 0;
    s->reach = reach;
    const pby_status status = pby_compare(&sign, chance_of, s, gamma, err);
    *likely = sign > 0;
    return status;
}

/* log P(V <= x) */
static double log_cdf(const pby_stream_width *v, double x)
{
    if (v->gaussian)
        return log(0.5 * erfc(-(x + 0.5) / (v->size * sqrt(2))));
    const double a = exp(-v->size);
    return x >= 0 ? log1p(-pow(a, x + 1) / (1 + a)) : v->size * x - log1p(a);
}

/* About the chance, to begin the search with: a bad guess costs time and no truth. */
static double about(const struct stream *s, double reach)
{
    enum { STEPS = 4096 };
    const double size = s->wide.size, far = ceil(s->wide.gaussian ? 9 * size : 40 / size);
    const double step = fmax(1, floor(far / STEPS)), high = (double)most_high(s);
    const int last = (int)(far / step);
    double wrong = 0, all = 0;
    for (int i = -last; i <= last; i++) {
        const double t = i * step;
        const double mass = s->wide.gaussian ? exp(-t * t / (2 * size * size)) : exp(-size * fabs(t));
        const double low = s->limits.gap > 0 ? fmin(reach, (double)s->limits.gap - 1) : reach;
        double right = high * log_cdf(&s->answer_wide, reach + 1 - t);
        if ((double)s->questions > high)
            right += ((double)s->questions - high) * log_cdf(&s->answer_wide, low + t);
        wrong += mass * -expm1(right);
        all += mass;
    }
    return -expm1((double)s->uses * log1p(-fmin(wrong / all, 1)));
}

static int64_t guess_reach(const struct stream *s, double gamma)
{
    double below = 0, enough = 1;
    while (enough < 0x1p60 && about(s, enough) > gamma)
        below = enough, enough *= 2;
    while (enough - below > 1) {
        const double middle = floor((below + enough) / 2);
        *(about(s, middle) > gamma ? &below : &enough) = middle;
    }
    return (int64_t)enough;
}

/* The least that is passed with a chance of at most gamma: in growing steps from the guess, then halved in.
 */
static pby_status find_reach(struct stream *s, mpq_srcptr gamma, pby_error *err)
{
    bool likely = false;
    if (mpq_sgn(gamma) <= 0 || mpq_cmp_ui(gamma, 1, 1) > 0)
        return pby_refuse_mpq(err, "gamma", gamma, "a rational above 0 and at most 1");
    if (mpq_cmp_ui(gamma, 1, 1) == 0)
        return PBY_OK;
    PBY_FMPQ(level);
    fmpq_set_mpq(level, gamma);
    int64_t enough = guess_reach(s, mpq_get_d(gamma)), below = enough;
    pby_status status = is_likely(&likely, s, enough, level, err);
    for (int64_t step = 1; status == PBY_OK && likely && enough < REACH_MAX; step *= 2) {
        below = enough;
        enough += step;
        status = is_likely(&likely, s, enough, level, err);
    }
    if (status == PBY_OK && likely && enough >= REACH_MAX)
        status = pby_refuse_mpq(err, "gamma", gamma,
                                "a chance that some beta has: answers below the gap are raised to it");
    for (int64_t step = 1; status == PBY_OK && below == enough && enough >= 0; step *= 2) {
        below = enough - step < 0 ? -1 : enough - step;
        if (below >= 0)
            status = is_likely(&likely, s, below, level, err);
        if (below >= 0 && !likely)
            enough = below;
    }
    while (status == PBY_OK && enough - below > 1) {
        const int64_t middle = below + (enough - below) / 2;
        status = is_likely(&likely, s, middle, level, err);
        *(likely ? &below : &enough) = middle;
    }
    s->reach = enough;
    return status;
}

static pby_status set_reach(struct stream *s, mpq_srcptr beta, pby_error *err)
{
    PBY_MPZ(whole);
    mpz_fdiv_q(whole, mpq_numref(beta), mpq_denref(beta));
    const bool fits = mpz_sizeinbase(whole, 2) < 62;
    s->reach = fits ? pby_integer_signed(whole) : 0;
    return fits ? PBY_OK : pby_refuse_mpq(err, "beta", beta, "a number below 2^61");
}

/* ---- the accuracy -------------------------------------------------------------------------------- */

static pby_status make_laws(struct stream *s, const pby_spec *spec, pby_error *err)
{
    const pby_mechanism *m = &spec->use[0].mechanism, *value = &spec->use[spec->count - 1].mechanism;
    const pby_stream_class *class = m->family->stream;
    class->width(&s->wide, &s->answer_wide, m);
    PBY_TRY(class->threshold(&s->threshold, m, err));
    PBY_TRY(class->answer(&s->answer, m, err));
    if (spec->count == 2)
        return value->family->law(&s->value, value, err);
    return PBY_OK;
}

/* Sets the limits of one use: no more questions than it takes. */
static pby_status set_limits(struct stream *s, const pby_spec *spec, uint64_t questions, pby_error *err)
{
    s->limits = pby_stream_limits_of(spec);
    s->uses = spec->use[0].times;
    s->values = spec->use[spec->count - 1].times;
    s->ends = s->limits.questions > 0 && questions >= (uint64_t)s->limits.questions;
    s->questions = s->ends ? (uint64_t)s->limits.questions : questions;
    return most_high(s) <= TOPS_MAX
               ? PBY_OK
               : pby_fail(err, PBY_BAD, "accuracy: expected at most %d positive answers of one use",
                          TOPS_MAX);
}

pby_status pby_accuracy_of_stream(pby_noisy_accuracy *out, const pby_spec *spec, uint64_t questions,
                                  mpq_srcptr beta, mpq_srcptr gamma, unsigned digits, pby_error *err)
{
    struct stream s = {.threshold = NULL};
    PBY_ARB(ball);
    pby_status status = set_limits(&s, spec, questions, err);
    if (status == PBY_OK)
        status = make_laws(&s, spec, err);
    if (status == PBY_OK)
        status = gamma != NULL ? find_reach(&s, gamma, err) : set_reach(&s, beta, err);
    if (status == PBY_OK)
        status = pby_enclose(ball, chance_of, &s, digits, err);
    if (status == PBY_OK)
        status = pby_chance_set(&out->chance, out->release.gamma, ball, digits, err);
    if (status == PBY_OK && gamma != NULL && mpq_cmp(out->release.gamma, gamma) > 0)
        mpq_set(out->release.gamma, gamma);
    out->reach = (uint64_t)s.reach;
    mpq_set_ui(out->release.beta.value, 0, 1);
    pby_integer_set(mpq_numref(out->release.beta.value), out->reach);
    pby_law_free(s.value);
    pby_law_free(s.answer);
    pby_law_free(s.threshold);
    return status;
}

/* ---- the mean error ---------------------------------------------------------------------------------- */

/* Between the best of (b + 1) (W(b) - gamma), W(b) being the chance above, which the queries that are worst
 * at b have, and the sum over b >= 0 of max(0, W(b) - gamma), which none exceed. Steps grow with b, and W
 * falls: a step times its first chance is enough. */
enum { MEAN_PREC = 80, STEPS_PER_SIZE = 32 };

struct between {
    arb_t low, high; /* the ends so far */
    arb_t gamma;
};

/* tail += times P(|R| >= k), k >= 1, for all k from here on */
static void add_tail(arb_t tail, const pby_law *law, int64_t k, uint64_t times)
{
    PBY_ARB(last, before);
    pby_law_cdf_arb(last, law, -k, MEAN_PREC);
    pby_law_cdf_arb(before, law, 1 - k, MEAN_PREC);
    pby_mean_rest(last, last, before, MEAN_PREC);
    arb_mul_ui(last, last, times, MEAN_PREC);
    arb_mul_2exp_si(last, last, 1);
    arb_add(tail, tail, last, MEAN_PREC);
}

/* At most the sum of W from b on: an answer that is off by more than b has noise of b/2 or more, or its
 * threshold has. */
static void set_tail(arb_t tail, const struct stream *s, int64_t b)
{
    arb_zero(tail);
    add_tail(tail, s->answer, b / 2 + 1, s->uses * s->questions);
    add_tail(tail, s->threshold, b / 2 + 1, s->uses);
    if (s->value != NULL)
        add_tail(tail, s->value, b / 2 + 1, s->values);
    arb_mul_2exp_si(tail, tail, 1);
}

/* Adds what the errors from b to b + step - 1 come to; whether there is no more. */
static pby_status add_errors(bool *done, struct between *m, struct stream *s, int64_t b, int64_t step,
                             pby_error *err)
{
    PBY_ARB(chance, x);
    s->reach = b;
    const pby_status status = chance_of(chance, s, MEAN_PREC, err);
    arb_sub(chance, chance, m->gamma, MEAN_PREC);
    *done = arb_is_nonpositive(chance);
    arb_mul_si(x, chance, b + 1, MEAN_PREC);
    pby_raise_to(m->low, x, MEAN_PREC);
    arb_zero(x);
    pby_raise_to(chance, x, MEAN_PREC);
    arb_addmul_si(m->high, chance, step, MEAN_PREC);
    if (arb_is_zero(m->gamma)) {
        set_tail(x, s, b + step);
        arb_mul_2exp_si(chance, m->high, -30);
        *done = arb_lt(x, chance);
        if (*done)
            arb_add(m->high, m->high, x, MEAN_PREC);
    }
    return status;
}

static pby_status mean_of(struct between *m, struct stream *s, pby_error *err)
{
    static const char gap[] =
        "gamma: expected a chance that some beta has: answers below the gap are raised to it";
    bool done = false;
    pby_status status = PBY_OK;
    if (s->limits.gap > 0 && arb_is_zero(m->gamma))
        return pby_fail(err, PBY_BAD, gap);
    for (int64_t b = 0; status == PBY_OK && !done;) {
        const int64_t step = 1 + b / STEPS_PER_SIZE;
        status = b < REACH_MAX ? add_errors(&done, m, s, b, step, err) : pby_fail(err, PBY_BAD, gap);
        b += step;
    }
    return status;
}

pby_status pby_mean_of_session(arb_t beta, const pby_mean *of, pby_error *err)
{
    struct stream s = {.threshold = NULL};
    struct between m;
    arb_init(m.low);
    arb_init(m.high);
    arb_init(m.gamma);
    arb_set_fmpq(m.gamma, of->gamma, MEAN_PREC);
    pby_status status = set_limits(&s, of->spec, of->support, err);
    if (status == PBY_OK)
        status = make_laws(&s, of->spec, err);
    if (status == PBY_OK && (!memo_init(&s.masses) || !memo_init(&s.logs)))
        status = pby_no_memory(err);
    if (status == PBY_OK)
        status = mean_of(&m, &s, err);
    memo_clear(&s.logs);
    memo_clear(&s.masses);
    if (status == PBY_OK)
        arb_union(beta, m.low, m.high, MEAN_PREC);
    pby_law_free(s.value);
    pby_law_free(s.answer);
    pby_law_free(s.threshold);
    arb_clear(m.gamma);
    arb_clear(m.high);
    arb_clear(m.low);
    return status;
}
