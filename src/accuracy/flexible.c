/* (alpha, beta, gamma) out of parameters.
 *
 * A release that only takes records away, at most L from a bar, is a drop of at most t L of n records from
 * t bars; and a histogram of n records with t full enough bars loses min(n, t L) of them with a
 * positive chance, so min(1, t L / n) is the least alpha that goes with beta = gamma = 0. L is the end of
 * the support of the noise law: rounding included, which t q / n leaves out. */
#include "law/law.h"
#include "mechanism/family.h"
#include "probity/accuracy.h"

void pby_accuracy_init(pby_accuracy *a)
{
    pby_distance_init(&a->alpha);
    pby_distance_init(&a->beta);
    mpq_init(a->gamma);
}

void pby_accuracy_clear(pby_accuracy *a)
{
    pby_distance_clear(&a->alpha);
    pby_distance_clear(&a->beta);
    mpq_clear(a->gamma);
}

void pby_accuracy_compose(pby_accuracy *out, const pby_accuracy *first, const pby_distance *sigma,
                          const pby_distance *tau, mpq_srcptr gamma2)
{
    out->alpha.infinite = first->alpha.infinite || sigma->infinite;
    if (out->alpha.infinite)
        mpq_set_ui(out->alpha.value, 0, 1);
    else
        mpq_add(out->alpha.value, first->alpha.value, sigma->value);
    pby_distance_set(&out->beta, tau);
    mpq_set(out->gamma, gamma2);
}

/* ---- releases ------------------------------------------------------------------------------------ */

/* The families whose release takes records away and does nothing else, by the parameters that say how many: a
 * threshold, or a threshold for each record that there is; and the width of the buckets where the family
 * has its own. ABSENT for a parameter that a family does not have. */
struct shrinking {
    const pby_family *family;
    size_t threshold, rate, bars, width;
};

enum { ABSENT = PBY_PARAMETERS_MAX };

static const struct shrinking shrinkings[] = {
    {&pby_family_stlap, .threshold = 1, .rate = 2, .bars = 4, .width = ABSENT},
    {&pby_family_buckethist, .threshold = 1, .rate = ABSENT, .bars = ABSENT, .width = 3},
};

static bool has(const pby_mechanism *m, size_t parameter)
{
    return parameter != ABSENT && pby_mechanism_has(m, parameter);
}

static pby_status find_shrinking(const struct shrinking **out, const pby_mechanism **m, const pby_spec *spec,
                                 pby_error *err)
{
    const pby_status status = pby_spec_single(m, spec, "one mechanism, used once", err);
    if (status != PBY_OK)
        return status;
    for (size_t i = 0; i < sizeof shrinkings / sizeof *shrinkings; i++)
        if (shrinkings[i].family == (*m)->family) {
            *out = &shrinkings[i];
            return PBY_OK;
        }
    return pby_family_lacks(*m, "an accuracy under dropping: its release takes records away and adds none",
                            err);
}

/* Half of the width, from the spec or from the inputs: a point moves by no more in any coordinate. */
static pby_status bucketing_error(mpq_t beta, const struct shrinking *row, const pby_mechanism *m,
                                  const pby_input_class *inputs, pby_error *err)
{
    mpq_set(beta, inputs->width);
    if (row->width != ABSENT && mpq_sgn(inputs->width) != 0)
        return pby_fail(err, PBY_BAD, "width: expected it in the SPEC alone");
    if (row->width != ABSENT)
        fmpq_get_mpq(beta, &m->value[row->width]);
    mpq_div_2exp(beta, beta, 1);
    return PBY_OK;
}

static pby_status check_inputs(const pby_input_class *inputs, pby_error *err)
{
    if (inputs->n == 0)
        return pby_fail(err, PBY_BAD, "n: expected at least 1 record");
    if (inputs->support == 0)
        return pby_fail(err, PBY_BAD, "support: expected at least 1 bar");
    return mpq_sgn(inputs->width) >= 0 ? PBY_OK : pby_fail(err, PBY_BAD,
                                                           "width: expected a rational from 0 on");
}

/* min(1, support loss / n) */
static void drop_of(mpq_t alpha, const pby_input_class *inputs, mpq_srcptr loss)
{
    mpq_t n;
    mpq_init(n);
    mpq_set_ui(n, inputs->n, 1);
    mpq_set_ui(alpha, inputs->support, 1);
    mpq_mul(alpha, alpha, loss);
    mpq_div(alpha, alpha, n);
    if (mpq_cmp_ui(alpha, 1, 1) > 0)
        mpq_set_ui(alpha, 1, 1);
    mpq_clear(n);
}

