/* SPDX-License-Identifier: MIT */
/* Releases that take records away and add none.
 *
 * A bar loses at most L records, the end of the support of the noise law, rounding included. stlap may take
 * them from every bar: t bars lose min(n, t L) of n records, and a histogram with full enough bars loses so
 * many with a positive chance, so that min(1, t L / n) is the least alpha that goes with beta = gamma = 0.
 * partition takes a bar whole or not at all, and all bars of at most L; and so does stlap, for whoever only
 * looks which bars there are. */
#include "accuracy/accuracy.h"
#include "accuracy/row.h"
#include "law/law.h"
#include "mechanism/buckethist/buckets.h"
#include "number/integer.h"
#include "number/scoped.h"
#include "number/text.h"

static pby_status find_row(const pby_accuracy_row **row, const pby_mechanism **m, const pby_spec *spec,
                           pby_error *err)
{
    pby_status status = pby_spec_single(m, spec, "one mechanism, used once", err);
    if (status == PBY_OK)
        status = pby_accuracy_row_of(row, *m, err);
    if (status != PBY_OK || (*row)->kind == PBY_ACCURACY_DROPS || (*row)->kind == PBY_ACCURACY_HIDES)
        return status;
    return pby_family_lacks(
        *m, "an accuracy under dropping alone: its release takes records away and adds none", err);
}

/* Half of the width, from the spec or from the inputs: a point moves by no more in any coordinate. */
static pby_status bucketing_error(mpq_t beta, const pby_mechanism *m, const pby_input_class *inputs,
                                  pby_error *err)
{
    if (inputs->width == NULL)
        mpq_set_ui(beta, 0, 1);
    else
        mpq_set(beta, inputs->width);
    if (pby_mechanism_value(m, PBY_ROLE_WIDTH) != NULL && mpq_sgn(beta) != 0)
        return pby_refuse_mpq(err, "width", inputs->width, "it in the SPEC alone");
    if (pby_mechanism_value(m, PBY_ROLE_WIDTH) != NULL)
        fmpq_get_mpq(beta, pby_mechanism_value(m, PBY_ROLE_WIDTH));
    mpq_div_2exp(beta, beta, 1);
    return PBY_OK;
}

/* The bars that a spec is about; as many as are occupied where it does not say. */
static pby_status count_bars(uint64_t *bars, const pby_mechanism *m, const pby_input_class *inputs,
                             pby_error *err)
{
    const fmpq *said = pby_mechanism_value(m, PBY_ROLE_BARS);
    pby_buckets buckets = {.cubes = 0};
    pby_status status = PBY_OK;
    *bars = said != NULL ? fmpz_get_ui(fmpq_numref(said)) : inputs->support;
    if (pby_mechanism_value(m, PBY_ROLE_WIDTH) != NULL)
        status = pby_buckets_of(&buckets, m, err);
    if (status == PBY_OK && pby_mechanism_value(m, PBY_ROLE_WIDTH) != NULL)
        *bars = buckets.cubes;
    if (status == PBY_OK && inputs->support > *bars)
        status = pby_fail(err, PBY_BAD, "support '%llu': expected at most the %llu bars of the SPEC",
                          (unsigned long long)inputs->support, (unsigned long long)*bars);
    return status;
}

/* The end of the support of the noise on such inputs; the spec may be about others. */
static pby_status greatest_loss(uint64_t *loss, const pby_mechanism *m, const pby_input_class *inputs,
                                pby_error *err)
{
    pby_law *law = NULL;
    uint64_t bars;
    pby_status status = count_bars(&bars, m, inputs, err);
    if (status == PBY_OK)
        status = pby_mechanism_value(m, PBY_ROLE_SHARE) != NULL
                     ? m->family->law_for(&law, m, inputs->n, bars, err)
                     : m->family->law(&law, m, err);
    if (status == PBY_OK)
        *loss = (uint64_t)-law->lo;
    pby_law_free(law);
    return status;
}

/* (drop, half a width, 0), of the release or of its support alone. */
static pby_status set_accuracy(pby_accuracy *out, uint64_t *bar_loss, bool seen, const pby_spec *spec,
                               const pby_input_class *inputs, pby_error *err)
{
    const pby_accuracy_row *row;
    const pby_mechanism *m;
    pby_status status = pby_inputs_check(inputs, err);
    if (status == PBY_OK)
        status = find_row(&row, &m, spec, err);
    if (status == PBY_OK)
        status = greatest_loss(bar_loss, m, inputs, err);
    if (status != PBY_OK)
        return status;
    const bool hides = seen || row->kind == PBY_ACCURACY_HIDES;
    const pby_bar_loss loss = {*bar_loss, 0, hides ? 0 : *bar_loss};
    pby_accuracy bucketing;
    pby_distance drop;
    pby_accuracy_init(&bucketing); /* (0, half a width, 0) */
    pby_distance_init(&drop);
    pby_drop_of(drop.value, inputs, &loss);
    status = bucketing_error(bucketing.beta.value, m, inputs, err);
    if (status == PBY_OK)
        pby_accuracy_compose(out, &bucketing, &drop, &bucketing.beta, bucketing.gamma);
    pby_distance_clear(&drop);
    pby_accuracy_clear(&bucketing);
    return status;
}

pby_status pby_accuracy_release(pby_accuracy *out, uint64_t *bar_loss, const pby_spec *spec,
                                const pby_input_class *inputs, pby_error *err)
{
    return set_accuracy(out, bar_loss, false, spec, inputs, err);
}

pby_status pby_accuracy_seen(pby_accuracy *out, const pby_spec *spec, const pby_input_class *inputs,
                             pby_error *err)
{
    uint64_t bar_loss;
    return set_accuracy(out, &bar_loss, true, spec, inputs, err);
}

/* min(1, support threshold / n) */
static void claimed_drop(mpq_t alpha, const pby_input_class *inputs, mpq_srcptr threshold)
{
    PBY_MPQ(share);
    pby_integer_set(mpq_numref(share), inputs->support);
    pby_integer_set(mpq_denref(share), inputs->n);
    mpq_canonicalize(share);
    mpq_mul(alpha, share, threshold);
    if (mpq_cmp_ui(alpha, 1, 1) > 0)
        mpq_set_ui(alpha, 1, 1);
}

pby_status pby_accuracy_claimed(mpq_t alpha, const pby_spec *spec, const pby_input_class *inputs,
                                pby_error *err)
{
    const pby_accuracy_row *row;
    const pby_mechanism *m;
    pby_status status = pby_inputs_check(inputs, err);
    if (status == PBY_OK)
        status = find_row(&row, &m, spec, err);
    if (status == PBY_OK && row->kind != PBY_ACCURACY_DROPS)
        status = pby_family_lacks(m, "an accuracy in the paper", err);
    if (status != PBY_OK)
        return status;
    const fmpq *rate = pby_mechanism_value(m, PBY_ROLE_SHARE);
    mpq_t threshold, n;
    mpq_inits(threshold, n, NULL);
    pby_integer_set(mpq_numref(n), rate != NULL ? inputs->n : 1);
    fmpq_get_mpq(threshold, rate != NULL ? rate : pby_mechanism_value(m, PBY_ROLE_LOSES));
    mpq_mul(threshold, threshold, n);
    claimed_drop(alpha, inputs, threshold);
    mpq_clears(threshold, n, NULL);
    return PBY_OK;
}
