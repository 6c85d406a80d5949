/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/certificate/make.h"

static void denied(json_t *object, const char *reason)
{
    pby_error err;
    cr_assert_eq(pby_verdict(object, &err), PBY_NO, "%s", reason);
    cr_assert_eq(err.status, PBY_NO);
    cr_assert_not_null(strstr(err.text, reason), "%s", err.text);
}

static json_t *with(const char *name, const char *value)
{
    json_t *object = pby_make_json();
    json_object_set_new(object, name, json_string(value));
    return object;
}

static json_t *with_delta(const char *lo, const char *hi)
{
    json_t *object = pby_make_json();
    json_object_set_new(object, "delta", json_pack("{s:s, s:s}", "lo", lo, "hi", hi));
    return object;
}

Test(certificate_verify, the_golden_ones_hold)
{
    static const char *const names[] = {"above-uses.json",
                                        "accuracy.json",
                                        "accuracy-behind.json",
                                        "accuracy-noise.json",
                                        "accuracy-query.json",
                                        "accuracy-threshold.json",
                                        "approx.json",
                                        "buckethist.json",
                                        "composition.json",
                                        "composition-grid.json",
                                        "dgauss.json",
                                        "exponential.json",
                                        "gauss.json",
                                        "gaussians.json",
                                        "geometric.json",
                                        "gmicrodata.json",
                                        "krr.json",
                                        "laplace.json",
                                        "laplace-grid.json",
                                        "microdata.json",
                                        "noisymax.json",
                                        "partition.json",
                                        "permuteflip.json",
                                        "power.json",
                                        "ptr.json",
                                        "smooth.json",
                                        "choosing.json",
                                        "smalldb.json",
                                        "onebit.json",
                                        "pure.json",
                                        "range.json",
                                        "rappor.json",
                                        "rr.json",
                                        "signed.json",
                                        "stlap.json",
                                        "stlap-bars.json",
                                        "stlap-between.json",
                                        "stlap-size.json",
                                        "stlap-substitute.json",
                                        "stlap-inputs.json",
                                        "tgeometric.json",
                                        "tmicrodata.json",
                                        "threshold.json",
                                        "threshold-grid.json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        pby_error err;
        char *text = pby_golden(names[i]);
        cr_assert_eq(pby_verify(NULL, text, strlen(text), &err), PBY_OK, "%s: %s", names[i], err.text);
        free(text);
    }
}

Test(certificate_verify, tells_what_it_says)
{
    pby_certificate *c;
    char *text = pby_golden("stlap.json");
    cr_assert_eq(pby_verify(&c, text, strlen(text), NULL), PBY_OK);
    cr_assert_str_eq(pby_spec_text(pby_certificate_spec(c)), "stlap:eps=1/2,q=40");
    cr_assert_eq(pby_certificate_neighbours(c), PBY_ADD_REMOVE);
    cr_assert_str_eq(pby_certificate_epsilon(c), "1/2");
    cr_assert_str_eq(pby_certificate_delta_lo(c), "1.4726618650060221601e-05");
    cr_assert_str_eq(pby_certificate_delta_hi(c), "1.4726618650060221602e-05");
    pby_certificate_free(c);
    free(text);
}

/* Its ends may be edited by as much as that version's bound is loose, and the file says so. */
Test(certificate_verify, ends_that_an_earlier_version_left_apart_are_marked)
{
    static const char *const names[] = {"stlap-inputs.json", "stlap-size.json"};
    for (size_t i = 0; i < 2; i++) {
        pby_certificate *c;
        char *text = pby_golden(names[i]);
        cr_assert_eq(pby_verify(&c, text, strlen(text), NULL), PBY_OK);
        cr_assert_eq(strstr(pby_certificate_route(c), "an earlier version left apart") != NULL, i == 0);
        pby_certificate_free(c);
        free(text);
    }
}

/* One unit of the last digit is enough. */
Test(certificate_verify, refuses_a_smaller_delta)
{
    denied(with_delta("1.4726618650060221601e-05", "1.4726618650060221601e-05"), "delta.hi");
    denied(with_delta("1e-06", "1.0000000000000000001e-06"), "is at least 1.47266186e-05");
    denied(with_delta("0", "0"), "delta.hi '0': not a bound");
}

Test(certificate_verify, refuses_a_larger_or_looser_delta)
{
    denied(with_delta("1.4726618650060221602e-05", "1.4726618650060221602e-05"), "delta.lo");
    denied(with_delta("0.1", "0.1"), "delta.lo");
    denied(with_delta("1.4726618650060221601e-05", "1.4726618650060221605e-05"), "further apart");
    denied(with_delta("1.4726618650060221598e-05", "1.4726618650060221602e-05"), "further apart");
    denied(with_delta("0", "1"), "further apart");
}

