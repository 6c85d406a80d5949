#include "cli/between.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/output.h"
#include "io/file.h"
#include "probity/rational.h"
#include "table/measure.h"
#include "transport/measure.h"
#include "transport/metric.h"

/* Longer than any reason. */
enum { REASON_SIZE = 160 };

struct measured {
    pby_measures of;
    mpq_t gamma, eta, lossy, variation, average;
    pby_distance drop, move, drop_move;
    char no_law[REASON_SIZE],
        no_distance[REASON_SIZE]; /* why some answers are none; empty when they are not */
};

static void measured_init(struct measured *m)
{
    *m = (struct measured){.of = {.points = 0}};
    mpq_inits(m->gamma, m->eta, m->lossy, m->variation, m->average, NULL);
    pby_distance_init(&m->drop);
    pby_distance_init(&m->move);
    pby_distance_init(&m->drop_move);
}

static void measured_clear(struct measured *m)
{
    pby_measures_clear(&m->of);
    mpq_clears(m->gamma, m->eta, m->lossy, m->variation, m->average, NULL);
    pby_distance_clear(&m->drop);
    pby_distance_clear(&m->move);
    pby_distance_clear(&m->drop_move);
}

static pby_status read_all(struct measured *m, const pby_between *asked, pby_error *err)
{
    const char *const path[2] = {asked->a, asked->b};
    pby_status status = PBY_OK;
    if (asked->gamma != NULL) {
        status = pby_rational_parse(m->gamma, "--gamma", asked->gamma, err);
        if (status == PBY_OK && (mpq_sgn(m->gamma) < 0 || mpq_cmp_ui(m->gamma, 1, 1) > 0))
            status = pby_refuse(err, "--gamma", asked->gamma, "a rational from 0 to 1");
    }
    if (status == PBY_OK && asked->eta != NULL) {
        status = pby_rational_parse(m->eta, "--eta", asked->eta, err);
        if (status == PBY_OK && mpq_sgn(m->eta) < 0)
            status = pby_refuse(err, "--eta", asked->eta, "a rational from 0 on");
    }
    if (status == PBY_OK && pby_path_named(asked->a) == NULL && pby_path_named(asked->b) == NULL)
        status = pby_refuse(err, "--between", "-", "standard input once");
    return status == PBY_OK ? pby_measures_read(&m->of, path, err) : status;
}

/* ---- what can be answered ----------------------------------------------------------------------- */

static const char *const file_text[2] = {"the first file", "the second file"};

static void find_reasons(struct measured *m)
{
    const bool empty[2] = {pby_measure_empty(m->of.measure[0]), pby_measure_empty(m->of.measure[1])};
    if (empty[0] || empty[1])
        snprintf(m->no_law, REASON_SIZE, "%s is empty, and in proportion to no law",
                 file_text[empty[0] ? 0 : 1]);
    if (m->of.kind == PBY_KEY_NAME && m->of.beside == PBY_KEY_NAME)
        snprintf(m->no_distance, REASON_SIZE, "names have no distance");
    else if (m->of.kind == PBY_KEY_NAME)
        snprintf(m->no_distance, REASON_SIZE,
                 "names have no distance, and %s, line %" PRIu64 ", is the first that is no %s",
                 file_text[m->of.odd_table], m->of.odd_line,
                 m->of.beside == PBY_KEY_NUMBER ? "number" : "point");
    else if (m->of.odd_line > 0)
        snprintf(m->no_distance, REASON_SIZE,
                 "points of different dimension have no distance, and %s, line %" PRIu64
                 ", is the first of another",
                 file_text[m->of.odd_table], m->of.odd_line);
    else if (m->of.points > PBY_METRIC_MAX)
        snprintf(m->no_distance, REASON_SIZE, "more than %d points", PBY_METRIC_MAX);
}

static bool has_laws(const struct measured *m)
{
    return m->no_law[0] == '\0';
}

static bool has_distance(const struct measured *m)
{
    return m->no_distance[0] == '\0';
}

/* ---- the answers -------------------------------------------------------------------------------- */

/* Positions mean something where keys are numbers. The lines become laws in between, and are of no use to a
 * distortion then. */
static pby_status measure_line(struct measured *m, pby_lines *lines, const pby_between *asked, pby_error *err)
{
    const bool far = m->of.kind == PBY_KEY_NUMBER;
    pby_status status = PBY_OK;
    pby_lines_drop(&m->drop, lines);
    if (far)
        status = pby_lines_move(&m->move, lines, err);
    if (far && status == PBY_OK && asked->eta != NULL)
        status = pby_lines_drop_move(&m->drop_move, lines, m->eta, err);
    if (status != PBY_OK || !has_laws(m))
        return status;
    status = pby_lines_normalise(lines, err);
    if (status == PBY_OK)
        pby_lines_variation(m->variation, lines);
    if (far && status == PBY_OK)
        status = pby_lines_distance(m->lossy, lines, m->gamma, err);
    if (far && status == PBY_OK && asked->average)
        status = pby_lines_average(m->average, lines, m->gamma, err);
    return status;
}

