/* What the answers of a session are worth.
 *
 * An answer is wrong by more than beta if it says above of a query below T - beta, or below of one above
 * T + beta. Of one use with at most k questions, no input is worse than k, or k - 1, queries just below
 * T - beta, and behind the k - 1 one just above T + beta (docs/theory/above.md). With Z the noise of the
 * threshold, V that of an answer and b = floor(beta), these are right with the chances
 *
 *     low:  E P(V <= b + Z)^k
 *     high: E P(V <= b + Z)^(k-1) P(V <= b + 1 - Z)
 *
 * so that c uses are all right with at least high^(c-1) min(low, high), and with that chance at the worst.
 * Values are right independently of that, each if its noise does not pass b. */
#include <math.h>

#include "accuracy/chance.h"
#include "accuracy/row.h"
#include "mechanism/above/above.h"
#include "number/text.h"

/* Of the noise of a threshold so many outcomes are summed on either side of 0. */
enum { OUTCOMES_MAX = 1 << 18, BITS_TO_SPARE = 16 };

struct stream {
    pby_law *threshold, *answer, *value; /* value is NULL where none is given */
    double rate, answer_rate;            /* about: they decide how far is summed, and where a search begins */
    uint64_t uses, questions;
    int64_t reach;
};

/* out += times log P(V <= b) */
static void add_log(arb_t out, const pby_law *law, int64_t b, uint64_t times, slong prec)
{
    arb_t x;
    if (times == 0)
        return;
    arb_init(x);
    if (b >= 0) {
        pby_law_cdf_arb(x, law, -b - 1, prec);
        arb_neg(x, x);
        arb_log1p(x, x, prec);
    } else {
        pby_law_cdf_arb(x, law, b, prec);
        arb_log(x, x, prec);
    }
    arb_addmul_ui(out, x, times, prec);
    arb_clear(x);
}

/* The chances that an answer is wrong, given the threshold's noise t. */
static void wrong_at(arb_t low, arb_t high, const struct stream *s, int64_t t, slong prec)
{
    arb_zero(low);
    add_log(low, s->answer, s->reach + t, s->questions - 1, prec);
    arb_set(high, low);
    add_log(low, s->answer, s->reach + t, 1, prec);
    add_log(high, s->answer, s->reach + 1 - t, 1, prec);
    arb_expm1(low, low, prec);
    arb_expm1(high, high, prec);
    arb_neg(low, low);
    arb_neg(high, high);
}

/* Both chances of one use. Farther out than is summed they are anything from 0 to 1. */
static pby_status wrong_in_one(arb_t low, arb_t high, const struct stream *s, slong prec, pby_error *err)
{
    const double needed = ceil(((double)prec / 2 + BITS_TO_SPARE) * 0.6931471806 / s->rate);
    if (!(needed <= OUTCOMES_MAX))
        return pby_fail(err, PBY_FAILED, "accuracy: the noise of the threshold is too wide to be summed");
    const int64_t far = (int64_t)needed;
    arb_t one, other, mass;
    arb_init(one);
    arb_init(other);
    arb_init(mass);
    arb_zero(low);
    arb_zero(high);
    for (int64_t t = -far; t <= far; t++) {
        pby_law_mass_arb(mass, s->threshold, t, prec);
        wrong_at(one, other, s, t, prec);
        arb_addmul(low, one, mass, prec);
        arb_addmul(high, other, mass, prec);
    }
    pby_law_cdf_arb(mass, s->threshold, -far - 1, prec);
    arb_add_error(low, mass);
    arb_add(low, low, mass, prec);
    arb_add_error(high, mass);
    arb_add(high, high, mass, prec);
    arb_clear(mass);
    arb_clear(other);
    arb_clear(one);
    return PBY_OK;
}

/* out += times log(1 - x) */
static void add_right(arb_t out, const arb_t x, uint64_t times, slong prec)
{
    arb_t log;
    arb_init(log);
    arb_neg(log, x);
    arb_log1p(log, log, prec);
    arb_addmul_ui(out, log, times, prec);
    arb_clear(log);
}

static pby_status chance_of(arb_t ball, const void *what, slong prec, pby_error *err)
{
    const struct stream *s = what;
    arb_t low, high;
    arb_init(low);
    arb_init(high);
    const pby_status status = wrong_in_one(low, high, s, prec, err);
    arb_zero(ball);
    if (s->uses > 1)
        add_right(ball, high, s->uses - 1, prec);
    arb_max(low, low, high, prec);
    add_right(ball, low, 1, prec);
    if (s->value != NULL) {
        pby_law_cdf_arb(high, s->value, -s->reach - 1, prec);
        arb_mul_2exp_si(high, high, 1);
        add_right(ball, high, s->uses, prec);
    }
    arb_expm1(ball, ball, prec);
    arb_neg(ball, ball);
    arb_clear(high);
    arb_clear(low);
    return status;
}

