#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/exact.h"
#include "cli/explain.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/request.h"
#include "io/spool.h"
#include "number/exact.h"
#include "probity.h"

enum { NEIGHBOURS, DIGITS, JSON, REPORT, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [NEIGHBOURS] = {"--neighbours", "add-remove, substitute or local", 0, NULL},
    [DIGITS] = {"--digits", "an integer from 1 to 1000", 0, NULL},
    [JSON] = {"--json", NULL, 0, NULL},
    [REPORT] = {"--report", "a file for the HTML page", 0, NULL},
    [OPTIONS] = {NULL, NULL, 0, NULL},
};

/* ---- the numbers ------------------------------------------------------------------------------ */

/* One use of a mechanism whose eps is an epsilon, and not what a divergence is at most. */
static void find_own_epsilon(pby_explanation *x)
{
    const fmpq *epsilon = pby_mechanism_value(x->mechanism, PBY_ROLE_EPSILON);
    x->owns_epsilon = epsilon != NULL && x->mechanism->family->promise == NULL && x->spec->use[0].times == 1;
    if (x->owns_epsilon)
        fmpq_get_mpq(x->own_epsilon, epsilon);
}

static pby_status ask_loss(pby_explanation *x, pby_error *err)
{
    pby_status status = PBY_OK;
    mpq_t at;
    mpq_init(at);
    if (x->owns_epsilon)
        status = pby_loss(&x->delta, PBY_ASK_DELTA, x->spec, x->relation, x->own_epsilon,
                          &(pby_loss_options){.digits = x->digits, .wider = &x->delta_wider}, err);
    if (x->owns_epsilon && status == PBY_OK)
        status =
            pby_loss_claimed(&x->claimed, &x->source, x->spec, x->relation, x->own_epsilon, x->digits, err);
    if (status == PBY_OK)
        status = pby_rational_parse(at, "delta", PBY_EXPLAIN_DELTA, err);
    if (status == PBY_OK)
        status = pby_loss(&x->epsilon, PBY_ASK_EPSILON, x->spec, x->relation, at,
                          &(pby_loss_options){.digits = x->digits, .wider = &x->epsilon_wider}, err);
    mpq_set_ui(at, 0, 1);
    const bool sampled = pby_mechanism_sample(x->mechanism) != NULL;
    if (status == PBY_OK) {
        status = pby_loss_zcdp(&x->rho, NULL, x->spec, x->relation, at, x->digits, sampled ? NULL : err);
        x->knows_rho = status == PBY_OK;
    }
    mpq_clear(at);
    return sampled && status == PBY_BAD ? PBY_OK : status;
}

/* Of one use. What a bar may lose does not depend on the inputs, unless the mechanism reads their size; then
 * it is asked for the larger of the two sizes that the spec is about, where it is no less. Not asked where
 * the story has an accuracy of its own. */
static pby_status ask_accuracy(pby_explanation *x, pby_error *err)
{
    if (x->story->accuracy != NULL)
        return PBY_OK;
    const int64_t size = pby_mechanism_size(x->mechanism);
    const pby_input_class inputs = {size > 0 ? (uint64_t)size + 1 : 1, 1, NULL};
    pby_spec *once;
    pby_status status = pby_spec_of(&once, x->mechanism, 1, err);
    if (status == PBY_OK)
        status = pby_accuracy_release(&x->accuracy, &x->bar_loss, once, &inputs, err);
    pby_spec_free(once);
    return status;
}

bool pby_explanation_draws(const pby_explanation *x)
{
    const pby_family *family = x->mechanism->family;
    return family->law != NULL && (family->continuous == NULL || !family->continuous(x->mechanism)) &&
           pby_mechanism_sample(x->mechanism) == NULL;
}

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

