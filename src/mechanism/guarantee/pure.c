/* SPDX-License-Identifier: MIT */
/* pure:eps=e and approx:eps=e,delta=d: mechanisms known by their guarantee alone.
 *
 * Every mechanism that is (e, d)-private is a post-processing of one that says outright which input it
 * has with chance d, and otherwise answers by randomised response at e (docs/theory/geometric.md). Over
 * the norm 1 + exp(e), with r = 1 - d:
 *
 *   outcome     P               Q
 *   "first"     d (1 + exp e)   0
 *   1           r exp(e)        r
 *   2           r               r exp(e)
 *   "second"    0               d (1 + exp e)
 *
 * The pair is its own reverse.
 */
#include "mechanism/family.h"
#include "mechanism/spec/story.h"
#include "number/scoped.h"

enum { EPS, DELTA };

/* one atom: (p0 + p1 exp(eps), q0 + q1 exp(eps)) */
static pby_status append(pby_pair *pair, const fmpq_t eps, const fmpq_t p0, const fmpq_t p1, const fmpq_t q0,
                         const fmpq_t q1, pby_error *err)
{
    pby_expsum_t p, q;
    pby_expsum_init(p);
    pby_expsum_init(q);
    PBY_FMPQ(zero);
    pby_expsum_add_term(p, p0, zero);
    pby_expsum_add_term(p, p1, eps);
    pby_expsum_add_term(q, q0, zero);
    pby_expsum_add_term(q, q1, eps);
    const pby_status status = pby_pair_append(pair, p, q, err);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return status;
}

static pby_status guarantee_pair(pby_pair *pair, const fmpq_t eps, const fmpq_t delta, pby_error *err)
{
    PBY_FMPQ(zero, rest);
    fmpq_one(rest);
    pby_expsum_add_term(pair->norm_p, rest, zero);
    pby_expsum_add_term(pair->norm_p, rest, eps);
    pby_expsum_set(pair->norm_q, pair->norm_p);
    fmpq_sub(rest, rest, delta);
    PBY_TRY(append(pair, eps, delta, delta, zero, zero, err));
    PBY_TRY(append(pair, eps, zero, rest, rest, zero, err));
    PBY_TRY(append(pair, eps, rest, zero, zero, rest, err));
    return append(pair, eps, zero, zero, delta, delta, err);
}

static pby_status guarantee_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                                  pby_error *err)
{
    (void)wanted;
    const fmpq *delta = pby_mechanism_value(m, PBY_ROLE_DELTA);
    PBY_FMPQ(none);
    PBY_TRY(pby_pairs_init(out, 1, err));
    return guarantee_pair(&out->pair[0], &m->value[EPS], delta == NULL ? none : delta, err);
}

/* Partition selection of the same eps and delta is one such mechanism, unless it would have too many counts.
 */
static pby_status approx_group(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                               pby_error *err)
{
    if (fmpq_is_zero(&m->value[DELTA]))
        return PBY_OK;
    pby_mechanism same;
    pby_mechanism_init(&same, &pby_family_partition);
    fmpq_set(&same.value[pby_family_with(same.family, PBY_ROLE_EPSILON)], &m->value[EPS]);
    fmpq_set(&same.value[pby_family_with(same.family, PBY_ROLE_DELTA)], &m->value[DELTA]);
    const pby_status status = pby_family_partition.list[PBY_APART](out, &same, wanted, err);
    pby_mechanism_clear(&same);
    return status == PBY_BAD ? PBY_OK : status;
}

static void pure_grow(pby_mechanism *m, unsigned long size)
{
    fmpz_t k;
    fmpz_init_set_ui(k, size);
    fmpq_mul_fmpz(&m->value[EPS], &m->value[EPS], k);
    fmpz_clear(k);
}

static const pby_story pure_stories[] = {
    {.what = "Any mechanism that is eps-private; nothing else about it is used.",
     .neighbours = PBY_STORY_ANY,
     .pair = {"randomised response at eps: every such mechanism is a post-processing of it",
              "randomised response at eps: every such mechanism is a post-processing of it",
              "randomised response at eps: every such mechanism is a post-processing of it"},
     .accuracy = "none: only the privacy of the mechanism is known",
     .pages = {"geometric.md", "conversions.md"}},
    {.what = NULL},
};

static const char *const pure_examples[] = {"pure:eps=1/2", "pure:eps=1,sample=1/10", NULL};

static const char *const pure_manual[] = {
    "pure:eps=E[,sample=R]",
    "Any mechanism that is E-private, for loss only; on a Poisson sample of the records, under add-remove.",
    NULL,
};

const pby_family pby_family_pure = {
    .name = "pure",
    .summary = "any mechanism with pure privacy, loss only",
    .relations = PBY_EVERY_RELATION,
    .parameters = {{"eps", PBY_POSITIVE, NULL, "eps=E, the privacy that is guaranteed, a rational above 0",
                    PBY_ROLE_EPSILON},
                   PBY_SAMPLE_PARAMETER},
    .list[PBY_ABOVE] = guarantee_pairs,
    .grow = pure_grow,
    .stories = pure_stories,
    .manual = pure_manual,
    .examples = pure_examples,
};

static const pby_story approx_stories[] = {
    {.what = "Any mechanism that is (eps, delta)-private; nothing else about it is used.",
     .neighbours = PBY_STORY_ANY,
     .pair = {"randomised response at eps that reveals its input with probability delta",
              "randomised response at eps that reveals its input with probability delta",
              "randomised response at eps that reveals its input with probability delta"},
     .accuracy = "none: only the privacy of the mechanism is known",
     .pages = {"geometric.md", "conversions.md"}},
    {.what = NULL},
};

static const char *const approx_examples[] = {"approx:eps=1/2,delta=1/100000",
                                              "approx:eps=1,delta=1/1000000,sample=1/10", NULL};

static const char *const approx_manual[] = {
    "approx:eps=E,delta=D[,curve=SHA256][,sample=R]",
    "Any mechanism that is (E, D)-private, for loss only; on a Poisson sample of the records, under "
    "add-remove. The digest names the file of a curve that this is a point of.",
    NULL,
};

const pby_family pby_family_approx = {
    .name = "approx",
    .summary = "any mechanism with approximate privacy, loss only",
    .relations = PBY_EVERY_RELATION,
    .parameters = {{"eps", PBY_POSITIVE, NULL, "eps=E, the epsilon that is guaranteed, a rational above 0",
                    PBY_ROLE_EPSILON},
                   {"delta", PBY_PROBABILITY, NULL, "delta=D, the delta guaranteed at it, from 0 to 1",
                    PBY_ROLE_DELTA},
                   {"curve", PBY_DIGEST, "", "curve=SHA256, that of the file that the promise is a point of",
                    PBY_ROLE_CURVE},
                   PBY_SAMPLE_PARAMETER},
    .list[PBY_ABOVE] = guarantee_pairs,
    .list[PBY_APART] = approx_group,
    .stories = approx_stories,
    .manual = approx_manual,
    .examples = approx_examples,
};
