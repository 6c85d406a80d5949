/* SPDX-License-Identifier: MIT */
/* The best parameters that provably suffice, and what goes with them: the table of a partition, the plan of
 * buckets. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "mechanism/shared/selection.h"
#include "number/number_json.h"
#include "number/scoped.h"
#include "probity/experimental/buckets.h"
#include "probity/rational.h"
#include "probity/select.h"
#include "report/report_buckets.h"
#include "report/sheet.h"
#include "select/select_judge.h"
#include "select/shown.h"

struct question {
    const char *family;
    const pby_select_asked *asked;
    const char *delta_text;      /* as asked, or "0" */
    const pby_family *unplanned; /* the family that is chosen from while buckets are planned; NULL without */
    mpq_t epsilon, delta, rho, mu, resolution;
    pby_target target;
    unsigned digits;
};

/* ---- the question ------------------------------------------------------------------------------- */

static pby_status read_divergence(struct question *q, pby_error *err)
{
    const pby_select_asked *asked = q->asked;
    const char *name = asked->rho != NULL ? "rho" : "mu", *text = asked->rho != NULL ? asked->rho : asked->mu;
    if (asked->rho != NULL)
        q->target.rho = q->rho;
    else
        q->target.mu = q->mu;
    if (asked->rho != NULL && asked->mu != NULL)
        return pby_refuse(err, "mu", asked->mu, "it in place of rho");
    return asked->epsilon != NULL || asked->delta != NULL
               ? pby_refuse(err, name, text, "it in place of epsilon and delta")
               : pby_rational_parse(asked->rho != NULL ? q->rho : q->mu, name, text, err);
}

/* epsilon and delta, rho, or mu. A family that can have delta 0 need not be asked for one. */
static pby_status read_target(struct question *q, const pby_select_row *row, pby_error *err)
{
    const pby_select_asked *asked = q->asked;
    q->delta_text = asked->delta;
    if (asked->epsilon != NULL && asked->delta == NULL && row != NULL && row->never_zero == NULL)
        q->delta_text = "0";
    if (asked->rho != NULL || asked->mu != NULL)
        return read_divergence(q, err);
    if (asked->epsilon == NULL || q->delta_text == NULL)
        return pby_fail(err, PBY_BAD, "epsilon: expected this and delta, rho, or mu");
    q->target.epsilon = q->epsilon;
    q->target.delta = q->delta;
    const pby_status status = pby_rational_parse(q->epsilon, "epsilon", asked->epsilon, err);
    return status == PBY_OK ? pby_rational_parse(q->delta, "delta", q->delta_text, err) : status;
}

/* Those that are asked for, or the first that the family is about. */
static pby_neighbours relation_of(const pby_neighbours *asked, const pby_family *family)
{
    if (asked != NULL)
        return *asked;
    const unsigned about = family == NULL ? PBY_CENTRAL : family->relations;
    return (about >> PBY_ADD_REMOVE & 1) != 0   ? PBY_ADD_REMOVE
           : (about >> PBY_SUBSTITUTE & 1) != 0 ? PBY_SUBSTITUTE
                                                : PBY_LOCAL;
}

static pby_status read_question(struct question *q, pby_error *err)
{
    const pby_select_asked *asked = q->asked;
    const pby_family *family = pby_family_meant(q->family);
    const pby_select_row *row = family == NULL ? NULL : family->select;
    q->target = (pby_target){.relation = relation_of(asked->relation, family),
                             .uses = asked->uses == 0 ? 1 : asked->uses,
                             .asking = asked->asking,
                             .what = asked->what};
    q->digits = asked->digits == 0 ? PBY_DIGITS_DEFAULT : asked->digits;
    /* A plan of buckets is asked for unless they are given: buckethist:bound=100,width=10. */
    if (row != NULL && (strchr(q->family, ':') == NULL || asked->records != NULL || asked->bound != NULL))
        q->unplanned = row->unplanned;
    pby_status status = read_target(q, row, err);
    if (status == PBY_OK && asked->resolution != NULL) {
        status = pby_rational_parse(q->resolution, "resolution", asked->resolution, err);
        q->target.resolution = q->resolution;
    }
    return status == PBY_OK && q->unplanned == NULL ? pby_buckets_none(asked, err) : status;
}

