/* SPDX-License-Identifier: MIT */
/* The experiment as a whole: its panels, files and report. */
#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "lab/experiment/experiment_run.h"
#include "lab/experiment/figure.h"
#include "probity/experimental/experiment.h"
#include "report/sheet.h"

enum { SETS = 100, SETS_MAX = 10000 };

/* Choices that the paper leaves open. */
static const char *const fixed[] = {
    "Cauchy items outside the bars are dropped; the noise of panel 6 is uniform on -5 .. 5",
    "none counts as answer 0 for exponential, ptr and smooth, and is an error of 100 %",
    "smooth publishes the nearest of the bars 1 .. B, and never none",
    "exponential has weights exp(-eps |i - f|/(2 B)); exponential2 twice that rate, which loses epsilon",
    NULL,
};

/* Parameters, by the tuning. */
static const char *const tuned[][5] = {
    [PBY_TUNING_BEST] =
        {"every mechanism has the least noise that probity select finds for it at epsilon and delta = 2^-20",
         "choosing: half of epsilon for the counts, half of the bars are chosen, 100 runs of each data set",
         "errors are enclosed, means over the data sets; those of choosing are intervals at one in a million",
         NULL},
    [PBY_TUNING_CITED] =
        {"every mechanism has the constants of the paper that proposed it: stlap the q of Flex, bns noise of "
         "scale 2/eps and T = 1 + 2 ln(2/delta)/eps",
         "ptr shows above ln(1/delta)/eps; smooth has beta = eps/(2 ln(2/delta)); esa as select finds it",
         "choosing: B/2 rounds share half of epsilon and delta; each ends it all unless the largest count "
         "passes a test, which none here does",
         "errors are enclosed, means over the data sets", NULL},
};
static const char *const tunings[] = {[PBY_TUNING_BEST] = "best", [PBY_TUNING_CITED] = "cited"};

struct figure {
    pby_figure_panel panel[PBY_PANELS];
    size_t count;
    uint8_t seed[PBY_SEED_SIZE];
    unsigned sets, first, last; /* data sets of a panel; the panels that are asked for */
    pby_tuning tuning;
    pby_figure_watch watch;
};

/* ---- files ------------------------------------------------------------------------------------ */

static void write_rows(FILE *out, const pby_figure_panel *p)
{
    for (int i = 0; i < PBY_CONTESTANTS; i++)
        for (int j = 0; j < PBY_FIGURE_EPSILONS; j++) {
            const pby_figure_cell *c = &p->cell[i][j];
            fprintf(out, "%u,%s,%s,\"%s\",%.9f,%.9f,%.9f,%.9f,%.9f,%.9f\n", p->number,
                    pby_contestant_name((pby_contestant)i), pby_figure_eps[j], c->setting, c->error[0],
                    c->error[1], c->flexible[0], c->flexible[1], c->none[0], c->none[1]);
        }
}

static void print_rows(FILE *out, const void *what)
{
    const struct figure *f = what;
    fputs("panel,mechanism,eps,setting,error_lo,error_hi,flexible_lo,flexible_hi,none_lo,none_hi\n", out);
    for (size_t i = 0; i < f->count; i++)
        write_rows(out, &f->panel[i]);
}

static void print_plot(FILE *out, const void *what)
{
    pby_figure_plot(out, what);
}

static pby_status write_files(const char *folder, const void *what, pby_error *err)
{
    const struct figure *f = what;
    char name[32];
    const char *which = f->tuning == PBY_TUNING_CITED ? "-cited" : "";
    snprintf(name, sizeof name, "figure4%s.csv", which);
    pby_status status = pby_plots_write(folder, name, print_rows, f, err);
    for (size_t i = 0; i < f->count && status == PBY_OK; i++) {
        snprintf(name, sizeof name, "figure4%s-%u.svg", which, f->panel[i].number);
        status = pby_plots_write(folder, name, print_plot, &f->panel[i], err);
    }
    return status;
}

