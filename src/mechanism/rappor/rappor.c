/* SPDX-License-Identifier: MIT */
/* rappor:bits=K[,hashes=H],f=F[,p=P][,q=Q][,reports=N][,values=V][,cohorts=C][,seed=S]: RAPPOR.
 *
 * A value has K bits: those that H public hashes name (bloom.c), or one of its own where there are no hashes.
 * The permanent response keeps each bit with the chance 1 - F/2 and turns it otherwise. It is drawn once for
 * each value and kept by the client. Each report of the value shows every permanent bit anew: a one with the
 * chance P where it is one, and with Q where it is zero.
 *
 * The neighbours are two lists of at most V values of one user, which change at the same times. Two values
 * differ in at most H bits that only the first has and H that only the second has, and their laws are
 * products over bits. So the pair is the product of H V pairs of one bit (law.c) and of H V of their
 * reverses, and it is its own reverse. Fewer bits are a part of it and lose no more. */
#include "mechanism/rappor/rappor.h"

#include "mechanism/rappor/respond.h"
#include "mechanism/shared/selection.h"
#include "mechanism/spec/story.h"
#include "number/scoped.h"
#include "pair/product.h"

bool pby_mechanism_is_rappor(const pby_mechanism *m)
{
    return m->family == &pby_family_rappor;
}

pby_status pby_spec_rappor(const pby_mechanism **out, const pby_spec *spec, pby_error *err)
{
    const pby_status status = pby_spec_single(out, spec, "one use of rappor", err);
    return status == PBY_OK && !pby_mechanism_is_rappor(*out)
               ? pby_refuse(err, "SPEC", pby_spec_text(spec), "one use of rappor")
               : status;
}

int64_t pby_rappor_differ(const pby_rappor *r)
{
    return r->hashes == 0 ? 1 : r->hashes;
}

static bool inside(const fmpq_t x)
{
    return fmpq_sgn(x) > 0 && fmpq_cmp_si(x, 1) < 0;
}

/* Returns the text of a refusal of parameters that do not go together; NULL if they do. */
static const char *unfit(const pby_rappor *r)
{
    if (r->bits < 2 || r->bits > PBY_RAPPOR_BITS_MAX)
        return "bits=K from 2 to 65536";
    if (r->hashes > r->bits / 2)
        return "bits=K of at least twice the hashes";
    if (r->cohorts > PBY_RAPPOR_COHORTS_MAX)
        return "cohorts=C of at most 1000000";
    if (r->hashes == 0 && (r->cohorts > 1 || r->seed > 1))
        return "hashes=H, which cohorts and seed are about";
    if (fmpq_equal(r->p, r->q))
        return "p=P and q=Q that differ";
    if (fmpq_is_zero(r->f) && (r->reports == 0 || !inside(r->p) || !inside(r->q)))
        return "f=F above 0, or reports=N with p and q inside (0, 1)";
    if (r->reports > PBY_RAPPOR_REPORTS_MAX)
        return "reports=N of at most 4096, or none for any number";
    if (r->values > PBY_TIMES_MAX / (2 * pby_rappor_differ(r)))
        return "values=V of which 2 hashes values is at most 1000000000";
    return NULL;
}

static pby_status rappor_check(const pby_mechanism *m, pby_error *err)
{
    pby_rappor r;
    pby_rappor_of(&r, m);
    const char *expected = unfit(&r);
    return expected == NULL ? PBY_OK : pby_mechanism_refuse(m, expected, err);
}

/* The pair of one bit, reversed for the second part. */
static pby_status bit(pby_pair *pair, const pby_rappor *r, bool reversed, pby_error *err)
{
    const pby_status status = pby_rappor_bit(pair, r, err);
    if (status == PBY_OK && reversed)
        pby_pair_reverse(pair);
    return status;
}

/* The bits that only the first value has, and those that only the second has; all in one where a bit's pair
 * is its own reverse. */
