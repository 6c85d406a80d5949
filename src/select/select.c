/* SPDX-License-Identifier: MIT */
#include "probity/select.h"
#include "probity/experimental/losses.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "loss/loss.h"
#include "mechanism/family.h"
#include "number/ball.h"
#include "number/scoped.h"
#include "number/text.h"
#include "select/approach.h"
#include "select/frontier.h"
#include "select/select_judge.h"

/* The digits that the loss of a candidate is enclosed to. */
enum { DIGITS = 20 };

/* ---- the answer ------------------------------------------------------------------------------- */

/* The loss of a candidate as it was judged. */
static pby_status judged_loss(pby_candidate *c, const pby_frontier *f, pby_error *err)
{
    pby_spec *judged = NULL;
    pby_status status = pby_frontier_judged(&judged, f, c->value, err);
    if (status == PBY_OK)
        status = pby_judge_loss(pby_candidate_loss(c, f->target), judged, f->target, err);
    pby_spec_free(judged);
    return status;
}

/* The loss of a candidate that was judged by a bound: from what some neighbours lose, as closely as it takes
 * to show that it is within the target. */
static pby_status own_loss(pby_candidate *c, const pby_frontier *f, bool within, pby_error *err)
{
    enum { BITS = 128 };
    const pby_target *t = f->target;
    if (t->rho != NULL || t->mu != NULL)
        return pby_judge_loss(pby_candidate_loss(c, t), c->spec, t, err);
    if (!within)
        return pby_loss_delta(&c->delta, c->spec, t->relation, t->epsilon, DIGITS, err);
    PBY_MPFR(BITS, hi);
    mpfr_set_q(hi, t->delta, MPFR_RNDD);
    const pby_approached q = {
        .spec = c->spec, .relation = t->relation, .epsilon = t->epsilon, .digits = DIGITS, .hi = hi};
    return pby_approach(&c->delta, &q, err);
}

static pby_status fill_candidate(pby_candidate *c, const pby_frontier *f, int64_t i, bool within,
                                 pby_error *err)
{
    if (i == 0)
        return PBY_OK;
    pby_frontier_value(c->value, f, i);
    const pby_status status = pby_frontier_spec(&c->spec, f, c->value, f->target->uses, err);
    if (status != PBY_OK)
        return status;
    return f->bound != NULL ? own_loss(c, f, within, err) : judged_loss(c, f, err);
}

/* No multiple of the step up to the last suffices, and greater ones would. */
static pby_status impossible_steps(const pby_frontier *f, pby_error *err)
{
    char expected[96];
    snprintf(expected, sizeof expected, "a larger step, because no %s of up to %lld steps suffices",
             f->parameter, (long long)f->last);
    return pby_refuse_mpq(err, "resolution", f->step, expected);
}

/* The refusal of what no candidate meets, with a number that none is below where one is known. */
static pby_status impossible(const pby_frontier *f, pby_error *err)
{
    const pby_target *t = f->target;
    char shown[PBY_DECIMAL_SIZE], expected[PBY_ERROR_SIZE];
    bool known = false;
    PBY_MPFR(53, least);
    pby_status status = pby_frontier_least(least, &known, f, err);
    pby_decimal(shown, least, PBY_DIGITS_DEFAULT, true);
    if (status != PBY_OK)
        return status;
    if (!known && f->row->integers == NULL && f->row->rising)
        return impossible_steps(f, err);
    if (known && f->counts)
        snprintf(expected, sizeof expected, "at least %.40s, which one use loses", shown);
    else if (known)
        snprintf(expected, sizeof expected, "at least %.40s, which no %s%s goes below: %s binds", shown,
                 f->parameter, f->row->integers != NULL ? "" : " of these steps", f->row->binds);
    else if (f->row->integers != NULL)
        snprintf(expected, sizeof expected,
                 "a greater one, because no %s up to %lld suffices, and no greater one is tried",
                 f->parameter, (long long)f->last);
    else
        snprintf(expected, sizeof expected, "a greater one, because no %s that was tried suffices: %s binds",
                 f->parameter, f->row->binds);
    return pby_refuse_mpq(err, pby_target_name(t), pby_target_most(t), expected);
}

