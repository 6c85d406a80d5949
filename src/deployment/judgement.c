/* SPDX-License-Identifier: MIT */
#include "deployment/judgement.h"

#include <stdlib.h>

#include "base/printed.h"
#include "deployment/claim_implied.h"
#include "deployment/contribution.h"
#include "deployment/deployed_loss.h"
#include "number/scoped.h"
#include "number/text.h"
#include "probity/experimental/losses.h"
#include "probity/loss.h"

void pby_judgement_clear(pby_judgement *j)
{
    free(j->text);
    free(j->beside);
}

/* ---- a claim ---------------------------------------------------------------------------------- */

struct work {
    pby_deployment *d;
    pby_judgement *all;
};

static pby_status judge(struct work *w, size_t i, pby_error *err);

/* Sets verdict and text; the text is told with an amount unless that is NULL. */
static pby_status conclude(struct work *w, size_t i, pby_ruling verdict, const char *before,
                           const pby_amount *x, const pby_amount *lower, const char *after, pby_error *err)
{
    pby_judgement *j = &w->all[i];
    const pby_deployment_claim *c = &w->d->claim[i];
    pby_printed printed;
    bool some = false;
    FILE *out = pby_printed_begin(&printed);
    if (out == NULL)
        return pby_no_memory(err);
    fputs(before, out);
    if (x != NULL) {
        pby_amount_print(out, x, lower, c);
        pby_amount_ends(j->lo, j->hi, x, lower, c->kind);
        j->has_ends = true;
    }
    fputs(after, out);
    for (size_t k = 0; x != NULL && k < w->d->claims; k++)
        if (j->given[k]) {
            fprintf(out, "%s%s", some ? ", " : "; given ", w->d->claim[k].name);
            some = true;
        }
    j->verdict = verdict;
    return pby_printed_end(&j->text, &printed, PBY_OK, err);
}

static pby_status leave_open(struct work *w, size_t i, const char *why, pby_error *err)
{
    return conclude(w, i, PBY_RULED_OPEN, why, NULL, NULL, "", err);
}

/* A claim that rests on one that does not hold, or on itself, is open; *done tells that. */
static pby_status judge_given(struct work *w, size_t i, bool *done, pby_error *err)
{
    pby_judgement *j = &w->all[i];
    *done = false;
    for (size_t k = 0; k < w->d->claims && !*done; k++) {
        if (!j->given[k])
            continue;
        char why[128];
        PBY_TRY(judge(w, k, err));
        const pby_ruling verdict = w->all[k].verdict;
        *done = verdict == PBY_RULING || verdict == PBY_RULED_FAILS;
        snprintf(why, sizeof why,
                 verdict == PBY_RULED_FAILS ? "%.64s does not hold" : "it rests on itself by %.64s",
                 w->d->claim[k].name);
        if (*done)
            PBY_TRY(leave_open(w, i, why, err));
    }
    return PBY_OK;
}

/* The value of a named conversion, for comparison with what was published. */
static pby_status say_conversion(char **out, const struct work *w, const pby_deployment_claim *premise,
                                 const pby_deployment_claim *c, pby_error *err)
{
    pby_spec *spec = NULL;
    pby_enclosure x;
    pby_decimals shown;
    const bool approx = c->kind == PBY_CLAIM_APPROX;
    pby_enclosure_init(&x);
    pby_status status = pby_claim_spec(&spec, premise, NULL, err);
    if (status == PBY_OK && spec != NULL) {
        pby_error why = PBY_NO_ERROR;
        status = pby_loss_convert(&x, c->by,
                                  approx                       ? PBY_ASK_EPSILON
                                  : c->kind == PBY_CLAIM_RENYI ? PBY_ASK_RENYI
                                                               : PBY_ASK_RHO,
                                  spec, w->d->has_relation ? w->d->relation : PBY_ADD_REMOVE,
                                  approx                       ? c->delta.value
                                  : c->kind == PBY_CLAIM_RENYI ? c->order.value
                                                               : c->xi.value,
                                  PBY_DIGITS_DEFAULT, &why);
        if (status == PBY_FAILED) {
            pby_spec_free(spec);
            pby_enclosure_clear(&x);
            return pby_fail_by(err, status, why.reason, "%.400s", why.text);
        }
        pby_decimals_set(&shown, &x, PBY_DIGITS_DEFAULT);
        const int size = status == PBY_OK
                             ? asprintf(out, "by %s %s is [%s, %s]%s%s", c->by,
                                        c->kind == PBY_CLAIM_ZCDP ? "rho" : "epsilon", shown.lo, shown.hi,
                                        approx ? " at " : "", approx ? c->delta.text : "")
                             : asprintf(out, "by %s nothing follows", c->by);
        if (size < 0)
            *out = NULL;
        status = size < 0 ? pby_no_memory(err) : PBY_OK;
    }
    pby_spec_free(spec);
    pby_enclosure_clear(&x);
    return status;
}

