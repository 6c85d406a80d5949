/* SPDX-License-Identifier: MIT */
/* The law that noise is drawn from. */
#include "report/explain/drawing.h"

#include <math.h>
#include <stdlib.h>

#include "number/scoped.h"
#include "number/text.h"
#include "picture/svg.h"

enum { BARS_MOST = 81, SAMPLES = 201 };

/* The mass that may stay outside of the drawing on either side. */
static const double outside = 1e-4;

static double cdf(const pby_law *law, int64_t k)
{
    PBY_ARB(ball);
    pby_law_cdf_arb(ball, law, k, 64);
    return arf_get_d(arb_midref(ball), ARF_RND_NEAR);
}

static double mass(const pby_law *law, int64_t k)
{
    PBY_ARB(ball);
    pby_law_mass_arb(ball, law, k, 64);
    return arf_get_d(arb_midref(ball), ARF_RND_NEAR);
}

/* The least k whose cdf is at least `level`, looked for from 0 outwards. */
static int64_t quantile(const pby_law *law, double level)
{
    int64_t low = -1, high = 1;
    while (low > INT64_MIN / 4 && low > law->lo && cdf(law, low) >= level)
        low *= 2;
    while (high < INT64_MAX / 4 && high < law->hi && cdf(law, high) < level)
        high *= 2;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (cdf(law, middle) < level)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* The support where it is not much wider than what holds nearly all of the law; else that. */
static void find_ends(int64_t *from, int64_t *to, const pby_law *law)
{
    *from = quantile(law, outside);
    *to = quantile(law, 1 - outside);
    const double width = 4.0 * (double)(*to - *from + 2);
    if (pby_law_bounded_below(law) && (double)*from - (double)law->lo < width)
        *from = law->lo;
    if (pby_law_bounded_above(law) && (double)law->hi - (double)*to < width)
        *to = law->hi;
}

static void draw_bars(FILE *out, const pby_law *law, int64_t from, int64_t to)
{
    pby_svg_bar bar[BARS_MOST];
    char text[BARS_MOST][24];
    size_t n = 0;
    for (int64_t k = from; k <= to; k++, n++) {
        snprintf(text[n], sizeof text[n], "%lld", (long long)k);
        bar[n] = (pby_svg_bar){text[n], {mass(law, k), 0}, false};
    }
    pby_svg_bars(out, bar, n, 1, "the chance of each value", "chance", NULL);
}

static void draw_line(FILE *out, const pby_law *law, int64_t from, int64_t to)
{
    double x[SAMPLES], y[SAMPLES];
    pby_frame f = {.x_least = (double)from, .x_most = (double)to};
    for (int i = 0; i < SAMPLES; i++) {
        const int64_t k = from + (int64_t)llround((double)(to - from) * i / (SAMPLES - 1));
        x[i] = (double)k;
        y[i] = mass(law, k);
        f.y_most = fmax(f.y_most, 1.05 * y[i]);
    }
    pby_svg_begin(out, "the chance of each value");
    pby_svg_y_axis(out, &f, "chance");
    pby_svg_x_axis(out, &f, "value");
    pby_svg_line(out, &f, "law-line", x, y, SAMPLES);
    pby_svg_end(out);
}

static void caption(FILE *out, const pby_mechanism *m, const pby_law *law, int64_t from, int64_t to)
{
    fprintf(out, "<figcaption>The chance of each value that is drawn, from the exact law of the noise; its "
                 "values are ");
    if (pby_law_bounded_below(law) && pby_law_bounded_above(law))
        fprintf(out, "the integers from %lld to %lld", (long long)law->lo, (long long)law->hi);
    else
        fputs("all integers", out);
    if (pby_mechanism_unit(m) != NULL) {
        char unit[PBY_DECIMAL_SIZE];
        pby_rational_text(unit, pby_mechanism_unit(m));
        fprintf(out, ", in steps of %s", unit);
    }
    if (from > law->lo || to < law->hi)
        fprintf(out, ". Drawn: %lld to %lld, which leaves out less than 1/10000 on a side", (long long)from,
                (long long)to);
    fputs(".</figcaption>\n", out);
}

pby_status pby_explain_law(FILE *out, const pby_explanation *x, pby_error *err)
{
    const pby_mechanism *m = x->mechanism;
    pby_law *law = NULL;
    int64_t from, to;
    if (!pby_explanation_draws(x)) {
        fputs("<p>This mechanism draws no integer noise, so there is no law to show.</p>\n", out);
        return PBY_OK;
    }
    const pby_status status = m->family->law(&law, m, err);
    if (status != PBY_OK)
        return status;
    find_ends(&from, &to, law);
    fputs("<figure>\n", out);
    if (to - from < BARS_MOST)
        draw_bars(out, law, from, to);
    else
        draw_line(out, law, from, to);
    caption(out, m, law, from, to);
    fputs("</figure>\n", out);
    pby_law_free(law);
    return PBY_OK;
}