/* Refuses a mu before the search where none is known to be finite: of the middle candidate, so to say, as
 * families have one for all their parameters or for none. */
static pby_status check_finite(const pby_frontier *f, pby_error *err)
{
    const pby_target *t = f->target;
    pby_spec *spec = NULL;
    PBY_ARB(above);
    PBY_MPQ(value);
    if (t->mu == NULL)
        return PBY_OK;
    mpq_set_ui(value, f->row->beyond_one ? 2 : 1, f->row->unit ? 2 : 1);
    const bool known = pby_frontier_spec(&spec, f, value, f->counts ? 1 : t->uses, NULL) == PBY_OK &&
                       pby_loss_mu_above(above, spec, t->relation, DIGITS, NULL) == PBY_OK;
    pby_spec_free(spec);
    if (!known || arb_is_finite(above))
        return PBY_OK;
    char expected[128];
    snprintf(expected, sizeof expected,
             "epsilon and delta, or rho, because no %.40s is known to have a finite mu", f->family->name);
    return pby_refuse_mpq(err, "mu", t->mu, expected);
}

/* A second recipe of the same paper, where the row has one. */
static pby_status choose_second(pby_choice *choice, pby_frontier *f, int64_t start, pby_error *err)
{
    pby_edge edge = {0, 0};
    f->by_other = f->by_recipe = true;
    const bool has = pby_frontier_recipe(f) != NULL;
    pby_status status = has ? pby_frontier_find(&edge, f, start, err) : PBY_OK;
    f->by_other = f->by_recipe = false;
    if (status == PBY_OK && has)
        status = fill_candidate(&choice->other, f, edge.within, false, err);
    choice->other_source = choice->other.spec != NULL ? f->row->other_source : NULL;
    return status;
}

/* The recipe is asked first: its answer is where the search for the exact one starts. */
static pby_status choose(pby_choice *choice, pby_frontier *f, pby_error *err)
{
    pby_edge edge = {0, 0}, recipe = {0, 0};
    pby_status status = check_finite(f, err);
    if (status == PBY_OK)
        status = pby_frontier_prepare(f, err);
    f->by_recipe = true;
    if (status == PBY_OK && pby_frontier_recipe(f) != NULL)
        status = pby_frontier_find(&recipe, f, 0, err);
    f->by_recipe = false;
    if (status == PBY_OK)
        status = pby_frontier_find(&edge, f, recipe.within, err);
    if (status == PBY_OK)
        status = pby_frontier_scan(&edge, f, err);
    if (status == PBY_OK && edge.within == 0)
        return impossible(f, err);
    if (status == PBY_OK)
        status = fill_candidate(&choice->chosen, f, edge.within, true, err);
    if (status == PBY_OK)
        status = fill_candidate(&choice->better, f, edge.beyond, false, err);
    if (status == PBY_OK)
        status = fill_candidate(&choice->recipe, f, recipe.within, false, err);
    if (status == PBY_OK)
        status = choose_second(choice, f, recipe.within, err);
    if (pby_frontier_recipe(f) == NULL)
        choice->source = NULL;
    mpq_set(choice->resolution, f->step);
    choice->monotone = f->monotone;
    choice->by_bound = f->bound != NULL || f->target->mu != NULL;
    choice->adjacent = edge.beyond == 0 || llabs(edge.within - edge.beyond) == 1;
    return status;
}

/* ---- the question ----------------------------------------------------------------------------- */

