/* SPDX-License-Identifier: MIT */
/* An explanation for people, and what a caller asks for it. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "number/exact.h"
#include "probity/experimental/robust.h"
#include "report/explain/explanation.h"
#include "report/explain/page.h"
#include "report/loss/report_points.h"
#include "report/sheet.h"

/* One entry whose text is wrapped, its lines aligned. */
static void print_wrapped(pby_sheet *s, const char *name, const char *text)
{
    enum { WIDTH = 88 };
    while (*text != '\0') {
        size_t n = strlen(text);
        if (n > WIDTH)
            for (n = WIDTH; n > 0 && text[n] != ' ';)
                n--;
        pby_sheet_line(s, name, "%.*s", (int)n, text);
        text += n + strspn(text + n, " ");
        name = "";
    }
}

static void print_parameters(pby_sheet *s, const pby_mechanism *m)
{
    const size_t count = pby_family_parameters(m->family);
    for (size_t i = 0; i < count; i++)
        if (m->family->parameters[i].kind == PBY_CHOICE || pby_mechanism_has(m, i))
            pby_sheet_line(s, i == 0 ? "parameters" : "", "%s", m->family->parameters[i].meaning);
}

static void print_delta(pby_sheet *s, const pby_explanation *x)
{
    char note[128] = "";
    char *epsilon = pby_exact_text(x->own_epsilon);
    s->short_of_memory |= epsilon == NULL;
    if (epsilon != NULL)
        snprintf(note, sizeof note, "at its own epsilon, %s", epsilon);
    free(epsilon);
    pby_sheet_enclosure(s, "delta", NULL, &x->delta, x->digits, note);
    if (x->delta_wider)
        pby_sheet_line(s, "  wider", "%s", pby_wider_of(x->spec));
}

static void print_loss(pby_sheet *s, const pby_explanation *x)
{
    if (x->owns_epsilon)
        print_delta(s, x);
    pby_claimed_tell(s, &x->claimed, "  claimed", x->digits);
    pby_sheet_enclosure(s, "epsilon", NULL, &x->epsilon, x->digits, "at delta " PBY_EXPLAIN_DELTA);
    if (x->epsilon_wider)
        pby_sheet_line(s, "  wider", "%s", pby_wider_of(x->spec));
    if (x->knows_rho)
        pby_sheet_enclosure(s, "rho", NULL, &x->rho, x->digits,
                            mpfr_inf_p(x->rho.lo) ? "no zCDP: divergences of some order are not bounded"
                                                  : "zCDP: the divergence of order a is at most rho a");
}

static void print_accuracy(pby_sheet *s, const pby_explanation *x)
{
    char *text = pby_explanation_accuracy(x);
    if (text == NULL)
        s->short_of_memory = true;
    else
        print_wrapped(s, "accuracy", text);
    free(text);
}

static void print_proofs(pby_sheet *s, const pby_explanation *x)
{
    const pby_story *story = x->story;
    fprintf(s->lines, "%-12sworst pair, loss: docs/theory/%s", "proved in", story->pages[0]);
    for (size_t i = 1; i < PBY_STORY_PAGES && story->pages[i] != NULL; i++)
        fprintf(s->lines, ", docs/theory/%s", story->pages[i]);
    fputc('\n', s->lines);
    if (x->spec->use[0].times > 1)
        pby_sheet_line(s, "", "composition: docs/theory/composition.md");
    for (size_t i = 0; i < PBY_STORY_KERNEL && story->kernel[i].name != NULL; i++)
        pby_sheet_line(s, "", "release: %s, contract in src/kernel/%s, by make prove", story->kernel[i].name,
                       story->kernel[i].header);
    if (pby_explanation_draws(x))
        pby_sheet_line(s, "",
                       "draws: pby_draw_cells, contract in src/kernel/draw.h, by make prove; "
                       "docs/theory/drawing.md");
}

static void print_all(pby_sheet *s, const pby_explanation *x)
{
    char neighbours[256];
    pby_sheet_line(s, "mechanism", "%s", pby_spec_text(x->spec));
    pby_sheet_line(s, "", "%s", x->mechanism->family->summary);
    print_wrapped(s, "what", x->story->what);
    print_parameters(s, x->mechanism);
    if (x->spec->first.family != NULL)
        print_wrapped(s, "in front",
                      "records move at random, by the table that scatter names: neighbours stay "
                      "neighbours or become equal, and the loss stays what it is");
    if (x->spec->last.family != NULL)
        print_wrapped(s, "behind", "robust noise, which costs nothing: probity explain tells of it alone");
    snprintf(neighbours, sizeof neighbours, "%s: %s", pby_neighbours_text(x->relation),
             x->story->neighbours[x->relation]);
    print_wrapped(s, "neighbours", neighbours);
    print_wrapped(s, "worst pair", x->story->pair[x->relation]);
    print_loss(s, x);
    print_accuracy(s, x);
    print_proofs(s, x);
}

