/* Noise that may go too far, and thresholds.
 *
 * All noise here is symmetric: |R| > r has the chance 2 F(-r-1), and R < -r half of that. Bars draw independently, so
 * that all of m hold with the chance (1 - p)^m. A bar that a threshold T takes away holds at most T - 1 + r
 * records unless its noise is below -r. docs/theory/accuracy.md derives each alpha from that. */
#include "accuracy/row.h"
#include "law/law.h"
#include "number/ball.h"
#include "number/text.h"
#include "probity/rational.h"

enum { NOISES = 2 };

/* What is published fails when the noise of some bar passes the reach: on `sides` sides, 0 for no noise at all. */
struct noise {
    pby_law *law;
    int sides;
};

/* A mechanism in the terms that its accuracy has. */
struct model {
    struct noise gate, main; /* of the threshold, and of the counts */
    mpq_t threshold;         /* T - 1 */
    mpq_t bar_loss;          /* of stlap behind a threshold */
    mpq_t unit, offset;      /* an error of r steps is at most unit r + offset */
    const fmpq *most;        /* the most steps that are published; NULL where there is no such */
    bool shrinks;            /* stlap behind the threshold: true counts go in, and only records go */
};

static void model_init(struct model *m)
{
    *m = (struct model){.most = NULL};
    mpq_inits(m->threshold, m->bar_loss, m->unit, m->offset, NULL);
    mpq_set_ui(m->unit, 1, 1);
}

static void model_clear(struct model *m)
{
    pby_law_free(m->gate.law);
    pby_law_free(m->main.law);
    mpq_clears(m->threshold, m->bar_loss, m->unit, m->offset, NULL);
}

/* ---- what a mechanism does ----------------------------------------------------------------------- */

static pby_status make_noise(struct noise *out, const pby_mechanism *m, int sides, pby_error *err)
{
    out->sides = sides;
    return m->family->law(&out->law, m, err);
}

static pby_status make_gate(struct model *out, const pby_mechanism *m, int sides, pby_error *err)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    fmpq_get_mpq(out->threshold, pby_accuracy_value(m, "T"));
    mpq_sub(out->threshold, out->threshold, one);
    mpq_clear(one);
    return make_noise(&out->gate, m, sides, err);
}

static void make_steps(struct model *out, const pby_accuracy_row *row, const pby_mechanism *m)
{
    out->most = pby_accuracy_value(m, row->most);
    const fmpq *grid = pby_accuracy_value(m, row->grid);
    if (grid != NULL) {
        fmpq_get_mpq(out->unit, grid);
        mpq_div_2exp(out->offset, out->unit, 1); /* the query is rounded to the grid first */
    }
}

/* Behind a threshold: stlap with q, or geometric, as a release has them. */
static pby_status make_behind(struct model *out, const pby_mechanism *m, pby_error *err)
{
    const pby_accuracy_row *row;
    pby_status status = pby_accuracy_row_of(&row, m, err);
    if (status == PBY_OK && m->family != &pby_family_geometric &&
        (m->family != &pby_family_stlap || pby_accuracy_value(m, row->rate) != NULL))
        status = pby_family_lacks(m, "an accuracy behind a threshold: stlap with q, or geometric", err);
    out->shrinks = m->family == &pby_family_stlap;
    if (status == PBY_OK)
        status = make_noise(&out->main, m, out->shrinks ? 0 : 2, err);
    if (status == PBY_OK && out->shrinks)
        mpq_set_ui(out->bar_loss, (unsigned long)-out->main.law->lo, 1);
    return status;
}

static pby_status make_model(struct model *out, const pby_spec *spec, pby_error *err)
{
    const pby_mechanism *m = &spec->use[0].mechanism;
    const pby_accuracy_row *row;
    pby_accuracy_kind kind;
    pby_status status = pby_accuracy_kind_of(&kind, spec, err);
    if (status == PBY_OK)
        status = pby_accuracy_row_of(&row, m, err);
    if (status != PBY_OK)
        return status;
    switch (kind) {
    case PBY_ACCURACY_NOISY:
        make_steps(out, row, m);
        return make_noise(&out->main, m, 2, err);
    case PBY_ACCURACY_GATED:
        return make_gate(out, m, 2, err);
    case PBY_ACCURACY_BEHIND:
        status = make_gate(out, m, 1, err);
        return status == PBY_OK ? make_behind(out, &spec->use[1].mechanism, err) : status;
    case PBY_ACCURACY_DROPS:
    case PBY_ACCURACY_HIDES:
        break;
    }
    return pby_family_lacks(m, "noise that may go too far", err);
}

/* ---- the chance that some bar's noise goes too far ----------------------------------------------- */

struct miss {
    struct noise noise[NOISES];
    uint64_t bars;
    int64_t reach;
};