/* In the maximum norm every distance is finite. */
static pby_status measure_points(struct measured *m, const pby_between *asked, pby_error *err)
{
    const pby_measures *of = &m->of;
    pby_distance *metric, found;
    pby_status status = pby_maximum_norm(&metric, of->at, of->points, of->dimension, err);
    if (status != PBY_OK)
        return status;
    pby_distance_init(&found);
    status = pby_metric_move(&m->move, of->mass[0], of->mass[1], metric, of->points, err);
    if (status == PBY_OK && asked->eta != NULL)
        status =
            pby_metric_drop_move(&m->drop_move, of->mass[0], of->mass[1], metric, of->points, m->eta, err);
    if (status == PBY_OK && has_laws(m)) {
        status = pby_metric_lossy(&found, of->mass[0], of->mass[1], metric, of->points, m->gamma, err);
        mpq_set(m->lossy, found.value);
    }
    if (status == PBY_OK && has_laws(m) && asked->average) {
        status = pby_metric_average(&found, of->mass[0], of->mass[1], metric, of->points, m->gamma, err);
        mpq_set(m->average, found.value);
    }
    pby_distance_clear(&found);
    pby_metric_free(metric, of->points);
    return status;
}

static pby_status measure(struct measured *m, const pby_between *asked, pby_error *err)
{
    pby_lines lines;
    find_reasons(m);
    pby_status status = pby_lines_init(&lines, m->of.measure[0], m->of.measure[1], err);
    if (status == PBY_OK)
        status = measure_line(m, &lines, asked, err);
    pby_lines_clear(&lines);
    if (status == PBY_OK && m->of.kind == PBY_KEY_POINT && has_distance(m))
        status = measure_points(m, asked, err);
    return status;
}

/* ---- telling them ------------------------------------------------------------------------------- */

static void print_none(const char *name, const char *reason)
{
    char text[REASON_SIZE + 8];
    snprintf(text, sizeof text, "none: %s", reason);
    pby_print_line(name, text);
}

/* Of laws, with a distance or without. */
static pby_status print_law(const char *name, mpq_srcptr x, const struct measured *m, bool far,
                            pby_error *err)
{
    if (has_laws(m) && (!far || has_distance(m)))
        return pby_print_exact(name, x, err);
    print_none(name, has_laws(m) ? m->no_distance : m->no_law);
    return PBY_OK;
}

static pby_status print_move(const char *name, const pby_distance *x, const struct measured *m,
                             pby_error *err)
{
    if (has_distance(m))
        return pby_print_distance(name, x, err);
    print_none(name, m->no_distance);
    return PBY_OK;
}

static pby_status print_text(const struct measured *m, const pby_between *asked, pby_error *err)
{
    pby_status status = pby_print_exact("gamma", m->gamma, err);
    if (status == PBY_OK)
        status = print_law("lossy", m->lossy, m, true, err);
    if (status == PBY_OK && asked->average)
        status = print_law("average", m->average, m, true, err);
    if (status == PBY_OK)
        status = print_law("variation", m->variation, m, false, err);
    if (status == PBY_OK)
        status = pby_print_distance("drop", &m->drop, err);
    if (status == PBY_OK)
        status = print_move("move", &m->move, m, err);
    if (status == PBY_OK && asked->eta != NULL)
        status = pby_print_exact("eta", m->eta, err);
    if (status == PBY_OK && asked->eta != NULL)
        status = print_move("drop-move", &m->drop_move, m, err);
    return status;
}

static json_t *law_json(mpq_srcptr x, const struct measured *m, bool far)
{
    return has_laws(m) && (!far || has_distance(m)) ? pby_exact_json(x) : json_null();
}

static json_t *move_json(const pby_distance *x, const struct measured *m)
{
    return has_distance(m) ? pby_distance_json(x) : json_null();
}

static pby_status print_json(const struct measured *m, const pby_between *asked, pby_error *err)
{
    json_t *object = json_pack("{s:o, s:o, s:o, s:o, s:o}", "gamma", pby_exact_json(m->gamma), "lossy",
                               law_json(m->lossy, m, true), "variation", law_json(m->variation, m, false),
                               "drop", pby_distance_json(&m->drop), "move", move_json(&m->move, m));
    bool whole = object != NULL;
    if (whole && asked->average)
        whole = json_object_set_new(object, "average", law_json(m->average, m, true)) == 0;
    if (whole && asked->eta != NULL)
        whole = json_object_set_new(object, "eta", pby_exact_json(m->eta)) == 0 &&
                json_object_set_new(object, "drop_move", move_json(&m->drop_move, m)) == 0;
    if (whole && !has_laws(m))
        whole = json_object_set_new(object, "no_law", json_string(m->no_law)) == 0;
    if (whole && !has_distance(m))
        whole = json_object_set_new(object, "no_distance", json_string(m->no_distance)) == 0;
    if (!whole) {
        json_decref(object);
        object = NULL;
    }
    return pby_print_json(object, err);
}

pby_status pby_between_run(const pby_between *asked, pby_error *err)
{
    struct measured m;
    measured_init(&m);
    pby_status status = read_all(&m, asked, err);
    if (status == PBY_OK)
        status = measure(&m, asked, err);
    if (status == PBY_OK)
        status = asked->json ? print_json(&m, asked, err) : print_text(&m, asked, err);
    measured_clear(&m);
    return status;
}
