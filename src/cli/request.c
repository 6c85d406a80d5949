#include "cli/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/advice.h"
#include "cli/clock.h"
#include "cli/options.h"
#include "cli/output.h"
#include "number/integer.h"
#include "probity/rational.h"
#include "report/plot.h"
#include "report/points.h"

const char *pby_request_wider(const pby_request *r)
{
    return r->seen != NULL ? pby_wider
                           : "from what some inputs that far apart lose to the bound of the group theorem";
}

/* The digits that a width needs, one to spare. */
static unsigned long digits_for(mpq_srcptr width)
{
    mpz_t times;
    mpz_init(times);
    mpz_cdiv_q(times, mpq_denref(width), mpq_numref(width));
    const unsigned long digits = mpz_sizeinbase(times, 10) + 1;
    mpz_clear(times);
    return digits > PBY_DIGITS_MAX ? PBY_DIGITS_MAX : digits;
}

pby_status pby_request_width(pby_request *r, const char *width, const char *digits, pby_error *err)
{
    unsigned long usual = PBY_DIGITS_DEFAULT;
    mpq_set_ui(r->width, 1, 100);
    r->width_text = width;
    if (width != NULL) {
        const pby_status status = pby_rational_parse(r->width, "--width", width, err);
        if (status != PBY_OK)
            return status;
        if (mpq_sgn(r->width) <= 0 || mpq_cmp_ui(r->width, 1, 1) >= 0)
            return pby_refuse(err, "--width", width, "a rational above 0 and below 1");
        usual = digits_for(r->width) > usual ? digits_for(r->width) : usual;
    }
    return pby_option_digits(&r->digits, digits, usual, err);
}

void pby_request_print(const pby_request *r)
{
    pby_print_line("mechanism", pby_spec_text(r->spec));
    pby_print_line("neighbours", pby_neighbours_text(r->relation));
    if (r->group > 1)
        printf("%-12s%lu%s%s\n", "group", r->group, r->seen == NULL ? "" : ", as ",
               r->seen == NULL ? "" : pby_spec_text(r->seen));
    if (r->conversion != NULL)
        pby_print_line("conversion", r->conversion);
    if (r->theorem != NULL)
        pby_print_line("composition", r->theorem);
    if (r->width_text != NULL)
        pby_print_line("width", r->width_text);
}

pby_status pby_request_json(json_t **out, const pby_request *r, pby_error *err)
{
    *out = json_pack("{s:s, s:s}", "spec", pby_spec_text(r->spec), "neighbours",
                     pby_neighbours_text(r->relation));
    pby_status status = *out == NULL ? pby_no_memory(err) : PBY_OK;
    if (status == PBY_OK && r->group > 1)
        status = pby_json_set(*out, "group", json_integer((json_int_t)r->group), err);
    if (status == PBY_OK && r->conversion != NULL)
        status = pby_json_set(*out, "conversion", json_string(r->conversion), err);
    if (status == PBY_OK && r->theorem != NULL)
        status = pby_json_set(*out, "composition", json_string(r->theorem), err);
    if (status == PBY_OK && r->width_text != NULL)
        status = pby_json_set(*out, "width", json_string(r->width_text), err);
    return status;
}

/* ---- the range of a profile --------------------------------------------------------------------- */

static const char EXPECTED[] =
    "LO:HI:N, rationals LO < HI and an integer N from 2 to 100000, such as 0:2:201";

/* Cuts text, which is changed, at its two colons. */
static pby_status read_range(mpq_t lo, mpq_t hi, unsigned long *count, char *text, pby_error *err)
{
    char *first = strchr(text, ':'), *second = first == NULL ? NULL : strchr(first + 1, ':');
    if (second == NULL)
        return PBY_BAD;
    *first = *second = '\0';
    pby_status status = pby_rational_parse(lo, "", text, err);
    if (status == PBY_OK)
        status = pby_rational_parse(hi, "", first + 1, err);
    if (status == PBY_OK)
        status = pby_integer_parse(count, "", second + 1, 2, PBY_POINTS_MAX, 2, err);
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
    const pby_status status = read_range(lo, hi, &count, copy, NULL) == PBY_OK
                                  ? pby_profile_points_space(points, lo, hi, count, err)
                                  : pby_refuse(err, "--profile", text, EXPECTED);
    free(copy);
    mpq_clears(lo, hi, NULL);
    return status;
}

