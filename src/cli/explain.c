#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "io/spool.h"
#include "number/exact.h"
#include "probity.h"
#include "report/explanation.h"
#include "report/page.h"
#include "report/points.h"

enum { NEIGHBOURS, DIGITS, JSON, REPORT, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [NEIGHBOURS] = {"--neighbours", "add-remove, substitute or local", 0, NULL},
    [DIGITS] = {"--digits", "an integer from 1 to 1000", 0, NULL},
    [JSON] = {"--json", NULL, 0, NULL},
    [REPORT] = {"--report", "a file for the HTML page", 0, NULL},
    [OPTIONS] = {NULL, NULL, 0, NULL},
};

/* ---- for people ------------------------------------------------------------------------------- */

/* One entry whose text is wrapped, its lines aligned. */
static void print_wrapped(const char *name, const char *text)
{
    enum { WIDTH = 88 };
    while (*text != '\0') {
        size_t n = strlen(text);
        if (n > WIDTH)
            for (n = WIDTH; n > 0 && text[n] != ' ';)
                n--;
        printf("%-12s%.*s\n", name, (int)n, text);
        text += n + strspn(text + n, " ");
        name = "";
    }
}

static void print_parameters(const pby_mechanism *m)
{
    const size_t count = pby_family_parameters(m->family);
    for (size_t i = 0; i < count; i++)
        if (m->family->parameters[i].kind == PBY_CHOICE || pby_mechanism_has(m, i))
            pby_print_line(i == 0 ? "parameters" : "", m->family->parameters[i].meaning);
}

static pby_status print_loss(const pby_explanation *x, pby_error *err)
{
    char note[128] = "";
    if (x->owns_epsilon) {
        char *epsilon = pby_exact_text(x->own_epsilon);
        if (epsilon == NULL)
            return pby_no_memory(err);
        snprintf(note, sizeof note, "at its own epsilon, %s", epsilon);
        free(epsilon);
        pby_print_enclosure("delta", &x->delta, x->digits, note);
        if (x->delta_wider)
            pby_print_line("  wider", pby_wider);
    }
    if (x->source != NULL)
        pby_print_enclosure("  claimed", &x->claimed, x->digits, x->source);
    pby_print_enclosure("epsilon", &x->epsilon, x->digits, "at delta " PBY_EXPLAIN_DELTA);
    if (x->epsilon_wider)
        pby_print_line("  wider", pby_wider);
    if (x->knows_rho)
        pby_print_enclosure("rho", &x->rho, x->digits,
                            mpfr_inf_p(x->rho.lo) ? "no zCDP: divergences of some order are not bounded"
                                                  : "zCDP: the divergence of order a is at most rho a");
    return PBY_OK;
}

static pby_status print_accuracy(const pby_explanation *x, pby_error *err)
{
    char *text = pby_explanation_accuracy(x);
    if (text == NULL)
        return pby_no_memory(err);
    print_wrapped("accuracy", text);
    free(text);
    return PBY_OK;
}

static void print_proofs(const pby_explanation *x)
{
    const pby_story *s = x->story;
    printf("%-12sworst pair, loss: docs/theory/%s", "proved in", s->pages[0]);
    for (size_t i = 1; i < PBY_STORY_PAGES && s->pages[i] != NULL; i++)
        printf(", docs/theory/%s", s->pages[i]);
    if (x->spec->use[0].times > 1)
        printf("\n%-12scomposition: docs/theory/composition.md", "");
    for (size_t i = 0; i < PBY_STORY_KERNEL && s->kernel[i].name != NULL; i++)
        printf("\n%-12srelease: %s, contract in src/kernel/%s, by make prove", "", s->kernel[i].name,
               s->kernel[i].header);
    if (pby_explanation_draws(x))
        printf("\n%-12sdraws: pby_draw_cells, contract in src/kernel/draw.h, by make prove; "
               "docs/theory/drawing.md",
               "");
    putchar('\n');
}

static pby_status print_text(const pby_explanation *x, pby_error *err)
{
    char neighbours[256];
    pby_print_line("mechanism", pby_spec_text(x->spec));
    pby_print_line("", x->mechanism->family->summary);
    print_wrapped("what", x->story->what);
    print_parameters(x->mechanism);
    snprintf(neighbours, sizeof neighbours, "%s: %s", pby_neighbours_text(x->relation),
             x->story->neighbours[x->relation]);
    print_wrapped("neighbours", neighbours);
    print_wrapped("worst pair", x->story->pair[x->relation]);
    pby_status status = print_loss(x, err);
    if (status == PBY_OK)
        status = print_accuracy(x, err);
    if (status == PBY_OK)
        print_proofs(x);
    return status;
}