/* Whatever the buckets are, their noise is that of stlap (docs/theory/selection.md). */
static pby_status choose(pby_choice **choice, const struct question *q, pby_error *err)
{
    char *noise = NULL;
    if (q->unplanned == NULL)
        return pby_select(choice, q->family, &q->target, err);
    if (asprintf(&noise, "%s%s", q->unplanned->name, q->family + strcspn(q->family, ":")) < 0)
        return pby_no_memory(err);
    const pby_status status = pby_select(choice, noise, &q->target, err);
    free(noise);
    return status;
}

/* ---- candidates --------------------------------------------------------------------------------- */

static const pby_enclosure *loss_of(const pby_candidate *c, const struct question *q)
{
    return q->target.rho != NULL ? &c->rho : q->target.mu != NULL ? &c->mu : &c->delta;
}

static bool is_within(const pby_candidate *c, const struct question *q)
{
    return mpfr_cmp_q(loss_of(c, q)->hi, pby_target_most(&q->target)) <= 0;
}

/* True if the better neighbour is shown to exceed the target, and not only not shown to suffice. */
static bool exceeds(const pby_choice *choice, const struct question *q)
{
    return !choice->by_bound || mpfr_cmp_q(loss_of(&choice->better, q)->lo, pby_target_most(&q->target)) > 0;
}

static void print_candidate(pby_sheet *s, const char *name, const pby_candidate *c, const struct question *q,
                            const char *note)
{
    pby_sheet_line(s, name, "%s", pby_spec_text(c->spec));
    pby_sheet_enclosure(s,
                        q->target.rho != NULL  ? "  rho"
                        : q->target.mu != NULL ? "  mu"
                                               : "  delta",
                        NULL, loss_of(c, q), q->digits, note);
}

static json_t *candidate_json(const pby_candidate *c, const struct question *q)
{
    if (c->spec == NULL)
        return json_null();
    char *value = mpq_get_str(NULL, 10, c->value);
    json_t *object = json_pack("{s:s, s:s, s:o}", "spec", pby_spec_text(c->spec), "value", value,
                               pby_target_name(&q->target), pby_json_enclosure(loss_of(c, q), q->digits));
    free(value);
    return object;
}

/* Prints the percentage by which the recipe's parameter is greater than ours, or ours than the recipe's. */
static void print_saving(pby_sheet *s, const pby_choice *choice, const pby_candidate *recipe)
{
    if (mpq_equal(choice->chosen.value, recipe->value)) {
        pby_sheet_line(s, "  saving", "none");
        return;
    }
    const int less = mpq_cmp(choice->chosen.value, recipe->value) < 0;
    char text[PBY_DECIMAL_SIZE];
    PBY_MPQ(part);
    PBY_MPFR(64, percent);
    mpq_div(part, choice->chosen.value, recipe->value);
    mpfr_set_q(percent, part, MPFR_RNDN);
    mpfr_sub_ui(percent, percent, 1, MPFR_RNDN);
    mpfr_abs(percent, percent, MPFR_RNDN);
    mpfr_mul_ui(percent, percent, 100, MPFR_RNDN);
    pby_decimal(text, percent, 3, true);
    pby_sheet_line(s, "  saving", "%s is %s %% %s", choice->parameter, text, less ? "smaller" : "greater");
}

