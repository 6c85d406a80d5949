/* SPDX-License-Identifier: MIT */
/* rr:eps=e or rr:odds=g, and krr with k=k as well: randomised response.
 *
 * Each user reports the truth with odds g = exp(eps) against any one other of the k answers, k = 2 for rr:
 * the answer that lies R behind the truth on the circle 0, 1, ..., k-1, 0, ..., R of the law of
 * law/law_response.c. The neighbours are two truths of one user. Over the norm g + k - 1 their pair is
 *
 *   outcome              P      Q
 *   the first truth      g      1
 *   the second truth     1      g
 *   each of the others   1      1
 *
 * and it is its own reverse: any two truths have the same pair, but for the names of the answers.
 */
#include "kernel/response.h"

#include <sodium.h>

#include "base/public.h"
#include "kernel/fit.h"
#include "law/laws.h"
#include "mechanism/response/family_response.h"
#include "mechanism/shared/estimator.h"
#include "mechanism/shared/selection.h"
#include "mechanism/spec/story.h"
#include "number/scoped.h"

enum { EPS, ODDS, ANSWERS };

/* Draws at a time: all that a block touches stays in the nearest cache. */
enum { BLOCK = 1024 };

/* g = odds exp(eps), one of which is 1 to the other. */
struct response {
    fmpq_t odds, eps;
    int64_t answers;
};

static int64_t last_answer(const pby_mechanism *m)
{
    const fmpq *answers = pby_mechanism_value(m, PBY_ROLE_ANSWERS);
    return answers == NULL ? 1 : fmpz_get_si(fmpq_numref(answers)) - 1;
}

static void response_init(struct response *r, const pby_mechanism *m)
{
    const fmpq *odds = pby_mechanism_value(m, PBY_ROLE_ODDS);
    fmpq_init(r->odds);
    fmpq_init(r->eps);
    fmpq_one(r->odds);
    if (odds != NULL)
        fmpq_set(r->odds, odds);
    else
        fmpq_set(r->eps, &m->value[EPS]);
    r->answers = last_answer(m) + 1;
}

static void response_clear(struct response *r)
{
    fmpq_clear(r->eps);
    fmpq_clear(r->odds);
}

pby_status pby_response_check(const pby_mechanism *m, pby_error *err)
{
    return pby_mechanism_has(m, EPS) != pby_mechanism_has(m, ODDS)
               ? PBY_OK
               : pby_mechanism_refuse(m, "eps=E or odds=G, one of the two", err);
}

static pby_status krr_check(const pby_mechanism *m, pby_error *err)
{
    return pby_mechanism_natural(m, ANSWERS) >= 2 ? pby_response_check(m, err)
                                                  : pby_mechanism_refuse(m, "k=K of at least 2 answers", err);
}

pby_status pby_response_law(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    struct response r;
    response_init(&r, m);
    const pby_status status = pby_law_response(out, r.odds, r.eps, r.answers, err);
    response_clear(&r);
    return status;
}

/* x += c g + d */
static void add(pby_expsum_t x, const struct response *r, slong c, slong d)
{
    PBY_FMPQ(weight, zero);
    fmpq_set_si(weight, c, 1);
    fmpq_mul(weight, weight, r->odds);
    pby_expsum_add_term(x, weight, r->eps);
    pby_expsum_add_term_si(x, d, zero);
}

/* The atom (c g + d, e g + f). */
static pby_status append(pby_pair *pair, const struct response *r, slong c, slong d, slong e, slong f,
                         pby_error *err)
{
    pby_expsum_t p, q;
    pby_expsum_init(p);
    pby_expsum_init(q);
    add(p, r, c, d);
    add(q, r, e, f);
    const pby_status status = pby_pair_append(pair, p, q, err);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return status;
}

pby_status pby_response_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                              pby_error *err)
{
    (void)wanted;
    struct response r;
    pby_status status = pby_pairs_init(out, 1, err);
    if (status != PBY_OK)
        return status;
    response_init(&r, m);
    pby_pair *pair = &out->pair[0];
    add(pair->norm_p, &r, 1, r.answers - 1);
    pby_expsum_set(pair->norm_q, pair->norm_p);
    status = append(pair, &r, 1, 0, 0, 1, err);
    if (status == PBY_OK)
        status = append(pair, &r, 0, 1, 1, 0, err);
    if (status == PBY_OK && r.answers > 2)
        status = append(pair, &r, 0, r.answers - 2, 0, r.answers - 2, err);
    response_clear(&r);
    return status;
}

