/* SPDX-License-Identifier: MIT */
/* Conformance: an exact test of integers against a certified law.
 *
 * The law fixes cut points before any output is seen: its quantiles at j/64 and far into the tails, and
 * every integer near the median. The events are the cells between neighbouring cut points and the half
 * lines up to each. For each event the count is binomial with a chance that the law encloses, and
 * both tails of that binomial are bounded with proof; all tests share the error equally. */
#include "audit/conform.h"
#include "base/sorted.h"
#include "number/number_texts.h"
#include "probity/experimental/auditing.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/bound/bound_tail.h"
#include "audit/bound/guess.h"
#include "audit/judge/verdict.h"
#include "base/json.h"
#include "mechanism/family.h"
#include "number/scoped.h"
#include "probity/audit.h"
#include "probity/enclosure.h"

enum {
    PREC = 128,
    QUANTILES = 64,
    FAR = 5,
    NEAR = 16,
    CUTS_MAX = QUANTILES + 2 * FAR + 2 * NEAR + 1,
    NUMBER = 24
};

struct pby_conformance {
    pby_law *law;
    char *name;
    int64_t cut[CUTS_MAX]; /* ascending */
    size_t cuts;
    uint64_t count[CUTS_MAX + 1]; /* cell i is what is above cut i - 1 and not above cut i */
    uint64_t impossible;          /* outside the support */
    int64_t impossible_value;
    uint64_t n;
};

/* ---- cut points ------------------------------------------------------------------------------- */

/* About the least k of the body with cdf(k) >= level. */
static int64_t quantile(const pby_law *law, double level)
{
    int64_t a = law->body_lo, b = law->body_hi;
    PBY_ARB(cdf);
    while (a < b) {
        const int64_t k = a + (b - a) / 2;
        pby_law_cdf_arb(cdf, law, k, PREC);
        if (arf_cmp_d(arb_midref(cdf), level) >= 0)
            b = k;
        else
            a = k + 1;
    }
    return a;
}

static void add_cut(pby_conformance *t, int64_t k)
{
    if (t->law->lo <= k && k < t->law->hi)
        t->cut[t->cuts++] = k;
}

static void choose_cuts(pby_conformance *t)
{
    static const int far[FAR] = {8, 10, 13, 17, 23};
    const int64_t median = quantile(t->law, 0.5);
    for (int j = 1; j < QUANTILES; j++)
        add_cut(t, quantile(t->law, (double)j / QUANTILES));
    for (int i = 0; i < FAR; i++) {
        add_cut(t, quantile(t->law, ldexp(1, -far[i])));
        add_cut(t, quantile(t->law, 1 - ldexp(1, -far[i])));
    }
    for (int64_t k = -NEAR; k <= NEAR; k++)
        add_cut(t, median + k);
    qsort(t->cut, t->cuts, sizeof *t->cut, pby_compare_int64);
    size_t to = 0;
    for (size_t i = 0; i < t->cuts; i++)
        if (to == 0 || t->cut[i] != t->cut[to - 1])
            t->cut[to++] = t->cut[i];
    t->cuts = to;
}

pby_status pby_conformance_new(pby_conformance **out, const pby_spec *spec, pby_error *err)
{
    const pby_mechanism *m;
    *out = NULL;
    pby_status status = pby_spec_single(&m, spec, "a law to test against", err);
    if (status == PBY_OK && m->family->law == NULL)
        status = pby_family_lacks(m, "a noise law to test against", err);
    if (status == PBY_OK)
        status = pby_mechanism_unsampled(m, "the noise law is the same without it", err);
    if (status != PBY_OK)
        return status;
    pby_conformance *t = calloc(1, sizeof *t);
    if (t == NULL)
        return pby_no_memory(err);
    status = m->family->law(&t->law, m, err);
    t->name = strdup(pby_spec_text(spec));
    if (status == PBY_OK && t->name == NULL)
        status = pby_no_memory(err);
    if (status != PBY_OK) {
        pby_conformance_free(t);
        return status;
    }
    choose_cuts(t);
    *out = t;
    return PBY_OK;
}