/* ---- the report ------------------------------------------------------------------------------- */

static json_t *ends_json(const double ends[2])
{
    return json_pack("{s:f,s:f}", "lo", ends[0], "hi", ends[1]);
}

static void panel_json(json_t *rows, const pby_figure_panel *p)
{
    for (int i = 0; i < PBY_CONTESTANTS; i++)
        for (int j = 0; j < PBY_FIGURE_EPSILONS; j++) {
            const pby_figure_cell *c = &p->cell[i][j];
            json_t *row = json_pack("{s:i,s:s,s:s,s:s,s:o,s:o,s:o}", "panel", (int)p->number, "mechanism",
                                    pby_contestant_name((pby_contestant)i), "eps", pby_figure_eps[j],
                                    "setting", c->setting, "error", ends_json(c->error), "flexible",
                                    ends_json(c->flexible), "none", ends_json(c->none));
            json_array_append_new(rows, row);
        }
}

static void panel_line(pby_sheet *s, const pby_figure_panel *p, int who, bool flexible)
{
    char line[16 * PBY_FIGURE_EPSILONS];
    size_t at = 0;
    for (int j = 0; j < PBY_FIGURE_EPSILONS; j++) {
        const pby_figure_cell *c = &p->cell[who][j];
        at += (size_t)snprintf(line + at, sizeof line - at, "%7.2f", c->mean[flexible ? 1 : 0]);
    }
    pby_sheet_line(s, flexible ? "" : pby_contestant_name((pby_contestant)who), "%s%s", line,
                   flexible ? "  flexible" : "");
}

static void panel_lines(pby_sheet *s, const pby_figure_panel *p)
{
    char line[16 * PBY_FIGURE_EPSILONS], name[16];
    size_t at = 0;
    for (int j = 0; j < PBY_FIGURE_EPSILONS; j++)
        at += (size_t)snprintf(line + at, sizeof line - at, "%7s", pby_figure_eps[j]);
    snprintf(name, sizeof name, "panel %u", p->number);
    pby_sheet_line(s, name, "%s", pby_panel_at(p->number)->title);
    pby_sheet_line(s, "eps", "%s", line);
    for (int i = 0; i < PBY_CONTESTANTS; i++) {
        panel_line(s, p, i, false);
        panel_line(s, p, i, true);
    }
}

static void print_facts(pby_sheet *s, json_t *all, const char *const *facts)
{
    for (; *facts != NULL; facts++) {
        pby_sheet_line(s, "fixed", "%s", *facts);
        json_array_append_new(all, json_string(*facts));
    }
}

static pby_status report(char **text, const void *what, pby_report_form form, pby_error *err)
{
    const struct figure *f = what;
    pby_sheet s;
    char hex[2 * PBY_SEED_SIZE + 1];
    json_t *rows = json_array(), *facts = json_array();
    sodium_bin2hex(hex, sizeof hex, f->seed, sizeof f->seed);
    pby_sheet_begin(&s, form);
    pby_sheet_text(&s, "delta", "delta", "2^-20");
    pby_sheet_line(&s, "sets", "%u", f->sets);
    pby_sheet_member(&s, "sets", json_integer((json_int_t)f->sets));
    pby_sheet_text(&s, "seed", "seed", hex);
    pby_sheet_text(&s, "tuning", "tuning", tunings[f->tuning]);
    print_facts(&s, facts, tuned[f->tuning]);
    print_facts(&s, facts, fixed);
    for (size_t i = 0; i < f->count; i++) {
        panel_json(rows, &f->panel[i]);
        panel_lines(&s, &f->panel[i]);
    }
    pby_sheet_member(&s, "fixed", facts);
    pby_sheet_member(&s, "rows", rows);
    return pby_sheet_end(text, &s, PBY_OK, err);
}

/* ---- the run ---------------------------------------------------------------------------------- */

