#include "loss/loss.h"

#include "loss/compose.h"
#include "loss/convert.h"
#include "loss/divergence.h"
#include "loss/grid.h"
#include "number/ball.h"

pby_status pby_loss_pairs(pby_pairs *out, const pby_spec *spec, pby_neighbours relation, bool merged,
                          pby_error *err)
{
    *out = (pby_pairs){NULL, 0};
    const pby_mechanism *m;
    pby_status status = pby_spec_single(&m, spec, "one mechanism", err);
    if (status != PBY_OK)
        return status;
    if (m->family->pairs == NULL)
        return pby_family_lacks(m, "dominating pairs", err);
    status = m->family->pairs(out, m, relation, err);
    if (status == PBY_OK && out->count == 0)
        return pby_fail(err, PBY_BAD, "SPEC '%.200s': its outcomes are too many to be summed one by one", spec->text);
    for (size_t i = 0; i < out->count && merged; i++)
        pby_pair_merge(&out->pair[i]);
    return status;
}

/* Whether some use is known by a promise about its Renyi divergences alone. */
static bool promised(const pby_spec *spec)
{
    for (size_t i = 0; i < spec->count; i++)
        if (spec->use[i].mechanism.family->promise != NULL)
            return true;
    return false;
}

/* One profile, a conversion of all uses together. */
static pby_status promised_profiles(pby_profiles *out, const pby_spec *spec, pby_neighbours relation,
                                    pby_error *err)
{
    pby_spectrum s;
    pby_status status = pby_profiles_init(out, 1, err);
    if (status != PBY_OK)
        return status;
    status = pby_spectrum_init(&s, spec, relation, err);
    if (status == PBY_OK)
        return pby_profile_of_spectrum(&out->profile[0], &s, err);
    pby_spectrum_clear(&s);
    return status;
}

pby_status pby_loss_profiles_within(pby_profiles *out, const pby_spec *spec, pby_neighbours relation,
                                    pby_width *width, pby_error *err)
{
    *out = (pby_profiles){NULL, 0};
    const pby_status status = promised(spec) ? promised_profiles(out, spec, relation, err)
                                             : pby_compose(out, spec, relation, width, err);
    if (status != PBY_OK)
        pby_profiles_clear(out);
    return status;
}

pby_status pby_loss_profiles(pby_profiles *out, const pby_spec *spec, pby_neighbours relation, pby_error *err)
{
    return pby_loss_profiles_within(out, spec, relation, NULL, err);
}

/* ---- delta and epsilon ------------------------------------------------------------------------ */

/* 0 <= delta <= 1 holds of every delta, if not of every ball around one. */
static void keep_in_unit(pby_enclosure *delta)
{
    if (mpfr_sgn(delta->lo) < 0)
        mpfr_set_zero(delta->lo, 1);
    if (mpfr_cmp_ui(delta->hi, 1) > 0)
        mpfr_set_ui(delta->hi, 1, MPFR_RNDU);
}

/* NULL is the usual width. None is narrower than enclosures can be. */
static pby_status width_init(pby_width *out, mpq_srcptr width, pby_error *err)
{
    *out = (pby_width){.exceeded = false};
    fmpq_init(out->most);
    fmpq_set_si(out->most, 1, 10);
    fmpq_pow_si(out->most, out->most, PBY_DIGITS_LIMIT);
    fmpq_t given;
    fmpq_init(given);
    fmpq_set_si(given, 1, PBY_WIDTH);
    if (width != NULL)
        fmpq_set_mpq(given, width);
    const bool good = fmpq_cmp(given, out->most) >= 0 && fmpq_cmp_si(given, 1) < 0;
    fmpq_swap(given, out->most);
    fmpq_clear(given);
    return good ? PBY_OK
                : pby_fail(err, PBY_BAD, "the width asked for: expected a rational from 1e-%d on, below 1",
                           PBY_DIGITS_LIMIT);
}

pby_status pby_loss_deltas_within(pby_enclosure *delta, bool *wider, const pby_spec *spec,
                                  pby_neighbours relation, mpq_srcptr epsilon, size_t count, mpq_srcptr width,
                                  unsigned digits, pby_error *err)
{
    pby_profiles list = {NULL, 0};
    pby_width most;
    arb_ptr ball = _arb_vec_init((slong)count);
    fmpq *at = _fmpq_vec_init((slong)count);
    for (size_t i = 0; i < count; i++)
        fmpq_set_mpq(at + i, epsilon + i);
    pby_status status = width_init(&most, width, err);
    if (status == PBY_OK)
        status = pby_loss_profiles_within(&list, spec, relation, &most, err);
    if (status == PBY_OK)
        status = pby_profiles_deltas(ball, &list, at, count, digits, err);
    for (size_t i = 0; i < count && status == PBY_OK; i++) {
        pby_enclosure_set_arb(&delta[i], ball + i, digits);
        keep_in_unit(&delta[i]);
    }
    if (wider != NULL)
        *wider = most.exceeded;
    pby_profiles_clear(&list);
    fmpq_clear(most.most);
    _fmpq_vec_clear(at, (slong)count);
    _arb_vec_clear(ball, (slong)count);
    return status;
}