static pby_status response_formal(FILE *out, pby_formal *formal, const pby_mechanism *m,
                                  pby_neighbours relation, pby_error *err)
{
    (void)relation;
    (void)err;
    struct response r;
    response_init(&r, m);
    char *odds = fmpq_get_str(NULL, 10, r.odds), *eps = fmpq_get_str(NULL, 10, r.eps);
    *formal =
        (pby_formal){0, r.answers - 1, 1}; /* all truths have the same pair, so 0 and 1 stand for any two */
    fprintf(out,
            "(* The truth with odds of `odds` against any one other of %lld answers. *)\n"
            "Definition odds : R := %s * exp (%s).\n"
            "Definition law (truth k : Z) : R :=\n"
            "  if (0 <=? k)%%Z && (k <? %lld)%%Z\n"
            "  then (if (k =? truth)%%Z then odds else 1) / (odds + %lld) else 0.\n",
            (long long)r.answers, odds, eps, (long long)r.answers, (long long)(r.answers - 1));
    flint_free(eps);
    flint_free(odds);
    response_clear(&r);
    return PBY_OK;
}

/* Pure privacy at the family's own eps. */
bool pby_response_claim(arb_t delta, const pby_mechanism *m, pby_neighbours relation, const fmpq_t epsilon,
                        slong prec)
{
    (void)relation;
    (void)prec;
    arb_zero(delta);
    return pby_mechanism_has(m, EPS) && fmpq_cmp(epsilon, &m->value[EPS]) >= 0;
}

/* Takes the same steps for all answers and draws: only whether all are answers is seen. */
pby_status pby_response_release(const pby_mechanism *m, pby_sampler *sampler, pby_entropy *source,
                                const int64_t *answers, int64_t *given, size_t n, pby_error *err)
{
    const int64_t k = last_answer(m) + 1;
    int64_t noise[BLOCK];
    int all = pby_within(answers, n, 0, k - 1);
    PBY_MAKE_PUBLIC(all);
    if (!all)
        return pby_fail(err, PBY_BAD, "answers: expected integers from 0 to %lld, the answers of %s",
                        (long long)(k - 1), m->family->name);
    pby_status status = PBY_OK;
    for (size_t at = 0; at < n && status == PBY_OK; at += BLOCK) {
        const size_t count = n - at < BLOCK ? n - at : BLOCK;
        status = pby_draw_many(sampler, source, noise, count, err);
        if (status == PBY_OK)
            pby_respond(given + at, answers + at, count, noise, k);
    }
    sodium_memzero(noise, sizeof noise);
    return status;
}

static size_t response_cells(const pby_mechanism *m)
{
    return (size_t)last_answer(m) + 1;
}

void pby_response_chances(pby_chances *out, const pby_mechanism *m)
{
    struct response r;
    response_init(&r, m);
    add(out->p, &r, 1, 0);
    add(out->q, &r, 0, 1);
    add(out->norm, &r, 1, r.answers - 1);
    response_clear(&r);
}

/* The share of zeros is what that of ones leaves. */
static const pby_estimator rr_estimator = {
    .cells = response_cells, .first = 1, .chances = pby_response_chances};

static const pby_estimator krr_estimator = {.cells = response_cells, .chances = pby_response_chances};

#define ASKED_AGAIN "a report at a smaller eps is one at a greater eps, randomised again"

const pby_select_row pby_response_selection = {PBY_SELECT_PURE(ASKED_AGAIN), .instead = PBY_ROLE_ODDS};

#define TWO_TRUTHS "any two answers of one user"

static const pby_story rr_stories[] = {
    {.what = "Each user answers 0 or 1, truly with odds g = exp(eps), and otherwise with the other answer. "
             "Whoever collects the reports need not be trusted.",
     .neighbours = {[PBY_LOCAL] = TWO_TRUTHS},
     .pair = {[PBY_LOCAL] = "the reports of 0 and of 1, its own reverse"},
     .accuracy =
         "the share of ones among n reports, (mean (g + 1) - 1)/(g - 1), is unbiased, and its variance is "
         "g/(n (g - 1)^2) whatever the answers are; probity accuracy --n n --beta b encloses the chance "
         "that it is farther than b off",
     .pages = {"response.md", "drawing.md"},
     .kernel = {{"pby_respond", "response.h"}}},
    {.what = NULL},
};