/* 1 - (product over the noises of 1 - sides F(-reach-1))^bars */
static pby_status chance_of(arb_t ball, const void *what, slong prec, pby_error *err)
{
    (void)err;
    const struct miss *miss = what;
    arb_t part;
    arb_init(part);
    arb_zero(ball);
    for (size_t i = 0; i < NOISES; i++)
        if (miss->noise[i].sides > 0) {
            pby_law_cdf_arb(part, miss->noise[i].law, -miss->reach - 1, prec);
            arb_mul_si(part, part, -miss->noise[i].sides, prec);
            arb_log1p(part, part, prec);
            arb_add(ball, ball, part, prec);
        }
    arb_mul_ui(ball, ball, miss->bars, prec);
    arb_expm1(ball, ball, prec);
    arb_neg(ball, ball);
    arb_clear(part);
    return PBY_OK;
}

/* gamma is a number that can be read again: the chance as printed, and nothing below the least that has an exponent of
 * at most 10000. */
static pby_status round_up(mpq_t gamma, mpfr_srcptr chance, unsigned digits, pby_error *err)
{
    enum { LEAST_BITS = 33219 }; /* 1e-10000 < 2^-33219 < 2e-10000 */
    char text[PBY_DECIMAL_SIZE] = "2e-10000";
    if (mpfr_zero_p(chance) || mpfr_cmp_ui_2exp(chance, 1, -LEAST_BITS) >= 0)
        pby_decimal(text, chance, digits < PBY_DIGITS_DEFAULT ? digits : PBY_DIGITS_DEFAULT, 0);
    return pby_rational_parse(gamma, "chance", text, err);
}

static pby_status enclose_chance(pby_enclosure *out, mpq_t gamma, const struct miss *miss, unsigned digits,
                                 pby_error *err)
{
    arb_t ball;
    arb_init(ball);
    const pby_status status = pby_enclose(ball, chance_of, miss, digits, err);
    if (status == PBY_OK)
        pby_enclosure_set_arb(out, ball, digits);
    arb_clear(ball);
    if (status != PBY_OK)
        return status;
    if (mpfr_cmp_ui(out->hi, 1) > 0)
        mpfr_set_ui(out->hi, 1, MPFR_RNDU);
    return round_up(gamma, out->hi, digits, err);
}

static pby_status is_likely(bool *likely, struct miss *miss, int64_t reach, mpq_srcptr gamma, pby_error *err)
{
    fmpq_t level;
    int sign = 0;
    miss->reach = reach;
    fmpq_init(level);
    fmpq_set_mpq(level, gamma);
    const pby_status status = pby_compare(&sign, chance_of, miss, level, err);
    fmpq_clear(level);
    *likely = sign > 0;
    return status;
}

/* The least reach that is passed with a chance of at most gamma: doubled, then halved in. */
static pby_status least_reach(struct miss *miss, mpq_srcptr gamma, pby_error *err)
{
    enum { DOUBLINGS = 61 };
    int64_t below = -1, enough = 0;
    bool likely;
    pby_status status = is_likely(&likely, miss, 0, gamma, err);
    for (int i = 0; i < DOUBLINGS && status == PBY_OK && likely; i++) {
        below = enough;
        enough = INT64_C(1) << i;
        status = is_likely(&likely, miss, enough, gamma, err);
    }
    if (status == PBY_OK && likely)
        return pby_refuse_mpq(err, "gamma", gamma, "one that a beta below 2^60 steps allows");
    while (status == PBY_OK && enough - below > 1) {
        const int64_t middle = below + (enough - below) / 2;
        status = is_likely(&likely, miss, middle, gamma, err);
        *(likely ? &below : &enough) = middle;
    }
    miss->reach = enough;
    return status;
}

/* ---- the reach that is asked for ----------------------------------------------------------------- */

/* floor((beta - offset)/unit), the steps that an error of beta allows. */
static pby_status steps_of(int64_t *reach, const struct model *m, mpq_srcptr beta, pby_error *err)
{
    mpq_t steps;
    mpz_t whole;
    mpq_init(steps);
    mpz_init(whole);
    mpq_sub(steps, beta, m->offset);
    mpq_div(steps, steps, m->unit);
    mpz_fdiv_q(whole, mpq_numref(steps), mpq_denref(steps));
    const bool fits = mpz_sgn(whole) >= 0 && mpz_sizeinbase(whole, 2) < 62;
    *reach = fits ? mpz_get_si(whole) : 0;
    mpz_clear(whole);
    mpq_clear(steps);
    return fits ? PBY_OK : pby_refuse_mpq(err, "beta", beta, "at least the rounding, and below 2^61 steps");
}