static pby_status rappor_factor(pby_factor *out, const pby_mechanism *m, const pby_wanted *wanted, size_t i,
                                pby_error *err)
{
    if (wanted->list != PBY_ABOVE)
        return PBY_OK;
    pby_rappor r;
    pby_rappor_of(&r, m);
    const bool even = pby_rappor_even(&r);
    const uint64_t all = (uint64_t)(pby_rappor_differ(&r) * r.values);
    out->reached = out->times = even && i == 0 ? 2 * all : !even && i < 2 ? all : 0;
    if (out->times == 0)
        return PBY_OK;
    PBY_TRY(pby_pairs_init(&out->pairs, 1, err));
    return bit(&out->pairs.pair[0], &r, i == 1, err);
}

/* The most terms that the product is written out with. */
enum { TERMS_MAX = 1 << 10 };

static pby_status multiply(pby_pair *product, bool *small, const pby_rappor *r, bool reversed, uint64_t times,
                           pby_error *err)
{
    pby_pair one;
    pby_pair_init(&one);
    pby_status status = bit(&one, r, reversed, err);
    if (status == PBY_OK)
        status = pby_pair_gather(&one, err);
    *small = *small && pby_pair_terms(&one) * times <= TERMS_MAX;
    for (uint64_t i = 0; i < times && *small && status == PBY_OK; i++) {
        status = pby_pair_multiply(product, &one, err);
        *small = pby_pair_terms(product) <= TERMS_MAX;
    }
    pby_pair_clear(&one);
    return status;
}

/* None where the product is too large. */
static pby_status rappor_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                               pby_error *err)
{
    (void)wanted;
    pby_rappor r;
    pby_rappor_of(&r, m);
    const bool even = pby_rappor_even(&r);
    const uint64_t all = (uint64_t)(pby_rappor_differ(&r) * r.values);
    bool small = true;
    pby_status status = pby_pairs_init(out, 1, err);
    if (status == PBY_OK)
        status = pby_pair_one(&out->pair[0], err);
    if (status == PBY_OK)
        status = multiply(&out->pair[0], &small, &r, false, even ? 2 * all : all, err);
    if (status == PBY_OK && !even && small)
        status = multiply(&out->pair[0], &small, &r, true, all, err);
    if (!small)
        pby_pairs_clear(out);
    return status;
}

/* Theorem 7.4 of the survey: 0 from 2 h log((1-f/2)/(f/2)) on, for the permanent response to each value. */
static bool rappor_claim(arb_t delta, const pby_mechanism *m, pby_neighbours relation, const fmpq_t epsilon,
                         slong prec)
{
    (void)relation;
    pby_rappor r;
    pby_rappor_of(&r, m);
    PBY_ARB(most, at);
    arb_set_fmpq(at, r.f, prec);
    arb_sub_ui(most, at, 2, prec);
    arb_neg(most, most);
    arb_div(most, most, at, prec);
    arb_log(most, most, prec);
    arb_mul_si(most, most, 2 * pby_rappor_differ(&r) * r.values, prec);
    arb_set_fmpq(at, epsilon, prec);
    arb_zero(delta);
    return arb_le(most, at);
}

#define TURNED_AGAIN "a greater f is a smaller one on bits that were turned once more before"

static const pby_select_row rappor_selection = {
    .chosen = PBY_ROLE_TURNED,
    .rising = true,
    .unit = true,
    .monotone = TURNED_AGAIN,
    .recipe = PBY_RECIPE_THEOREMS,
    .source = PBY_SELECT_THEOREMS,
    .rho_monotone = TURNED_AGAIN,
    .rho_recipe = PBY_RECIPE_PURE,
    .rho_source = PBY_SELECT_SQUARED,
    .binds = "the resolution",
};

