/* SPDX-License-Identifier: MIT */
#include "deployment/deployed_loss.h"

#include <stdlib.h>
#include <string.h>

#include "deployment/contribution.h"
#include "probity/experimental/losses.h"
#include "probity/loss.h"

enum { CHOICES_MAX = 256 };

bool pby_claim_is_about(const pby_deployment_claim *c, size_t mechanism)
{
    for (size_t i = 0; i < c->about.count; i++)
        if (c->about.at[i] == mechanism)
            return true;
    return !c->about.given;
}

bool pby_places_have(const pby_places *list, size_t at)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i] == at)
            return true;
    return false;
}

bool pby_claim_stays_open(pby_status status, const pby_error *why)
{
    return status == PBY_BAD || status == PBY_NO ||
           (status == PBY_FAILED && why->reason == PBY_REASON_PRECISION);
}

/* A guarantee bounds what was deployed, and says nothing from below. */
static bool is_guarantee(const pby_mechanism *m)
{
    static const char *const names[] = {"pure", "approx", "zcdp", "rdp", "gdp"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(m->family->name, names[i]) == 0)
            return true;
    return false;
}

/* Families whose one pair is that of the same two neighbours in every use. */
static bool has_one_pair(const pby_mechanism *m)
{
    static const char *const names[] = {"gauss", "dgauss", "laplace", "geometric", "rr", "krr"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(m->family->name, names[i]) == 0)
            return true;
    return false;
}

static bool counts_below(const pby_deployed_question *a, const pby_deployed *m, const pby_use *use,
                         bool several)
{
    return m->from.count == 0 && !is_guarantee(&use->mechanism) &&
           (!several || has_one_pair(&use->mechanism)) &&
           pby_contribution_reaches(m, &use->mechanism, a->c->kind == PBY_CLAIM_PURE);
}

static uint64_t times_of(const pby_deployed_question *a, const pby_deployed *m, const pby_use *use)
{
    const uint64_t times = a->c->each ? 1 : m->times;
    if (use->times > PBY_TIMES_MAX / times)
        return 0;
    return use->times * times > PBY_TIMES_MAX / a->factor ? 0 : use->times * times * a->factor;
}

/* The spec of the chosen mechanisms; *out is NULL where no use counts. */
static pby_status join(pby_spec **out, const pby_deployed_question *a, const bool *chosen, pby_error *err)
{
    size_t count = 0, most = 0;
    *out = NULL;
    for (size_t i = 0; i < a->d->mechanisms; i++)
        most += chosen[i] && a->d->mechanism[i].spec != NULL ? a->d->mechanism[i].spec->count : 0;
    pby_use *use = calloc(most + 1, sizeof *use);
    pby_status status = use == NULL ? pby_no_memory(err) : PBY_OK;
    for (size_t i = 0; i < a->d->mechanisms && status == PBY_OK; i++) {
        const pby_deployed *m = &a->d->mechanism[i];
        for (size_t k = 0; chosen[i] && m->spec != NULL && k < m->spec->count && status == PBY_OK; k++) {
            const uint64_t times = times_of(a, m, &m->spec->use[k]);
            if (times == 0)
                status = pby_fail(err, PBY_BAD, "more than %d uses of %.64s", PBY_TIMES_MAX, m->name);
            else if (!a->lawful || counts_below(a, m, &m->spec->use[k], most > 1 || times > 1)) {
                use[count] = m->spec->use[k]; /* borrowed, and copied by pby_spec_of_uses */
                use[count++].times = times;
            }
        }
    }
    if (status == PBY_OK && count > 0)
        status = pby_spec_of_uses(out, use, count, err);
    free(use);
    return status;
}

/* Keeps the greater of two: by the lower end where that counts. */
static void keep(pby_amount *worst, bool *some, pby_amount *x, bool lower)
{
    const bool more = *some && worst->exact && x->exact ? fmpq_cmp(x->value, worst->value) > 0
                      : !*some                          ? true
                      : lower                           ? mpfr_greater_p(x->ends.lo, worst->ends.lo)
                                                        : mpfr_greater_p(x->ends.hi, worst->ends.hi);
    *some = true;
    if (more)
        pby_amount_swap(worst, x);
}

static pby_status ask_chosen(pby_amount *worst, bool *some, const pby_deployed_question *a,
                             const bool *chosen, pby_error *err)
{
    pby_spec *spec;
    pby_amount x;
    pby_amount_init(&x);
    pby_status status = join(&spec, a, chosen, err);
    if (status == PBY_OK && spec != NULL) {
        status = pby_amount_ask(&x, spec, a->relation, a->c,
                                a->lawful        ? PBY_REACH_BELOW
                                : a->d->adaptive ? PBY_REACH_ADAPTIVE
                                                 : PBY_REACH_FIXED,
                                a->effort, err);
        if (status == PBY_OK)
            keep(worst, some, &x, a->lawful);
    }
    pby_spec_free(spec);
    pby_amount_clear(&x);
    return status;
}

/* Every choice out of the lists from `list` on of mechanisms on disjoint units. A unit is in one part; one
 * that is changed may leave a part and enter another. */
