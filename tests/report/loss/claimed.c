/* SPDX-License-Identifier: MIT */
/* The words beside a published claim, held against the numbers beside them, on specs drawn at random. */
#include <criterion/criterion.h>
#include <flint/fmpq.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism/family.h"
#include "probity.h"

static uint64_t state = 0x9e3779b97f4a7c15; /* the seed */

static unsigned drawn(unsigned below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 33) % below;
}

/* A value near that of an example: an integer a little more, another by a factor. What is no number stays. */
static void vary(char *out, size_t size, const char *value)
{
    static const char *const factor[] = {"1/3", "1/2", "4/5", "1", "1", "5/4", "2", "3"};
    fmpq_t x, f;
    fmpq_init(x);
    fmpq_init(f);
    if (fmpq_set_str(x, value, 10) != 0) {
        snprintf(out, size, "%s", value);
    } else {
        fmpq_set_str(f, factor[drawn(8)], 10);
        if (fmpz_is_one(fmpq_denref(x)))
            fmpq_add_si(x, x, (slong)drawn(4));
        else
            fmpq_mul(x, x, f);
        char *text = fmpq_get_str(NULL, 10, x);
        snprintf(out, size, "%s", text);
        free(text);
    }
    fmpq_clear(f);
    fmpq_clear(x);
}

static void draw_spec(char *out, size_t size, const char *example)
{
    char copy[512], value[128];
    snprintf(copy, sizeof copy, "%s", example);
    char *rest = strchr(copy, ':');
    *rest++ = '\0';
    size_t at = (size_t)snprintf(out, size, "%s", copy);
    for (char *save, *word = strtok_r(rest, ",", &save); word != NULL; word = strtok_r(NULL, ",", &save)) {
        char *is = strchr(word, '=');
        *is = '\0';
        vary(value, sizeof value, is + 1);
        at += (size_t)snprintf(out + at, size - at, "%c%s=%s", strchr(out, ':') == NULL ? ':' : ',', word,
                               value);
    }
}

/* The printed decimal as a rational. */
static void end_of(mpq_t x, const json_t *enclosure, const char *name)
{
    const char *text = json_string_value(json_object_get(enclosure, name));
    cr_assert_not_null(text);
    cr_assert_eq(pby_rational_parse(x, name, text, NULL), PBY_OK, "%s", text);
}

/* 1 where the claim lies above delta, -1 where below, 0 where the enclosures overlap. */
static int order_of(const json_t *answer)
{
    const json_t *delta = json_object_get(answer, "delta"), *claimed = json_object_get(answer, "claimed");
    mpq_t a, b;
    mpq_inits(a, b, NULL);
    end_of(a, delta, "hi");
    end_of(b, claimed, "lo");
    int order = mpq_cmp(a, b) <= 0;
    end_of(a, delta, "lo");
    end_of(b, claimed, "hi");
    if (mpq_cmp(a, b) > 0)
        order = -1;
    mpq_clears(a, b, NULL);
    return order;
}

static char *told(const char *text, const char *epsilon, unsigned digits, pby_report_form form)
{
    pby_spec *spec = NULL;
    char *out = NULL;
    const char *words[] = {text};
    pby_loss_request asked = {.relation = PBY_ADD_REMOVE, .at.text = epsilon, .digits = digits};
    if (pby_spec_parse(&spec, words, 1, NULL) == PBY_OK &&
        pby_spec_neighbours(&asked.relation, spec, NULL) == PBY_OK)
        (void)!pby_report_loss(&out, spec, &asked, form, NULL);
    pby_spec_free(spec);
    return out;
}

/* Counts the words of one spec; undecided is allowed only where the printed numbers decide nothing, and then
 * "holds" only where thirty more digits do not contradict it. */
static void hold(unsigned count[3], const char *text, const char *epsilon)
{
    char *out = told(text, epsilon, 9, PBY_REPORT_JSON);
    json_t *answer = out == NULL ? NULL : json_loads(out, 0, NULL);
    const json_t *claimed = json_object_get(answer, "claimed");
    free(out);
    if (claimed == NULL) {
        json_decref(answer);
        return;
    }
    const char *here = json_string_value(json_object_get(claimed, "here"));
    const int order = order_of(answer);
    char words[64];
    snprintf(words, sizeof words, ": %s here%s\n", here,
             json_is_true(json_object_get(claimed, "refuted")) ? "; refuted in general" : "");
    char *lines = told(text, epsilon, 9, PBY_REPORT_LINES);
    cr_assert_not_null(strstr(lines, words), "%s at %s: %s", text, epsilon, lines);
    if (order == 0 && strcmp(here, "holds") == 0) {
        char *finer = told(text, epsilon, 39, PBY_REPORT_JSON);
        json_t *more = json_loads(finer, 0, NULL);
        cr_assert_geq(order_of(more), 0, "%s at %s: %s", text, epsilon, lines);
        json_decref(more);
        free(finer);
    } else {
        cr_assert_str_eq(here,
                         order > 0   ? "holds"
                         : order < 0 ? "fails"
                                     : "undecided",
                         "%s at %s: %s", text, epsilon, lines);
    }
    count[*here == 'h' ? 0 : *here == 'f' ? 1 : 2]++;
    free(lines);
    json_decref(answer);
}

/* Families whose answers take longer get fewer draws. */
static bool is_slow(const pby_family *family)
{
    static const char *const slow[] = {"rappor", "smalldb", "depth", "smooth", "fbquantile", "fbsupport"};
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
        if (strcmp(slow[i], family->name) == 0)
            return true;
    return false;
}

