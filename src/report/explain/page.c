/* SPDX-License-Identifier: MIT */
#include "report/explain/page.h"
#include "accuracy/accuracy.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/printed.h"
#include "io/digest.h"
#include "number/exact.h"
#include "number/scoped.h"
#include "number/text.h"
#include "picture/html.h"
#include "probity.h"
#include "report/explain/citation.h"
#include "report/explain/drawing.h"

enum { PAGE_DIGITS = 9 };

void pby_page_enclosure(FILE *out, const pby_enclosure *e, unsigned digits)
{
    char lo[PBY_DECIMAL_SIZE], hi[PBY_DECIMAL_SIZE];
    pby_decimal(lo, e->lo, digits, true);
    pby_decimal(hi, e->hi, digits, false);
    if (strcmp(lo, hi) == 0)
        fputs(lo, out);
    else
        fprintf(out, "[%s, %s]", lo, hi);
}

/* An enclosure with the arguments of probity that ask for it: a page that checks itself asks them again
 * (src/web/page/recheck.js), and no other page heeds them. `name` is the answer's key in --json. */
static void put_asked(FILE *out, const pby_explanation *x, const pby_enclosure *e, const char *name,
                      const char *question)
{
    fputs("<span data-ask=\"loss ", out);
    pby_html_text(out, pby_spec_text(x->spec));
    fprintf(out, " --neighbours %s --digits %u %s\" data-value=\"%s\">", pby_neighbours_text(x->relation),
            x->digits, question, name);
    pby_page_enclosure(out, e, x->digits);
    fputs("</span>", out);
}

/* Delta at the epsilon that the spec names, or what was claimed of it. */
static pby_status put_delta(FILE *out, const pby_explanation *x, const pby_enclosure *e, const char *name,
                            pby_error *err)
{
    char *at = pby_exact_text(x->own_epsilon), *question = NULL;
    if (at == NULL || asprintf(&question, "--epsilon %s", at) < 0)
        question = NULL;
    free(at);
    if (question == NULL)
        return pby_no_memory(err);
    put_asked(out, x, e, name, question);
    free(question);
    return PBY_OK;
}

static void paragraph(FILE *out, const char *text)
{
    fputs("<p>", out);
    pby_html_text(out, text);
    fputs("</p>\n", out);
}

/* A phrase of the story as a sentence. */
static void sentence(FILE *out, const char *text)
{
    const char first[2] = {(char)toupper((unsigned char)*text), '\0'};
    fputs("<p>", out);
    pby_html_text(out, first);
    pby_html_text(out, text + 1);
    fputs(".</p>\n", out);
}

static void put_title(FILE *out, const pby_explanation *x)
{
    fputs("<p class=\"about\">A mechanism explained: ", out);
    pby_html_text(out, x->mechanism->family->summary);
    fputs("</p>\n<h1 class=\"plain\">", out);
    pby_html_text(out, pby_spec_text(x->spec));
    fputs("</h1>\n", out);
    paragraph(out, x->story->what);
    fputs("<table class=\"rows\">\n", out);
    const pby_mechanism *m = x->mechanism;
    for (size_t i = 0; i < pby_family_parameters(m->family); i++)
        if (m->family->parameters[i].kind == PBY_CHOICE || pby_mechanism_has(m, i)) {
            fputs("<tr><th>Parameter</th><td>", out);
            pby_html_text(out, m->family->parameters[i].meaning);
            fputs("</td></tr>\n", out);
        }
    fprintf(out, "<tr><th>Neighbours</th><td>%s: ", pby_neighbours_text(x->relation));
    pby_html_text(out, x->story->neighbours[x->relation]);
    fputs("</td></tr>\n</table>\n", out);
}

/* ---- the loss --------------------------------------------------------------------------------- */

static pby_status put_loss(FILE *out, const pby_explanation *x, pby_error *err)
{
    fputs(
        "<h2>Privacy loss</h2>\n<p>Certified: the true value lies between the two ends of an enclosure.</p>\n"
        "<table class=\"rows\">\n",
        out);
    if (x->owns_epsilon) {
        char *at = pby_exact_text(x->own_epsilon);
        if (at == NULL)
            return pby_no_memory(err);
        fputs("<tr><th>delta</th><td class=\"event\">", out);
        const pby_status status = put_delta(out, x, &x->delta, "delta", err);
        fprintf(out, " at its own epsilon, %s</td></tr>\n", at);
        free(at);
        PBY_TRY(status);
    }
    fputs("<tr><th>epsilon</th><td class=\"event\">", out);
    put_asked(out, x, &x->epsilon, "epsilon", "--delta " PBY_EXPLAIN_DELTA);
    fputs(" at delta " PBY_EXPLAIN_DELTA "</td></tr>\n", out);
    if (x->knows_rho) {
        fputs("<tr><th>rho</th><td class=\"event\">", out);
        put_asked(out, x, &x->rho, "rho", "--zcdp");
        fputs(mpfr_inf_p(x->rho.lo) ? ": no zCDP, divergences of some order are not bounded</td></tr>\n"
                                    : " of zCDP</td></tr>\n",
              out);
    }
    fputs("</table>\n", out);
    return pby_explain_profile(out, x, err);
}