static pby_status ask_choices(pby_amount *worst, bool *some, const pby_deployed_question *a, bool *chosen,
                              size_t list, size_t *left, pby_error *err)
{
    if (*left == 0)
        return pby_fail(err, PBY_BAD, "more than %d choices of parallel mechanisms", CHOICES_MAX);
    if (list == a->d->parallels) {
        --*left;
        return ask_chosen(worst, some, a, chosen, err);
    }
    const pby_places *p = &a->d->parallel[list];
    size_t mine[PBY_DEPLOYMENT_LIST_MAX], n = 0;
    for (size_t i = 0; i < p->count; i++)
        if (pby_claim_is_about(a->c, p->at[i]))
            mine[n++] = p->at[i];
    const bool two = a->relation == PBY_SUBSTITUTE && !a->lawful && n > 1;
    pby_status status = n == 0 ? ask_choices(worst, some, a, chosen, list + 1, left, err) : PBY_OK;
    for (size_t i = 0; i < n && status == PBY_OK; i++)
        for (size_t k = two ? i + 1 : i; k < (two ? n : i + 1) && status == PBY_OK; k++) {
            chosen[mine[i]] = chosen[mine[k]] = true;
            status = ask_choices(worst, some, a, chosen, list + 1, left, err);
            chosen[mine[i]] = chosen[mine[k]] = false;
        }
    return status;
}

static bool is_parallel(const pby_deployment *d, size_t mechanism)
{
    for (size_t i = 0; i < d->parallels; i++)
        if (pby_places_have(&d->parallel[i], mechanism))
            return true;
    return false;
}

static pby_status ask_relation(pby_amount *worst, bool *some, const pby_deployed_question *a, pby_error *err)
{
    bool chosen[PBY_DEPLOYMENT_LIST_MAX] = {false};
    size_t left = CHOICES_MAX;
    *some = false;
    pby_status status = PBY_OK;
    for (size_t i = 0; i < a->d->mechanisms && a->c->each && status == PBY_OK; i++)
        if (pby_claim_is_about(a->c, i)) {
            chosen[i] = true;
            status = ask_chosen(worst, some, a, chosen, err);
            chosen[i] = false;
        }
    if (a->c->each)
        return status;
    for (size_t i = 0; i < a->d->mechanisms; i++)
        chosen[i] = pby_claim_is_about(a->c, i) && !is_parallel(a->d, i);
    return ask_choices(worst, some, a, chosen, 0, &left, err);
}

unsigned pby_deployed_relations(const pby_deployment *d, const pby_deployment_claim *c)
{
    unsigned all = PBY_EVERY_RELATION;
    if (d->has_relation)
        return 1u << d->relation;
    for (size_t i = 0; i < d->mechanisms; i++)
        for (size_t k = 0;
             pby_claim_is_about(c, i) && d->mechanism[i].spec != NULL && k < d->mechanism[i].spec->count; k++)
            all &= d->mechanism[i].spec->use[k].mechanism.family->relations;
    return all;
}

/* The greatest over the relations from above, the least from below. */
static pby_status ask_list(pby_amount *x, bool *some, pby_deployed_question *a, pby_error *err)
{
    const unsigned relations = pby_deployed_relations(a->d, a->c);
    pby_amount one;
    pby_status status = relations == 0 ? pby_fail(err, PBY_BAD, "the specs are about no neighbours in common")
                                       : PBY_OK;
    bool first = true;
    *some = true;
    pby_amount_init(&one);
    for (unsigned r = PBY_ADD_REMOVE; r <= PBY_LOCAL && status == PBY_OK && *some; r++) {
        if ((relations & 1u << r) == 0)
            continue;
        a->relation = (pby_neighbours)r;
        status = ask_relation(&one, some, a, err);
        const bool swaps = first || (a->lawful ? mpfr_less_p(one.ends.lo, x->ends.lo)
                                               : mpfr_greater_p(one.ends.hi, x->ends.hi));
        if (status == PBY_OK && *some && swaps)
            pby_amount_swap(x, &one);
        first = false;
    }
    pby_amount_clear(&one);
    return status;
}

pby_status pby_deployed_decide(int *sign, pby_amount *x, bool *some, pby_deployed_question *a, pby_error *err)
{
    mpq_srcptr limit = pby_amount_limit(a->c)->value;
    pby_status status = PBY_OK;
    pby_amount closer;
    pby_amount_init(&closer);
    *sign = 0;
    for (a->effort = 0; a->effort < PBY_EFFORTS && *sign == 0 && status == PBY_OK; a->effort++) {
        pby_error why = PBY_NO_ERROR;
        status = ask_list(&closer, some, a, &why);
        if (status == PBY_OK && *some) {
            *sign = pby_amount_compare(&closer, limit, a->c->kind);
            pby_amount_swap(x, &closer);
        } else if (a->effort > 0 && pby_claim_stays_open(status, &why)) {
            status = PBY_OK;
            *some = true;
            break;
        } else if (status != PBY_OK && err != NULL) {
            *err = why;
        }
        if (!*some)
            break;
    }
    pby_amount_clear(&closer);
    return status;
}
