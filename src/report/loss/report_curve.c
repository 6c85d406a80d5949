/* SPDX-License-Identifier: MIT */
/* A privacy profile over a range, as CSV, as JSON and as a picture. */
#include <stdlib.h>
#include <string.h>

#include "number/integer.h"
#include "probity/experimental/losses.h"
#include "probity/rational.h"
#include "report/loss/report_plot.h"
#include "report/loss/report_points.h"
#include "report/loss/report_request.h"

static const char EXPECTED[] =
    "LO:HI:N, rationals LO < HI and an integer N from 2 to 100000, such as 0:2:201";

/* Cuts text, which is changed, at its two colons. */
static pby_status read_range(mpq_t lo, mpq_t hi, unsigned long *count, char *text)
{
    char *first = strchr(text, ':'), *second = first == NULL ? NULL : strchr(first + 1, ':');
    if (second == NULL)
        return PBY_BAD;
    *first = *second = '\0';
    pby_status status = pby_rational_parse(lo, "", text, NULL);
    if (status == PBY_OK)
        status = pby_rational_parse(hi, "", first + 1, NULL);
    if (status == PBY_OK)
        status = pby_integer_parse(count, "", second + 1, 2, PBY_POINTS_MAX, 2, NULL);
    return status == PBY_OK && mpq_cmp(lo, hi) >= 0 ? PBY_BAD : status;
}

static pby_status read_points(pby_profile_points *points, const char *text, pby_error *err)
{
    *points = (pby_profile_points){NULL, NULL, 0, NULL, false};
    char *copy = strdup(text);
    if (copy == NULL)
        return pby_no_memory(err);
    mpq_t lo, hi;
    unsigned long count = 0;
    mpq_inits(lo, hi, NULL);
    const pby_status status = read_range(lo, hi, &count, copy) == PBY_OK
                                  ? pby_profile_points_space(points, lo, hi, count, err)
                                  : pby_refuse(err, "profile", text, EXPECTED);
    free(copy);
    mpq_clears(lo, hi, NULL);
    return status;
}

/* All at once where the pairs and compositions are shared, else one after the other. */
static pby_status fill_points(pby_profile_points *points, const pby_request *r, pby_error *err)
{
    const pby_loss_request *asked = r->asked;
    const pby_loss_options together = {
        .digits = r->digits, .width = r->width, .count = points->count, .wider = &points->wider};
    if (asked->conversion == NULL && r->seen != NULL)
        return pby_loss(points->delta, PBY_ASK_DELTA, r->seen, asked->relation, points->epsilon, &together,
                        err);
    pby_status status = PBY_OK;
    for (size_t i = 0; i < points->count && status == PBY_OK; i++) {
        bool wider = false;
        status = asked->conversion == NULL
                     ? pby_request_ask(&points->delta[i], &wider, r, points->epsilon + i, err)
                     : pby_loss_convert(&points->delta[i], asked->conversion, PBY_ASK_DELTA, r->seen,
                                        asked->relation, points->epsilon + i, r->digits, err);
        points->wider = points->wider || wider;
    }
    return status;
}

static pby_status print_curve(char **text, const pby_profile_points *points, const pby_request *r,
                              pby_report_form form, pby_error *err)
{
    pby_sheet s;
    pby_status status = PBY_OK;
    pby_sheet_begin(&s, form);
    if (s.object != NULL) {
        pby_request_tell(&s, r);
        pby_sheet_member(&s, "profile", pby_profile_points_json(points, r->digits));
        if (points->wider)
            pby_sheet_text(&s, NULL, "wider", pby_request_wider(r));
    } else if (s.lines != NULL) {
        status = pby_profile_points_write(s.lines, points, r->digits, err);
    }
    return pby_sheet_end(text, &s, status, err);
}

static pby_status draw(char **text, pby_profile_points *points, const pby_request *r, const char *plot,
                       pby_report_form form, pby_error *err)
{
    pby_status status = plot == NULL ? PBY_OK : pby_plot_check(plot, err);
    if (status == PBY_OK)
        status = fill_points(points, r, err);
    if (status == PBY_OK)
        pby_profile_points_mark(points, r->width, r->digits);
    if (status == PBY_OK && plot != NULL)
        status = pby_plot(plot, points, pby_spec_text(r->spec), pby_neighbours_text(r->asked->relation), err);
    return status == PBY_OK && text != NULL ? print_curve(text, points, r, form, err) : status;
}

pby_status pby_report_profile(char **text, const char **wider, const pby_spec *spec,
                              const pby_loss_request *asked, const char *plot, pby_report_form form,
                              pby_error *err)
{
    pby_request r;
    pby_profile_points points;
    *wider = NULL;
    if (text != NULL)
        *text = NULL;
    pby_status status = pby_request_read(&r, spec, asked, err);
    if (status == PBY_OK && r.composition != PBY_COMPOSE_EXACT)
        status = pby_refuse(err, "composition", asked->composition, "exact, which a profile is");
    if (status == PBY_OK) {
        status = read_points(&points, asked->at.text == NULL ? "0:2:201" : asked->at.text, err);
        if (status == PBY_OK)
            status = draw(text, &points, &r, plot, form, err);
        if (status == PBY_OK && points.wider)
            *wider = pby_request_wider(&r);
        pby_profile_points_clear(&points);
    }
    pby_request_clear(&r);
    return status;
}