/* ---- a first or last step -------------------------------------------------------------------------------
 */

static const char last_privacy[] =
    "none of its own: it takes inputs to be told apart unless their outputs are close. It stands behind a "
    "mechanism that is private, and costs nothing there";

/* The scale of the noise, and what a mass that may lie anywhere costs. */
static pby_status print_noise(pby_sheet *s, const pby_mechanism *m, unsigned digits, pby_error *err)
{
    static const char note[] = "times theta is delta, where a mass theta of the outputs may lie anywhere";
    mpq_t rho, epsilon, grid, scale;
    pby_enclosure factor;
    mpq_inits(rho, epsilon, grid, scale, NULL);
    pby_enclosure_init(&factor);
    fmpq_get_mpq(rho, &m->value[pby_family_find(m->family, "rho")]);
    fmpq_get_mpq(epsilon, &m->value[pby_family_find(m->family, "eps")]);
    fmpq_get_mpq(grid, &m->value[pby_family_find(m->family, "grid")]);
    pby_status status = pby_robust_scale(scale, rho, epsilon, grid, err);
    if (status == PBY_OK)
        status = pby_robust_theta(&factor, rho, epsilon, scale, grid, digits, err);
    if (status == PBY_OK) {
        pby_sheet_exact(s, "scale", "scale", scale);
        pby_sheet_enclosure(s, "theta", "theta", &factor, digits, note);
    }
    pby_enclosure_clear(&factor);
    mpq_clears(rho, epsilon, grid, scale, NULL);
    return status;
}

static const char first_privacy[] =
    "none of its own: it only moves records. It stands in front of mechanisms that release a histogram, and "
    "costs nothing there: neighbours stay neighbours or become equal, under add-remove and under substitute";

/* Either of the two. */
static pby_status print_step(char **text, const pby_spec *spec, unsigned digits, pby_report_form form,
                             pby_error *err)
{
    const pby_mechanism *m = &spec->use[0].mechanism;
    const pby_story *story = pby_story_of(m);
    pby_sheet s;
    pby_sheet_begin(&s, form);
    pby_sheet_text(&s, "mechanism", "spec", pby_spec_text(spec));
    pby_sheet_text(&s, NULL, "what", story->what);
    const char *privacy = m->family->first ? first_privacy : last_privacy;
    pby_sheet_text(&s, NULL, "privacy", privacy);
    if (s.lines != NULL) {
        pby_sheet_line(&s, "", "%s", m->family->summary);
        print_wrapped(&s, "what", story->what);
        print_parameters(&s, m);
        print_wrapped(&s, "privacy", privacy);
    }
    const pby_status status = m->family->first ? PBY_OK : print_noise(&s, m, digits, err);
    pby_sheet_text(&s, "accuracy", "accuracy", story->accuracy);
    pby_sheet_line(&s, "proved in", "docs/theory/%s", story->pages[0]);
    return pby_sheet_end(text, &s, status, err);
}

static pby_status print_explanation(char **text, const pby_explanation *x, pby_report_form form,
                                    pby_error *err)
{
    pby_sheet s;
    pby_sheet_begin(&s, form);
    if (s.object != NULL) {
        json_decref(s.object);
        s.object = pby_explanation_json(x);
    } else if (s.lines != NULL) {
        print_all(&s, x);
    }
    return pby_sheet_end(text, &s, PBY_OK, err);
}

pby_status pby_report_explanation(char **text, char **page, const pby_spec *spec, pby_neighbours relation,
                                  unsigned digits, pby_report_form form, pby_error *err)
{
    pby_explanation x;
    *text = NULL;
    if (page != NULL)
        *page = NULL;
    if (pby_family_is_step(spec->use[0].mechanism.family))
        return page != NULL ? pby_refuse(err, "SPEC", spec->text, "a mechanism beside it, for a page")
                            : print_step(text, spec, digits == 0 ? PBY_DIGITS_DEFAULT : digits, form, err);
    pby_explanation_init(&x);
    x.spec = spec;
    x.relation = relation;
    x.digits = digits == 0 ? PBY_DIGITS_DEFAULT : digits;
    pby_status status = pby_explanation_begin(&x, err);
    if (status == PBY_OK)
        status = pby_explanation_ask(&x, err);
    if (status == PBY_OK && page != NULL)
        status = pby_explanation_page(page, &x, err);
    if (status == PBY_OK)
        status = print_explanation(text, &x, form, err);
    if (status != PBY_OK && page != NULL) {
        free(*page);
        *page = NULL;
    }
    pby_explanation_clear(&x);
    return status;
}
