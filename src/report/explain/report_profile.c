/* SPDX-License-Identifier: MIT */
/* The certified profile: delta against epsilon, with its enclosures, and what the paper claims. */
#include "probity/experimental/losses.h"
#include "report/explain/drawing.h"

#include <math.h>
#include <stdlib.h>

#include "number/text.h"
#include "picture/html.h"
#include "picture/svg.h"
#include "probity/loss.h"
#include "report/loss/report_points.h"

enum { POINTS = 41, FEWER = 21, ROWS = 10, DIGITS = 6 };

/* delta is drawn down to this at most. */
static const double faintest = 1e-12;

/* Every point of a composition may need a grid of its own. */
static int count_for(const pby_explanation *x)
{
    return x->spec->use[0].times == 1 ? POINTS : FEWER;
}

/* A positive number to two digits, for an axis. */
static void set_short(mpq_t q, double x)
{
    const int ten = (int)floor(log10(x)) - 1;
    mpz_ui_pow_ui(mpq_denref(q), 10, (unsigned long)abs(ten));
    mpz_set_d(mpq_numref(q), round(ten < 0 ? x * mpz_get_d(mpq_denref(q)) : x / mpz_get_d(mpq_denref(q))));
    if (ten >= 0) {
        mpz_mul(mpq_numref(q), mpq_numref(q), mpq_denref(q));
        mpz_set_ui(mpq_denref(q), 1);
    }
    mpq_canonicalize(q);
}

/* Twice the epsilon that the spec names, so that it lies in the middle; else a little more than the epsilon
 * at the usual delta; else twice what the uses add up to. */
static void set_most(mpq_t most, const pby_explanation *x)
{
    const fmpq *eps = pby_mechanism_value(x->mechanism, PBY_ROLE_EPSILON);
    double about = 2;
    if (x->owns_epsilon) {
        mpq_mul_2exp(most, x->own_epsilon, 1);
        return;
    }
    if (mpfr_number_p(x->epsilon.hi) && mpfr_sgn(x->epsilon.hi) > 0) {
        about = 1.25 * mpfr_get_d(x->epsilon.hi, MPFR_RNDU);
    } else if (eps != NULL) {
        fmpq_get_mpq(most, eps);
        about = 2 * mpq_get_d(most) * (double)x->spec->use[0].times;
    }
    set_short(most, about);
}

struct curves {
    double epsilon[POINTS], lower[POINTS], upper[POINTS], claimed[POINTS];
    size_t count;
    bool claims;
};

static pby_status fill_curves(struct curves *c, const pby_profile_points *points, const pby_explanation *x,
                              pby_error *err)
{
    pby_enclosure claimed;
    const char *source;
    pby_status status = PBY_OK;
    pby_enclosure_init(&claimed);
    c->claims = false;
    c->count = points->count;
    for (size_t i = 0; i < c->count && status == PBY_OK; i++) {
        c->epsilon[i] = mpq_get_d(points->epsilon + i);
        c->lower[i] = mpfr_get_d(points->delta[i].lo, MPFR_RNDD);
        c->upper[i] = mpfr_get_d(points->delta[i].hi, MPFR_RNDU);
        status = pby_loss_claimed(&claimed, &source, x->spec, x->relation, points->epsilon + i, DIGITS, err);
        c->claimed[i] = source == NULL ? NAN : fmin(1, mpfr_get_d(claimed.hi, MPFR_RNDU));
        c->claims = c->claims || source != NULL;
    }
    pby_enclosure_clear(&claimed);
    return status;
}

/* Whole decades that hold every delta above 0, as far as they are drawn. */
static pby_frame frame_of(const struct curves *c)
{
    double least = 1;
    for (size_t i = 0; i < c->count; i++) {
        const double values[] = {c->lower[i], c->upper[i], c->claimed[i]};
        for (size_t k = 0; k < 3; k++)
            if (values[k] > 0)
                least = fmin(least, values[k]);
    }
    least = fmax(faintest, pow(10, floor(log10(least))));
    return (pby_frame){0, c->epsilon[c->count - 1], fmin(least, 0.1), 1, true};
}