static const char *const rr_examples[] = {"rr:eps=1", "rr:odds=3", NULL};

static const char *const rr_manual[] = {
    "rr:eps=E",
    "Randomised response to a question of two answers, 0 and 1: the truth with odds exp(E) against the "
    "other.",
    "rr:odds=G",
    "The same with odds G.",
    NULL,
};

const pby_family pby_family_rr = {
    .name = "rr",
    .summary = "randomised response to a question of two answers",
    .relations = PBY_LOCALLY,
    .parameters = {{"eps", PBY_POSITIVE, "", "eps=E, the loss, a rational above 0", PBY_ROLE_EPSILON},
                   {"odds", PBY_ABOVE_ONE, "", "odds=G, of the truth, exp(eps), a rational above 1",
                    PBY_ROLE_ODDS}},
    .check = pby_response_check,
    .law = pby_response_law,
    .list[PBY_ABOVE] = pby_response_pairs,
    .formal = response_formal,
    .claim = pby_response_claim,
    .statement = {.source = "0 from eps on"},
    .form = PBY_RELEASE_ANSWERS,
    .takes = PBY_TAKES_ANSWERS,
    .most = last_answer,
    .release = pby_response_release,
    .even = true,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_SHARE},
    .estimator = &rr_estimator,
    .select = &pby_response_selection,
    .stories = rr_stories,
    .manual = rr_manual,
    .examples = rr_examples,
};

static const pby_story krr_stories[] = {
    {.what = "Each user answers with one of 0 to k - 1, truly with odds g = exp(eps) against any one other "
             "answer. Whoever collects the reports need not be trusted.",
     .neighbours = {[PBY_LOCAL] = TWO_TRUTHS},
     .pair = {[PBY_LOCAL] = "the reports of two truths, its own reverse: the other answers say nothing"},
     .accuracy =
         "the share of an answer among n reports, (share of it (g + k - 1) - 1)/(g - 1), is unbiased; its "
         "variance depends on the answers where k is more than 2; probity accuracy --n n --beta b encloses "
         "the chance that it is farther than b off",
     .pages = {"response.md", "drawing.md"},
     .kernel = {{"pby_respond", "response.h"}}},
    {.what = NULL},
};

static const char *const krr_examples[] = {"krr:eps=3/2,k=3", "krr:odds=4,k=3", NULL};

static const char *const krr_manual[] = {
    "krr:eps=E,k=K",
    "Randomised response to a question of K answers, 0 to K - 1: the truth with odds exp(E) against any one "
    "other.",
    "krr:odds=G,k=K",
    "The same with odds G.",
    NULL,
};

const pby_family pby_family_krr = {
    .name = "krr",
    .summary = "randomised response to a question of k answers",
    .relations = PBY_LOCALLY,
    .parameters = {{"eps", PBY_POSITIVE, "", "eps=E, the loss, a rational above 0", PBY_ROLE_EPSILON},
                   {"odds", PBY_ABOVE_ONE, "",
                    "odds=G, of the truth against any one other answer, exp(eps), a rational above 1",
                    PBY_ROLE_ODDS},
                   {"k", PBY_NATURAL, NULL, "k=K, how many answers there are, an integer from 2 on",
                    PBY_ROLE_ANSWERS}},
    .check = krr_check,
    .law = pby_response_law,
    .list[PBY_ABOVE] = pby_response_pairs,
    .formal = response_formal,
    .claim = pby_response_claim,
    .statement = {.source = "0 from eps on"},
    .form = PBY_RELEASE_ANSWERS,
    .takes = PBY_TAKES_ANSWERS,
    .most = last_answer,
    .release = pby_response_release,
    .even = true,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_SHARE},
    .estimator = &krr_estimator,
    .select = &pby_response_selection,
    .stories = krr_stories,
    .manual = krr_manual,
    .examples = krr_examples,
};