Test(certificate_verify, refuses_other_parameters)
{
    denied(with("spec", "stlap:eps=1/2,q=39"),
           "delta of stlap:eps=1/2,q=39 at epsilon 1/2 (add-remove) is at least");
    denied(with("spec", "stlap:eps=1/2,q=41"), "delta.lo");
    denied(with("spec", "stlap:eps=1/2,q=40000000000000001/1000000000000000"), "delta.lo");
    denied(with("spec", "geometric:eps=1/2"), "is at most 0");
    denied(with("epsilon", "49/100"), "delta.hi");
    denied(with("epsilon", "51/100"), "delta.lo");
    denied(with("neighbours", "substitute"), "delta.hi");
}

Test(certificate_verify, refuses_what_cannot_be_computed)
{
    denied(with("spec", "stlap:eps=1/2,q=1000000000000000000"), "");
    denied(with("spec", "2*geometric:eps=1 3*geometric:eps=2"), "");
}

Test(certificate_verify, refuses_a_digest_of_something_else)
{
    pby_error err;
    char *text = pby_golden("stlap.json");
    char *digit = strstr(text, "sha256:") + 7;
    *digit = *digit == '0' ? '1' : '0';
    cr_assert_eq(pby_verify(NULL, text, strlen(text), &err), PBY_NO);
    cr_assert_not_null(strstr(err.text, "digest"), "%s", err.text);
    free(text);
}

static void every_byte_counts(const char *name)
{
    char *text = pby_golden(name);
    const size_t length = strlen(text);
    for (size_t i = 0; i < length; i++) {
        const char was = text[i];
        const char others[] = {(char)(was ^ 1),
                               (char)(was ^ 2),
                               (char)(was ^ 0x20),
                               (char)(was ^ 0x80),
                               '0',
                               '9',
                               ' ',
                               '"',
                               '\0'};
        for (size_t j = 0; j < sizeof others; j++) {
            text[i] = others[j];
            if (others[j] != was)
                cr_assert_eq(pby_verify(NULL, text, length, NULL), PBY_NO, "byte %zu as %d", i, others[j]);
        }
        text[i] = was;
    }
    cr_assert_eq(pby_verify(NULL, text, length, NULL), PBY_OK);
    free(text);
}

Test(certificate_verify, refuses_every_single_changed_byte)
{
    every_byte_counts("stlap.json");
    every_byte_counts("geometric.json");
}

Test(certificate_verify, refuses_every_byte_left_out_or_put_in)
{
    char *golden = pby_golden("stlap.json");
    const size_t length = strlen(golden);
    char *text = malloc(length + 2);
    for (size_t i = 0; i < length; i++) {
        memcpy(text, golden, i);
        memcpy(text + i, golden + i + 1, length - i - 1);
        cr_assert_eq(pby_verify(NULL, text, length - 1, NULL), PBY_NO, "without byte %zu", i);
        memcpy(text + i, "0", 1);
        memcpy(text + i + 1, golden + i, length - i);
        cr_assert_eq(pby_verify(NULL, text, length + 1, NULL), PBY_NO, "with a 0 before byte %zu", i);
        cr_assert_eq(pby_verify(NULL, golden, i, NULL), PBY_NO, "cut at %zu", i);
    }
    free(text);
    free(golden);
}

/* A certificate whose numbers were changed, with the digest that belongs to them. */
static void denied_golden(const char *name, const char *end, const char *value, const char *reason)
{
    pby_error err;
    char *text = pby_golden(name);
    json_t *object = json_loads(text, 0, NULL);
    json_object_set_new(json_object_get(object, "delta"), end, json_string(value));
    cr_assert_eq(pby_verdict(object, &err), PBY_NO, "%s %s", end, value);
    cr_assert_not_null(strstr(err.text, reason), "%s", err.text);
    free(text);
}

Test(certificate_verify, a_composition_is_held_to_its_numbers)
{
    denied_golden("composition.json", "hi", "8.503131239326988367e-06", "delta.hi");
    denied_golden("composition.json", "hi", "8.504e-06", "further apart than 20 digits");
    denied_golden("composition.json", "lo", "8.5031312393269883671e-06", "delta.lo");
    denied_golden("composition-grid.json", "hi", "9.9e-07", "delta.hi");
    denied_golden("composition-grid.json", "lo", "9.95e-07", "delta.lo");
    denied_golden("composition-grid.json", "hi", "1.2e-06", "further apart than a twentieth");
    denied_golden("composition-grid.json", "lo", "9.0e-07", "");
    denied_golden("threshold-grid.json", "lo", "0.3", "further apart than a twentieth");
    denied_golden("threshold-grid.json", "hi", "0.38270002673385907", "delta.hi");
    denied_golden("stlap-inputs.json", "hi", "0.00107", "delta.hi");
    denied_golden("stlap-inputs.json", "hi", "0.0013", "further apart than 20 digits");
}

/* An earlier version enclosed delta of these mechanisms, and its certificates hold; but not ends that it
 * would never have written, although delta lies between them. Of stlap-size it had every digit. */
