/* SPDX-License-Identifier: MIT */
#include "loss/loss.h"
#include "probity/experimental/losses.h"

#include <flint/fmpq_vec.h>

#include "loss/bounded/bounded.h"
#include "loss/compose/bounds.h"
#include "loss/compose/compose.h"
#include "loss/compose/grid.h"
#include "loss/convert/convert.h"
#include "loss/divergence/divergence.h"
#include "loss/profile/promised.h"
#include "number/ball.h"
#include "number/scoped.h"

pby_status pby_loss_pairs(pby_pairs *out, const pby_spec *spec, pby_neighbours relation, bool alone,
                          pby_error *err)
{
    *out = (pby_pairs){NULL, 0};
    const pby_mechanism *m;
    pby_status status = PBY_OK;
    m = &spec->use[0].mechanism; /* a last step costs nothing */
    if (!pby_spec_is_single(spec))
        status = pby_spec_single(&m, spec, "one mechanism", err);
    if (status == PBY_OK)
        status = alone ? pby_mechanism_alone(out, m, relation, err)
                       : pby_mechanism_pairs(out, m, relation, err);
    if (status == PBY_OK && out->count == 0)
        return pby_fail(err, PBY_BAD, "SPEC '%.200s': its outcomes are too many to be summed one by one",
                        spec->text);
    return status;
}

/* The uses of a spec are known in one of these ways. */
struct known {
    bool promised; /* some use is known by a promise about its Renyi divergences alone */
    bool below;    /* what neighbours reach is known; of one use that is only promised its profile knows it */
    bool paired;   /* some use has pairs, if too many to be listed */
    bool loose;    /* the pairs of some use only bound it */
};

static struct known known_of(const pby_spec *spec)
{
    struct known all = {.below = !pby_spec_is_single(spec)};
    for (size_t i = 0; i < spec->count; i++) {
        PBY_PRIVACY(p, &spec->use[i].mechanism);
        all.promised = all.promised || !p.paired || p.unlisted;
        all.paired = all.paired || p.paired;
        all.loose = all.loose || p.loose;
    }
    all.below = all.below || all.paired;
    return all;
}

/* True if all uses are known by promises of the form xi + rho a, and by nothing else. */
static bool only_promised(const pby_spectrum *s)
{
    return s->promised && s->finite && s->count == 0 && s->constants == 0;
}

/* The best that promises alone say; `conversion` is the other bound of it. */
static pby_status promised_profile(pby_profile **out, pby_spectrum *s, bool single, pby_error *err)
{
    pby_profile *conversion;
    pby_promise line;
    pby_promise_init(&line);
    pby_promise_set(&line, &s->line);
    pby_status status = pby_profile_of_spectrum(&conversion, s, err);
    if (status == PBY_OK)
        status = pby_profile_of_promise(out, &line, single, conversion, err);
    pby_promise_clear(&line);
    return status;
}

/* One profile, of all uses together. One whose pairs are too many to be listed keeps the conversion of its
 * promise: its rho may be so great that the best coins are not found. */
static pby_status converted_profile(pby_profiles *out, const pby_spec *spec, pby_neighbours relation,
                                    const struct known *k, pby_error *err)
{
    pby_spectrum s;
    PBY_TRY(pby_profiles_init(out, 1, err));
    const pby_status status = pby_spectrum_init(&s, spec, relation, err);
    if (status != PBY_OK) {
        pby_spectrum_clear(&s);
        return status;
    }
    return only_promised(&s) && !k->paired ? promised_profile(&out->profile[0], &s, !k->below, err)
                                           : pby_profile_of_spectrum(&out->profile[0], &s, err);
}

static pby_status promised_profiles(pby_profiles *out, const pby_spec *spec, pby_neighbours relation,
                                    const struct known *k, const fmpq *width, pby_error *err)
{
    PBY_TRY(converted_profile(out, spec, relation, k, err));
    return k->below ? pby_compose_below(out, spec, relation, width, err) : PBY_OK;
}

/* Uses of mechanisms of bounded range alone, where these are not too many; else any composition. Of a loose
 * one the range is a bound, and neighbours that are known bound it from below. */
static pby_status composed_profiles(pby_profiles *out, const pby_spec *spec, pby_neighbours relation,
                                    bool loose, const fmpq *width, pby_error *err)
{
    pby_profile *bounded = NULL;
    pby_status status =
        pby_spec_is_single(spec) ? PBY_OK : pby_profile_of_bounded(&bounded, spec, relation, width, err);
    if (status != PBY_OK || bounded == NULL)
        return status == PBY_OK ? pby_compose(out, spec, relation, width, err) : status;
    status = pby_profiles_init(out, 1, err);
    if (status == PBY_OK)
        out->profile[0] = bounded;
    else
        pby_profile_free(bounded);
    return status == PBY_OK && loose ? pby_compose_below(out, spec, relation, width, err) : status;
}