static pby_status judge_follows(struct work *w, size_t i, pby_error *err)
{
    const pby_deployment_claim *c = &w->d->claim[i], *premise = &w->d->claim[c->follows.at[0]];
    bool done = false, yes = false;
    pby_amount x;
    w->all[i].given[c->follows.at[0]] = true;
    PBY_TRY(judge_given(w, i, &done, err));
    if (done)
        return PBY_OK;
    if (!pby_claim_gives(premise->kind, c->kind)) {
        char why[128];
        snprintf(why, sizeof why, "no %s follows from %.64s alone", pby_claim_kind_text(c->kind),
                 premise->name);
        return leave_open(w, i, why, err);
    }
    pby_amount_init(&x);
    pby_status status = pby_claim_implied(&yes, &x, w->d, premise, NULL, c, err);
    if (status == PBY_OK)
        status = conclude(w, i, yes ? PBY_RULED_HOLDS : PBY_RULED_OPEN, yes ? "" : "not implied: ", &x, NULL,
                          "", err);
    if (status == PBY_OK && c->by != NULL)
        status = say_conversion(&w->all[i].beside, w, premise, c, err);
    else if (status == PBY_OK && !yes)
        status = pby_claim_rounding(&w->all[i].beside, w->d, premise, c, err);
    pby_amount_clear(&x);
    return status;
}

/* Parts are about all uses of the whole, by the same unit, and none of them about one use. */
static bool parts_cover(const pby_deployment *d, const pby_deployment_claim *c)
{
    bool good = true;
    for (size_t k = 0; k < c->parts.count; k++) {
        const pby_deployment_claim *p = &d->claim[c->parts.at[k]];
        good = good && p->kind == c->kind && !p->each && p->entity == c->entity &&
               (c->kind != PBY_CLAIM_RENYI || mpq_equal(p->order.value, c->order.value));
    }
    for (size_t i = 0; i < d->mechanisms && good; i++) {
        bool found = !pby_claim_is_about(c, i);
        for (size_t k = 0; k < c->parts.count; k++)
            found = found || pby_claim_is_about(&d->claim[c->parts.at[k]], i);
        good = found;
    }
    return good;
}

/* rho, epsilon, mu^2 and xi add; of approx epsilons and deltas do, and the epsilons must fit first. */
static void add_parts(fmpq_t sum, fmpq_t second, const pby_deployment *d, const pby_deployment_claim *c)
{
    PBY_FMPQ(x);
    for (size_t k = 0; k < c->parts.count; k++) {
        const pby_deployment_claim *p = &d->claim[c->parts.at[k]];
        fmpq_set_mpq(x, pby_amount_limit(p)->value);
        if (c->kind == PBY_CLAIM_GDP)
            fmpq_mul(x, x, x);
        fmpq_add(sum, sum, x);
        fmpq_set_mpq(x, c->kind == PBY_CLAIM_APPROX ? p->epsilon.value : p->xi.value);
        fmpq_add(second, second, x);
    }
}

static pby_status judge_parts(struct work *w, size_t i, pby_error *err)
{
    const pby_deployment_claim *c = &w->d->claim[i];
    bool done = false;
    for (size_t k = 0; k < c->parts.count; k++)
        w->all[i].given[c->parts.at[k]] = true;
    PBY_TRY(judge_given(w, i, &done, err));
    if (done)
        return PBY_OK;
    if (!parts_cover(w->d, c))
        return leave_open(w, i, "its parts are not claims of its kind about all of its mechanisms", err);
    PBY_FMPQ(sum, second, limit);
    add_parts(sum, second, w->d, c);
    if (c->kind == PBY_CLAIM_APPROX || c->kind == PBY_CLAIM_ZCDP) {
        fmpq_set_mpq(limit, c->kind == PBY_CLAIM_APPROX ? c->epsilon.value : c->xi.value);
        fmpq_sub(limit, second, limit);
        if (fmpq_sgn(limit) > 0 && c->kind == PBY_CLAIM_APPROX) {
            char why[PBY_DECIMAL_SIZE + 64], text[PBY_DECIMAL_SIZE];
            pby_rational_text(text, second);
            snprintf(why, sizeof why, "not implied: the epsilons of its parts add up to %s", text);
            return leave_open(w, i, why, err);
        }
        if (fmpq_sgn(limit) > 0)
            fmpq_add(sum, sum, limit);
    }
    pby_amount x;
    pby_amount_init(&x);
    pby_amount_set(&x, sum, c->kind);
    const bool yes = pby_amount_compare(&x, pby_amount_limit(c)->value, c->kind) < 0;
    const pby_status status =
        conclude(w, i, yes ? PBY_RULED_HOLDS : PBY_RULED_OPEN, yes ? "" : "not implied: ", &x, NULL, "", err);
    pby_amount_clear(&x);
    return status;
}

