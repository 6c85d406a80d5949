/* SPDX-License-Identifier: MIT */
#include "mechanism/spec/events.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GAUSSIAN "{\"class_name\": \"GaussianDpEvent\", \"noise_multiplier\": 1.1}"
#define RESPONSE(p, k) \
    "{\"class_name\":\"RandomizedResponseDpEvent\",\"noise_parameter\":" p ",\"num_buckets\":" k "}"

static void check_spec(const char *text, const char *expected)
{
    pby_spec *spec;
    pby_error err;
    cr_assert_eq(pby_spec_of_events(&spec, text, strlen(text), &err), PBY_OK, "%s: %s", text, err.text);
    cr_assert_str_eq(pby_spec_text(spec), expected);
    pby_spec_free(spec);
}

static void check_refused(const char *text, const char *expected)
{
    pby_spec *spec;
    pby_error err;
    cr_assert_eq(pby_spec_of_events(&spec, text, strlen(text), &err), PBY_BAD, "%s", text);
    cr_assert_null(spec);
    cr_assert_not_null(strstr(err.text, expected), "%s: %s", text, err.text);
    cr_assert_null(strchr(err.text, '\n'));
}

Test(events, numbers_are_exact_decimals)
{
    check_spec(GAUSSIAN, "gauss:sigma2=121/100");
    check_spec("{\"noise_multiplier\": 0.1, \"class_name\": \"LaplaceDpEvent\"}", "laplace:scale=1/10");
    check_spec(" {\"class_name\" : \"GaussianDpEvent\",\n\"noise_multiplier\":\"1/3\"} \n",
               "gauss:sigma2=1/9");
    check_spec("{\"class_name\": \"LaplaceDpEvent\", \"noise_multiplier\": 25e-2, \"module_name\": \"m\"}",
               "laplace:scale=1/4");
}

Test(events, trees_become_lists)
{
    check_spec("{\"class_name\":\"PoissonSampledDpEvent\",\"sampling_probability\":0.01,\"event\":" GAUSSIAN
               "}",
               "gauss:sigma2=121/100,sample=1/100");
    check_spec("{\"class_name\":\"PoissonSampledDpEvent\",\"event\":" GAUSSIAN ",\"sampling_probability\":1}",
               "gauss:sigma2=121/100");
    check_spec("{\"class_name\":\"SelfComposedDpEvent\",\"count\":3,\"event\":{\"class_name\":"
               "\"SelfComposedDpEvent\",\"count\":4,\"event\":" GAUSSIAN "}}",
               "12*gauss:sigma2=121/100");
    check_spec("{\"class_name\":\"ComposedDpEvent\",\"events\":[" GAUSSIAN
               ",{\"class_name\":\"NoOpDpEvent\"},"
               "{\"class_name\":\"LaplaceDpEvent\",\"noise_multiplier\":2}," GAUSSIAN "]}",
               "2*gauss:sigma2=121/100 laplace:scale=2");
    check_spec("{\"class_name\":\"TruncatedSubsampledGaussianDpEvent\",\"dataset_size\":60000,"
               "\"sampling_probability\":0.01,\"truncated_batch_size\":700,\"noise_multiplier\":2}",
               "gauss:sigma2=4,sample=1/100,batch=700,records=60000");
    /* the same mechanism sampled and not is two */
    check_spec("{\"class_name\":\"ComposedDpEvent\",\"events\":[" GAUSSIAN ",{\"class_name\":"
               "\"PoissonSampledDpEvent\",\"sampling_probability\":\"1/7\",\"event\":" GAUSSIAN "}]}",
               "gauss:sigma2=121/100 gauss:sigma2=121/100,sample=1/7");
}

/* The laws are those of dp_accounting 0.6.0's documentation: masses proportional to exp(-a |x|), a report
 * that is one of all k buckets with chance p, and one node for each complete subtree above a record's leaf.
 */
Test(events, other_noise_becomes_its_family)
{
    check_spec("{\"class_name\":\"DiscreteLaplaceDpEvent\",\"noise_parameter\":0.5,\"sensitivity\":3}",
               "geometric:eps=3/2,sensitivity=3");
    check_spec("{\"class_name\":\"DiscreteLaplaceDpEvent\",\"noise_parameter\":0.5,\"sensitivity\":1}",
               "geometric:eps=1/2");
    check_spec("{\"class_name\":\"ZCDpEvent\",\"rho\":0.25}", "zcdp:rho=1/4");
    check_spec("{\"class_name\":\"ZCDpEvent\",\"xi\":0.5,\"rho\":0.25}", "zcdp:rho=1/4,xi=1/2");
    check_spec(RESPONSE("0.5", "2"), "rr:odds=3");
    check_spec(RESPONSE("0.5", "4"), "krr:odds=5,k=4");
    check_spec("{\"class_name\":\"ComposedDpEvent\",\"events\":[" GAUSSIAN "," RESPONSE("1", "4") "]}",
               "gauss:sigma2=121/100");
}