pby_status pby_loss_deltas(pby_enclosure *delta, const pby_spec *spec, pby_neighbours relation,
                           mpq_srcptr epsilon, size_t count, unsigned digits, pby_error *err)
{
    return pby_loss_deltas_within(delta, NULL, spec, relation, epsilon, count, NULL, digits, err);
}

pby_status pby_loss_delta(pby_enclosure *delta, const pby_spec *spec, pby_neighbours relation,
                          mpq_srcptr epsilon, unsigned digits, pby_error *err)
{
    return pby_loss_deltas(delta, spec, relation, epsilon, 1, digits, err);
}

pby_status pby_loss_epsilon_within(pby_enclosure *epsilon, bool *wider, const pby_spec *spec,
                                   pby_neighbours relation, mpq_srcptr delta, mpq_srcptr width,
                                   unsigned digits, pby_error *err)
{
    if (mpq_sgn(delta) < 0)
        return pby_fail(err, PBY_BAD, "delta is negative: expected a rational from 0 on");
    pby_profiles list = {NULL, 0};
    pby_width most;
    arb_t ball;
    fmpq_t at;
    arb_init(ball);
    fmpq_init(at);
    fmpq_set_mpq(at, delta);
    pby_status status = width_init(&most, width, err);
    if (status == PBY_OK)
        status = pby_loss_profiles_within(&list, spec, relation, &most, err);
    if (status == PBY_OK)
        status = pby_profiles_epsilon(ball, &list, at, digits, err);
    if (status == PBY_OK)
        pby_enclosure_set_arb(epsilon, ball, digits);
    if (wider != NULL)
        *wider = most.exceeded;
    pby_profiles_clear(&list);
    fmpq_clear(most.most);
    fmpq_clear(at);
    arb_clear(ball);
    return status;
}

pby_status pby_loss_epsilon(pby_enclosure *epsilon, const pby_spec *spec, pby_neighbours relation,
                            mpq_srcptr delta, unsigned digits, pby_error *err)
{
    return pby_loss_epsilon_within(epsilon, NULL, spec, relation, delta, NULL, digits, err);
}

/* ---- delta by the direct route ---------------------------------------------------------------- */

struct direct {
    const pby_pairs *pairs;
    fmpq_t epsilon;
};

static pby_status worst_direct(arb_t worst, const void *what, slong prec, pby_error *err)
{
    const struct direct *query = what;
    arb_t ball;
    pby_status status = PBY_OK;
    arb_init(ball);
    arb_zero(worst);
    for (size_t i = 0; i < query->pairs->count && status == PBY_OK; i++) {
        const pby_pair *pair = &query->pairs->pair[i];
        if (pair->curve == NULL)
            pby_hockey_stick_direct(ball, pair, query->epsilon, prec);
        else
            status = pair->curve->class->direct(ball, pair->curve, query->epsilon, prec, err);
        arb_max(worst, worst, ball, prec);
    }
    arb_clear(ball);
    return status;
}

/* Unmerged, and as few as are enough for one use. */
static pby_status direct_pairs(pby_pairs *out, const pby_spec *spec, pby_neighbours relation, pby_error *err)
{
    const pby_mechanism *m = &spec->use[0].mechanism;
    const bool few = spec->count == 1 && spec->use[0].times == 1 && m->family->alone != NULL;
    return few ? m->family->alone(out, m, relation, err) : pby_loss_pairs(out, spec, relation, false, err);
}

pby_status pby_loss_delta_direct(pby_enclosure *delta, const pby_spec *spec, pby_neighbours relation,
                                 mpq_srcptr epsilon, unsigned digits, pby_error *err)
{
    pby_pairs pairs;
    struct direct query = {.pairs = &pairs};
    arb_t ball;
    arb_init(ball);
    fmpq_init(query.epsilon);
    fmpq_set_mpq(query.epsilon, epsilon);
    pby_status status = direct_pairs(&pairs, spec, relation, err);
    if (status == PBY_OK)
        status = pby_enclose(ball, worst_direct, &query, digits, err);
    if (status == PBY_OK) {
        pby_enclosure_set_arb(delta, ball, digits);
        keep_in_unit(delta);
    }
    pby_pairs_clear(&pairs);
    fmpq_clear(query.epsilon);
    arb_clear(ball);
    return status;
}

/* ---- the paper's claim ------------------------------------------------------------------------ */

pby_status pby_loss_claimed(pby_enclosure *delta, const char **source, const pby_spec *spec,
                            pby_neighbours relation, mpq_srcptr epsilon, unsigned digits, pby_error *err)
{
    *source = NULL;
    if (spec->count != 1 || spec->use[0].times != 1)
        return PBY_OK;
    const pby_mechanism *m = &spec->use[0].mechanism;
    if (m->family->claim == NULL)
        return PBY_OK;
    (void)err;
    fmpq_t at;
    arb_t ball;
    fmpq_init(at);
    arb_init(ball);
    fmpq_set_mpq(at, epsilon);
    if (m->family->claim(ball, m, relation, at, 2 * pby_bits_for_digits(digits) + PBY_PRECISION_FIRST)) {
        *source = m->family->claim_source;
        pby_enclosure_set_arb(delta, ball, digits);
    }
    arb_clear(ball);
    fmpq_clear(at);
    return PBY_OK;
}
