/* SPDX-License-Identifier: MIT */
#include "lab/experiment/figure.h"

#include <math.h>

#include "number/ball.h"
#include "number/scoped.h"

enum { PREC = PBY_ANSWER_PRECISION };

const char *const pby_figure_eps[PBY_FIGURE_EPSILONS] = {"1/20", "1/10", "1/5", "3/10",
                                                         "2/5",  "1/2",  "3/4", "1"};

/* Sums over data sets. */
struct sums {
    pby_score score[PBY_CONTESTANTS][PBY_FIGURE_EPSILONS];
    pby_runs runs[PBY_FIGURE_EPSILONS];
};

static void sums_init(struct sums *s)
{
    for (int i = 0; i < PBY_CONTESTANTS; i++)
        for (int j = 0; j < PBY_FIGURE_EPSILONS; j++)
            pby_score_init(&s->score[i][j]);
    for (int j = 0; j < PBY_FIGURE_EPSILONS; j++)
        s->runs[j] = (pby_runs){0};
}

static void sums_clear(struct sums *s)
{
    for (int i = 0; i < PBY_CONTESTANTS; i++)
        for (int j = 0; j < PBY_FIGURE_EPSILONS; j++)
            pby_score_clear(&s->score[i][j]);
}

static pby_status add_laws(struct sums *sums, int eps, const pby_setting *setting, const pby_data_set *d,
                           pby_error *err)
{
    pby_score one;
    pby_status status = PBY_OK;
    pby_score_init(&one);
    const int laws = setting->tuning == PBY_TUNING_CITED ? PBY_CONTESTANTS : PBY_CONTESTANT_CHOOSING;
    for (int i = 0; i < laws && status == PBY_OK; i++) {
        pby_score *sum = &sums->score[i][eps];
        status = pby_contest(&one, (pby_contestant)i, setting, d, err);
        arb_add(sum->error, sum->error, one.error, PREC);
        arb_add(sum->flexible, sum->flexible, one.flexible, PREC);
        arb_add(sum->none, sum->none, one.none, PREC);
    }
    pby_score_clear(&one);
    return status;
}

/* ---- hundredths ------------------------------------------------------------------------------- */

/* Outwards to nine decimals, which the files have. */
static double down(double x)
{
    return x <= 0 ? 0 : fmax(0, floor(x * 1e9) - 1) / 1e9;
}

static double up(double x)
{
    return x <= 0 ? 0 : fmin(100, (ceil(x * 1e9) + 1) / 1e9);
}

/* 100 sum/sets, within 0 and 100 */
static void hundredths(double ends[2], const arb_t sum, unsigned sets)
{
    PBY_ARB(mean);
    PBY_ARF(end);
    arb_mul_ui(mean, sum, 100, PREC);
    arb_div_ui(mean, mean, sets, PREC);
    arb_get_lbound_arf(end, mean, PREC);
    ends[0] = down(arf_get_d(end, ARF_RND_FLOOR));
    arb_get_ubound_arf(end, mean, PREC);
    ends[1] = up(arf_get_d(end, ARF_RND_CEIL));
}

static double mean_of(uint64_t sum, uint64_t runs, size_t range)
{
    return 100 * (double)sum / ((double)runs * (double)range);
}

/* Hoeffding's inequality at one in a million: errors of single runs lie in 0 .. 100. */
static void interval(double ends[2], uint64_t sum, uint64_t runs, size_t range)
{
    const double mean = mean_of(sum, runs, range);
    const double width = 100 * sqrt(log(2e6) / (2 * (double)runs));
    ends[0] = down(mean - width);
    ends[1] = up(mean + width);
}

