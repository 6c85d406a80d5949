#include "cli/between.h"

#include <stdio.h>

#include "cli/output.h"
#include "io/file.h"
#include "probity/rational.h"
#include "table/between.h"

static pby_status read_question(pby_between *m, const pby_between_asked *asked, pby_error *err)
{
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
    m->asks_average = asked->average;
    m->asks_eta = asked->eta != NULL;
    return status;
}

/* ---- telling them ------------------------------------------------------------------------------- */

static void print_none(const char *name, const char *reason)
{
    char text[PBY_BETWEEN_REASON + 8];
    snprintf(text, sizeof text, "none: %s", reason);
    pby_print_line(name, text);
}

/* Of laws, with a distance or without. */
static pby_status print_law(const char *name, mpq_srcptr x, const pby_between *m, bool far, pby_error *err)
{
    if (pby_between_laws(m) && (!far || pby_between_distance(m)))
        return pby_print_exact(name, x, err);
    print_none(name, pby_between_laws(m) ? m->no_distance : m->no_law);
    return PBY_OK;
}

static pby_status print_move(const char *name, const pby_distance *x, const pby_between *m, pby_error *err)
{
    if (pby_between_distance(m))
        return pby_print_distance(name, x, err);
    print_none(name, m->no_distance);
    return PBY_OK;
}

static pby_status print_text(const pby_between *m, pby_error *err)
{
    pby_status status = pby_print_exact("gamma", m->gamma, err);
    if (status == PBY_OK)
        status = print_law("lossy", m->lossy, m, true, err);
    if (status == PBY_OK && m->asks_average)
        status = print_law("average", m->average, m, true, err);
    if (status == PBY_OK)
        status = print_law("variation", m->variation, m, false, err);
    if (status == PBY_OK)
        status = pby_print_distance("drop", &m->drop, err);
    if (status == PBY_OK)
        status = print_move("move", &m->move, m, err);
    if (status == PBY_OK && m->asks_eta)
        status = pby_print_exact("eta", m->eta, err);
    if (status == PBY_OK && m->asks_eta)
        status = print_move("drop-move", &m->drop_move, m, err);
    return status;
}

static json_t *law_json(mpq_srcptr x, const pby_between *m, bool far)
{
    return pby_between_laws(m) && (!far || pby_between_distance(m)) ? pby_exact_json(x) : json_null();
}

static json_t *move_json(const pby_distance *x, const pby_between *m)
{
    return pby_between_distance(m) ? pby_distance_json(x) : json_null();
}

static pby_status print_json(const pby_between *m, pby_error *err)
{
    json_t *object = json_pack("{s:o, s:o, s:o, s:o, s:o}", "gamma", pby_exact_json(m->gamma), "lossy",
                               law_json(m->lossy, m, true), "variation", law_json(m->variation, m, false),
                               "drop", pby_distance_json(&m->drop), "move", move_json(&m->move, m));
    bool whole = object != NULL;
    if (whole && m->asks_average)
        whole = json_object_set_new(object, "average", law_json(m->average, m, true)) == 0;
    if (whole && m->asks_eta)
        whole = json_object_set_new(object, "eta", pby_exact_json(m->eta)) == 0 &&
                json_object_set_new(object, "drop_move", move_json(&m->drop_move, m)) == 0;
    if (whole && !pby_between_laws(m))
        whole = json_object_set_new(object, "no_law", json_string(m->no_law)) == 0;
    if (whole && !pby_between_distance(m))
        whole = json_object_set_new(object, "no_distance", json_string(m->no_distance)) == 0;
    if (!whole) {
        json_decref(object);
        object = NULL;
    }
    return pby_print_json(object, err);
}

pby_status pby_between_run(const pby_between_asked *asked, pby_error *err)
{
    const char *const path[2] = {asked->a, asked->b};
    pby_between m;
    pby_between_init(&m);
    pby_status status = read_question(&m, asked, err);
    if (status == PBY_OK)
        status = pby_between_measure(&m, path, err);
    if (status == PBY_OK)
        status = asked->json ? print_json(&m, err) : print_text(&m, err);
    pby_between_clear(&m);
    return status;
}