void pby_conformance_free(pby_conformance *t)
{
    if (t == NULL)
        return;
    pby_law_free(t->law);
    free(t->name);
    free(t);
}

/* ---- counting --------------------------------------------------------------------------------- */

pby_status pby_conformance_add(pby_conformance *t, const char *output, size_t length, pby_error *err)
{
    char text[NUMBER + 1];
    if (length > 0 && output[length - 1] == '\r')
        length--;
    const size_t most = length < NUMBER ? length : NUMBER;
    memcpy(text, output, most);
    text[most] = '\0';
    char *end = text;
    errno = 0;
    const long long k = strtoll(text, &end, 10);
    const bool signed_digits = text[0] == '-' || text[0] == '+' || (text[0] >= '0' && text[0] <= '9');
    if (length > NUMBER || end == text || *end != '\0' || errno == ERANGE || !signed_digits)
        return pby_refuse(err, "output", text, "an integer of 64 bits, one a line");
    if (t->n == PBY_AUDIT_OUTPUTS_MAX)
        return pby_fail(err, PBY_BAD, "outputs: expected at most 2^40");
    t->n++;
    if (k < t->law->lo || k > t->law->hi) {
        t->impossible++;
        t->impossible_value = k;
    } else {
        t->count[pby_sorted_below_int64(t->cut, t->cuts, k)]++;
    }
    return PBY_OK;
}

/* ---- judging ---------------------------------------------------------------------------------- */

struct finding {
    char text[96];
    uint64_t observed;
    arb_t mass, chance; /* what the law says, and a bound on how likely a count so far off is */
};

static void bounds_of_cell(arb_t mass, const pby_conformance *t, size_t i, bool half_line)
{
    PBY_ARB(below);
    if (i < t->cuts)
        pby_law_cdf_arb(mass, t->law, t->cut[i], PREC);
    else
        arb_one(mass);
    if (i > 0 && !half_line)
        pby_law_cdf_arb(below, t->law, t->cut[i - 1], PREC);
    arb_sub(mass, mass, below, PREC);
}

/* A bound on the chance of a count at least this far off, on the side where it is off. */
static void chance_of(arb_t chance, uint64_t n, uint64_t x, const arb_t mass)
{
    pby_binomial_tail tail;
    const double expected = (double)n * arf_get_d(arb_midref(mass), ARF_RND_NEAR);
    const bool many = (double)x >= expected;
    pby_binomial_tail_init(&tail, n, many ? x : n - x);
    if (many)
        pby_binomial_tail_bound(chance, &tail, mass);
    else
        pby_binomial_tail_bound_mirrored(chance, &tail, mass);
    pby_binomial_tail_clear(&tail);
}

static void describe(char text[96], const pby_conformance *t, size_t i, bool half_line)
{
    if (t->cuts == 0)
        snprintf(text, 96, "any value");
    else if (half_line || i == 0)
        snprintf(text, 96, "values up to %lld", (long long)t->cut[i]);
    else if (i == t->cuts)
        snprintf(text, 96, "values above %lld", (long long)t->cut[i - 1]);
    else if (t->cut[i] == t->cut[i - 1] + 1)
        snprintf(text, 96, "value %lld", (long long)t->cut[i]);
    else
        snprintf(text, 96, "values from %lld to %lld", (long long)t->cut[i - 1] + 1, (long long)t->cut[i]);
}

static void test_one(struct finding *worst, const pby_conformance *t, size_t i, bool half_line, uint64_t x)
{
    PBY_ARB(mass, chance);
    bounds_of_cell(mass, t, i, half_line);
    chance_of(chance, t->n, x, mass);
    if (arb_lt(chance, worst->chance)) {
        arb_swap(worst->chance, chance);
        arb_swap(worst->mass, mass);
        worst->observed = x;
        describe(worst->text, t, i, half_line);
    }
}