/* ---- a claim about mechanisms ----------------------------------------------------------------- */

/* The first reason why an upper end would say nothing; "" where there is none. */
static void find_missing(char why[PBY_ERROR_SIZE], const struct work *w, const pby_deployment_claim *c)
{
    const pby_deployment *d = w->d;
    size_t about = 0, missing = 0, length;
    why[0] = '\0';
    for (size_t i = 0; i < d->mechanisms; i++) {
        about += pby_claim_is_about(c, i);
        missing += pby_claim_is_about(c, i) && d->mechanism[i].spec == NULL;
    }
    if (about == 0)
        snprintf(why, PBY_ERROR_SIZE, "no mechanism is published");
    if (missing > 0) {
        bool some = false;
        length = (size_t)snprintf(why, PBY_ERROR_SIZE, "the spec%s of ", missing > 1 ? "s" : "");
        for (size_t i = 0; i < d->mechanisms; i++)
            if (pby_claim_is_about(c, i) && d->mechanism[i].spec == NULL && length < PBY_ERROR_SIZE - 120) {
                length += (size_t)snprintf(why + length, PBY_ERROR_SIZE - length, "%s%.64s", some ? ", " : "",
                                           d->mechanism[i].name);
                some = true;
            }
        snprintf(why + length, PBY_ERROR_SIZE - length, " %s not published", missing > 1 ? "are" : "is");
    }
    const unsigned relations = pby_deployed_relations(d, c);
    for (size_t i = 0; i < d->mechanisms && why[0] == '\0'; i++)
        if (pby_claim_is_about(c, i))
            pby_contribution_fits(why, &d->mechanism[i], (relations & 1u << PBY_SUBSTITUTE) != 0);
}

static bool is_assumed(const pby_deployment *d, size_t i)
{
    for (size_t k = 0; k < d->mechanisms; k++)
        if (pby_claim_is_about(&d->claim[i], k) && pby_places_have(&d->mechanism[k].from, i))
            return true;
    return false;
}

static bool has_bounds(const pby_deployment *d, const pby_deployment_claim *c)
{
    for (size_t k = 0; k < d->mechanisms; k++)
        if (pby_claim_is_about(c, k) && d->mechanism[k].bounds.given)
            return true;
    return false;
}

static uint64_t uses_of(const pby_deployment *d, const pby_deployment_claim *c, uint64_t factor)
{
    uint64_t count = 0;
    for (size_t i = 0; i < d->mechanisms; i++)
        for (size_t k = 0;
             pby_claim_is_about(c, i) && d->mechanism[i].spec != NULL && k < d->mechanism[i].spec->count; k++)
            count += d->mechanism[i].spec->use[k].times * d->mechanism[i].times * factor;
    return count;
}

/* True if the claim plus half a unit of its last decimal holds. */
static bool holds_rounded(pby_deployed_question *a, bool lawful)
{
    const pby_deployment_claim *c = a->c;
    pby_deployment_claim more = *c;
    pby_deployed_question again = *a;
    unsigned decimals;
    bool some = false;
    int sign = 1;
    pby_amount x;
    mpq_t half;
    mpq_inits(more.epsilon.value, more.delta.value, more.rho.value, more.mu.value, half, (mpq_ptr)0);
    mpq_set(more.epsilon.value, c->epsilon.value);
    mpq_set(more.delta.value, c->delta.value);
    mpq_set(more.rho.value, c->rho.value);
    mpq_set(more.mu.value, c->mu.value);
    pby_stated_number *number = pby_claim_number(&more);
    pby_amount_init(&x);
    again.c = &more;
    again.lawful = lawful;
    if (pby_last_decimal(half, number->text, &decimals)) {
        mpq_add(number->value, number->value, half);
        if (pby_deployed_decide(&sign, &x, &some, &again, NULL) != PBY_OK || !some)
            sign = 1;
    }
    pby_amount_clear(&x);
    mpq_clears(more.epsilon.value, more.delta.value, more.rho.value, more.mu.value, half, (mpq_ptr)0);
    return sign < 0;
}

/* The two ends of a claim about mechanisms, each with its sign; a status other than PBY_OK in `upper` says
 * why there is none. */
struct ends {
    pby_amount u, l;
    bool has_u, has_l;
    int sign_u, sign_l;
    pby_error why;
};