/* ---- the claim -------------------------------------------------------------------------------- */

static const char *comparison(const pby_claimed *x)
{
    static const char *const sentence[] = {
        [PBY_HERE_HOLDS] = "The exact delta is not above the claimed one: the claim holds here.",
        [PBY_HERE_FAILS] = "The exact delta is larger than the claimed one: the claim fails here.",
        [PBY_HERE_UNDECIDED] = "The two enclosures overlap: whether the claim holds here is not decided.",
    };
    return sentence[x->here];
}

static pby_status put_claim(FILE *out, const pby_explanation *x, pby_error *err)
{
    fputs("<h2>The published claim</h2>\n", out);
    if (x->claimed.source == NULL) {
        fputs("<p>No published formula for delta is compared with this spec.</p>\n", out);
        return PBY_OK;
    }
    fputs("<table class=\"rows\">\n<tr><th>Exact</th><td class=\"event\">delta ", out);
    PBY_TRY(put_delta(out, x, &x->delta, "delta", err));
    fputs("</td></tr>\n<tr><th>Claimed</th><td class=\"event\">delta ", out);
    PBY_TRY(put_delta(out, x, &x->claimed.delta, "claimed", err));
    fputs("</td></tr>\n<tr><th>Source</th><td>", out);
    pby_html_text(out, x->claimed.source);
    fputs("</td></tr>\n</table>\n", out);
    paragraph(out, comparison(&x->claimed));
    if (x->claimed.statement->refuted)
        paragraph(out, "The statement is refuted in general: the ledger of claims has a counterexample.");
    if (pby_citation_in(x->claimed.source) != NULL)
        fputs("<p>The source names its row in the ledger of claims (<code>docs/claims</code>), which "
              "<code>make claims</code> checks and shows in <code>build/claims.html</code>.</p>\n",
              out);
    return PBY_OK;
}

/* ---- what it is worth ------------------------------------------------------------------------- */

/* The greatest error of one count or query, but for some chances. Nothing where the mechanism is not of
 * noise. */
static void put_errors(FILE *out, const pby_explanation *x)
{
    static const char *const chance[] = {"0.1", "0.01", "1e-6"};
    pby_accuracy_kind kind;
    if (pby_accuracy_kind_of(&kind, x->spec, NULL) != PBY_OK ||
        (kind != PBY_ACCURACY_NOISY && kind != PBY_ACCURACY_QUERY))
        return;
    const pby_input_class inputs = {1, 1, NULL};
    bool begun = false;
    for (size_t i = 0; i < sizeof chance / sizeof *chance; i++) {
        pby_noisy_accuracy a;
        char beta[PBY_DECIMAL_SIZE];
        pby_noisy_accuracy_init(&a);
        PBY_MPQ(gamma);
        if (pby_rational_parse(gamma, "gamma", chance[i], NULL) == PBY_OK &&
            pby_accuracy_noisy(&a, x->spec, &inputs, NULL, gamma, PAGE_DIGITS, NULL) == PBY_OK &&
            !a.release.beta.infinite) {
            if (!begun)
                fputs("<table>\n<tr><th class=\"number\">error at most</th><th class=\"number\">but for a "
                      "chance of at most</th></tr>\n",
                      out);
            begun = true;
            pby_mpq_text(beta, a.release.beta.value);
            fprintf(out, "<tr><td class=\"number\">%s</td><td class=\"number\">%s</td></tr>\n", beta,
                    chance[i]);
        }
        pby_noisy_accuracy_clear(&a);
    }
    if (begun)
        fputs("</table>\n<p>This is for one count or query; <code>probity accuracy</code> takes more.</p>\n",
              out);
}

static pby_status put_accuracy(FILE *out, const pby_explanation *x, pby_error *err)
{
    char *text = pby_explanation_accuracy(x);
    if (text == NULL)
        return pby_no_memory(err);
    fputs("<h2>What a release is worth</h2>\n<p>Accuracy: ", out);
    pby_html_text(out, text);
    fputs(".</p>\n", out);
    free(text);
    put_errors(out, x);
    return PBY_OK;
}

