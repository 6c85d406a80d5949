/* SPDX-License-Identifier: MIT */
#include "mechanism/events.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GAUSSIAN "{\"class_name\": \"GaussianDpEvent\", \"noise_multiplier\": 1.1}"

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
        check_refused(text, "one Gaussian or Laplace event inside");
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