static pby_status check_loss(const pby_family *family, const pby_select_row *row, const pby_target *t,
                             pby_error *err)
{
    if (t->rho != NULL && row->rho_monotone == NULL)
        return pby_fail(err, PBY_BAD, "rho: expected epsilon and delta, because no %s has a finite rho: %s",
                        family->name, row->never_zero);
    if (t->rho != NULL && family->loose && row->bound == NULL)
        return pby_fail(err, PBY_BAD,
                        "rho: expected epsilon and delta for %s, because its divergences are only bounded",
                        family->name);
    if (t->mu != NULL && row->rho_monotone == NULL)
        return pby_fail(err, PBY_BAD, "mu: expected epsilon and delta, because no %s has a finite mu: %s",
                        family->name, row->never_zero);
    if (t->rho != NULL || t->mu != NULL)
        return mpq_sgn(pby_target_most(t)) > 0
                   ? PBY_OK
                   : pby_refuse_mpq(err, pby_target_name(t), pby_target_most(t), "a rational above 0");
    if (mpq_sgn(t->epsilon) <= 0)
        return pby_refuse_mpq(err, "epsilon", t->epsilon, "a rational above 0");
    if (mpq_sgn(t->delta) < 0 || mpq_cmp_ui(t->delta, 1, 1) >= 0)
        return pby_refuse_mpq(err, "delta", t->delta, "a rational from 0 to below 1");
    if (mpq_sgn(t->delta) == 0 && row->never_zero != NULL)
        return pby_fail(err, PBY_BAD, "delta '0': expected above 0, because no %s has delta 0: %s",
                        family->name, row->never_zero);
    return PBY_OK;
}

static pby_status check_target(const pby_family *family, const pby_select_row *row, const pby_target *t,
                               pby_error *err)
{
    const pby_status status = check_loss(family, row, t, err);
    if (status != PBY_OK)
        return status;
    if (t->uses == PBY_USES_MOST && row->composes_as != NULL)
        return pby_fail(err, PBY_BAD, "uses 'most': expected a number for %s", family->name);
    if (t->uses != PBY_USES_MOST && (t->uses == 0 || t->uses > PBY_TIMES_MAX))
        return pby_fail(err, PBY_BAD, "uses: expected an integer from 1 to %d", PBY_TIMES_MAX);
    if (row->composes_as != NULL && t->uses > 1 && t->relation != PBY_ADD_REMOVE)
        return pby_fail(err, PBY_BAD, "uses '%lu': expected 1 for %s between %s neighbours", t->uses,
                        family->name, pby_neighbours_text(t->relation));
    if (t->resolution != NULL && mpq_sgn(t->resolution) <= 0)
        return pby_refuse_mpq(err, "resolution", t->resolution, "a rational above 0");
    return PBY_OK;
}

/* ---- rates and uses ------------------------------------------------------------------------------ */

#define SMALLER_RATE \
    "a sample of a smaller rate is a part of one of a greater rate, each record drawn once more"
#define FEWER_USES "fewer uses are more of which some are not shown"

static const pby_select_row rates = {
    .chosen = PBY_ROLE_SAMPLE,
    .unit = true,
    .monotone = SMALLER_RATE,
    .rho_monotone = SMALLER_RATE,
    .binds = "the noise",
};

static const pby_select_row uses = {
    .chosen = PBY_ROLE_NONE,
    .monotone = FEWER_USES,
    .rho_monotone = FEWER_USES,
    .binds = "the mechanism",
};

/* Chooses another unknown where the parameter is given: the uses if they are asked for, else the rate of a
 * mechanism that may be sampled. Returns false where that is given too. */
static bool choose_other(pby_frontier *f)
{
    const size_t rate = pby_family_with(f->family, PBY_ROLE_SAMPLE);
    f->counts = f->target->uses == PBY_USES_MOST;
    if (f->counts) {
        f->row = &uses;
        f->parameter = "uses";
    } else if (rate < PBY_PARAMETERS_MAX && !(f->named >> rate & 1)) {
        f->row = &rates;
        f->parameter = f->family->parameters[rate].name;
    } else {
        return false;
    }
    return true;
}

/* eps = the target's epsilon, shared by the uses. */
static pby_status share_epsilon(pby_frontier *f, pby_error *err)
{
    const size_t eps = pby_family_with(f->family, PBY_ROLE_EPSILON);
    if (!f->row->shares || f->named >> eps & 1)
        return PBY_OK;
    if (f->target->epsilon == NULL)
        return pby_fail(
            err, PBY_BAD,
            "%s: expected eps among its parameters, because only an epsilon is shared by the uses",
            f->family->name);
    PBY_FMPQ(share);
    fmpq_set_mpq(share, f->target->epsilon);
    fmpq_div_2exp(share, share, f->row->both && f->target->relation == PBY_SUBSTITUTE);
    fmpz_mul_ui(fmpq_denref(share), fmpq_denref(share), f->target->uses);
    fmpq_canonicalise(share);
    const pby_status status = pby_mechanism_set(&f->given, eps, share, err);
    f->named |= 1u << eps;
    return status;
}

