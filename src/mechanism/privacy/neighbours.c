/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "base/nearest.h"
#include "mechanism/family.h"
#include "mechanism/shared/selection.h"
#include "number/scoped.h"
#include "number/text.h"

static const char *const NAMES[] = {
    [PBY_ADD_REMOVE] = "add-remove", [PBY_SUBSTITUTE] = "substitute", [PBY_LOCAL] = "local", NULL};

/* By how much a record that is counted in one bar moves a histogram: one bar by one, or two of them. A value
 * that changes in its user's hands is a record that changes. */
static const int64_t record[] = {[PBY_ADD_REMOVE] = 1, [PBY_SUBSTITUTE] = 2, [PBY_LOCAL] = 2};

pby_status pby_neighbours_parse(pby_neighbours *out, const char *name, const char *text, pby_error *err)
{
    size_t i;
    const pby_status status = pby_name_find(&i, NAMES, name, text, err);
    if (status == PBY_OK)
        *out = (pby_neighbours)i;
    return status;
}

const char *pby_neighbours_text(pby_neighbours relation)
{
    return NAMES[relation];
}

static bool is_about(const pby_mechanism *m, pby_neighbours relation)
{
    const size_t own = pby_family_with(m->family, PBY_ROLE_RELATION);
    return (m->family->relations & 1u << relation) != 0 &&
           (own == PBY_PARAMETERS_MAX || fmpq_cmp_si(&m->value[own], relation) == 0) &&
           (pby_mechanism_fixed(m) ? relation == PBY_SUBSTITUTE
                                   : relation == PBY_ADD_REMOVE ||
                                         (pby_mechanism_sample(m) == NULL && !pby_mechanism_allocated(m)));
}

pby_status pby_mechanism_about(const pby_mechanism *m, pby_neighbours relation, pby_error *err)
{
    if (is_about(m, relation))
        return PBY_OK;
    if (is_about(m, PBY_SUBSTITUTE) && pby_mechanism_fixed(m))
        return pby_fail(
            err, PBY_BAD,
            "neighbours '%s': expected substitute, as the samples of %s have a fixed size: with a "
            "record more another share of them is drawn",
            NAMES[relation], m->family->name);
    if (is_about(m, PBY_ADD_REMOVE) && pby_mechanism_sample(m) != NULL)
        return pby_fail(
            err, PBY_BAD,
            "neighbours '%s': expected add-remove, as %s samples: a record that is changed is seen "
            "or not on either side, which is another pair",
            NAMES[relation], m->family->name);
    if (is_about(m, PBY_ADD_REMOVE) && pby_mechanism_allocated(m))
        return pby_fail(
            err, PBY_BAD,
            "neighbours '%s': expected add-remove, as %s allocates: a record that is changed is in "
            "some step on either side, which is another pair",
            NAMES[relation], m->family->name);
    return pby_fail(err, PBY_BAD, "neighbours '%s': expected %s, which %s is about", NAMES[relation],
                    is_about(m, PBY_LOCAL)         ? "local"
                    : !is_about(m, PBY_ADD_REMOVE) ? "substitute"
                    : !is_about(m, PBY_SUBSTITUTE) ? "add-remove"
                                                   : "add-remove or substitute",
                    m->family->name);
}

pby_status pby_spec_neighbours(pby_neighbours *out, const pby_spec *spec, pby_error *err)
{
    for (int relation = PBY_ADD_REMOVE; relation <= PBY_LOCAL; relation++) {
        size_t i = 0;
        while (i < spec->count && is_about(&spec->use[i].mechanism, (pby_neighbours)relation))
            i++;
        *out = (pby_neighbours)relation;
        if (i == spec->count)
            return PBY_OK;
    }
    return pby_refuse(err, "SPEC", spec->text,
                      "mechanisms of one user's value alone (local), or mechanisms of all records alone");
}

/* Counts that move by d in all, in at most d bars, move by at most d in the Euclidean length. */
static int64_t distance_of_norm(const pby_mechanism *m, const fmpq *norm2)
{
    const fmpq *dimensions = pby_mechanism_value(m, PBY_ROLE_DIMENSIONS);
    PBY_FMPZ(root);
    fmpz_sqrt(root, fmpq_numref(norm2));
    if (dimensions != NULL && fmpz_cmp(root, fmpq_numref(dimensions)) > 0)
        fmpz_set(root, fmpq_numref(dimensions));
    return fmpz_get_si(root);
}

