/* SPDX-License-Identifier: MIT */
#include "table/measure/measure_pairs.h"

#include <inttypes.h>
#include <stdio.h>

#include "transport/metric.h"
#include "transport/transport_measure.h"

void pby_between_init(pby_between *m)
{
    *m = (pby_between){.asks_eta = false};
    mpq_inits(m->gamma, m->eta, m->lossy, m->variation, m->average, NULL);
    pby_distance_init(&m->drop);
    pby_distance_init(&m->move);
    pby_distance_init(&m->drop_move);
}

void pby_between_clear(pby_between *m)
{
    pby_measures_clear(&m->of);
    mpq_clears(m->gamma, m->eta, m->lossy, m->variation, m->average, NULL);
    pby_distance_clear(&m->drop);
    pby_distance_clear(&m->move);
    pby_distance_clear(&m->drop_move);
}

bool pby_between_laws(const pby_between *m)
{
    return m->no_law[0] == '\0';
}

bool pby_between_distance(const pby_between *m)
{
    return m->no_distance[0] == '\0';
}

/* ---- what can be answered ----------------------------------------------------------------------- */

static const char *const file_text[2] = {"the first file", "the second file"};

static void find_reasons(pby_between *m)
{
    const bool empty[2] = {pby_measure_empty(m->of.measure[0]), pby_measure_empty(m->of.measure[1])};
    if (empty[0] || empty[1])
        snprintf(m->no_law, PBY_BETWEEN_REASON, "%s is empty, and in proportion to no law",
                 file_text[empty[0] ? 0 : 1]);
    if (m->of.kind == PBY_KEY_NAME && m->of.beside == PBY_KEY_NAME)
        snprintf(m->no_distance, PBY_BETWEEN_REASON, "names have no distance");
    else if (m->of.kind == PBY_KEY_NAME)
        snprintf(m->no_distance, PBY_BETWEEN_REASON,
                 "names have no distance, and %s, line %" PRIu64 ", is the first that is no %s",
                 file_text[m->of.odd_table], m->of.odd_line,
                 m->of.beside == PBY_KEY_NUMBER ? "number" : "point");
    else if (m->of.odd_line > 0)
        snprintf(m->no_distance, PBY_BETWEEN_REASON,
                 "points of different dimension have no distance, and %s, line %" PRIu64
                 ", is the first of another",
                 file_text[m->of.odd_table], m->of.odd_line);
    else if (m->of.points > PBY_METRIC_MAX)
        snprintf(m->no_distance, PBY_BETWEEN_REASON, "more than %d points", PBY_METRIC_MAX);
}

/* ---- the answers -------------------------------------------------------------------------------- */

/* Positions mean something where keys are numbers. The lines become laws in between, and are of no use to a
 * distortion then. */
static pby_status measure_line(pby_between *m, pby_lines *lines, pby_error *err)
{
    const bool far = m->of.kind == PBY_KEY_NUMBER;
    pby_status status = PBY_OK;
    pby_lines_drop(&m->drop, lines);
    if (far)
        status = pby_lines_move(&m->move, lines, err);
    if (far && status == PBY_OK && m->asks_eta)
        status = pby_lines_drop_move(&m->drop_move, lines, m->eta, err);
    if (status != PBY_OK || !pby_between_laws(m))
        return status;
    status = pby_lines_normalise(lines, err);
    if (status == PBY_OK)
        pby_lines_variation(m->variation, lines);
    if (far && status == PBY_OK)
        status = pby_lines_distance(m->lossy, lines, m->gamma, err);
    if (far && status == PBY_OK && m->asks_average)
        status = pby_lines_average(m->average, lines, m->gamma, err);
    return status;
}

/* In the maximum norm every distance is finite. */
static pby_status measure_points(pby_between *m, pby_error *err)
{
    const pby_measures *of = &m->of;
    pby_distance *metric, found;
    pby_status status = pby_maximum_norm(&metric, of->at, of->points, of->dimension, err);
    if (status != PBY_OK)
        return status;
    pby_distance_init(&found);
    status = pby_metric_move(&m->move, of->mass[0], of->mass[1], metric, of->points, err);
    if (status == PBY_OK && m->asks_eta)
        status =
            pby_metric_drop_move(&m->drop_move, of->mass[0], of->mass[1], metric, of->points, m->eta, err);
    if (status == PBY_OK && pby_between_laws(m)) {
        status = pby_metric_lossy(&found, of->mass[0], of->mass[1], metric, of->points, m->gamma, err);
        mpq_set(m->lossy, found.value);
    }
    if (status == PBY_OK && pby_between_laws(m) && m->asks_average) {
        status = pby_metric_average(&found, of->mass[0], of->mass[1], metric, of->points, m->gamma, err);
        mpq_set(m->average, found.value);
    }
    pby_distance_clear(&found);
    pby_metric_free(metric, of->points);
    return status;
}

pby_status pby_between_measure(pby_between *m, const char *const path[2], pby_error *err)
{
    pby_status status = pby_measures_read(&m->of, path, err);
    if (status != PBY_OK)
        return status;
    pby_lines lines;
    find_reasons(m);
    status = pby_lines_init(&lines, m->of.measure[0], m->of.measure[1], err);
    if (status == PBY_OK)
        status = measure_line(m, &lines, err);
    pby_lines_clear(&lines);
    if (status == PBY_OK && m->of.kind == PBY_KEY_POINT && pby_between_distance(m))
        status = measure_points(m, err);
    return status;
}