/* ---- the arguments ---------------------------------------------------------------------------- */

static pby_status read_arguments(pby_explanation *x, const pby_option *options, int operands, char **argv,
                                 pby_error *err)
{
    pby_status status = pby_option_digits(&x->digits, options[DIGITS].value, PBY_DIGITS_DEFAULT, err);
    if (status == PBY_OK)
        status = pby_operand_spec(&x->spec, "explain", operands, argv, err);
    if (status == PBY_OK)
        status = pby_option_neighbours(&x->relation, options[NEIGHBOURS].value, x->spec, err);
    return status == PBY_OK ? pby_explanation_begin(x, err) : status;
}

/* Asked before the work. */
static pby_status can_write(const char *path, pby_error *err)
{
    pby_error why = PBY_NO_ERROR;
    pby_spool *spool = NULL;
    const pby_status status = path == NULL ? PBY_OK : pby_spool_open(&spool, path, &why);
    pby_spool_abort(spool);
    return status == PBY_OK ? PBY_OK : pby_fail(err, status, "--report: %s", why.text);
}

static pby_status write_report(const pby_explanation *x, const char *path, pby_error *err)
{
    char *page = NULL;
    pby_error why = PBY_NO_ERROR;
    pby_status status = pby_explanation_page(&page, x, err);
    if (status != PBY_OK)
        return status;
    status = pby_spool_text(path, page, "\n", &why);
    free(page);
    return status == PBY_OK ? PBY_OK : pby_fail(err, status, "--report: %s", why.text);
}

static pby_status explain(pby_explanation *x, const pby_option *options, int operands, char **argv,
                          pby_error *err)
{
    pby_status status = read_arguments(x, options, operands, argv, err);
    if (status == PBY_OK)
        status = can_write(options[REPORT].value, err);
    if (status == PBY_OK)
        status = pby_explanation_ask(x, err);
    if (status != PBY_OK)
        return status;
    if (options[REPORT].value != NULL)
        status = write_report(x, options[REPORT].value, err);
    if (status != PBY_OK)
        return status;
    return options[JSON].value != NULL ? pby_print_json(pby_explanation_json(x), err) : print_text(x, err);
}

static pby_status run(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status != PBY_OK)
        return status;
    pby_explanation x;
    pby_explanation_init(&x);
    status = explain(&x, options, operands, argv, err);
    pby_explanation_clear(&x);
    return status;
}

static const char help[] =
    "probity explain: what a mechanism is, what it costs, and where that is proved\n"
    "\n"
    "usage: probity explain SPEC [--neighbours R] [--digits N] [--json] [--report FILE]\n"
    "\n"
    "Prints what the mechanism releases and which noise it adds; what neighbouring inputs are; the pair of\n"
    "inputs with the largest loss; the loss (delta at the epsilon of the SPEC, epsilon at delta 1e-6, and\n"
    "the rho of zCDP, where it is known); the accuracy; and where the proofs are: a page of docs/theory,\n"
    "and the kernel functions whose contracts make prove proves.\n"
    "\n"
    "  SPEC             a mechanism, such as stlap:eps=1/2,q=40, or K uses of one, K*SPEC\n"
    "  --neighbours R   add-remove (one record more or fewer), substitute (one changed) or local (any two\n"
    "                   values of one user); by default the first of these that the SPEC allows\n"
    "  --digits N       significant digits of the numbers, 1 to 1000 (9)\n"
    "  --json           one JSON object: spec, family, what, neighbours, worst_pair, loss (delta, epsilon\n"
    "                   and rho, each {\"lo\": \"...\", \"hi\": \"...\"}, the first two with \"at\"),\n"
    "                   accuracy, and proved\n"
    "  --report FILE    also writes one HTML page that needs nothing from outside: the noise, the worst\n"
    "                   pair, the profile, the published claim, the accuracy, and how to cite it\n"
    "\n"
    "examples:\n"
    "  probity explain stlap:eps=1/2,q=40\n"
    "  probity explain 100*dgauss:sigma2=100 --json\n"
    "  probity explain stlap:eps=1/2,q=40 --report stlap.html\n";

const pby_command pby_command_explain = {"explain", "what a mechanism is, and where that is proved", help,
                                         run};