static void print_choice(pby_sheet *s, const pby_choice *choice, const struct question *q)
{
    char *step = mpq_get_str(NULL, 10, choice->resolution);
    print_candidate(s, "choice", &choice->chosen, q,
                    is_within(&choice->chosen, q) ? "within the target"
                                                  : "the target itself, by an exact sign");
    pby_sheet_line(s, "neighbours", "%s", pby_neighbours_text(q->target.relation));
    const bool unshown = choice->better.spec != NULL && !exceeds(choice, q);
    pby_sheet_line(s, "chosen", "%s in steps of %s%s", choice->parameter, step,
                   unshown ? ", by its upper bound; the next is not shown to suffice" : "");
    free(step);
    if (choice->better.spec != NULL)
        print_candidate(s, "better", &choice->better, q,
                        unshown            ? "not shown to suffice"
                        : choice->adjacent ? "exceeds the target"
                                           : "exceeds the target; between them the bounds do not tell");
    else
        pby_sheet_line(s, "better", "none: in these steps there is no less noise");
    pby_sheet_line(s, "  beyond", "%s",
                   choice->monotone != NULL ? choice->monotone
                                            : "others were tried at doubling distances, not one by one");
    if (choice->recipe.spec == NULL)
        return;
    print_candidate(s, "recipe", &choice->recipe, q, NULL);
    pby_sheet_line(s, "  from", "%s", choice->source);
    print_saving(s, choice, &choice->recipe);
    if (choice->other.spec == NULL)
        return;
    print_candidate(s, "recipe", &choice->other, q, NULL);
    pby_sheet_line(s, "  from", "%s", choice->other_source);
    print_saving(s, choice, &choice->other);
}

/* The members of the choice. */
static void set_choice(pby_sheet *s, const pby_choice *choice, const struct question *q)
{
    char *step = mpq_get_str(NULL, 10, choice->resolution);
    if (q->target.rho != NULL)
        pby_sheet_text(s, NULL, "rho", q->asked->rho);
    else if (q->target.mu != NULL)
        pby_sheet_text(s, NULL, "mu", q->asked->mu);
    else {
        pby_sheet_text(s, NULL, "epsilon", q->asked->epsilon);
        pby_sheet_text(s, NULL, "delta", q->delta_text);
    }
    pby_sheet_member(s, "uses",
                     q->target.uses == PBY_USES_MOST ? json_string("most")
                                                     : json_integer((json_int_t)q->target.uses));
    pby_sheet_text(s, NULL, "neighbours", pby_neighbours_text(q->target.relation));
    pby_sheet_text(s, NULL, "parameter", choice->parameter);
    pby_sheet_text(s, NULL, "resolution", step);
    pby_sheet_member(s, "choice", candidate_json(&choice->chosen, q));
    pby_sheet_member(s, "better", candidate_json(&choice->better, q));
    pby_sheet_member(s, "adjacent", json_boolean(choice->adjacent));
    pby_sheet_member(s, "exceeds",
                     choice->better.spec == NULL ? json_null() : json_boolean(exceeds(choice, q)));
    pby_sheet_member(s, "recipe", candidate_json(&choice->recipe, q));
    pby_sheet_member(s, "source", choice->source == NULL ? json_null() : json_string(choice->source));
    if (choice->other.spec != NULL) {
        pby_sheet_member(s, "other", candidate_json(&choice->other, q));
        pby_sheet_text(s, NULL, "other_source", choice->other_source);
    }
    pby_sheet_text(s, NULL, "monotone", choice->monotone != NULL ? choice->monotone : "not known");
    free(step);
}

/* ---- the table of a partition ------------------------------------------------------------------- */

static void print_chance(pby_sheet *s, json_t **table, const pby_enclosure *chance, uint64_t k,
                         unsigned digits)
{
    char lo[PBY_DECIMAL_SIZE], hi[PBY_DECIMAL_SIZE];
    if (s->object != NULL)
        *table = pby_json_append(
            *table, json_pack("{s:I, s:o}", "k", (json_int_t)k, "p", pby_json_enclosure(chance, digits)));
    if (s->lines == NULL)
        return;
    pby_decimal(lo, chance->lo, digits, true);
    pby_decimal(hi, chance->hi, digits, false);
    fprintf(s->lines, "%8" PRIu64 "  [%s, %s]\n", k, lo, hi);
}

