#include "loss/loss.h"

#include "loss/compose.h"
#include "loss/convert.h"
#include "loss/divergence.h"
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

pby_status pby_loss_profiles(pby_profiles *out, const pby_spec *spec, pby_neighbours relation, pby_error *err)
{
    *out = (pby_profiles){NULL, 0};
    const pby_status status = promised(spec) ? promised_profiles(out, spec, relation, err)
                                             : pby_compose(out, spec, relation, err);
    if (status != PBY_OK)
        pby_profiles_clear(out);
    return status;
}

/* ---- delta and epsilon ------------------------------------------------------------------------ */

typedef pby_status answer(arb_t ball, const pby_profiles *list, const fmpq_t at, unsigned digits, pby_error *err);

static pby_status ask(pby_enclosure *out, answer *question, const pby_spec *spec, pby_neighbours relation,
                      mpq_srcptr at, unsigned digits, pby_error *err)
{
    pby_profiles list;
    arb_t ball;
    fmpq_t value;
    arb_init(ball);
    fmpq_init(value);
    fmpq_set_mpq(value, at);
    pby_status status = pby_loss_profiles(&list, spec, relation, err);
    if (status == PBY_OK)
        status = question(ball, &list, value, digits, err);
    if (status == PBY_OK)
        pby_enclosure_set_arb(out, ball, digits);
    pby_profiles_clear(&list);
    fmpq_clear(value);
    arb_clear(ball);
    return status;
}

/* 0 <= delta <= 1 holds of every delta, if not of every ball around one. */
static void keep_in_unit(pby_enclosure *delta)
{
    if (mpfr_sgn(delta->lo) < 0)
        mpfr_set_zero(delta->lo, 1);
    if (mpfr_cmp_ui(delta->hi, 1) > 0)
        mpfr_set_ui(delta->hi, 1, MPFR_RNDU);
}

pby_status pby_loss_delta(pby_enclosure *delta, const pby_spec *spec, pby_neighbours relation,
                          mpq_srcptr epsilon, unsigned digits, pby_error *err)
{
    const pby_status status = ask(delta, pby_profiles_delta, spec, relation, epsilon, digits, err);
    if (status == PBY_OK)
        keep_in_unit(delta);
    return status;
}

pby_status pby_loss_deltas(pby_enclosure *delta, const pby_spec *spec, pby_neighbours relation,
                           mpq_srcptr epsilon, size_t count, unsigned digits, pby_error *err)
{
    pby_profiles list;
    arb_t ball;
    fmpq_t at;
    arb_init(ball);
    fmpq_init(at);
    pby_status status = pby_loss_profiles(&list, spec, relation, err);
    for (size_t i = 0; i < count && status == PBY_OK; i++) {
        fmpq_set_mpq(at, epsilon + i);
        status = pby_profiles_delta(ball, &list, at, digits, err);
        pby_enclosure_set_arb(&delta[i], ball, digits);
        keep_in_unit(&delta[i]);
    }
    pby_profiles_clear(&list);
    fmpq_clear(at);
    arb_clear(ball);
    return status;
}

pby_status pby_loss_epsilon(pby_enclosure *epsilon, const pby_spec *spec, pby_neighbours relation,
                            mpq_srcptr delta, unsigned digits, pby_error *err)
{
    if (mpq_sgn(delta) < 0)
        return pby_fail(err, PBY_BAD, "delta is negative: expected a rational from 0 on");
    return ask(epsilon, pby_profiles_epsilon, spec, relation, delta, digits, err);
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
            status = pby_curve_hockey_stick_direct(ball, pair->curve, query->epsilon, prec, err);
        arb_max(worst, worst, ball, prec);
    }
    arb_clear(ball);
    return status;
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
    pby_status status = pby_loss_pairs(&pairs, spec, relation, false, err);
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
