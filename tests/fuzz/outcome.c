/* SPDX-License-Identifier: MIT */
/* Every line is an output. Its coordinates are one or more between any two commas, a number among them is
 * finite and its key gives it back; counting it never fails. The counts of all lines, in turn of the left and
 * the right side, are read again as they were written, and they can be judged, which takes long and is done
 * for some. A test against a law refuses a line or counts it. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/count/feature.h"
#include "probity/audit.h"
#include "probity/experimental/auditing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static void check_line(const char *line, size_t length)
{
    pby_outcome o;
    pby_reading reading[PBY_FEATURES];
    size_t commas = 0;
    pby_outcome_read(&o, line, length);
    for (size_t i = 0; i < length; i++)
        commas += line[i] == ',';
    must(o.coordinates > commas, "commas separate coordinates");
    must(o.count == (o.coordinates < PBY_COORDINATES ? o.coordinates : PBY_COORDINATES),
         "the first are kept");
    for (size_t i = 0; i < o.count; i++)
        if (o.token[i].kind == PBY_NUMBER)
            must(isfinite(o.token[i].value) &&
                     pby_key_value(pby_key_of(o.token[i].value), 0) == o.token[i].value,
                 "a number is finite, and its key gives it back");
    const size_t readings = pby_features_read(reading, &o);
    must(readings <= PBY_FEATURES, "a feature reads a line once");
    for (size_t i = 1; i < readings; i++)
        for (size_t j = 0; j < i; j++)
            must(reading[i].feature != reading[j].feature, "a feature reads a line once");
}

/* The law takes long to set up, and is made once. */
static pby_conformance *law(void)
{
    static pby_spec *spec;
    static pby_conformance *test;
    const char *text = "geometric:eps=1/2";
    if (test == NULL) {
        must(pby_spec_parse(&spec, &text, 1, NULL) == PBY_OK, "a spec");
        must(pby_conformance_new(&test, spec, NULL) == PBY_OK, "a test");
    }
    return test;
}

static void check_law(pby_conformance *test, const char *line, size_t length)
{
    pby_error err = PBY_NO_ERROR;
    if (pby_conformance_add(test, line, length, &err) != PBY_OK)
        must(err.status == PBY_BAD && strchr(err.text, '\n') == NULL, "a line is refused on one line");
}

static void judge(pby_audit *audit)
{
    mpq_t epsilon, delta, error;
    pby_verdict *verdict;
    char *text;
    mpq_inits(epsilon, delta, error, NULL);
    mpq_set_ui(error, 1, 1000);
    must(pby_audit_settle(audit, NULL) == PBY_OK, "counts can be settled");
    if (pby_audit_judge(&verdict, audit, pby_value_rational(epsilon), pby_value_rational(delta),
                        pby_value_rational(error), NULL) == PBY_OK) {
        must(pby_verdict_json(&text, verdict, NULL) == PBY_OK, "a verdict has a text");
        free(text);
        pby_verdict_free(verdict);
    }
    mpq_clears(epsilon, delta, error, NULL);
}

static void check_counts(const pby_audit *audit)
{
    pby_audit *back;
    char *text, *again;
    must(pby_audit_write(&text, audit, NULL) == PBY_OK, "counts can be written");
    must(pby_audit_read(&back, text, strlen(text), NULL) == PBY_OK, "what was written can be read");
    must(pby_audit_write(&again, back, NULL) == PBY_OK && strcmp(text, again) == 0, "and is the same");
    pby_audit_free(back);
    free(again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pby_audit *audit;
    must(pby_audit_new(&audit, NULL) == PBY_OK, "an audit");
    for (size_t at = 0, line = 0; at < size; line++) {
        const char *from = (const char *)data + at;
        const char *newline = memchr(from, '\n', size - at);
        const size_t length = newline == NULL ? size - at : (size_t)(newline - from);
        check_line(from, length);
        must(pby_audit_add(audit, line % 2 == 0 ? PBY_LEFT : PBY_RIGHT, from, length, NULL) == PBY_OK,
             "any line");
        check_law(law(), from, length);
        at += length + 1;
    }
    check_counts(audit);
    if (size % 8 == 0)
        judge(audit);
    pby_audit_free(audit);
    return 0;
}