/* ---- where it is proved, and how to cite it --------------------------------------------------- */

static void put_proofs(FILE *out, const pby_explanation *x)
{
    const pby_story *s = x->story;
    fputs("<h2>Where it is proved</h2>\n<ul>\n<li>Worst pair and loss: ", out);
    for (size_t i = 0; i < PBY_STORY_PAGES && s->pages[i] != NULL; i++)
        fprintf(out, "%s<code>docs/theory/%s</code>", i == 0 ? "" : ", ", s->pages[i]);
    fputs(x->spec->use[0].times > 1 ? ", <code>docs/theory/composition.md</code></li>\n" : "</li>\n", out);
    for (size_t i = 0; i < PBY_STORY_KERNEL && s->kernel[i].name != NULL; i++)
        fprintf(out,
                "<li>Release: <code>%s</code>, contract in <code>src/kernel/%s</code>, by <code>make "
                "prove</code></li>\n",
                s->kernel[i].name, s->kernel[i].header);
    if (pby_explanation_draws(x))
        fputs("<li>Draws: <code>pby_draw_cells</code>, contract in <code>src/kernel/draw.h</code>, by "
              "<code>make prove</code>; <code>docs/theory/drawing.md</code></li>\n",
              out);
    fputs("</ul>\n", out);
}

static void put_command(FILE *out, const pby_explanation *x, const char *end)
{
    fputs("probity explain '", out);
    pby_html_text(out, pby_spec_text(x->spec));
    fprintf(out, "' --neighbours %s --digits %u%s", pby_neighbours_text(x->relation), x->digits, end);
}

static pby_status put_citation(FILE *out, const pby_explanation *x, pby_error *err)
{
    char *json = pby_json_text(pby_explanation_json(x), JSON_PRESERVE_ORDER);
    const pby_citation *paper = pby_citation_in(x->claimed.source);
    pby_digesting digesting;
    pby_digest digest;
    if (json == NULL)
        return pby_no_memory(err);
    pby_digesting_begin(&digesting);
    pby_digesting_add(&digesting, json, strlen(json));
    pby_digesting_add(&digesting, "\n", 1);
    pby_digesting_so_far(&digest, &digesting);
    free(json);
    fputs("<h2>How to cite it</h2>\n", out);
    if (paper != NULL) {
        fprintf(out, "<p>The mechanism: [%s] ", paper->key);
        pby_html_text(out, paper->text);
        fputs("</p>\n", out);
    }
    fprintf(out,
            "<p>These numbers: Probity %s, <em>differential privacy that can be checked</em>, by this "
            "command.</p>\n<pre>",
            pby_version());
    put_command(out, x, " --json");
    fprintf(out, "</pre>\n<p>Its output has this SHA-256:</p>\n<pre>%s</pre>\n", digest.sha256);
    fprintf(out,
            "<pre>@misc{probity,\n  title = {Probity: differential privacy that can be checked},\n"
            "  note = {Version %s, ",
            pby_version());
    put_command(out, x, "");
    fprintf(out, ", SHA-256 %.16s}\n}</pre>\n", digest.sha256);
    return PBY_OK;
}

static pby_status put_body(FILE *out, const pby_explanation *x, pby_error *err)
{
    put_title(out, x);
    fputs("<h2>The noise</h2>\n", out);
    pby_status status = pby_explain_law(out, x, err);
    if (status == PBY_OK) {
        fputs("<h2>The worst pair of neighbours</h2>\n", out);
        sentence(out, x->story->pair[x->relation]);
        status = pby_explain_pair(out, x, err);
    }
    if (status == PBY_OK)
        status = put_loss(out, x, err);
    if (status == PBY_OK)
        status = put_claim(out, x, err);
    if (status == PBY_OK)
        status = put_accuracy(out, x, err);
    if (status != PBY_OK)
        return status;
    put_proofs(out, x);
    return put_citation(out, x, err);
}

pby_status pby_explanation_page(char **page, const pby_explanation *x, pby_error *err)
{
    pby_printed printed;
    char title[256];
    *page = NULL;
    FILE *out = pby_printed_begin(&printed);
    if (out == NULL)
        return pby_no_memory(err);
    snprintf(title, sizeof title, "%s", pby_spec_text(x->spec));
    pby_html_begin(out, title);
    pby_status status = put_body(out, x, err);
    pby_html_end(out);
    return pby_printed_end(page, &printed, status, err);
}