/* An eps that the uses would share is given where they are chosen. */
static pby_status share_given(const pby_frontier *f, pby_error *err)
{
    const size_t eps = pby_family_with(f->family, PBY_ROLE_EPSILON);
    return !f->family->select->shares || f->named >> eps & 1
               ? PBY_OK
               : pby_refuse(err, "uses", "most", "a mechanism with eps, which the uses would share");
}

/* The parameters that are not chosen. */
static pby_status set_given(pby_frontier *f, const char *text, const char *parameters, pby_error *err)
{
    const pby_family *family = f->family;
    const size_t instead = pby_family_with(f->family, f->row->instead);
    const pby_status status = pby_mechanism_read(&f->given, &f->named, text, err);
    if (status != PBY_OK)
        return status;
    const bool given = f->named >> pby_family_with(family, f->row->chosen) & 1;
    if (f->target->uses == PBY_USES_MOST && !given) {
        char expected[64];
        snprintf(expected, sizeof expected, "a number, or a mechanism with %s", f->parameter);
        return pby_refuse(err, "uses", "most", expected);
    }
    if (given && !choose_other(f))
        return pby_refuse(err, family->name, parameters, "the parameters that are not to be chosen");
    if (f->family->interval && f->target->uses > 1 &&
        (f->row == &rates || pby_mechanism_sample(&f->given) != NULL))
        return pby_fail(err, PBY_BAD,
                        "uses: expected 1 for a sample of %s, because the bounds of several uses do not meet",
                        family->name);
    if (given)
        return share_given(f, err);
    if (instead < PBY_PARAMETERS_MAX && f->named >> instead & 1) {
        char expected[64];
        snprintf(expected, sizeof expected, "no %s: what is chosen is %s", family->parameters[instead].name,
                 f->parameter);
        return pby_refuse(err, family->name, parameters, expected);
    }
    return share_epsilon(f, err);
}

/* True if the chance that some use reveals its input, 1 - (1 - theta)^uses, or of a sample of rate R 1 - (1 -
 * R theta)^uses, is above delta. */
static bool reveals_more(const fmpq *theta, const pby_frontier *f)
{
    enum { PRECISION = 128 };
    const fmpq *rate = pby_mechanism_sample(&f->given);
    PBY_ARB(revealed, asked);
    PBY_FMPQ(x);
    fmpq_set(x, theta);
    if (rate != NULL)
        fmpq_mul(x, x, rate);
    arb_set_fmpq(revealed, x, PRECISION);
    pby_once_of(revealed, f->counts ? 1 : f->target->uses, PRECISION);
    fmpq_set_mpq(x, f->target->delta);
    arb_set_fmpq(asked, x, PRECISION);
    return arb_gt(revealed, asked);
}

/* Refuses a target that no noise meets, because a random query reveals its input with the chance theta. */
static pby_status check_theta(const pby_frontier *f, pby_error *err)
{
    const fmpq *theta = pby_mechanism_value(&f->given, PBY_ROLE_THETA);
    if (theta == NULL)
        return PBY_OK;
    if (f->target->rho != NULL || f->target->mu != NULL)
        return pby_refuse_mpq(err, pby_target_name(f->target), pby_target_most(f->target),
                              "epsilon and delta, because with theta none is finite");
    if (reveals_more(theta, f))
        return pby_refuse_mpq(err, "delta", f->target->delta,
                              "at least the chance that theta leaves to every noise, 1 - (1 - theta)^uses");
    return PBY_OK;
}

static void candidate_init(pby_candidate *c)
{
    mpq_init(c->value);
    pby_enclosure_init(&c->delta);
    pby_enclosure_init(&c->rho);
    pby_enclosure_init(&c->mu);
}

static void candidate_clear(pby_candidate *c)
{
    pby_spec_free(c->spec);
    mpq_clear(c->value);
    pby_enclosure_clear(&c->delta);
    pby_enclosure_clear(&c->rho);
    pby_enclosure_clear(&c->mu);
}