/* ---- the reach that is asked for ----------------------------------------------------------------- */

static pby_status is_likely(bool *likely, struct stream *s, int64_t reach, const fmpq_t gamma, pby_error *err)
{
    int sign = 0;
    s->reach = reach;
    const pby_status status = pby_compare(&sign, chance_of, s, gamma, err);
    *likely = sign > 0;
    return status;
}

/* About the chance, to begin the search with: a bad guess costs time and no truth. */
static double about(const struct stream *s, double reach)
{
    enum { STEPS = 4096 };
    const double a = exp(-s->rate), b = exp(-s->answer_rate), far = ceil(40 / s->rate);
    const double step = fmax(1, floor(far / STEPS));
    const int last = (int)(far / step);
    double wrong = 0, all = 0;
    for (int i = -last; i <= last; i++) {
        const double t = i * step, x = reach + t, mass = pow(a, fabs(t));
        const double f = x >= 0 ? log1p(-pow(b, x + 1) / (1 + b)) : -s->answer_rate * -x - log1p(b);
        const double y = reach + 1 - t;
        const double g = y >= 0 ? log1p(-pow(b, y + 1) / (1 + b)) : -s->answer_rate * -y - log1p(b);
        wrong += mass * -expm1((double)(s->questions - 1) * f + g);
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
    fmpq_t level;
    if (mpq_sgn(gamma) <= 0 || mpq_cmp_ui(gamma, 1, 1) > 0)
        return pby_refuse_mpq(err, "gamma", gamma, "a rational above 0 and at most 1");
    if (mpq_cmp_ui(gamma, 1, 1) == 0)
        return PBY_OK;
    fmpq_init(level);
    fmpq_set_mpq(level, gamma);
    int64_t enough = guess_reach(s, mpq_get_d(gamma)), below = enough;
    pby_status status = is_likely(&likely, s, enough, level, err);
    for (int64_t step = 1; status == PBY_OK && likely; step *= 2) {
        below = enough;
        enough += step;
        status = is_likely(&likely, s, enough, level, err);
    }
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
    fmpq_clear(level);
    return status;
}

static pby_status set_reach(struct stream *s, mpq_srcptr beta, pby_error *err)
{
    mpz_t whole;
    mpz_init(whole);
    mpz_fdiv_q(whole, mpq_numref(beta), mpq_denref(beta));
    const bool fits = mpz_sizeinbase(whole, 2) < 62;
    s->reach = fits ? mpz_get_si(whole) : 0;
    mpz_clear(whole);
    return fits ? PBY_OK : pby_refuse_mpq(err, "beta", beta, "a number below 2^61");
}

/* ---- the accuracy -------------------------------------------------------------------------------- */

static pby_status make_laws(struct stream *s, const pby_spec *spec, pby_error *err)
{
    const pby_mechanism *m = &spec->use[0].mechanism, *value = &spec->use[spec->count - 1].mechanism;
    pby_status status = pby_above_threshold(&s->threshold, m, err);
    if (status == PBY_OK)
        status = pby_above_answer(&s->answer, m, err);
    if (status == PBY_OK && spec->count == 2)
        status = value->family->law(&s->value, value, err);
    fmpq_t rate;
    fmpq_init(rate);
    fmpq_div(rate, pby_mechanism_value(m, PBY_ROLE_EPSILON), pby_mechanism_value(m, PBY_ROLE_SENSITIVITY));
    s->rate = fmpq_get_d(rate) / 2;
    s->answer_rate = pby_above_is_monotone(m) ? s->rate : s->rate / 2;
    fmpq_clear(rate);
    return status;
}

pby_status pby_accuracy_of_stream(pby_noisy_accuracy *out, const pby_spec *spec, uint64_t questions,
                                  mpq_srcptr beta, mpq_srcptr gamma, unsigned digits, pby_error *err)
{
    struct stream s = {.uses = spec->use[0].times, .questions = questions};
    arb_t ball;
    arb_init(ball);
    pby_status status = make_laws(&s, spec, err);
    if (status == PBY_OK)
        status = gamma != NULL ? find_reach(&s, gamma, err) : set_reach(&s, beta, err);
    if (status == PBY_OK)
        status = pby_enclose(ball, chance_of, &s, digits, err);
    if (status == PBY_OK)
        status = pby_chance_set(&out->chance, out->release.gamma, ball, digits, err);
    if (status == PBY_OK && gamma != NULL && mpq_cmp(out->release.gamma, gamma) > 0)
        mpq_set(out->release.gamma, gamma);
    mpq_set_si(out->release.beta.value, s.reach, 1);
    out->reach = (uint64_t)s.reach;
    pby_law_free(s.value);
    pby_law_free(s.answer);
    pby_law_free(s.threshold);
    arb_clear(ball);
    return status;
}