char *pby_explanation_accuracy(const pby_explanation *x)
{
    if (x->story->accuracy != NULL)
        return strdup(x->story->accuracy);
    char *beta = pby_exact_text(x->accuracy.beta.value), *text = NULL;
    const unsigned long long loss = x->bar_loss;
    if (beta != NULL &&
        asprintf(&text,
                 "a bar loses at most %llu and gains nothing: of n records in t occupied bars, (alpha, "
                 "beta, gamma) = (min(1, %llu t/n), %s, 0)%s, by probity accuracy",
                 loss, loss, beta,
                 mpq_sgn(x->accuracy.beta.value) == 0 ? "" : ", beta in the maximum norm") < 0)
        text = NULL;
    free(beta);
    return text;
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

/* ---- for programs ----------------------------------------------------------------------------- */

static json_t *json_loss(const pby_explanation *x)
{
    json_t *loss = json_object(), *delta = NULL;
    bool good = loss != NULL;
    if (x->owns_epsilon) {
        delta = pby_json_enclosure(&x->delta, x->digits);
        good = good && json_object_set_new(delta, "at", pby_exact_json(x->own_epsilon)) == 0;
        good = good && json_object_set(loss, "delta", delta) == 0;
    }
    json_decref(delta);
    json_t *epsilon = pby_json_enclosure(&x->epsilon, x->digits);
    good = good && json_object_set_new(epsilon, "at", json_string(PBY_EXPLAIN_DELTA)) == 0 &&
           json_object_set(loss, "epsilon", epsilon) == 0;
    if (good && x->knows_rho)
        good = json_object_set_new(loss, "rho", pby_json_enclosure(&x->rho, x->digits)) == 0;
    if (good && (x->delta_wider || x->epsilon_wider))
        good = json_object_set_new(loss, "wider", json_string(pby_wider)) == 0;
    json_decref(epsilon);
    if (!good)
        json_decref(loss);
    return good ? loss : NULL;
}

static json_t *json_accuracy(const pby_explanation *x)
{
    if (x->story->accuracy != NULL)
        return json_string(x->story->accuracy);
    return json_pack("{s:I, s:o, s:o}", "bar_loss", (json_int_t)x->bar_loss, "beta",
                     pby_distance_json(&x->accuracy.beta), "gamma", pby_exact_json(x->accuracy.gamma));
}

/* The pages, and the kernel functions, the one that draws among them. */
static json_t *json_proved(const pby_explanation *x)
{
    const pby_story *story = x->story;
    json_t *pages = json_array(), *kernel = json_array();
    bool good = pages != NULL && kernel != NULL;
    for (size_t i = 0; i < PBY_STORY_PAGES && story->pages[i] != NULL && good; i++)
        good = json_array_append_new(pages, json_sprintf("docs/theory/%s", story->pages[i])) == 0;
    for (size_t i = 0; i < PBY_STORY_KERNEL && story->kernel[i].name != NULL && good; i++)
        good = json_array_append_new(kernel, json_string(story->kernel[i].name)) == 0;
    if (good && pby_explanation_draws(x))
        good = json_array_append_new(kernel, json_string("pby_draw_cells")) == 0;
    json_t *proved = good ? json_pack("{s:O, s:O}", "theory", pages, "kernel", kernel) : NULL;
    json_decref(pages);
    json_decref(kernel);
    return proved;
}

json_t *pby_explanation_json(const pby_explanation *x)
{
    const pby_story *s = x->story;
    return json_pack("{s:s, s:s, s:s, s:{s:s, s:s}, s:s, s:o, s:o, s:o}", "spec", pby_spec_text(x->spec),
                     "family", x->mechanism->family->name, "what", s->what, "neighbours", "relation",
                     pby_neighbours_text(x->relation), "meaning", s->neighbours[x->relation], "worst_pair",
                     s->pair[x->relation], "loss", json_loss(x), "accuracy", json_accuracy(x), "proved",
                     json_proved(x));
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
    if (status != PBY_OK)
        return status;
    x->mechanism = &x->spec->use[0].mechanism;
    x->story = pby_story_of(x->mechanism);
    if (pby_mechanism_sample(x->mechanism) != NULL) {
        x->sampled = *x->story;
        pby_story_sample(&x->sampled);
        x->story = &x->sampled;
    }
    find_own_epsilon(x);
    return x->story != NULL ? PBY_OK : pby_family_lacks(x->mechanism, "an explanation", err);
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
    pby_status status = pby_explanation_html(&page, x, err);
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
        status = ask_loss(x, err);
    if (status == PBY_OK)
        status = ask_accuracy(x, err);
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
    pby_explanation x = {.spec = NULL};
    pby_enclosure *const enclosures[] = {&x.delta, &x.claimed, &x.epsilon, &x.rho};
    for (size_t i = 0; i < sizeof enclosures / sizeof *enclosures; i++)
        pby_enclosure_init(enclosures[i]);
    pby_accuracy_init(&x.accuracy);
    mpq_init(x.own_epsilon);
    status = explain(&x, options, operands, argv, err);
    mpq_clear(x.own_epsilon);
    pby_accuracy_clear(&x.accuracy);
    for (size_t i = 0; i < sizeof enclosures / sizeof *enclosures; i++)
        pby_enclosure_clear(enclosures[i]);
    pby_spec_free(x.spec);
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