static const pby_story rappor_stories[] = {
    {.what =
         "A value becomes a few of K public bits. The client turns each bit with the chance f/2, once for "
         "each value, keeps that permanent response, and never draws it again. Each report shows a "
         "permanent one as 1 with the chance p and a permanent zero as 1 with the chance q. Whoever "
         "collects the reports need not be trusted.",
     .neighbours = {[PBY_LOCAL] =
                        "any two lists of at most `values` values of one user that change at the same "
                        "times, each value reported at most `reports` times; when a value changes is "
                        "not hidden"},
     .pair = {[PBY_LOCAL] =
                  "values that share no bit: for each of `values`, `hashes` bits turned from 1 to 0 "
                  "and as many from 0 to 1, its own reverse"},
     .accuracy =
         "the share of users whose value has a bit, (mean of the bit - B)/(A - B), is unbiased, A and "
         "B being the chances of a one with and without it; probity accuracy --n n --beta b encloses "
         "the chance that it is farther than b off",
     .pages = {"rappor.md", "response.md"}},
    {.what = NULL},
};

static const char *const rappor_examples[] = {
    "rappor:bits=8,f=1/2",
    "rappor:bits=128,hashes=2,f=1/2,p=3/4,q=1/4,reports=1",
    "rappor:bits=16,hashes=2,f=1/4,p=1/2,q=1/8,reports=3,values=2,cohorts=4,seed=7",
    NULL,
};

static const char *const rappor_manual[] = {
    "rappor:bits=K,f=F[,p=P][,q=Q][,reports=N][,values=V]",
    "Basic RAPPOR, a bit for each value 0 to K - 1: each bit is turned with the chance F/2, once for each "
    "value, and each report shows it by P and Q; without them it is the permanent response itself. A user "
    "has at most V values and reports each at most N times, or any number of times.",
    "rappor:bits=K,hashes=H,f=F[,p=P][,q=Q][,reports=N][,values=V][,cohorts=C][,seed=S]",
    "RAPPOR on any values: each has H of K bits by public hashes, which seed S and one of C cohorts name. S "
    "is 1 if left out.",
    NULL,
};

const pby_family pby_family_rappor = {
    .name = "rappor",
    .summary = "RAPPOR: bits turned once for good, and again in each report",
    .relations = PBY_LOCALLY,
    .parameters =
        {{"bits", PBY_NATURAL, NULL, "bits=K, how many bits a report has, an integer from 2 to 65536",
          PBY_ROLE_NONE},
         {"hashes", PBY_NATURAL, "", "hashes=H, the most bits of a value; without it each value has its own",
          PBY_ROLE_NONE},
         {"f", PBY_PROBABILITY, NULL, "f=F, twice the chance that a permanent bit is turned, from 0 to 1",
          PBY_ROLE_TURNED},
         {"p", PBY_PROBABILITY, "1", "p=P, the chance that a permanent one is reported as 1", PBY_ROLE_NONE},
         {"q", PBY_PROBABILITY, "0", "q=Q, the chance that a permanent zero is reported as 1", PBY_ROLE_NONE},
         {"reports", PBY_NATURAL, "", "reports=N, the most reports on one value; without it any number",
          PBY_ROLE_NONE},
         {"values", PBY_NATURAL, "1", "values=V, the most values that one user ever reports", PBY_ROLE_NONE},
         {"cohorts", PBY_NATURAL, "1", "cohorts=C, how many sets of hashes there are", PBY_ROLE_NONE},
         {"seed", PBY_NATURAL, "1", "seed=S, a public integer that the hashes depend on, 1 if left out",
          PBY_ROLE_NONE}},
    .check = rappor_check,
    .list[PBY_ABOVE] = rappor_pairs,
    .factor = rappor_factor,
    .claim = rappor_claim,
    .statement = {.source = "0 from 2 hashes values log((2-f)/f) on, Survey/Theorem 7.4",
                  .row = "Survey/Theorem 7.4"},
    .accuracy = {.has = true, .kind = PBY_ACCURACY_SHARE},
    .estimator = &pby_rappor_estimator,
    .select = &rappor_selection,
    .stories = rappor_stories,
    .manual = rappor_manual,
    .examples = rappor_examples,
};