static pby_status ask_ends(struct ends *e, pby_deployed_question *a, pby_error *err)
{
    pby_error why = PBY_NO_ERROR;
    a->lawful = false;
    pby_status status = pby_deployed_decide(&e->sign_u, &e->u, &e->has_u, a, &e->why);
    if (pby_claim_stays_open(status, &e->why)) {
        e->has_u = false;
        status = PBY_OK;
    }
    if (status != PBY_OK && err != NULL)
        *err = e->why;
    if (status != PBY_OK || (e->has_u && e->sign_u < 0))
        return status;
    a->lawful = true;
    status = pby_deployed_decide(&e->sign_l, &e->l, &e->has_l, a, &why);
    if (pby_claim_stays_open(status, &why)) {
        e->has_l = false;
        status = PBY_OK;
    }
    if (status != PBY_OK && err != NULL)
        *err = why;
    return status;
}

static pby_status conclude_open(struct work *w, size_t i, const struct ends *e, const char *missing,
                                bool periods_missing, pby_error *err)
{
    const pby_deployment *d = w->d;
    char before[PBY_ERROR_SIZE + 96];
    if (missing[0] != '\0')
        return leave_open(w, i, missing, err);
    if (!e->has_u) {
        snprintf(before, sizeof before, "not computed: %s", e->why.text);
        return leave_open(w, i, before, err);
    }
    if (!periods_missing)
        return conclude(w, i, PBY_RULED_OPEN, "not implied: ", &e->u, NULL, "", err);
    snprintf(before, sizeof before, "horizon.periods is not published; one %.64s has ", d->period);
    return conclude(w, i, PBY_RULED_OPEN, before, &e->u, NULL, "", err);
}

static pby_status judge_ends(struct work *w, size_t i, struct ends *e, pby_deployed_question *a,
                             const char *missing, bool periods_missing, pby_error *err)
{
    const pby_deployment *d = w->d;
    const pby_deployment_claim *c = a->c;
    if (missing[0] == '\0' && !periods_missing && e->has_u && e->sign_u < 0)
        return conclude(w, i, PBY_RULED_HOLDS, "", &e->u, NULL,
                        c->kind == PBY_CLAIM_APPROX && !d->has_adaptive && !c->each &&
                                uses_of(d, c, a->factor) > 1
                            ? "; if the list was fixed"
                            : "",
                        err);
    if (!e->has_l || e->sign_l <= 0)
        return conclude_open(w, i, e, missing, periods_missing, err);
    const bool rounded = missing[0] == '\0' && !periods_missing && holds_rounded(a, false);
    char after[64];
    snprintf(after, sizeof after, "%s%s", has_bounds(d, c) ? "" : "; as published",
             rounded ? "; but for rounding" : "");
    return conclude(w, i, PBY_RULED_FAILS, "", missing[0] == '\0' && e->has_u ? &e->u : &e->l, &e->l, after,
                    err);
}

static pby_status judge_list(struct work *w, size_t i, pby_error *err)
{
    const pby_deployment *d = w->d;
    const pby_deployment_claim *c = &d->claim[i];
    const bool periodic = c->entity && d->period != NULL;
    char missing[PBY_ERROR_SIZE];
    bool done = false;
    if (is_assumed(d, i))
        return leave_open(w, i, "assumed: the mechanism was derived from it", err);
    for (size_t k = 0; k < d->mechanisms; k++)
        for (size_t n = 0; pby_claim_is_about(c, k) && n < d->mechanism[k].from.count; n++)
            w->all[i].given[d->mechanism[k].from.at[n]] = true;
    PBY_TRY(judge_given(w, i, &done, err));
    if (done)
        return PBY_OK;
    find_missing(missing, w, c);
    pby_deployed_question a = {.d = d, .c = c, .factor = periodic && d->periods > 0 ? d->periods : 1};
    struct ends e = {.has_u = false, .has_l = false, .why = PBY_NO_ERROR};
    pby_amount_init(&e.u);
    pby_amount_init(&e.l);
    pby_status status = ask_ends(&e, &a, err);
    if (status == PBY_OK)
        status = judge_ends(w, i, &e, &a, missing, periodic && d->periods == 0, err);
    pby_amount_clear(&e.u);
    pby_amount_clear(&e.l);
    return status;
}

static pby_status judge(struct work *w, size_t i, pby_error *err)
{
    const pby_deployment_claim *c = &w->d->claim[i];
    if (w->all[i].verdict != PBY_UNRULED)
        return PBY_OK;
    w->all[i].verdict = PBY_RULING;
    if (c->follows.count > 0)
        return judge_follows(w, i, err);
    return c->parts.count > 0 ? judge_parts(w, i, err) : judge_list(w, i, err);
}

pby_status pby_judge_claims(pby_judgement *all, pby_deployment *d, pby_error *err)
{
    struct work w = {d, all};
    pby_status status = PBY_OK;
    for (size_t i = 0; i < d->claims && status == PBY_OK; i++)
        status = judge(&w, i, err);
    return status;
}