Test(events, a_tree_costs_its_deepest_leaf)
{
    /* the nodes of which the first of n leaves is a part, counted in a tree that is built bit by bit */
    for (unsigned n = 1; n <= 70; n++) {
        unsigned most = 0;
        for (unsigned leaf = 0; leaf < n; leaf++) {
            unsigned nodes = 0;
            for (unsigned size = 1; size <= n; size *= 2)
                nodes += leaf / size * size + size <= n;
            most = nodes > most ? nodes : most;
        }
        char text[160], expected[40];
        snprintf(text, sizeof text,
                 "{\"class_name\":\"SingleEpochTreeAggregationDpEvent\",\"noise_multiplier\":1,"
                 "\"step_counts\":[1, %u, 1]}",
                 n);
        snprintf(expected, sizeof expected, most == 1 ? "gauss:sigma2=1" : "gauss:sigma2=1/%u", most);
        check_spec(text, expected);
    }
    check_spec(
        "{\"class_name\":\"SingleEpochTreeAggregationDpEvent\",\"noise_multiplier\":11,\"step_counts\":"
        "2000}",
        "gauss:sigma2=11");
}

#define FIXED(n, m, event)                                                                                  \
    "{\"class_name\":\"SampledWithoutReplacementDpEvent\",\"source_dataset_size\":" n ",\"sample_size\":" m \
    ",\"event\":" event "}"

Test(events, samples_of_a_fixed_size)
{
    check_spec(FIXED("1000", "10", GAUSSIAN), "gauss:sigma2=121/100,fixed=1/100");
    check_spec(FIXED("1000", "1000", GAUSSIAN), "gauss:sigma2=121/100");
    check_spec(FIXED("10", "1",
                     "{\"class_name\":\"DiscreteLaplaceDpEvent\",\"noise_parameter\":1,"
                     "\"sensitivity\":1}"),
               "geometric:eps=1,fixed=1/10");
    check_refused(FIXED("1000", "1001", GAUSSIAN), "a sample_size up to it");
    check_refused(FIXED("1000", "0", GAUSSIAN), "a sample_size up to it");
    check_refused(FIXED("1000", "10", FIXED("1000", "10", GAUSSIAN)), "not sampled already");
    check_refused(FIXED("1000", "10", RESPONSE("0.5", "2")), "a Gaussian, Laplace or discrete Laplace event");
}