/* As many bars as a record is in rise by as much as it adds to each; if it is changed, as many fall. */
static int64_t distance_of_bars(const pby_mechanism *m, pby_neighbours relation)
{
    return record[relation] * pby_mechanism_integer(m, PBY_ROLE_DIMENSIONS) *
           pby_mechanism_integer(m, PBY_ROLE_EACH);
}

/* Counts move by whole numbers, whatever part of one a sensitivity has. */
int64_t pby_mechanism_distance(const pby_mechanism *m, pby_neighbours relation)
{
    const fmpq *norm2 = pby_mechanism_value(m, PBY_ROLE_NORM);
    if (norm2 != NULL)
        return distance_of_norm(m, norm2);
    const fmpq *sensitivity = pby_mechanism_value(m, PBY_ROLE_SENSITIVITY);
    if (pby_mechanism_value(m, PBY_ROLE_EACH) != NULL)
        return distance_of_bars(m, relation);
    if (sensitivity == NULL)
        return record[relation];
    PBY_FMPZ(whole);
    fmpz_fdiv_q(whole, fmpq_numref(sensitivity), fmpq_denref(sensitivity));
    return fmpz_cmp_si(whole, INT64_MAX) < 0 ? fmpz_get_si(whole) : INT64_MAX;
}

/* On a grid that no record is a multiple of, two bars that move by one each move by more steps than one bar
 * that moves by two. */
static bool steps_add_up(const pby_mechanism *m, pby_neighbours relation)
{
    const fmpq *unit = pby_mechanism_unit(m);
    return unit == NULL || fmpz_is_one(fmpq_numref(unit)) || pby_mechanism_distance(m, relation) == 1;
}

pby_status pby_mechanism_lengths(const pby_mechanism *m, pby_neighbours relation, uint64_t records,
                                 pby_error *err)
{
    const fmpq *norm2 = pby_mechanism_value(m, PBY_ROLE_NORM);
    const fmpq *dimensions = pby_mechanism_value(m, PBY_ROLE_DIMENSIONS);
    const uint64_t wide = relation == PBY_ADD_REMOVE ? records : 2 * records;
    char expected[PBY_DECIMAL_SIZE + 128], length[PBY_DECIMAL_SIZE];
    PBY_FMPQ(least);
    fmpq_set_ui(least, records, 1);
    fmpq_mul_ui(least, least, wide);
    const bool enough = fmpq_cmp(norm2, least) >= 0 &&
                        (dimensions == NULL || fmpq_cmp_ui(dimensions, wide) >= 0);
    pby_rational_text(length, least);
    if (enough)
        return PBY_OK;
    snprintf(expected, sizeof expected,
             "norm2=%s or more, and dimensions=%" PRIu64 " or more: records move the counts by that", length,
             wide);
    return pby_mechanism_refuse(m, expected, err);
}

pby_status pby_mechanism_spans(const pby_mechanism *m, pby_neighbours relation, pby_error *err)
{
    static const char *const expected[] = {
        [PBY_ADD_REMOVE] = "sensitivity=1: a record moves a histogram by 1",
        [PBY_SUBSTITUTE] =
            "sensitivity=2: with substitute neighbours a changed record moves a histogram by 2"};
    if (pby_mechanism_value(m, PBY_ROLE_NORM) != NULL)
        return pby_mechanism_lengths(m, relation, 1, err);
    if (m->family->one_bar && (relation != PBY_ADD_REMOVE || pby_mechanism_distance(m, relation) != 1))
        return pby_mechanism_refuse(
            m, "sensitivity=1 and add-remove neighbours: its pairs are of one bar that moves", err);
    if (pby_mechanism_distance(m, relation) < record[relation])
        return pby_mechanism_refuse(m, expected[relation], err);
    return steps_add_up(m, relation)
               ? PBY_OK
               : pby_mechanism_refuse(m, "a grid of 1, 1/2, 1/3, ...: several bars of a histogram may move",
                                      err);
}

pby_status pby_mechanism_agree(const pby_mechanism *one, const pby_mechanism *other, pby_neighbours relation,
                               pby_error *err)
{
    const int64_t a = pby_mechanism_distance(one, relation), b = pby_mechanism_distance(other, relation);
    if (pby_mechanism_value(other, PBY_ROLE_THETA) != NULL)
        return pby_mechanism_refuse(
            other, "no theta: the threshold before it is about counts that are not random", err);
    return a == b || pby_mechanism_value(one, PBY_ROLE_UTILITY) != NULL
               ? PBY_OK
               : pby_fail(err, PBY_BAD,
                          "SPEC: with %s neighbours %s takes a histogram to move by %" PRId64
                          " and %s by %" PRId64 ": expected one sensitivity of both",
                          NAMES[relation], one->family->name, a, other->family->name, b);
}