static void set_panel(pby_figure_panel *out, const struct sums *sums, const pby_setting *settings,
                      unsigned sets)
{
    const size_t n = pby_panel_at(out->number)->bars;
    for (int j = 0; j < PBY_FIGURE_EPSILONS; j++) {
        for (int i = 0; i < PBY_CONTESTANTS; i++) {
            pby_figure_cell *cell = &out->cell[i][j];
            snprintf(cell->setting, sizeof cell->setting, "%s", settings[j].text[i]);
            hundredths(cell->error, sums->score[i][j].error, sets);
            hundredths(cell->flexible, sums->score[i][j].flexible, sets);
            hundredths(cell->none, sums->score[i][j].none, sets);
            cell->mean[0] = (cell->error[0] + cell->error[1]) / 2;
            cell->mean[1] = (cell->flexible[0] + cell->flexible[1]) / 2;
        }
        if (settings[j].tuning == PBY_TUNING_CITED)
            continue;
        pby_figure_cell *cell = &out->cell[PBY_CONTESTANT_CHOOSING][j];
        const pby_runs *r = &sums->runs[j];
        interval(cell->error, r->error, r->runs, n);
        interval(cell->flexible, r->flexible, r->runs, n);
        interval(cell->none, r->none, r->runs, 1);
        cell->mean[0] = mean_of(r->error, r->runs, n);
        cell->mean[1] = mean_of(r->flexible, r->runs, n);
    }
}

/* ---- a panel ---------------------------------------------------------------------------------- */

static pby_status runs_of(struct sums *sums, int eps, const pby_setting *setting, const pby_data_set *d,
                          const uint8_t *seed, unsigned number, unsigned set, pby_error *err)
{
    pby_entropy *source = NULL;
    pby_status status = pby_panel_stream(&source, seed, number, set, 1 + (unsigned)eps, err);
    if (status == PBY_OK)
        status = pby_contest_runs(&sums->runs[eps], PBY_FIGURE_RUNS, setting, d, source, err);
    pby_entropy_free(source);
    return status;
}

static pby_status one_set(struct sums *sums, const int64_t *counts, const pby_setting *settings,
                          const uint8_t *seed, unsigned number, unsigned set, pby_figure_watch *watch,
                          pby_error *err)
{
    const pby_panel *panel = pby_panel_at(number);
    pby_data_set d;
    pby_status status = pby_data_set_init(&d, &panel->statistic, counts, panel->bars, PBY_FIGURE_DROP, err);
    for (int j = 0; j < PBY_FIGURE_EPSILONS && status == PBY_OK; j++) {
        status = add_laws(sums, j, &settings[j], &d, err);
        if (status == PBY_OK && settings[j].tuning == PBY_TUNING_BEST)
            status = runs_of(sums, j, &settings[j], &d, seed, number, set, err);
        watch->done++;
        if (watch->at != NULL)
            watch->at(watch->what, watch->done, watch->total);
    }
    pby_data_set_clear(&d);
    return status;
}

pby_status pby_figure_panel_run(pby_figure_panel *out, unsigned number, const pby_setting *settings,
                                unsigned sets, const uint8_t seed[PBY_SEED_SIZE], const pby_panel_cuts *cuts,
                                pby_figure_watch *watch, pby_error *err)
{
    struct sums sums;
    int64_t counts[PBY_PANEL_BARS];
    pby_status status = PBY_OK;
    *out = (pby_figure_panel){.number = number, .tuning = settings->tuning};
    sums_init(&sums);
    for (unsigned set = 0; set < sets && status == PBY_OK; set++) {
        pby_entropy *source = NULL;
        status = pby_panel_stream(&source, seed, number, set, 0, err);
        if (status == PBY_OK)
            status = pby_panel_draw(counts, number, cuts, source, err);
        pby_entropy_free(source);
        for (size_t i = 0; set == 0 && status == PBY_OK && i < pby_panel_at(number)->bars; i++)
            out->typical[i] = counts[i];
        if (status == PBY_OK)
            status = one_set(&sums, counts, settings, seed, number, set, watch, err);
    }
    if (status == PBY_OK)
        set_panel(out, &sums, settings, sets);
    sums_clear(&sums);
    return status;
}
