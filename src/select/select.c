#include "probity/select.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number/text.h"
#include "select/frontier.h"
#include "select/judge.h"

/* ---- the answer ------------------------------------------------------------------------------- */

static pby_status fill(pby_candidate *c, const pby_frontier *f, int64_t i, pby_error *err)
{
    if (i == 0)
        return PBY_OK;
    pby_frontier_value(c->value, f, i);
    pby_spec *judged = NULL;
    pby_status status = pby_frontier_spec(&c->spec, f, c->value, f->target->uses, err);
    if (status == PBY_OK)
        status = pby_frontier_judged(&judged, f, c->value, err);
    if (status == PBY_OK)
        status = pby_judge_delta(&c->delta, judged, f->target, err);
    pby_spec_free(judged);
    return status;
}

/* The delta that the candidate with the most noise still has, in the refusal. */
static pby_status impossible(const pby_frontier *f, pby_error *err)
{
    pby_candidate most = {.spec = NULL};
    char shown[PBY_DECIMAL_SIZE], expected[PBY_ERROR_SIZE];
    mpq_init(most.value);
    pby_enclosure_init(&most.delta);
    pby_status status = fill(&most, f, f->row->rising ? f->last : 1, err);
    if (status == PBY_OK) {
        pby_decimal(shown, most.delta.lo, PBY_DIGITS_DEFAULT, true);
        snprintf(expected, sizeof expected, "at least %.40s, which %.120s still has: %s binds", shown,
                 pby_spec_text(most.spec), f->row->binds != NULL ? f->row->binds : "the resolution");
        status = pby_refuse_mpq(err, "--delta", f->target->delta, expected);
    }
    pby_spec_free(most.spec);
    mpq_clear(most.value);
    pby_enclosure_clear(&most.delta);
    return status;
}

/* The recipe is asked first: its answer is where the search for the exact one starts. */
static pby_status choose(pby_choice *choice, pby_frontier *f, pby_error *err)
{
    pby_edge edge = {0, 0}, recipe = {0, 0};
    pby_status status = pby_frontier_prepare(f, err);
    f->by_recipe = true;
    if (status == PBY_OK)
        status = pby_frontier_find(&recipe, f, 0, err);
    f->by_recipe = false;
    if (status == PBY_OK)
        status = pby_frontier_find(&edge, f, recipe.within, err);
    if (status == PBY_OK)
        status = pby_frontier_scan(&edge, f, err);
    if (status == PBY_OK && edge.within == 0)
        return impossible(f, err);
    if (status == PBY_OK)
        status = fill(&choice->chosen, f, edge.within, err);
    if (status == PBY_OK)
        status = fill(&choice->better, f, edge.beyond, err);
    if (status == PBY_OK)
        status = fill(&choice->recipe, f, recipe.within, err);
    mpq_set(choice->resolution, f->step);
    choice->monotone = f->monotone;
    choice->adjacent = edge.beyond == 0 || llabs(edge.within - edge.beyond) == 1;
    return status;
}

/* ---- the question ----------------------------------------------------------------------------- */

static pby_status check_target(const pby_select_row *row, const pby_target *t, pby_error *err)
{
    if (mpq_sgn(t->epsilon) <= 0)
        return pby_refuse_mpq(err, "--epsilon", t->epsilon, "a rational above 0");
    if (mpq_sgn(t->delta) < 0 || mpq_cmp_ui(t->delta, 1, 1) >= 0)
        return pby_refuse_mpq(err, "--delta", t->delta, "a rational from 0 to below 1");
    if (mpq_sgn(t->delta) == 0 && row->never_zero != NULL)
        return pby_fail(err, PBY_BAD, "--delta '0': expected above 0, because no %s has delta 0: %s", row->family,
                        row->never_zero);
    if (t->uses == 0 || t->uses > PBY_TIMES_MAX)
        return pby_fail(err, PBY_BAD, "--uses: expected an integer from 1 to %d", PBY_TIMES_MAX);
    if (row->composes_as != NULL && t->uses > 1 && t->relation != PBY_ADD_REMOVE)
        return pby_fail(err, PBY_BAD, "--uses '%lu': expected 1 for %s between %s neighbours", t->uses, row->family,
                        pby_neighbours_text(t->relation));
    if (t->resolution != NULL && mpq_sgn(t->resolution) <= 0)
        return pby_refuse_mpq(err, "--resolution", t->resolution, "a rational above 0");
    return PBY_OK;
}