pby_status pby_loss_profiles_within(pby_profiles *out, const pby_spec *spec, pby_neighbours relation,
                                    const fmpq *width, pby_error *err)
{
    *out = (pby_profiles){NULL, 0};
    const struct known k = known_of(spec);
    const pby_status status = k.promised ? promised_profiles(out, spec, relation, &k, width, err)
                                         : composed_profiles(out, spec, relation, k.loose, width, err);
    if (status != PBY_OK)
        pby_profiles_clear(out);
    return status;
}

pby_status pby_loss_profiles(pby_profiles *out, const pby_spec *spec, pby_neighbours relation, pby_error *err)
{
    return pby_loss_profiles_within(out, spec, relation, NULL, err);
}

/* ---- delta and epsilon ------------------------------------------------------------------------ */

/* least = 10^-digits */
static void set_digits(fmpq_t least, unsigned digits)
{
    fmpq_set_si(least, 1, 10);
    fmpq_pow_si(least, least, FLINT_MIN(digits, PBY_DIGITS_MAX));
}

/* NULL is the usual width. None is narrower than enclosures can be. */
static pby_status width_init(fmpq_t out, mpq_srcptr width, pby_error *err)
{
    fmpq_init(out);
    PBY_FMPQ(least);
    set_digits(least, PBY_DIGITS_MAX);
    fmpq_set_si(out, 1, PBY_WIDTH);
    if (width != NULL)
        fmpq_set_mpq(out, width);
    const bool good = fmpq_cmp(out, least) >= 0 && fmpq_cmp_si(out, 1) < 0;
    return good ? PBY_OK
                : pby_fail(err, PBY_BAD, "the width asked for: expected a rational from 1e-%d on, below 1",
                           PBY_DIGITS_MAX);
}

bool pby_loss_exceeds(const arb_t ball, const fmpq_t width, unsigned digits)
{
    pby_bounds ends;
    pby_bounds_init(&ends, 1);
    PBY_FMPQ(most);
    set_digits(most, digits);
    if (fmpq_cmp(width, most) > 0)
        fmpq_set(most, width);
    arb_get_interval_arf(ends.lower, ends.upper, ball, pby_precision_for_digits(digits));
    const bool yes = pby_bounds_excess(&ends, 0, most) != 1;
    pby_bounds_clear(&ends);
    return yes;
}

static pby_status ask_deltas(pby_enclosure *delta, const pby_spec *spec, pby_neighbours relation,
                             mpq_srcptr epsilon, const pby_loss_options *o, pby_error *err)
{
    pby_profiles list = {NULL, 0};
    fmpq_t most;
    bool wide = false;
    arb_ptr ball = _arb_vec_init((slong)o->count);
    fmpq *at = _fmpq_vec_init((slong)o->count);
    for (size_t i = 0; i < o->count; i++)
        fmpq_set_mpq(at + i, epsilon + i);
    pby_status status = width_init(most, o->width, err);
    if (status == PBY_OK)
        status = pby_loss_profiles_within(&list, spec, relation, most, err);
    if (status == PBY_OK)
        status = pby_profiles_deltas(ball, &list, at, o->count, o->digits, err);
    for (size_t i = 0; i < o->count && status == PBY_OK; i++) {
        pby_enclosure_set_arb(&delta[i], ball + i, o->digits);
        pby_enclosure_keep_in_unit(&delta[i]);
        wide = wide || pby_loss_exceeds(ball + i, most, o->digits);
    }
    if (o->wider != NULL)
        *o->wider = wide;
    pby_profiles_clear(&list);
    fmpq_clear(most);
    _fmpq_vec_clear(at, (slong)o->count);
    _arb_vec_clear(ball, (slong)o->count);
    return status;
}

static pby_status epsilons_of(pby_enclosure *epsilon, const pby_profiles *list, mpq_srcptr delta,
                              const fmpq_t most, const pby_loss_options *o, pby_error *err)
{
    pby_status status = PBY_OK;
    bool wide = false;
    PBY_ARB(ball);
    PBY_FMPQ(at);
    for (size_t i = 0; i < o->count && status == PBY_OK; i++) {
        fmpq_set_mpq(at, delta + i);
        status = pby_profiles_epsilon(ball, list, at, o->digits, err);
        if (status != PBY_OK)
            break;
        pby_enclosure_set_arb(&epsilon[i], ball, o->digits);
        wide = wide || pby_loss_exceeds(ball, most, o->digits);
    }
    if (o->wider != NULL)
        *o->wider = status == PBY_OK && wide;
    return status;
}

static pby_status ask_epsilons(pby_enclosure *epsilon, const pby_spec *spec, pby_neighbours relation,
                               mpq_srcptr delta, const pby_loss_options *o, pby_error *err)
{
    for (size_t i = 0; i < o->count; i++)
        if (mpq_sgn(delta + i) < 0)
            return pby_fail(err, PBY_BAD, "delta is negative: expected a rational from 0 on");
    pby_profiles list = {NULL, 0};
    fmpq_t most;
    pby_status status = width_init(most, o->width, err);
    if (status == PBY_OK)
        status = pby_loss_profiles_within(&list, spec, relation, most, err);
    if (status == PBY_OK)
        status = epsilons_of(epsilon, &list, delta, most, o, err);
    pby_profiles_clear(&list);
    fmpq_clear(most);
    return status;
}

