#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/certificate/make.h"
#include "tests/spec.h"

/* stlap:eps=1/2,q=40 on 1000 records in at most 3 bars of a width. */
static char *example_of(mpq_srcptr width)
{
    pby_spec *spec = spec_of("stlap:eps=1/2,q=40");
    pby_error err;
    char *text;
    mpq_t epsilon;
    mpq_init(epsilon);
    mpq_set_ui(epsilon, 1, 2);
    const pby_input_class inputs = {1000, 3, width};
    cr_assert_eq(pby_certify_accuracy(&text, spec, PBY_ADD_REMOVE, epsilon, &inputs, &err), PBY_OK, "%s", err.text);
    pby_spec_free(spec);
    mpq_clear(epsilon);
    return text;
}

/* Of width 1/10. */
static char *example(void)
{
    mpq_t width;
    mpq_init(width);
    mpq_set_ui(width, 1, 10);
    char *text = example_of(width);
    mpq_clear(width);
    return text;
}

Test(certificate_accuracy, is_stated_and_read_back)
{
    char *text = example();
    pby_certificate *c;
    pby_error err;
    const pby_input_class *inputs;
    cr_assert_eq(pby_verify(&c, text, strlen(text), &err), PBY_OK, "%s", err.text);
    const pby_accuracy *a = pby_certificate_accuracy(c, &inputs);
    cr_assert_not_null(a);
    cr_assert_eq(mpq_cmp_ui(a->alpha.value, 3, 25), 0);
    cr_assert_eq(mpq_cmp_ui(a->beta.value, 1, 20), 0);
    cr_assert_eq(mpq_sgn(a->gamma), 0);
    cr_assert_eq(inputs->n, 1000);
    cr_assert_eq(inputs->support, 3);
    cr_assert_eq(mpq_cmp_ui(inputs->width, 1, 10), 0);
    pby_certificate_free(c);
    free(text);
}

Test(certificate_accuracy, no_width_is_written_as_0)
{
    mpq_t width;
    mpq_init(width);
    char *none = example_of(NULL), *zero = example_of(width);
    cr_assert_str_eq(none, zero);
    cr_assert_not_null(strstr(none, "\"width\": \"0\""));
    free(zero);
    free(none);
    mpq_clear(width);
}

static void denied(const char *field, const char *value, const char *reason)
{
    pby_error err;
    char *text = example();
    json_t *object = json_loads(text, 0, NULL);
    json_object_set_new(json_object_get(object, "accuracy"), field, json_string(value));
    cr_assert_eq(pby_verdict(object, &err), PBY_NO, "%s %s", field, value);
    cr_assert_not_null(strstr(err.text, reason), "%s", err.text);
    free(text);
}

Test(certificate_accuracy, nothing_else_holds)
{
    denied("alpha", "2/25", "accuracy.alpha '2/25': expected 3/25");
    denied("alpha", "4/25", "accuracy.alpha");
    denied("beta", "0", "accuracy.beta");
    denied("gamma", "1/100", "accuracy.gamma");
    denied("records", "999", "accuracy.alpha");
    denied("records", "0", "n '0': expected at least 1 record");
    denied("records", "1/2", "not a count");
    denied("records", "100000000000000000000", "not a count");
    denied("support", "2", "accuracy.alpha");
    denied("width", "0.1", "lowest terms");
    denied("width", "-1/10", "");
    denied("more", "0", "no such field");
}