static void draw(FILE *out, const struct curves *c)
{
    const pby_frame f = frame_of(c);
    pby_legend_begin(out);
    pby_legend_key(out, "seen", "certified upper bound, with its enclosure");
    if (c->claims)
        pby_legend_key(out, "claimed", "claimed");
    pby_legend_end(out);
    pby_svg_begin(out, "delta against epsilon: certified, and claimed");
    pby_svg_y_axis(out, &f, "delta");
    pby_svg_x_axis(out, &f, "epsilon");
    pby_svg_band(out, &f, c->epsilon, c->lower, c->upper, c->count);
    pby_svg_line(out, &f, "seen", c->epsilon, c->upper, c->count);
    pby_svg_line(out, &f, "claimed", c->epsilon, c->claimed, c->count);
    pby_svg_end(out);
}

/* The question stands at the table, for a page that checks itself. */
static void table(FILE *out, const pby_profile_points *points, const pby_explanation *x)
{
    char most[PBY_DECIMAL_SIZE];
    pby_mpq_text(most, points->epsilon + points->count - 1);
    fputs("<table data-ask=\"loss ", out);
    pby_html_text(out, pby_spec_text(x->spec));
    fprintf(out, " --neighbours %s --digits %d --profile 0:%s:%zu\" data-value=\"profile\">\n",
            pby_neighbours_text(x->relation), DIGITS, most, points->count);
    fputs("<tr><th class=\"number\">epsilon</th><th class=\"number\">delta at least</th>"
          "<th class=\"number\">delta at most</th></tr>\n",
          out);
    for (size_t i = 0; i < points->count; i += points->count / ROWS) {
        char epsilon[PBY_DECIMAL_SIZE], lo[PBY_DECIMAL_SIZE], hi[PBY_DECIMAL_SIZE];
        pby_mpq_text(epsilon, points->epsilon + i);
        pby_decimal(lo, points->delta[i].lo, DIGITS, true);
        pby_decimal(hi, points->delta[i].hi, DIGITS, false);
        fprintf(
            out,
            "<tr><td class=\"number\">%s</td><td class=\"number\">%s</td><td class=\"number\">%s</td></tr>\n",
            epsilon, lo, hi);
    }
    fputs("</table>\n", out);
}

static void print_curves(FILE *out, const struct curves *c, const pby_profile_points *points,
                         const pby_explanation *x)
{
    fputs("<figure>\n", out);
    draw(out, c);
    fprintf(out,
            "<figcaption>The largest delta over %s neighbours at each epsilon, on a logarithmic scale%s.",
            pby_neighbours_text(x->relation),
            c->count > 0 && c->upper[c->count - 1] <= 0 ? "; the curve ends where delta is 0" : "");
    if (points->wider)
        fputs(" The shaded band is the enclosure: finer grids bring its ends no closer.", out);
    fputs("</figcaption>\n</figure>\n", out);
    table(out, points, x);
    fputs("<p>The true delta lies between the two numbers of a row. More rows: <code>probity loss ", out);
    pby_html_text(out, pby_spec_text(x->spec));
    fprintf(out, " --neighbours %s --profile LO:HI:N</code>.</p>\n", pby_neighbours_text(x->relation));
}

pby_status pby_explain_profile(FILE *out, const pby_explanation *x, pby_error *err)
{
    pby_profile_points points;
    struct curves curves;
    mpq_t least, most;
    mpq_inits(least, most, NULL);
    set_most(most, x);
    pby_status status = pby_profile_points_space(&points, least, most, (size_t)count_for(x), err);
    mpq_clears(least, most, NULL);
    if (status == PBY_OK)
        status = pby_loss(
            points.delta, PBY_ASK_DELTA, x->spec, x->relation, points.epsilon,
            &(pby_loss_options){.digits = DIGITS, .count = points.count, .wider = &points.wider}, err);
    if (status == PBY_OK)
        status = fill_curves(&curves, &points, x, err);
    if (status == PBY_OK)
        print_curves(out, &curves, &points, x);
    pby_profile_points_clear(&points);
    return status;
}