pby_status pby_loss_divergence(pby_enclosure *answer, pby_approximate *approximate, pby_question question,
                               const pby_spec *spec, pby_neighbours relation, mpq_srcptr at, unsigned digits,
                               pby_error *err)
{
    PBY_MPQ(none);
    if (question == PBY_ASK_RENYI)
        return pby_loss_renyi(answer, approximate, spec, relation, at, digits, err);
    if (question == PBY_ASK_RHO)
        return pby_loss_zcdp(answer, approximate, spec, relation, at == NULL ? none : at, digits, err);
    return pby_loss_mu(answer, spec, relation, digits, err);
}

/* Divergences, which share nothing between values but what the mechanism keeps. */
static pby_status ask_one_by_one(pby_enclosure *answer, pby_question question, const pby_spec *spec,
                                 pby_neighbours relation, mpq_srcptr value, const pby_loss_options *o,
                                 pby_error *err)
{
    if (o->wider != NULL)
        *o->wider = false;
    for (size_t i = 0; i < o->count; i++)
        PBY_TRY(pby_loss_divergence(answer + i, NULL, question, spec, relation,
                                    value == NULL ? NULL : value + i, o->digits, err));
    return PBY_OK;
}

pby_status pby_loss(pby_enclosure *answer, pby_question question, const pby_spec *spec,
                    pby_neighbours relation, mpq_srcptr value, const pby_loss_options *options,
                    pby_error *err)
{
    pby_loss_options o = options == NULL ? (pby_loss_options){.width = NULL} : *options;
    o.digits = o.digits == 0 ? PBY_DIGITS_DEFAULT : o.digits;
    o.count = o.count == 0 ? 1 : o.count;
    if (question == PBY_ASK_RENYI || question == PBY_ASK_RHO || question == PBY_ASK_MU)
        return ask_one_by_one(answer, question, spec, relation, value, &o, err);
    if (question != PBY_ASK_DELTA && question != PBY_ASK_EPSILON)
        return pby_fail(err, PBY_BAD, "question: expected one, such as PBY_ASK_DELTA");
    if (value == NULL)
        return pby_fail(err, PBY_BAD, "value: expected %s",
                        question == PBY_ASK_DELTA ? "an epsilon" : "a delta");
    return question == PBY_ASK_DELTA ? ask_deltas(answer, spec, relation, value, &o, err)
                                     : ask_epsilons(answer, spec, relation, value, &o, err);
}

pby_status pby_loss_delta(pby_enclosure *delta, const pby_spec *spec, pby_neighbours relation,
                          mpq_srcptr epsilon, unsigned digits, pby_error *err)
{
    const pby_loss_options options = {.digits = digits};
    return pby_loss(delta, PBY_ASK_DELTA, spec, relation, epsilon, &options, err);
}

pby_status pby_loss_epsilon(pby_enclosure *epsilon, const pby_spec *spec, pby_neighbours relation,
                            mpq_srcptr delta, unsigned digits, pby_error *err)
{
    const pby_loss_options options = {.digits = digits};
    return pby_loss(epsilon, PBY_ASK_EPSILON, spec, relation, delta, &options, err);
}

/* ---- delta by the direct route ---------------------------------------------------------------- */

struct direct {
    const pby_pairs *pairs;
    fmpq_t epsilon;
};

static pby_status worst_direct(arb_t worst, const void *what, slong prec, pby_error *err)
{
    const struct direct *query = what;
    pby_status status = PBY_OK;
    PBY_ARB(ball);
    arb_zero(worst);
    for (size_t i = 0; i < query->pairs->count && status == PBY_OK; i++) {
        const pby_pair *pair = &query->pairs->pair[i];
        if (pair->curve == NULL)
            pby_hockey_stick_direct(ball, pair, query->epsilon, prec);
        else
            status = pair->curve->class->direct(ball, pair->curve, query->epsilon, prec, err);
        arb_max(worst, worst, ball, prec);
    }
    return status;
}

pby_status pby_loss_delta_direct(pby_enclosure *delta, const pby_spec *spec, pby_neighbours relation,
                                 mpq_srcptr epsilon, unsigned digits, pby_error *err)
{
    pby_pairs pairs;
    struct direct query = {.pairs = &pairs};
    PBY_ARB(ball);
    fmpq_init(query.epsilon);
    fmpq_set_mpq(query.epsilon, epsilon);
    pby_status status = pby_loss_pairs(&pairs, spec, relation, true, err);
    if (status == PBY_OK)
        status = pby_enclose(ball, worst_direct, &query, digits, err);
    if (status == PBY_OK) {
        pby_enclosure_set_arb(delta, ball, digits);
        pby_enclosure_keep_in_unit(delta);
    }
    pby_pairs_clear(&pairs);
    fmpq_clear(query.epsilon);
    return status;
}