static void hold_family(unsigned count[3], const pby_family *family, unsigned draws)
{
    static const char *const epsilon[] = {"1/2", "1", "2", "5"};
    for (const char *const *example = family->examples; *example != NULL; example++)
        for (unsigned i = 0; i < draws; i++) {
            char text[640], own[64] = "1";
            draw_spec(text, sizeof text, *example);
            const char *eps = strstr(text, "eps=");
            if (eps != NULL)
                sscanf(eps + 4, "%63[^,]", own);
            hold(count, text, i % 2 == 0 ? own : epsilon[drawn(4)]);
        }
}

Test(claimed, the_word_follows_from_the_numbers_printed)
{
    unsigned all[3] = {0, 0, 0};
    for (size_t i = 0; pby_families[i] != NULL; i++) {
        const pby_family *family = pby_families[i];
        unsigned count[3] = {0, 0, 0};
        if (family->claim == NULL)
            continue;
        hold_family(count, family, is_slow(family) ? 4 : 12);
        cr_assert_gt(count[0] + count[1] + count[2], 0, "%s: no draw has a claim", family->name);
        for (unsigned k = 0; k < 3; k++)
            all[k] += count[k];
        if (getenv("CLAIMED_TELL") != NULL)
            fprintf(stderr, "%-12s %u hold, %u fail, %u undecided\n", family->name, count[0], count[1],
                    count[2]);
    }
    cr_assert(all[0] > 100 && all[1] > 10, "%u hold, %u fail", all[0], all[1]);
}

/* The claims that were called refuted and hold, and one of each statement that fails. */
Test(claimed, what_was_called_refuted)
{
    static const struct {
        const char *spec, *epsilon, *words;
    } known[] = {
        {"stlap:eps=1/2,tau=1/75,n=3000,bars=1", "1/2", "Flex/Corollary 3: holds here; refuted in general\n"},
        {"stlap:eps=1/2,tau=1/75,n=3000,bars=3", "1/2", "Flex/Corollary 3: fails here; refuted in general\n"},
        {"stlap:eps=1/2,q=40", "1/2", "Flex/Corollary 3: holds here; refuted in general\n"},
        {"gauss:sigma2=24", "1", "Survey/Algorithm 3: holds here; refuted in general\n"},
        {"gauss:sigma2=0.2348", "10", "Survey/Algorithm 3: fails here; refuted in general\n"},
        {"range:eps=1,L=50,sensitivity=2,dimensions=100", "1",
         "Thresh/Theorem 2: holds here; refuted in general\n"},
        {"range:eps=1,L=20,sensitivity=10", "1", "Thresh/Theorem 2: fails here; refuted in general\n"},
        {"range:eps=1,L=20", "1", "Thresh/Lemma 2: holds here\n"},
        {"threshold:eps=1,T=20", "1", "Thresh/Lemma 5: holds here\n"},
        {"exponential:eps=1", "1", "0 from eps on: holds here\n"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char *lines = told(known[i].spec, known[i].epsilon, 9, PBY_REPORT_LINES);
        cr_assert_not_null(lines);
        cr_assert_not_null(strstr(lines, known[i].words), "%s: %s", known[i].spec, lines);
        free(lines);
    }
}

/* The two forms of a claim are one number, and the row is named where the source is printed. */
Test(claimed, the_exact_form_is_the_claim)
{
    enum { PREC = 200 };
    unsigned compared = 0;
    arb_t ball, other, below;
    fmpq_t epsilon;
    pby_expsum_t n, d;
    arb_init(ball);
    arb_init(other);
    arb_init(below);
    fmpq_init(epsilon);
    pby_expsum_init(n);
    pby_expsum_init(d);
    for (size_t i = 0; pby_families[i] != NULL; i++) {
        const pby_family *family = pby_families[i];
        cr_assert_eq(family->claim == NULL, family->statement.source == NULL, "%s", family->name);
        if (family->statement.row != NULL)
            cr_assert_not_null(strstr(family->statement.source, family->statement.row), "%s", family->name);
        for (const char *const *e = family->examples; family->claim_terms != NULL && *e != NULL; e++) {
            pby_spec *spec = NULL;
            cr_assert_eq(pby_spec_parse(&spec, e, 1, NULL), PBY_OK);
            const pby_mechanism *m = &spec->use[0].mechanism;
            fmpq_set(epsilon, pby_mechanism_value(m, PBY_ROLE_EPSILON));
            if (family->claim_terms(n, d, m, PBY_ADD_REMOVE, epsilon)) {
                cr_assert(family->claim(ball, m, PBY_ADD_REMOVE, epsilon, PREC), "%s", *e);
                pby_expsum_get_arb(other, n, PREC);
                pby_expsum_get_arb(below, d, PREC);
                arb_div(other, other, below, PREC);
                cr_assert(arb_overlaps(ball, other) && arb_rel_accuracy_bits(ball) > 100 &&
                              arb_rel_accuracy_bits(other) > 100,
                          "%s", *e);
                compared++;
            }
            pby_spec_free(spec);
        }
    }
    cr_assert_gt(compared, 5);
    pby_expsum_clear(d);
    pby_expsum_clear(n);
    fmpq_clear(epsilon);
    arb_clear(below);
    arb_clear(other);
    arb_clear(ball);
}
