/* SPDX-License-Identifier: MIT */
/* The lines that RAPPOR reads, on both sides. Values are refused by a line, or each has its bits; none of
 * them is shown. A line that is read as a report is the text of that report. The first byte chooses the
 * mechanism. */
#include "session/session_values.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WORDS = 2 };

static void must(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static const char *const specs[] = {"rappor:bits=8,f=1/2", "rappor:bits=70,f=1/2",
                                    "rappor:bits=16,hashes=2,f=1/2",
                                    "rappor:bits=65,hashes=3,f=1/2,cohorts=12"};
enum { SPECS = sizeof specs / sizeof *specs };

static void check_values(pby_memo_values *values, const pby_rappor *r)
{
    uint64_t bits[WORDS], lines = 0;
    const char *value, *end = values->text;
    size_t length;
    while (pby_memo_values_next(&value, &length, values)) {
        lines++;
        must(value >= end && value + length <= values->text + values->size, "a value lies in its file");
        must(memchr(value, '\n', length) == NULL && values->line == lines, "a value is a line");
        must(pby_rappor_encode(bits, r, 0, value, length, NULL) == PBY_OK, "a value has bits");
        must(pby_rappor_words(r) <= WORDS && (bits[pby_rappor_words(r) - 1] & ~pby_rappor_last(r)) == 0,
             "and no others");
        end = value + length;
    }
}

static void check_report(const char *line, size_t length, const pby_rappor *r)
{
    uint64_t bits[WORDS], cohort;
    char text[128], *copy = strndup(line, length);
    must(copy != NULL && pby_rappor_text_size(r) <= sizeof text, "memory");
    if (pby_rappor_read(&cohort, bits, r, copy)) {
        must(cohort < (uint64_t)r->cohorts, "a cohort");
        pby_rappor_text(text, r, cohort, bits);
        must(strcmp(text, copy) == 0, "a report has one text");
    }
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static pby_spec *spec[SPECS];
    pby_error err = PBY_NO_ERROR;
    pby_rappor r;
    if (size == 0)
        return 0;
    const size_t which = data[0] % SPECS;
    if (spec[which] == NULL)
        must(pby_spec_parse(&spec[which], &specs[which], 1, NULL) == PBY_OK, "a spec");
    pby_rappor_of(&r, &spec[which]->use[0].mechanism);
    pby_memo_values values = {.name = "values", .text = malloc(size), .size = size - 1};
    must(values.text != NULL, "memory");
    memcpy(values.text, data + 1, size - 1);
    const char *line;
    size_t length;
    while (pby_memo_values_next(&line, &length, &values))
        check_report(line, length, &r);
    values.at = values.line = 0;
    if (pby_memo_values_check(&values, &r, &err) == PBY_OK)
        check_values(&values, &r);
    else
        must(err.status == PBY_BAD && strncmp(err.text, "values, line ", 13) == 0 &&
                 strstr(err.text, "(not shown)") != NULL && strchr(err.text, '\n') == NULL,
             "refused by a line, which is not shown");
    pby_memo_values_clear(&values);
    return 0;
}