/* The end of the support of the noise on such inputs; the spec may be about others. */
static pby_status greatest_loss(uint64_t *loss, const struct shrinking *row, const pby_mechanism *m,
                                const pby_input_class *inputs, pby_error *err)
{
    pby_law *law = NULL;
    const bool sized = has(m, row->rate);
    const uint64_t bars = sized ? (uint64_t)pby_mechanism_natural(m, row->bars) : inputs->support;
    if (inputs->support > bars)
        return pby_fail(err, PBY_BAD, "support: expected at most the bars of the SPEC");
    const pby_status status = sized ? m->family->law_for(&law, m, inputs->n, bars, err)
                                    : m->family->law(&law, m, err);
    if (status == PBY_OK)
        *loss = (uint64_t)-law->lo;
    pby_law_free(law);
    return status;
}

pby_status pby_accuracy_release(pby_accuracy *out, uint64_t *bar_loss, const pby_spec *spec,
                                const pby_input_class *inputs, pby_error *err)
{
    const struct shrinking *row;
    const pby_mechanism *m;
    pby_status status = check_inputs(inputs, err);
    if (status == PBY_OK)
        status = find_shrinking(&row, &m, spec, err);
    if (status == PBY_OK)
        status = greatest_loss(bar_loss, row, m, inputs, err);
    if (status != PBY_OK)
        return status;
    pby_accuracy bucketing;
    pby_distance drop;
    mpq_t loss, none;
    pby_accuracy_init(&bucketing); /* (0, half a width, 0) */
    pby_distance_init(&drop);
    mpq_inits(loss, none, NULL);
    mpq_set_ui(loss, *bar_loss, 1);
    drop_of(drop.value, inputs, loss);
    status = bucketing_error(bucketing.beta.value, row, m, inputs, err);
    if (status == PBY_OK)
        pby_accuracy_compose(out, &bucketing, &drop, &bucketing.beta, none);
    mpq_clears(loss, none, NULL);
    pby_distance_clear(&drop);
    pby_accuracy_clear(&bucketing);
    return status;
}

pby_status pby_accuracy_claimed(mpq_t alpha, const pby_spec *spec, const pby_input_class *inputs,
                                pby_error *err)
{
    const struct shrinking *row;
    const pby_mechanism *m;
    pby_status status = check_inputs(inputs, err);
    if (status == PBY_OK)
        status = find_shrinking(&row, &m, spec, err);
    if (status != PBY_OK)
        return status;
    mpq_t threshold, n;
    mpq_inits(threshold, n, NULL);
    if (has(m, row->rate)) {
        mpq_set_ui(n, inputs->n, 1);
        fmpq_get_mpq(threshold, &m->value[row->rate]);
        mpq_mul(threshold, threshold, n);
    } else {
        fmpq_get_mpq(threshold, &m->value[row->threshold]);
    }
    drop_of(alpha, inputs, threshold);
    mpq_clears(threshold, n, NULL);
    return PBY_OK;
}

/* ---- statistics ---------------------------------------------------------------------------------- */

/* How many times beta a statistic may move when records move by beta; -1 when there is no bound. */
static int moves(const pby_statistic *s)
{
    switch (s->name) {
    case PBY_STATISTIC_RANGE:
        return 2;
    case PBY_STATISTIC_MODE:
        return -1;
    case PBY_STATISTIC_MAX_K:
    case PBY_STATISTIC_MIN_K:
        return s->k == 1 ? 1 : -1;
    case PBY_STATISTIC_MAX:
    case PBY_STATISTIC_MIN:
    case PBY_STATISTIC_SUPPORT:
    case PBY_STATISTIC_MEDIAN:
    case PBY_STATISTIC_QUANTILE:
        break;
    }
    return 1;
}

void pby_statistic_sensitivity(pby_distance *out, const pby_statistic *statistic, const pby_distance *beta)
{
    const int factor = moves(statistic);
    const int still = !beta->infinite && mpq_sgn(beta->value) == 0;
    mpq_t times;
    mpq_init(times);
    mpq_set_si(times, factor, 1);
    out->infinite = beta->infinite || (factor < 0 && !still);
    if (out->infinite)
        mpq_set_ui(out->value, 0, 1);
    else
        mpq_mul(out->value, beta->value, times);
    mpq_clear(times);
}

void pby_accuracy_statistic(pby_accuracy *out, const pby_accuracy *release, const pby_statistic *statistic)
{
    pby_distance none, error;
    pby_distance_init(&none);
    pby_distance_init(&error);
    pby_statistic_sensitivity(&error, statistic, &release->beta);
    pby_accuracy_compose(out, release, &none, &error, release->gamma);
    pby_distance_clear(&error);
    pby_distance_clear(&none);
}

void pby_accuracy_drop_move(pby_accuracy *out, const pby_accuracy *release, mpq_srcptr eta)
{
    pby_distance move, none;
    pby_distance_init(&move);
    pby_distance_init(&none);
    move.infinite = release->beta.infinite;
    mpq_mul(move.value, release->beta.value, eta);
    pby_accuracy_compose(out, release, &move, &none, release->gamma);
    pby_distance_clear(&none);
    pby_distance_clear(&move);
}