static pby_choice *new_choice(const pby_frontier *f)
{
    pby_choice *choice = calloc(1, sizeof *choice);
    if (choice == NULL)
        return NULL;
    mpq_init(choice->resolution);
    candidate_init(&choice->chosen);
    candidate_init(&choice->better);
    candidate_init(&choice->recipe);
    candidate_init(&choice->other);
    choice->parameter = f->parameter;
    choice->source = f->target->rho != NULL ? f->row->rho_source : f->row->source;
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
    candidate_clear(&choice->other);
    free(choice);
}

/* The family that a text begins with; NULL, with a refusal that lists those that have something to choose. */
static const pby_family *find_family(const char *text, size_t length, pby_error *err)
{
    enum { NAMES_MAX = 64, SHOWN = 64 };
    const pby_family *const other = pby_family_spelled(text, length);
    const char *names[NAMES_MAX + 1] = {NULL};
    char given[SHOWN];
    for (size_t i = 0, n = 0; pby_families[i] != NULL && n < NAMES_MAX; i++) {
        const pby_family *family = pby_families[i];
        if (family->select == NULL)
            continue;
        if (strlen(family->name) == length && memcmp(family->name, text, length) == 0)
            return family;
        names[n++] = family->name;
    }
    snprintf(given, sizeof given, "%.*s", (int)(length < SHOWN ? length : SHOWN), text);
    if (other != NULL)
        (void)pby_refuse(err, "FAMILY", given,
                         "a family of which a parameter can be chosen; this one is taken as given");
    else if (memchr(text, '*', length) != NULL)
        (void)pby_refuse(err, "FAMILY", given, "one family; --uses K chooses for K uses");
    else
        (void)pby_refuse_name(err, "FAMILY", given, names);
    return NULL;
}

/* The row for what the text gives. */
static pby_status find_row(const pby_select_row **row, const pby_family *family, const char *text,
                           pby_error *err)
{
    *row = family->select;
    if ((*row)->for_given == NULL)
        return PBY_OK;
    pby_mechanism given;
    unsigned named = 0;
    pby_mechanism_init(&given, NULL);
    const pby_status status = pby_mechanism_read(&given, &named, text, err);
    const pby_select_row *other = status == PBY_OK ? (*row)->for_given(named) : NULL;
    *row = other != NULL ? other : *row;
    pby_mechanism_clear(&given);
    return status;
}

pby_status pby_select(pby_choice **out, const char *text, const pby_target *target, pby_error *err)
{
    const size_t length = strcspn(text, ":");
    *out = NULL;
    const pby_family *family = find_family(text, length, err);
    if (family == NULL)
        return PBY_BAD;
    family = pby_family_meant(text);
    const pby_select_row *row;
    pby_status status = find_row(&row, family, text, err);
    if (status == PBY_OK)
        status = check_target(family, row, target, err);
    if (status != PBY_OK)
        return status;
    uint64_t asked = 0;
    pby_memory memory = {.count = 0};
    /* Several uses of a loose family are judged by its bound, because no finer grid brings the two ends of
     * their own loss together. */
    const pby_family attained = pby_family_as_attained(family);
    pby_frontier f = {.family = family,
                      .row = row,
                      .bound = row->bound == NULL && family->loose && target->uses > 1 ? &attained
                                                                                       : row->bound,
                      .target = target,
                      .asked = &asked,
                      .memory = &memory};
    f.parameter = family->parameters[pby_family_with(family, f.row->chosen)].name;
    mpq_init(f.step);
    pby_mechanism_init(&f.given, NULL);
    status = set_given(&f, text, text + length + (text[length] == ':'), err);
    pby_choice *choice = status == PBY_OK ? new_choice(&f) : NULL;
    if (status == PBY_OK && choice == NULL)
        status = pby_no_memory(err);
    if (status == PBY_OK)
        status = check_theta(&f, err);
    if (status == PBY_OK)
        status = choose(choice, &f, err);
    pby_mechanism_clear(&f.given);
    mpq_clear(f.step);
    if (status == PBY_OK)
        *out = choice;
    else
        pby_choice_free(choice);
    return status;
}
