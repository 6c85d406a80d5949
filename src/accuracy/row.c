/* SPDX-License-Identifier: MIT */
#include "accuracy/row.h"

#include "mechanism/shared/stream.h"
#include "number/text.h"

pby_status pby_accuracy_row_of(const pby_accuracy_row **out, const pby_mechanism *m, pby_error *err)
{
    const pby_accuracy_row *row = &m->family->accuracy;
    if (m->family->form == PBY_RELEASE_STATISTIC)
        return pby_refuse(err, "SPEC", m->family->name,
                          "another: how far its answer is off depends on the data, and given data have that");
    if (m->family->form == PBY_RELEASE_CHOSEN)
        return pby_refuse(err, "SPEC", m->family->name,
                          "another: which bars it shows depends on all counts, so that it has no accuracy");
    if (!row->has || (row->needs != PBY_ROLE_NONE && pby_mechanism_value(m, row->needs) == NULL))
        return pby_family_lacks(m, "an accuracy: one that draws", err);
    *out = row;
    return pby_mechanism_unsampled(m, "what sampling leaves out depends on the data", err);
}

bool pby_accuracy_is_histogram(pby_accuracy_kind kind)
{
    return kind != PBY_ACCURACY_CHOICE && kind != PBY_ACCURACY_SHARE && kind != PBY_ACCURACY_STREAM &&
           kind != PBY_ACCURACY_MEAN && kind != PBY_ACCURACY_POINT && kind != PBY_ACCURACY_TOTALS;
}

pby_status pby_inputs_check(const pby_input_class *inputs, pby_error *err)
{
    if (inputs->n == 0)
        return pby_refuse(err, "n", "0", "at least 1 record");
    if (inputs->support == 0)
        return pby_refuse(err, "support", "0", "at least 1 bar");
    if (inputs->width != NULL && mpq_sgn(inputs->width) < 0)
        return pby_refuse_mpq(err, "width", inputs->width, "a rational from 0 on");
    return PBY_OK;
}

pby_status pby_accuracy_kind_of(pby_accuracy_kind *out, const pby_spec *spec, pby_error *err)
{
    const pby_mechanism *gate, *m;
    const pby_accuracy_row *row = NULL;
    *out = PBY_ACCURACY_STREAM;
    if (spec->use[0].mechanism.family->stream != NULL)
        return pby_stream_session(spec, err);
    *out = PBY_ACCURACY_BEHIND;
    if (spec->first.family != NULL)
        return pby_refuse(err, "SPEC", spec->text,
                          "it without the first step: how far that moves records is asked for alone");
    if (spec->last.family != NULL)
        return pby_refuse(err, "SPEC", spec->text,
                          "it without the last step, whose accuracy is asked for alone: errors add up");
    pby_status status = pby_spec_steps(&gate, &m, spec, err);
    if (status == PBY_OK && gate != NULL && m->family->takes == PBY_TAKES_SCORES)
        return pby_refuse(err, "SPEC", spec->text,
                          "the choice without the threshold, whose accuracy is asked for alone: the chance "
                          "that the best bar does not pass is added to that of a bad choice");
    if (status != PBY_OK || gate != NULL)
        return status;
    status = pby_accuracy_row_of(&row, m, err);
    if (status == PBY_OK)
        *out = row->kind;
    return status;
}

/* ---- which statistics ---------------------------------------------------------------------------- */

static pby_status refuse_statistic(const pby_statistic *statistic, const char *expected, pby_error *err)
{
    return pby_refuse(err, "statistic", pby_statistic_text(statistic->name), expected);
}

pby_status pby_statistic_admitted(const pby_spec *spec, const pby_statistic *statistic, pby_error *err)
{
    const pby_accuracy_row *row = NULL;
    const pby_mechanism *m = &spec->use[spec->count - 1].mechanism;
    if (pby_accuracy_row_of(&row, m, NULL) == PBY_OK && row->kind == PBY_ACCURACY_QUERY)
        return refuse_statistic(statistic, "none: this mechanism answers a query", err);
    if (m->family->takes == PBY_TAKES_ANSWERS || m->family->takes == PBY_TAKES_SCORES ||
        m->family->lattice != NULL || spec->use[0].mechanism.family->stream != NULL)
        return refuse_statistic(statistic, "none: this mechanism releases no histogram", err);
    return pby_statistic_released(spec, statistic, err);
}

pby_status pby_statistic_released(const pby_spec *spec, const pby_statistic *statistic, pby_error *err)
{
    const pby_mechanism *m = &spec->use[spec->count - 1].mechanism;
    const fmpq *dimension = pby_mechanism_value(m, PBY_ROLE_DIMENSION);
    if (dimension != NULL && !fmpq_is_one(dimension) && pby_statistic_ordered(statistic))
        return refuse_statistic(statistic, "support or mode: points of several coordinates have no order",
                                err);
    if (m->family->release == NULL)
        return refuse_statistic(statistic, "none: this mechanism answers a query", err);
    if (m->family->form == PBY_RELEASE_RANGES)
        return refuse_statistic(statistic, "none: this mechanism releases intervals, and no counts", err);
    if (m->family->form == PBY_RELEASE_PRESENT && !pby_statistic_of_support(statistic))
        return refuse_statistic(statistic, "max, min, range or support: this mechanism releases no counts",
                                err);
    return PBY_OK;
}
