#include "probity/select.h"

#include <stdlib.h>
#include <string.h>

#include "select/judge.h"
#include "select/row.h"

/* A parameter that is no integer, if no resolution is given, has this many significant digits; its size
 * is looked for from 10^-SIZE_MAX to 10^SIZE_MAX. */
enum { DIGITS = 4, SIZE_MAX_EXPONENT = 30, STEPS_LAST = 1 << 30 };

/* A search: what is asked, and the text around the parameter's value. */
struct search {
    const pby_row *row;
    const pby_target *target;
    char *given; /* "eps=1/4," or nothing: the parameters that are not chosen */
    mpq_t step;
    int64_t from, last; /* of integers; see select/row.h */
    bool by_recipe;
};

/* ---- candidates ------------------------------------------------------------------------------- */

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

/* FAMILY:given,parameter=value, used so many times. */
static pby_status make(pby_spec **out, const struct search *s, mpq_srcptr value, unsigned long uses, pby_error *err)
{
    char *number = mpq_get_str(NULL, 10, value), *text = NULL;
    *out = NULL;
    if (number == NULL || asprintf(&text, "%lu*%s:%s%s=%s", uses, s->row->family, s->given, s->row->parameter, number) < 0)
        text = NULL;
    free(number);
    if (text == NULL)
        return pby_no_memory(err);
    const char *texts = text;
    const pby_status status = pby_spec_parse(out, &texts, 1, err);
    free(text);
    return status;
}

static void value_of(mpq_t value, const struct search *s, int64_t i)
{
    mpq_set_si(value, i, 1);
    mpq_mul(value, value, s->step);
}

static pby_status judge_value(pby_verdict *verdict, const struct search *s, mpq_srcptr value, pby_error *err)
{
    pby_spec *one = NULL, *all = NULL;
    pby_status status = make(&all, s, value, s->target->uses, err);
    if (status == PBY_OK && s->by_recipe) {
        status = make(&one, s, value, 1, err);
        if (status == PBY_OK)
            status = s->row->recipe(verdict, one, all, s->target, err);
    } else if (status == PBY_OK) {
        status = pby_judge_exact(verdict, all, s->target, err);
    }
    pby_spec_free(one);
    pby_spec_free(all);
    return status;
}

static pby_status judge(pby_verdict *verdict, int64_t i, const void *what, pby_error *err)
{
    const struct search *s = what;
    mpq_t value;
    mpq_init(value);
    value_of(value, s, i);
    const pby_status status = judge_value(verdict, s, value, err);
    mpq_clear(value);
    return status;
}

/* ---- the step --------------------------------------------------------------------------------- */

static void power_of_ten(mpq_t x, long exponent)
{
    mpq_set_ui(x, 1, 1);
    mpz_ui_pow_ui(exponent < 0 ? mpq_denref(x) : mpq_numref(x), 10, (unsigned long)labs(exponent));
}

static pby_status power_judge(pby_verdict *verdict, const struct search *s, long exponent, pby_error *err)
{
    mpq_t value;
    mpq_init(value);
    power_of_ten(value, exponent);
    const pby_status status = judge_value(verdict, s, value, err);
    mpq_clear(value);
    return status;
}

/* Moves m to the power of ten below the change: 10^m is not late, 10^(m+1) is. */
static pby_status find_size(long *m, const struct search *s, pby_error *err)
{
    const pby_verdict late = s->row->rising ? PBY_WITHIN : PBY_BEYOND;
    pby_verdict verdict = PBY_UNTOLD;
    pby_status status = power_judge(&verdict, s, *m, err);
    const bool down = verdict == late;
    while (status == PBY_OK && (verdict == late) == down && labs(*m) < SIZE_MAX_EXPONENT) {
        *m += down ? -1 : 1;
        status = power_judge(&verdict, s, *m, err);
    }
    if (!down)
        *m -= verdict == late;
    return status;
}

/* The size that the recipe has is a start for the exact one. */
static pby_status step_by_size(struct search *s, pby_error *err)
{
    long m = 0;
    s->by_recipe = true;
    pby_status status = find_size(&m, s, err);
    s->by_recipe = false;
    if (status == PBY_OK && labs(m) < SIZE_MAX_EXPONENT)
        status = find_size(&m, s, err);
    power_of_ten(s->step, m - DIGITS + 1);
    return status;
}