/* Every chance up to the first that is 1. */
static pby_status print_chances(pby_sheet *s, const pby_spec *spec, unsigned digits, pby_error *err)
{
    pby_enclosure chance;
    json_t *table = s->object != NULL ? json_array() : NULL;
    pby_status status = PBY_OK;
    bool sure = false;
    pby_enclosure_init(&chance);
    if (s->lines != NULL)
        fprintf(s->lines, "%8s  %s\n", "records", "chance to be shown, in each use");
    for (uint64_t k = 1; !sure && status == PBY_OK; k++) {
        status = pby_partition_chance(&chance, &sure, spec, k, digits, err);
        if (status == PBY_OK)
            print_chance(s, &table, &chance, k, digits);
    }
    pby_enclosure_clear(&chance);
    pby_sheet_member(s, "table", table);
    return status;
}

/* ---- what no mechanism can show --------------------------------------------------------------- */

/* Prints, for a threshold, the least count that any mechanism of the target's epsilon and delta shows with a
 * chance of 1/2. Prints nothing where that is not known. */
static void print_least(pby_sheet *s, const pby_choice *choice, const struct question *q)
{
    const pby_mechanism *m = &choice->chosen.spec->use[0].mechanism;
    const fmpq *sensitivity = pby_mechanism_value(m, PBY_ROLE_SENSITIVITY);
    uint64_t count;
    if (q->target.epsilon == NULL || mpq_sgn(q->epsilon) <= 0 || mpq_sgn(q->delta) <= 0 ||
        mpq_cmp_ui(q->delta, 1, 1) > 0 || sensitivity == NULL ||
        pby_least_shown(&count, q->epsilon, q->delta, fmpz_get_ui(fmpq_numref(sensitivity)), NULL) != PBY_OK)
        return;
    pby_sheet_member(s, "any", json_integer((json_int_t)count));
    if (s->lines != NULL)
        pby_sheet_line(s, "any",
                       "no mechanism shows a bar of fewer than %" PRIu64 " records with a chance of 1/2",
                       count);
}

/* ---- all of it ---------------------------------------------------------------------------------- */

/* The members of the choice stand first, its lines last. */
static pby_status print_report(pby_sheet *s, pby_spec **chosen, const pby_choice *choice,
                               const struct question *q, pby_error *err)
{
    pby_status status = PBY_OK;
    if (s->object != NULL)
        set_choice(s, choice, q);
    if (q->unplanned != NULL)
        status = pby_buckets_tell(s, chosen, choice, q->asked, err);
    else if (choice->chosen.spec->use[0].mechanism.family->form == PBY_RELEASE_PRESENT)
        status = print_chances(s, choice->chosen.spec, q->digits, err);
    if (s->lines != NULL)
        print_choice(s, choice, q);
    if (choice->chosen.spec->use[0].mechanism.family->form == PBY_RELEASE_PASSED)
        print_least(s, choice, q);
    return status;
}

static pby_status answer(char **text, pby_spec **chosen, const struct question *q, pby_report_form form,
                         pby_error *err)
{
    pby_choice *choice = NULL;
    pby_sheet s;
    pby_sheet_begin(&s, form);
    pby_status status = choose(&choice, q, err);
    if (status == PBY_OK)
        status = print_report(&s, chosen, choice, q, err);
    status = pby_sheet_end(text, &s, status, err);
    if (chosen != NULL && status == PBY_OK && q->unplanned == NULL) {
        *chosen = choice->chosen.spec;
        choice->chosen.spec = NULL;
    }
    if (chosen != NULL && status != PBY_OK) {
        pby_spec_free(*chosen);
        *chosen = NULL;
    }
    pby_choice_free(choice);
    return status;
}

pby_status pby_report_choice(char **text, pby_spec **chosen, const char *family,
                             const pby_select_asked *asked, pby_report_form form, pby_error *err)
{
    struct question q = {.family = family, .asked = asked};
    *text = NULL;
    if (chosen != NULL)
        *chosen = NULL;
    mpq_inits(q.epsilon, q.delta, q.rho, q.mu, q.resolution, (mpq_ptr)0);
    pby_status status = read_question(&q, err);
    if (status == PBY_OK)
        status = answer(text, chosen, &q, form, err);
    mpq_clears(q.epsilon, q.delta, q.rho, q.mu, q.resolution, (mpq_ptr)0);
    return status;
}