Test(certificate_verify, no_certificate_of_one_mechanism_holds_with_empty_ends)
{
    static const char *const names[] = {"stlap-inputs.json", "stlap-size.json", "stlap-substitute.json",
                                        "stlap.json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        denied_golden(names[i], "hi", "1", "further apart than 20 digits");
        denied_golden(names[i], "hi", "0.9", "further apart than 20 digits");
    }
    denied_golden("stlap-size.json", "lo", "0.0002122820874", "further apart than 20 digits");
}

/* The verdict on a certificate of ours with other ends. */
static pby_status with_ends(pby_error *err, const char *spec, const char *epsilon, const char *lo,
                            const char *hi)
{
    char *text = pby_make_certificate(spec, PBY_ADD_REMOVE, epsilon);
    json_t *object = json_loads(text, 0, NULL);
    json_object_set_new(json_object_get(object, "delta"), "lo", json_string(lo));
    json_object_set_new(json_object_get(object, "delta"), "hi", json_string(hi));
    free(text);
    return pby_verdict(object, err);
}

/* delta is 9.998675863125...e-07: an upper end above it by a part in 10^9 is shown to be one, and one below
 * it by as little is refuted, however coarse the second route is. */
Test(certificate_verify, an_upper_end_near_the_truth_is_told_from_a_false_one)
{
    const char *spec = "30*dgauss:sigma2=4819,sensitivity=3";
    pby_error err;
    cr_assert_eq(with_ends(&err, spec, "1", "9.9e-07", "9.99867587e-07"), PBY_OK, "%s", err.text);
    cr_assert_eq(with_ends(&err, spec, "1", "9.9e-07", "9.99867586e-07"), PBY_NO);
    cr_assert_not_null(strstr(err.text, "delta.hi '9.99867586e-07': not a bound"), "%s", err.text);
    cr_assert_eq(with_ends(&err, spec, "1", "9.99867586e-07", "1e-06"), PBY_OK, "%s", err.text);
    cr_assert_eq(with_ends(&err, spec, "1", "9.99867587e-07", "1e-06"), PBY_NO);
    cr_assert_not_null(strstr(err.text, "delta.lo '9.99867587e-07': not a bound"), "%s", err.text);
}

/* A lack of memory is no verdict on the certificate. */
Test(certificate_verify, a_refusal_for_want_of_memory_is_no_verdict)
{
    pby_error err = PBY_NO_ERROR;
    (void)pby_fail_by(&err, PBY_BAD, PBY_REASON_MEMORY, "needs more than 2048 MiB of memory");
    cr_assert_eq(pby_certificate_verdict(PBY_BAD, &err), PBY_FAILED);
    cr_assert_eq(err.status, PBY_FAILED);
    cr_assert_eq(err.reason, PBY_REASON_MEMORY);
    cr_assert_eq(pby_certificate_deny(&err, "spec", "x", "y"), PBY_NO);
    cr_assert_eq(err.reason, PBY_REASON_CERTIFICATE);
}

/* Its lower end was told to a hundredth, and would now be told within a quarter: it holds, and a larger one
 * does not. */
Test(certificate_verify, a_lower_end_is_held_to_what_neighbours_lose)
{
    denied_golden("above-uses.json", "lo", "6.9e-08", "not shown to be a bound");
    denied_golden("above-uses.json", "lo", "0.5", "is at most");
}

/* The integral catches a number from a closed form that is wrong in the last digit. */
Test(certificate_verify, a_continuous_law_is_held_to_its_densities)
{
    denied_golden("gauss.json", "hi", "0.0068295949831145753842", "delta.hi");
    denied_golden("gauss.json", "lo", "0.0068295949831145753843", "delta.lo");
    denied_golden("laplace.json", "hi", "0.11750309741540459713", "delta.hi");
    denied_golden("laplace.json", "lo", "0.11750309741540459714", "delta.lo");
}

Test(certificate_verify, says_by_which_route)
{
    static const struct {
        const char *name, *route;
    } routes[] = {{"stlap.json", "direct sum"},
                  {"composition.json", "exact composition"},
                  {"composition-grid.json", "two grids"},
                  {"stlap-bars.json", "two grids"},
                  {"threshold-grid.json", "two grids"},
                  {"stlap-inputs.json", "direct sum"},
                  {"gauss.json", "integral of the densities"},
                  {"laplace.json", "integral of the densities"},
                  {"laplace-grid.json", "direct sum"},
                  {"dgauss.json", "direct sum"}};
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
        pby_certificate *c;
        char *text = pby_golden(routes[i].name);
        cr_assert_eq(pby_verify(&c, text, strlen(text), NULL), PBY_OK);
        cr_assert_not_null(strstr(pby_certificate_route(c), routes[i].route));
        pby_certificate_free(c);
        free(text);
    }
}