Test(events, other_noise_has_limits_too)
{
    check_refused(RESPONSE("0", "2"), "without noise nothing is private");
    check_refused(RESPONSE("1.5", "2"), "a noise_parameter above 0, at most 1");
    check_refused(RESPONSE("0.5", "1"), "num_buckets from 2");
    check_refused("{\"class_name\":\"ZCDpEvent\",\"rho\":0}", "a rho above 0");
    check_refused("{\"class_name\":\"ZCDpEvent\",\"rho\":1,\"xi\":-1}", "a xi of 0 or more");
    check_refused("{\"class_name\":\"ZCDpEvent\",\"xi\":1}", "expected the field rho");
    check_refused("{\"class_name\":\"DiscreteLaplaceDpEvent\",\"noise_parameter\":1,\"sensitivity\":0.5}",
                  "a sensitivity from 1");
    check_refused("{\"class_name\":\"SingleEpochTreeAggregationDpEvent\",\"noise_multiplier\":1,"
                  "\"step_counts\":[]}",
                  "expected a number");
    check_refused("{\"class_name\":\"SingleEpochTreeAggregationDpEvent\",\"noise_multiplier\":1,"
                  "\"step_counts\":[1,0]}",
                  "step_counts from 1");
    static const char *const known[][2] = {{"NonPrivateDpEvent", "delta is 1 at every epsilon"},
                                           {"UnsupportedDpEvent", "stands for a mechanism"},
                                           {"SampledWithReplacementDpEvent", "samples with replacement"},
                                           {"RepeatAndSelectDpEvent", "repeated and selected"},
                                           {"MixtureOfGaussiansDpEvent", "mixture of Gaussians"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char text[80];
        snprintf(text, sizeof text, "{\"class_name\":\"%s\"}", known[i][0]);
        check_refused(text, known[i][1]);
    }
}

Test(events, what_is_no_tree_is_refused_with_its_line)
{
    check_refused("", "line 1: expected an event");
    check_refused("[]", "expected an event");
    check_refused("{}", "expected a class_name");
    check_refused("{\n\n\"class_name\": 1}", "line 3: expected the name of a class");
    check_refused("{\"class_name\": \"TreeAggregationDpEvent\"}", "class_name 'TreeAggregationDpEvent'");
    check_refused("{\"class_name\": \"NoOpDpEvent\"}", "release nothing");
    check_refused("{\"class_name\": \"NoOpDpEvent\", \"class_name\": \"NoOpDpEvent\"}", "expected it once");
    check_refused("{\"class_name\": \"NoOpDpEvent\", \"count\": 2}", "expected no field count");
    check_refused("{\"class_name\": \"GaussianDpEvent\"}", "expected the field noise_multiplier");
    check_refused("{\"class_name\": \"GaussianDpEvent\", \"sigma\": 1}", "field 'sigma'");
    check_refused(GAUSSIAN "x", "nothing behind the event");
    check_refused(GAUSSIAN GAUSSIAN, "nothing behind the event");
    check_refused("{\"class_name\": \"GaussianDpEvent\", \"noise_multiplier\": 1", "',' or '}'");
    check_refused("{\"class_name\": \"GaussianDpEvent\" \"noise_multiplier\": 1}", "',' or '}'");
    check_refused("{\"class_name\": \"GaussianDpEvent\", \"noise_multiplier\" 1}", "expected ':'");
    check_refused("{\"class_name\": \"Gaussian\\u0044pEvent\", \"noise_multiplier\": 1}",
                  "expected the name");
    check_refused("{\"class_name\": \"GaussianDpEvent\", \"noise_multiplier\": null}", "expected a number");
    check_refused("{\"class_name\": \"GaussianDpEvent\", \"noise_multiplier\": 1e99999}", "noise_multiplier");
    check_refused("{\"class_name\": \"ComposedDpEvent\", \"events\": " GAUSSIAN "}", "a list of events");
    check_refused("{\"class_name\": \"ComposedDpEvent\", \"events\": [" GAUSSIAN "", "',' or ']'");
}

Test(events, numbers_out_of_range_are_refused)
{
    check_refused("{\"class_name\": \"GaussianDpEvent\", \"noise_multiplier\": 0}",
                  "noise_multiplier above 0");
    check_refused("{\"class_name\": \"LaplaceDpEvent\", \"noise_multiplier\": -1}",
                  "noise_multiplier above 0");
    check_refused("{\"class_name\":\"PoissonSampledDpEvent\",\"sampling_probability\":0,\"event\":" GAUSSIAN
                  "}",
                  "above 0, at most 1");
    check_refused("{\"class_name\":\"PoissonSampledDpEvent\",\"sampling_probability\":1.1,\"event\":" GAUSSIAN
                  "}",
                  "above 0, at most 1");
    check_refused("{\"class_name\":\"TruncatedSubsampledGaussianDpEvent\",\"dataset_size\":10,"
                  "\"sampling_probability\":0.1,\"truncated_batch_size\":0,\"noise_multiplier\":2}",
                  "a dataset_size and a truncated_batch_size from 1");
    check_refused("{\"class_name\":\"TruncatedSubsampledGaussianDpEvent\",\"dataset_size\":10,"
                  "\"sampling_probability\":1,\"truncated_batch_size\":1,\"noise_multiplier\":2}",
                  "a sampling_probability below 1");
    check_refused("{\"class_name\":\"SelfComposedDpEvent\",\"count\":0,\"event\":" GAUSSIAN "}",
                  "a count from 1");
    check_refused("{\"class_name\":\"SelfComposedDpEvent\",\"count\":2.5,\"event\":" GAUSSIAN "}",
                  "a count from 1");
    check_refused("{\"class_name\":\"SelfComposedDpEvent\",\"count\":1000000000,\"event\":{\"class_name\":"
                  "\"SelfComposedDpEvent\",\"count\":2,\"event\":" GAUSSIAN "}}",
                  "at most 1000000000 uses");
}

/* One sample for several mechanisms is no list of sampled ones. */
Test(events, only_one_mechanism_is_sampled)
{
    static const char *const inside[] = {
        "{\"class_name\":\"SelfComposedDpEvent\",\"count\":2,\"event\":" GAUSSIAN "}",
        "{\"class_name\":\"ComposedDpEvent\",\"events\":[" GAUSSIAN ",{\"class_name\":\"LaplaceDpEvent\","
        "\"noise_multiplier\":2}]}",
        "{\"class_name\":\"PoissonSampledDpEvent\",\"sampling_probability\":0.5,\"event\":" GAUSSIAN "}"};
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "{\"class_name\":\"PoissonSampledDpEvent\",\"sampling_probability\":0.1,\"event\":%s}",
                 inside[i]);
        check_refused(text, "one event inside that adds noise, once");
    }
}

Test(events, a_deep_tree_is_refused)
{
    enum { DEEP = 100 };
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (int i = 0; i < DEEP; i++)
        fputs("{\"class_name\":\"ComposedDpEvent\",\"events\":[", out);
    cr_assert_eq(fclose(out), 0);
    check_refused(text, "64 deep");
    free(text);
}

/* Cut anywhere, a tree is refused on one line. */
Test(events, half_a_tree_is_refused)
{
    static const char text[] = "{\"class_name\":\"SelfComposedDpEvent\",\"count\":3,\"event\":" GAUSSIAN "}";
    for (size_t n = 0; n + 1 < sizeof text; n++) {
        pby_spec *spec;
        pby_error err;
        cr_assert_eq(pby_spec_of_events(&spec, text, n, &err), PBY_BAD, "%zu", n);
        cr_assert_not_null(strstr(err.text, "expected"), "%zu: %s", n, err.text);
    }
}
