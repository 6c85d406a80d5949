/* SPDX-License-Identifier: MIT */
#include "report/explain/explanation.h"
#include "accuracy/accuracy.h"
#include "probity/experimental/losses.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/status.h"
#include "number/exact.h"
#include "number/number_json.h"
#include "number/scoped.h"
#include "probity/loss.h"
#include "probity/rational.h"
#include "report/loss/report_points.h"

void pby_explanation_init(pby_explanation *x)
{
    *x = (pby_explanation){.spec = NULL};
    pby_enclosure_init(&x->delta);
    pby_claimed_init(&x->claimed);
    pby_enclosure_init(&x->epsilon);
    pby_enclosure_init(&x->rho);
    pby_accuracy_init(&x->accuracy);
    mpq_init(x->own_epsilon);
}

void pby_explanation_clear(pby_explanation *x)
{
    mpq_clear(x->own_epsilon);
    pby_accuracy_clear(&x->accuracy);
    pby_enclosure_clear(&x->rho);
    pby_enclosure_clear(&x->epsilon);
    pby_claimed_clear(&x->claimed);
    pby_enclosure_clear(&x->delta);
}

/* ---- the numbers ------------------------------------------------------------------------------ */

/* One use of a mechanism whose eps is an epsilon, and not what a divergence is at most. */
static void find_own_epsilon(pby_explanation *x)
{
    const fmpq *epsilon = pby_mechanism_value(x->mechanism, PBY_ROLE_EPSILON);
    PBY_PRIVACY(p, x->mechanism);
    x->owns_epsilon = epsilon != NULL && !p.promise.made && x->spec->use[0].times == 1;
    if (x->owns_epsilon)
        fmpq_get_mpq(x->own_epsilon, epsilon);
}

static pby_status ask_loss(pby_explanation *x, pby_error *err)
{
    pby_status status = PBY_OK;
    PBY_MPQ(at);
    if (x->owns_epsilon)
        status = pby_loss(&x->delta, PBY_ASK_DELTA, x->spec, x->relation, x->own_epsilon,
                          &(pby_loss_options){.digits = x->digits, .wider = &x->delta_wider}, err);
    if (x->owns_epsilon && status == PBY_OK)
        status =
            pby_claimed_ask(&x->claimed, x->spec, x->relation, x->own_epsilon, &x->delta, x->digits, err);
    if (status == PBY_OK)
        status = pby_rational_parse(at, "delta", PBY_EXPLAIN_DELTA, err);
    if (status == PBY_OK)
        status = pby_loss(&x->epsilon, PBY_ASK_EPSILON, x->spec, x->relation, at,
                          &(pby_loss_options){.digits = x->digits, .wider = &x->epsilon_wider}, err);
    mpq_set_ui(at, 0, 1);
    const bool sampled = pby_mechanism_sample(x->mechanism) != NULL || pby_mechanism_allocated(x->mechanism);
    if (status == PBY_OK) {
        status = pby_loss_zcdp(&x->rho, NULL, x->spec, x->relation, at, x->digits, sampled ? NULL : err);
        x->knows_rho = status == PBY_OK;
    }
    return sampled && status == PBY_BAD ? PBY_OK : status;
}

/* Asks for the accuracy of one use. The loss of a bar does not depend on the inputs, unless the mechanism
 * reads their size; then the larger of the two sizes that the spec is about is asked, where the loss is no
 * less. A story with an accuracy of its own needs none. */
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

pby_status pby_explanation_begin(pby_explanation *x, pby_error *err)
{
    x->mechanism = &x->spec->use[0].mechanism;
    x->story = pby_story_of(x->mechanism);
    if (x->story == NULL)
        return pby_family_lacks(x->mechanism, "an explanation", err);
    if (pby_mechanism_sample(x->mechanism) != NULL) {
        x->sampled = *x->story;
        (pby_mechanism_fixed(x->mechanism)       ? pby_story_fix
         : pby_mechanism_truncated(x->mechanism) ? pby_story_truncate
                                                 : pby_story_sample)(&x->sampled);
        x->story = &x->sampled;
    }
    find_own_epsilon(x);
    return PBY_OK;
}

pby_status pby_explanation_ask(pby_explanation *x, pby_error *err)
{
    const pby_status status = ask_loss(x, err);
    return status == PBY_OK ? ask_accuracy(x, err) : status;
}

bool pby_explanation_draws(const pby_explanation *x)
{
    PBY_PRIVACY(p, x->mechanism);
    return x->mechanism->family->law != NULL && !p.integral && pby_mechanism_sample(x->mechanism) == NULL;
}

/* ---- in words and as JSON ---------------------------------------------------------------------- */

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
        good = json_object_set_new(loss, "wider", json_string(pby_wider_of(x->spec))) == 0;
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