static pby_status set_step(struct search *s, pby_error *err)
{
    if (s->row->natural && s->target->resolution != NULL)
        return pby_fail(err, PBY_BAD, "--resolution: %s of %s is an integer: expected none", s->row->parameter,
                        s->row->family);
    if (!s->row->natural && s->target->resolution == NULL)
        return step_by_size(s, err);
    mpq_set_ui(s->step, 1, 1);
    if (!s->row->natural)
        mpq_set(s->step, s->target->resolution);
    return PBY_OK;
}

/* The last multiple of the step that is allowed. */
static int64_t last_step(const struct search *s)
{
    mpz_t steps;
    mpz_init_set_ui(steps, STEPS_LAST);
    if (s->row->unit)
        mpz_fdiv_q(steps, mpq_denref(s->step), mpq_numref(s->step));
    const int64_t last = mpz_cmp_ui(steps, STEPS_LAST) < 0 ? mpz_get_si(steps) : STEPS_LAST;
    mpz_clear(steps);
    return last;
}

/* The candidates: how far they go, and from where on they are in order. */
static pby_status set_range(struct search *s, pby_error *err)
{
    pby_spec *sample = NULL;
    const pby_status status = make(&sample, s, s->step, 1, err);
    if (status == PBY_OK) {
        const pby_mechanism *m = &sample->use[0].mechanism;
        s->from = s->row->ordered_from(m);
        s->last = s->row->natural ? s->row->last(m, s->target) : last_step(s);
    }
    pby_spec_free(sample);
    return status;
}

/* ---- the edge --------------------------------------------------------------------------------- */

/* The nearest candidate below i that is BEYOND; 0 when there is none. */
static pby_status nearest_beyond(int64_t *out, const struct search *s, int64_t i, pby_error *err)
{
    pby_verdict verdict = PBY_UNTOLD;
    pby_status status = PBY_OK;
    for (*out = i - 1; *out > 0 && status == PBY_OK; --*out) {
        status = judge(&verdict, *out, s, err);
        if (verdict == PBY_BEYOND)
            return status;
    }
    return status;
}

/* The candidates before `from` one by one, then each class of the stride by itself: the least of all that
 * are WITHIN. What is one step below it lies in another class, and is asked for its own sake. */
static pby_status find_in_classes(pby_edge *edge, const struct search *s, int64_t start, pby_error *err)
{
    const pby_candidates early = {1, 1, s->from - 1 < s->last ? s->from - 1 : s->last, 0};
    pby_status status = pby_edge_scan(edge, judge, s, &early, err);
    const bool found = edge->within != 0;
    for (int64_t j = 0; j < s->row->stride && !found && status == PBY_OK; j++) {
        const pby_candidates class = {s->from + j, s->row->stride, s->last, start};
        pby_edge one;
        status = pby_edge_find(&one, judge, s, &class, true, err);
        if (one.within != 0 && (edge->within == 0 || one.within < edge->within))
            edge->within = one.within;
    }
    return status == PBY_OK && edge->within != 0 ? nearest_beyond(&edge->beyond, s, edge->within, err) : status;
}

/* start is where the edge is expected, 0 for no idea. */
static pby_status find_edge(pby_edge *edge, const struct search *s, int64_t start, pby_error *err)
{
    const pby_candidates all = {1, 1, s->last, start};
    *edge = (pby_edge){0, 0};
    return s->row->natural ? find_in_classes(edge, s, start, err)
                           : pby_edge_find(edge, judge, s, &all, s->row->rising, err);
}

/* ---- the answer ------------------------------------------------------------------------------- */

static pby_status fill(pby_candidate *c, const struct search *s, int64_t i, pby_error *err)
{
    if (i == 0)
        return PBY_OK;
    value_of(c->value, s, i);
    pby_status status = make(&c->spec, s, c->value, s->target->uses, err);
    if (status == PBY_OK)
        status = pby_judge_delta(&c->delta, c->spec, s->target, err);
    return status;
}

/* The delta that the candidate with the most noise still has, in the refusal. */
static pby_status impossible(const struct search *s, pby_error *err)
{
    pby_candidate most = {.spec = NULL};
    char shown[PBY_DECIMAL_SIZE];
    mpq_init(most.value);
    pby_enclosure_init(&most.delta);
    pby_status status = fill(&most, s, s->row->rising ? s->last : 1, err);
    if (status == PBY_OK) {
        pby_decimal(shown, most.delta.lo, PBY_DIGITS_DEFAULT, 1);
        status = pby_fail(err, PBY_BAD, "--delta: expected at least %s, which %.120s still has: %s binds", shown,
                          pby_spec_text(most.spec), s->row->binds != NULL ? s->row->binds : "the resolution");
    }
    pby_spec_free(most.spec);
    mpq_clear(most.value);
    pby_enclosure_clear(&most.delta);
    return status;
}