static pby_status check_asked(const struct model *m, mpq_srcptr beta, mpq_srcptr gamma, pby_error *err)
{
    const bool ends = m->gate.law == NULL && pby_law_bounded_below(m->main.law);
    if (beta != NULL && mpq_sgn(beta) < 0)
        return pby_refuse_mpq(err, "beta", beta, "a rational from 0 on");
    if (gamma != NULL && (mpq_sgn(gamma) < 0 || mpq_cmp_ui(gamma, 1, 1) > 0))
        return pby_refuse_mpq(err, "gamma", gamma, "a rational from 0 to 1");
    if (gamma != NULL && mpq_sgn(gamma) == 0 && !ends)
        return pby_refuse_mpq(err, "gamma", gamma, "one above 0: the noise has no end");
    if (beta == NULL && gamma == NULL && m->most == NULL)
        return pby_fail(err, PBY_BAD, "beta: expected this or gamma, since the noise has no end");
    return PBY_OK;
}

static pby_status find_reach(struct miss *miss, const struct model *m, mpq_srcptr beta, mpq_srcptr gamma,
                             pby_error *err)
{
    pby_status status = check_asked(m, beta, gamma, err);
    if (status != PBY_OK)
        return status;
    const int64_t most = m->most == NULL ? INT64_MAX : fmpz_get_si(fmpq_numref(m->most));
    if (gamma != NULL)
        status = least_reach(miss, gamma, err);
    else if (beta != NULL)
        status = steps_of(&miss->reach, m, beta, err);
    else
        miss->reach = most;
    if (status == PBY_OK && miss->reach > most && gamma != NULL)
        return pby_refuse_mpq(err, "gamma", gamma, "at least the chance that nothing is published");
    miss->reach = FLINT_MIN(miss->reach, most);
    return status;
}

/* ---- accuracies ---------------------------------------------------------------------------------- */

void pby_noisy_accuracy_init(pby_noisy_accuracy *a)
{
    pby_accuracy_init(&a->release);
    pby_accuracy_init(&a->kept);
    pby_enclosure_init(&a->chance);
    pby_enclosure_init(&a->lost);
    a->gated = 0;
}

void pby_noisy_accuracy_clear(pby_noisy_accuracy *a)
{
    pby_accuracy_clear(&a->release);
    pby_accuracy_clear(&a->kept);
    pby_enclosure_clear(&a->chance);
    pby_enclosure_clear(&a->lost);
}

/* Of the bars that pass: one that does not is dropped whole. */
static pby_status keep(pby_noisy_accuracy *out, const struct model *m, const struct miss *miss,
                       const pby_input_class *inputs, unsigned digits, pby_error *err)
{
    const struct miss lost = {{{m->gate.law, 1}}, miss->bars, miss->reach};
    mpq_t dropped;
    mpq_init(dropped);
    mpq_set_si(dropped, miss->reach, 1);
    mpq_add(dropped, dropped, m->threshold);
    pby_drop_of(out->kept.alpha.value, inputs, dropped);
    mpq_clear(dropped);
    return enclose_chance(&out->lost, out->kept.gamma, &lost, digits, err);
}

/* Of what is published. A bar that does not pass is published as 0, and keeps min(x, reach) of its records,
 * which is within reach of that; with stlap behind it no error is needed, and it is dropped whole. */
static void publish(pby_accuracy *out, const struct model *m, int64_t reach, const pby_input_class *inputs)
{
    mpq_t dropped, error;
    mpq_inits(dropped, error, NULL);
    mpq_set_si(error, reach, 1);
    mpq_set(dropped, m->threshold);
    if (m->shrinks)
        mpq_add(dropped, dropped, error);
    if (mpq_cmp(dropped, m->bar_loss) < 0)
        mpq_set(dropped, m->bar_loss);
    pby_drop_of(out->alpha.value, inputs, dropped);
    mpq_mul(error, error, m->unit);
    mpq_add(error, error, m->offset);
    if (m->shrinks)
        mpq_set_ui(error, 0, 1);
    mpq_set(out->beta.value, error);
    out->alpha.infinite = out->beta.infinite = 0;
    mpq_clears(dropped, error, NULL);
}

pby_status pby_accuracy_noisy(pby_noisy_accuracy *out, const pby_spec *spec, const pby_input_class *inputs,
                              mpq_srcptr beta, mpq_srcptr gamma, unsigned digits, pby_error *err)
{
    struct model m;
    model_init(&m);
    pby_status status = pby_inputs_check(inputs, err);
    if (status == PBY_OK && mpq_sgn(inputs->width) != 0)
        status = pby_refuse_mpq(err, "width", inputs->width, "0: this error is one of counts");
    if (status == PBY_OK)
        status = make_model(&m, spec, err);
    struct miss miss = {{m.gate, m.main}, inputs->support, 0};
    if (status == PBY_OK)
        status = find_reach(&miss, &m, beta, gamma, err);
    if (status == PBY_OK)
        publish(&out->release, &m, miss.reach, inputs);
    if (status == PBY_OK)
        status = enclose_chance(&out->chance, out->release.gamma, &miss, digits, err);
    out->gated = m.gate.law != NULL;
    if (status == PBY_OK && out->gated)
        status = keep(out, &m, &miss, inputs, digits, err);
    model_clear(&m);
    return status;
}