/* ---- the curve -------------------------------------------------------------------------------- */

static pby_status fill_points(pby_profile_points *points, const pby_request *r, pby_error *err)
{
    if (r->conversion == NULL && r->seen != NULL)
        return pby_loss(
            points->delta, PBY_ASK_DELTA, r->seen, r->relation, points->epsilon,
            &(pby_loss_options){
                .digits = r->digits, .width = r->width, .count = points->count, .wider = &points->wider},
            err);
    pby_status status = PBY_OK;
    for (size_t i = 0; i < points->count && status == PBY_OK; i++) {
        bool wider = false;
        status = r->conversion == NULL
                     ? pby_loss_group_delta(&points->delta[i], &wider, r->spec, r->relation, r->group,
                                            points->epsilon + i, r->digits, err)
                     : pby_loss_convert(&points->delta[i], r->conversion, PBY_ASK_DELTA, r->seen, r->relation,
                                        points->epsilon + i, r->digits, err);
        points->wider = points->wider || wider;
    }
    return status;
}

static pby_status print_json(const pby_profile_points *points, const pby_request *r, pby_error *err)
{
    json_t *object;
    pby_status status = pby_request_json(&object, r, err);
    if (status == PBY_OK)
        status = pby_json_set(object, "profile", pby_profile_points_json(points, r->digits), err);
    if (status == PBY_OK && points->wider)
        status = pby_json_set(object, "wider", json_string(pby_request_wider(r)), err);
    if (status == PBY_OK)
        return pby_print_json(object, err);
    json_decref(object);
    return status;
}

static pby_status print_points(const pby_profile_points *points, unsigned digits, pby_error *err)
{
    pby_spool *spool;
    pby_status status = pby_spool_open(&spool, NULL, err);
    if (status != PBY_OK)
        return status;
    status = pby_profile_points_write(spool, points, digits, err);
    if (status == PBY_OK)
        return pby_spool_commit(spool, err);
    pby_spool_abort(spool);
    return status;
}

/* A refusal of the plot, by its option. */
static pby_status told(pby_status status, pby_error *err)
{
    static const pby_option option[] = {{.name = "--plot"}, {.name = NULL}};
    if (status != PBY_OK)
        pby_advise_options(err, option);
    return status;
}

pby_status pby_request_profile(const pby_request *r, const char *range, const char *plot, bool json,
                               pby_error *err)
{
    pby_profile_points points;
    pby_status status = read_points(&points, range == NULL ? "0:2:201" : range, err);
    if (status == PBY_OK && plot != NULL)
        status = told(pby_plot_check(plot, err), err);
    pby_clock waiting;
    pby_clock_begin(&waiting, "loss");
    if (status == PBY_OK)
        status = fill_points(&points, r, err);
    pby_clock_end(&waiting);
    if (status == PBY_OK)
        pby_profile_points_mark(&points, r->width, (unsigned)r->digits);
    if (status == PBY_OK && plot != NULL)
        status =
            told(pby_plot(plot, &points, pby_spec_text(r->spec), pby_neighbours_text(r->relation), err), err);
    if (status == PBY_OK && json)
        status = print_json(&points, r, err);
    else if (status == PBY_OK && range != NULL)
        status = print_points(&points, r->digits, err);
    if (status == PBY_OK && points.wider && !json)
        fprintf(stderr, "probity: wider: %s\n", pby_request_wider(r)); /* the reason, beside the column */
    pby_profile_points_clear(&points);
    return status;
}