/* Whether a parameter is among those that were given. */
static bool names(const char *parameters, const char *name)
{
    const size_t size = strlen(name);
    for (const char *at = parameters; at != NULL && *at != '\0'; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, size) == 0 && at[size] == '=')
            return true;
    }
    return false;
}

/* The parameters that are not chosen, with a comma behind; eps is shared out where it was left out. */
static pby_status set_given(pby_frontier *f, const char *parameters, pby_error *err)
{
    if (names(parameters, f->row->parameter))
        return pby_refuse(err, f->row->family, parameters, "the parameters that are not to be chosen");
    if (f->row->instead != NULL && names(parameters, f->row->instead)) {
        char expected[64];
        snprintf(expected, sizeof expected, "no %s: what is chosen is %s", f->row->instead, f->row->parameter);
        return pby_refuse(err, f->row->family, parameters, expected);
    }
    const bool shares = f->row->shares && !names(parameters, "eps");
    char *share = NULL;
    mpq_t epsilon;
    mpq_init(epsilon);
    mpq_set_ui(epsilon, f->target->uses, 1);
    if (f->row->both && f->target->relation == PBY_SUBSTITUTE)
        mpq_mul_2exp(epsilon, epsilon, 1);
    mpq_div(epsilon, f->target->epsilon, epsilon);
    share = mpq_get_str(NULL, 10, epsilon);
    mpq_clear(epsilon);
    const int size = asprintf(&f->given, "%s%s%s%s%s", shares ? "eps=" : "", shares ? share : "", shares ? "," : "",
                              parameters, *parameters == '\0' ? "" : ",");
    free(share);
    if (size >= 0)
        return PBY_OK;
    f->given = NULL;
    return pby_no_memory(err);
}

static void candidate_init(pby_candidate *c)
{
    mpq_init(c->value);
    pby_enclosure_init(&c->delta);
}

static void candidate_clear(pby_candidate *c)
{
    pby_spec_free(c->spec);
    mpq_clear(c->value);
    pby_enclosure_clear(&c->delta);
}

static pby_choice *new_choice(const pby_select_row *row)
{
    pby_choice *choice = calloc(1, sizeof *choice);
    if (choice == NULL)
        return NULL;
    mpq_init(choice->resolution);
    candidate_init(&choice->chosen);
    candidate_init(&choice->better);
    candidate_init(&choice->recipe);
    choice->parameter = row->parameter;
    choice->source = row->source;
    return choice;
}

void pby_choice_free(pby_choice *choice)
{
    if (choice == NULL)
        return;
    mpq_clear(choice->resolution);
    candidate_clear(&choice->chosen);
    candidate_clear(&choice->better);
    candidate_clear(&choice->recipe);
    free(choice);
}

pby_status pby_select(pby_choice **out, const char *family, const pby_target *target, pby_error *err)
{
    const size_t length = strcspn(family, ":");
    *out = NULL;
    const pby_select_row *row = pby_select_row_find(family, length, err);
    if (row == NULL)
        return PBY_BAD;
    pby_status status = check_target(row, target, err);
    if (status != PBY_OK)
        return status;
    pby_frontier f = {.row = row, .target = target};
    pby_choice *choice = new_choice(row);
    if (choice == NULL)
        return pby_no_memory(err);
    mpq_init(f.step);
    status = set_given(&f, family + length + (family[length] == ':'), err);
    if (status == PBY_OK)
        status = choose(choice, &f, err);
    free(f.given);
    mpq_clear(f.step);
    if (status == PBY_OK)
        *out = choice;
    else
        pby_choice_free(choice);
    return status;
}