/* The least likely of all counts; every one is tested on both sides. */
static void find_worst(struct finding *worst, const pby_conformance *t)
{
    uint64_t sum = 0;
    arb_set_ui(worst->chance, 2);
    if (t->impossible > 0) {
        arb_zero(worst->chance);
        arb_zero(worst->mass);
        worst->observed = t->impossible;
        snprintf(worst->text, sizeof worst->text, "value %lld, outside the support",
                 (long long)t->impossible_value);
        return;
    }
    for (size_t i = 0; i <= t->cuts; i++) {
        sum += t->count[i];
        test_one(worst, t, i, false, t->count[i]);
        if (i > 0 && i < t->cuts)
            test_one(worst, t, i, true, sum);
    }
}

static json_t *answer(const pby_conformance *t, const struct finding *worst, bool violation, size_t tests,
                      const fmpq_t error)
{
    char expected[32], chance[PBY_DECIMAL_SIZE], allowed[PBY_DECIMAL_SIZE], visible[32];
    PBY_MPFR(64, x);
    PBY_MPQ(q);
    arf_get_mpfr(x, arb_midref(worst->chance), MPFR_RNDU);
    mpfr_mul_ui(x, x, 2 * tests, MPFR_RNDU);
    if (mpfr_cmp_ui(x, 1) > 0)
        mpfr_set_ui(x, 1, MPFR_RNDU);
    pby_decimal(chance, x, 6, false);
    fmpq_get_mpq(q, error);
    pby_rational_text(allowed, error);
    snprintf(expected, sizeof expected, "%.1f",
             (double)t->n * arf_get_d(arb_midref(worst->mass), ARF_RND_NEAR));
    snprintf(visible, sizeof visible, "%.2g",
             pby_guess_z(log(mpq_get_d(q) / (2 * (double)tests))) / (2 * sqrt((double)t->n)));
    json_t *object = json_pack("{s:s, s:s, s:I, s:s, s:s, s:I, s:s, s:s, s:I, s:s, s:s}", "verdict",
                               violation ? "violation" : "consistent", "law", t->name, "samples",
                               (json_int_t)t->n, "error", allowed, "event", worst->text, "observed",
                               (json_int_t)worst->observed, "expected", expected, "chance", chance, "tests",
                               (json_int_t)tests, "smallest_visible", visible, "method",
                               "both tails of every cell's binomial count, with the law's enclosures; the "
                               "tests share the error equally");
    return object;
}

pby_status pby_conformance_object(bool *violation, json_t **out, pby_conformance *t, mpq_srcptr error,
                                  pby_error *err)
{
    *out = NULL;
    if (mpq_sgn(error) <= 0 || mpq_cmp_ui(error, 1, 2) >= 0)
        return pby_fail(err, PBY_BAD, "error: expected a rational above 0 and below 1/2, such as 1e-6");
    if (t->n == 0)
        return pby_fail(err, PBY_BAD, "SAMPLES: expected some outputs");
    const size_t tests = 2 * (t->cuts + 1);
    struct finding worst = {.observed = 0};
    PBY_FMPQ(share, all);
    PBY_ARB(allowed);
    arb_init(worst.mass);
    arb_init(worst.chance);
    find_worst(&worst, t);
    fmpq_set_mpq(all, error);
    fmpq_set_ui(share, 1, 2 * tests);
    fmpq_mul(share, share, all);
    arb_set_fmpq(allowed, share, PREC);
    *violation = arb_le(worst.chance, allowed) != 0;
    *out = answer(t, &worst, *violation, tests, all);
    arb_clear(worst.chance);
    arb_clear(worst.mass);
    return *out == NULL ? pby_no_memory(err) : PBY_OK;
}

pby_status pby_conformance_judge(bool *violation, char **text, pby_conformance *t, pby_value error,
                                 pby_error *err)
{
    json_t *object;
    PBY_MPQ(allowed);
    *text = NULL;
    PBY_TRY(pby_value_need(allowed, "error", error, err));
    PBY_TRY(pby_conformance_object(violation, &object, t, allowed, err));
    *text = pby_json_text(object, JSON_COMPACT | JSON_PRESERVE_ORDER);
    return *text == NULL ? pby_no_memory(err) : PBY_OK;
}
