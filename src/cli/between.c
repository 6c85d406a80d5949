#include "cli/between.h"

#include "cli/exact.h"
#include "cli/file.h"
#include "cli/measure.h"
#include "cli/output.h"
#include "probity/rational.h"

struct measured {
    pby_measure *a, *b;
    mpq_t gamma, eta, lossy, variation, average;
    pby_distance drop, move, drop_move;
    bool laws; /* neither is empty: both are in proportion to a law */
};

static void measured_init(struct measured *m)
{
    m->a = m->b = NULL;
    m->laws = false;
    mpq_inits(m->gamma, m->eta, m->lossy, m->variation, m->average, NULL);
    pby_distance_init(&m->drop);
    pby_distance_init(&m->move);
    pby_distance_init(&m->drop_move);
}

static void measured_clear(struct measured *m)
{
    pby_measure_free(m->a);
    pby_measure_free(m->b);
    mpq_clears(m->gamma, m->eta, m->lossy, m->variation, m->average, NULL);
    pby_distance_clear(&m->drop);
    pby_distance_clear(&m->move);
    pby_distance_clear(&m->drop_move);
}

static pby_status read(struct measured *m, const pby_between *asked, pby_error *err)
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
    if (status == PBY_OK)
        status = pby_measure_read(&m->a, asked->a, err);
    if (status == PBY_OK)
        status = pby_measure_read(&m->b, asked->b, err);
    return status;
}

/* What is asked of laws by name has no answer for an empty file. */
static pby_status refuse_empty(const struct measured *m, const pby_between *asked, pby_error *err)
{
    if (asked->gamma == NULL && !asked->average)
        return PBY_OK;
    return pby_fail(err, PBY_BAD,
                    "%s: mass '0': expected one above 0 for %s: an empty histogram is in proportion to no law",
                    pby_path_text(pby_measure_empty(m->a) ? asked->a : asked->b),
                    asked->average ? "--average" : "--gamma");
}

static pby_status measure_laws(struct measured *m, const pby_between *asked, pby_error *err)
{
    m->laws = !pby_measure_empty(m->a) && !pby_measure_empty(m->b);
    if (!m->laws)
        return refuse_empty(m, asked, err);
    pby_status status = pby_lossy_distance(m->lossy, m->a, m->b, m->gamma, err);
    if (status == PBY_OK)
        status = pby_total_variation(m->variation, m->a, m->b, err);
    if (status == PBY_OK && asked->average)
        status = pby_lossy_average(m->average, m->a, m->b, m->gamma, err);
    return status;
}

static pby_status measure(struct measured *m, const pby_between *asked, pby_error *err)
{
    pby_status status = measure_laws(m, asked, err);
    if (status == PBY_OK)
        status = pby_distortion_drop(&m->drop, m->a, m->b, err);
    if (status == PBY_OK)
        status = pby_distortion_move(&m->move, m->a, m->b, err);
    if (status == PBY_OK && asked->eta != NULL)
        status = pby_distortion_drop_move(&m->drop_move, m->a, m->b, m->eta, err);
    return status;
}

/* A distance of laws, or none. */
static pby_status print_law(const char *name, mpq_srcptr x, const struct measured *m, pby_error *err)
{
    if (m->laws)
        return pby_print_exact(name, x, err);
    pby_print_line(name, "none");
    return PBY_OK;
}

static json_t *law_json(mpq_srcptr x, const struct measured *m)
{
    return m->laws ? pby_exact_json(x) : json_null();
}

static pby_status print_text(const struct measured *m, const pby_between *asked, pby_error *err)
{
    pby_status status = pby_print_exact("gamma", m->gamma, err);
    if (status == PBY_OK)
        status = print_law("lossy", m->lossy, m, err);
    if (status == PBY_OK && asked->average)
        status = pby_print_exact("average", m->average, err);
    if (status == PBY_OK)
        status = print_law("variation", m->variation, m, err);
    if (status == PBY_OK)
        status = pby_print_distance("drop", &m->drop, err);
    if (status == PBY_OK)
        status = pby_print_distance("move", &m->move, err);
    if (status == PBY_OK && asked->eta != NULL)
        status = pby_print_exact("eta", m->eta, err);
    if (status == PBY_OK && asked->eta != NULL)
        status = pby_print_distance("drop-move", &m->drop_move, err);
    return status;
}

static pby_status print_json(const struct measured *m, const pby_between *asked, pby_error *err)
{
    json_t *object = json_pack("{s:o, s:o, s:o, s:o, s:o}", "gamma", pby_exact_json(m->gamma), "lossy",
                               law_json(m->lossy, m), "variation", law_json(m->variation, m), "drop",
                               pby_distance_json(&m->drop), "move", pby_distance_json(&m->move));
    bool whole = object != NULL;
    if (whole && asked->average)
        whole = json_object_set_new(object, "average", pby_exact_json(m->average)) == 0;
    if (whole && asked->eta != NULL)
        whole = json_object_set_new(object, "eta", pby_exact_json(m->eta)) == 0 &&
                json_object_set_new(object, "drop_move", pby_distance_json(&m->drop_move)) == 0;
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
    pby_status status = read(&m, asked, err);
    if (status == PBY_OK)
        status = measure(&m, asked, err);
    if (status == PBY_OK)
        status = asked->json ? print_json(&m, asked, err) : print_text(&m, asked, err);
    measured_clear(&m);
    return status;
}