static pby_status read_seed(uint8_t seed[PBY_SEED_SIZE], const char *hex, pby_error *err)
{
    size_t size = 0;
    const char *end;
    memset(seed, 0, PBY_SEED_SIZE);
    if (hex == NULL)
        return PBY_OK;
    const size_t length = strlen(hex);
    if (sodium_hex2bin(seed, PBY_SEED_SIZE, hex, length, NULL, &size, &end) != 0 || size != PBY_SEED_SIZE ||
        end != hex + length)
        return pby_refuse(err, "seed", hex, "64 hexadecimal digits");
    return PBY_OK;
}

/* The settings of all epsilons, for so many bars. */
static pby_status settings_init(pby_setting *settings, size_t *made, size_t bars, pby_tuning tuning,
                                pby_figure_watch *watch, pby_error *err)
{
    pby_status status = PBY_OK;
    for (*made = 0; *made < PBY_FIGURE_EPSILONS && status == PBY_OK; (*made)++) {
        status = pby_setting_init(&settings[*made], pby_figure_eps[*made], bars, tuning, err);
        watch->done++;
        if (watch->at != NULL)
            watch->at(watch->what, watch->done, watch->total);
    }
    return status;
}

static void settings_clear(pby_setting *settings, size_t *made)
{
    while (*made > 0)
        pby_setting_clear(&settings[--*made]);
}

static pby_status run_panels(void *what, pby_error *err)
{
    struct figure *f = what;
    pby_panel_cuts *cuts = malloc(sizeof *cuts);
    pby_setting *settings = calloc(PBY_FIGURE_EPSILONS, sizeof *settings);
    size_t made = 0, bars = 0;
    pby_status status = cuts == NULL || settings == NULL ? pby_no_memory(err) : PBY_OK;
    if (status == PBY_OK)
        pby_panel_cuts_init(cuts);
    for (unsigned i = f->first; i <= f->last && status == PBY_OK; i++) {
        if (pby_panel_at(i)->bars != bars) {
            settings_clear(settings, &made);
            bars = pby_panel_at(i)->bars;
            status = settings_init(settings, &made, bars, f->tuning, &f->watch, err);
        }
        if (status == PBY_OK)
            status = pby_figure_panel_run(&f->panel[f->count++], i, settings, f->sets, f->seed, cuts,
                                          &f->watch, err);
    }
    if (settings != NULL)
        settings_clear(settings, &made);
    free(settings);
    free(cuts);
    return status;
}

pby_status pby_report_figure4(char **text, const pby_figure4_asked *asked, pby_report_form form,
                              pby_error *err)
{
    static const pby_experiment figure4 = {run_panels, write_files, report};
    char number[16];
    *text = NULL;
    snprintf(number, sizeof number, "%u", asked->panel);
    if (asked->panel > PBY_PANELS)
        return pby_refuse(err, "panel", number, "an integer from 1 to 6");
    snprintf(number, sizeof number, "%u", asked->sets);
    if (asked->sets > SETS_MAX)
        return pby_refuse(err, "sets", number, "an integer from 1 to 10000");
    struct figure *f = calloc(1, sizeof *f);
    if (f == NULL)
        return pby_no_memory(err);
    f->sets = asked->sets == 0 ? SETS : asked->sets;
    f->tuning = asked->cited ? PBY_TUNING_CITED : PBY_TUNING_BEST;
    f->first = asked->panel == 0 ? 1 : asked->panel;
    f->last = asked->panel == 0 ? PBY_PANELS : asked->panel;
    f->watch = (pby_figure_watch){.at = asked->progress, .what = asked->what};
    f->watch.total = (uint64_t)(f->last - f->first + 1) * f->sets * PBY_FIGURE_EPSILONS +
                     (uint64_t)(asked->panel == 0 ? 3 : 1) * PBY_FIGURE_EPSILONS;
    pby_status status = read_seed(f->seed, asked->seed, err);
    if (status == PBY_OK)
        status = pby_experiment_run(text, &figure4, f, asked->folder, form, err);
    free(f);
    return status;
}