/* The recipe is asked first: its answer is where the search for the exact one starts. */
static pby_status choose(pby_choice *choice, struct search *s, pby_error *err)
{
    pby_edge edge = {0, 0}, recipe = {0, 0};
    pby_status status = set_step(s, err);
    if (status == PBY_OK)
        status = set_range(s, err);
    s->by_recipe = true;
    if (status == PBY_OK)
        status = find_edge(&recipe, s, 0, err);
    s->by_recipe = false;
    if (status == PBY_OK)
        status = find_edge(&edge, s, recipe.within, err);
    if (status == PBY_OK && edge.within == 0)
        return impossible(s, err);
    if (status == PBY_OK)
        status = fill(&choice->chosen, s, edge.within, err);
    if (status == PBY_OK)
        status = fill(&choice->better, s, edge.beyond, err);
    if (status == PBY_OK)
        status = fill(&choice->recipe, s, recipe.within, err);
    mpq_set(choice->resolution, s->step);
    choice->adjacent = edge.beyond == 0 || llabs(edge.within - edge.beyond) == 1;
    return status;
}

/* ---- the question ----------------------------------------------------------------------------- */

static pby_status check_target(const pby_row *row, const pby_target *t, pby_error *err)
{
    if (mpq_sgn(t->epsilon) <= 0)
        return pby_fail(err, PBY_BAD, "--epsilon: expected a rational above 0");
    if (mpq_sgn(t->delta) < 0 || mpq_cmp_ui(t->delta, 1, 1) >= 0)
        return pby_fail(err, PBY_BAD, "--delta: expected a rational from 0 to below 1");
    if (mpq_sgn(t->delta) == 0 && row->never_zero != NULL)
        return pby_fail(err, PBY_BAD, "--delta '0': expected above 0, because no %s has delta 0: %s", row->family,
                        row->never_zero);
    if (t->uses == 0 || t->uses > PBY_TIMES_MAX)
        return pby_fail(err, PBY_BAD, "--uses: expected an integer from 1 to %d", PBY_TIMES_MAX);
    if (row->once && t->uses != 1)
        return pby_fail(err, PBY_BAD, "--uses '%lu': expected 1 for %s; several compose as approx:eps=,delta=", t->uses,
                        row->family);
    if (t->resolution != NULL && mpq_sgn(t->resolution) <= 0)
        return pby_fail(err, PBY_BAD, "--resolution: expected a rational above 0");
    return PBY_OK;
}

/* The parameters that are not chosen, with a comma behind; eps is shared out where it was left out. */
static pby_status set_given(struct search *s, const char *parameters, pby_error *err)
{
    if (names(parameters, s->row->parameter))
        return pby_refuse(err, s->row->family, parameters, "the parameters that are not to be chosen");
    const bool shares = s->row->shares && !names(parameters, "eps");
    char *share = NULL;
    mpq_t epsilon;
    mpq_init(epsilon);
    mpq_set_ui(epsilon, s->target->uses, 1);
    if (s->row->both && s->target->relation == PBY_SUBSTITUTE)
        mpq_mul_2exp(epsilon, epsilon, 1);
    mpq_div(epsilon, s->target->epsilon, epsilon);
    share = mpq_get_str(NULL, 10, epsilon);
    mpq_clear(epsilon);
    const int size = asprintf(&s->given, "%s%s%s%s%s", shares ? "eps=" : "", shares ? share : "", shares ? "," : "",
                              parameters, *parameters == '\0' ? "" : ",");
    free(share);
    if (size >= 0)
        return PBY_OK;
    s->given = NULL;
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

static pby_choice *new_choice(const pby_row *row)
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
    choice->monotone = row->monotone;
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
    const pby_row *row = pby_row_find(family, length, err);
    if (row == NULL)
        return PBY_BAD;
    pby_status status = check_target(row, target, err);
    if (status != PBY_OK)
        return status;
    struct search s = {.row = row, .target = target};
    pby_choice *choice = new_choice(row);
    if (choice == NULL)
        return pby_no_memory(err);
    mpq_init(s.step);
    status = set_given(&s, family + length + (family[length] == ':'), err);
    if (status == PBY_OK)
        status = choose(choice, &s, err);
    free(s.given);
    mpq_clear(s.step);
    if (status == PBY_OK)
        *out = choice;
    else
        pby_choice_free(choice);
    return status;
}
