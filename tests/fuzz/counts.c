/* SPDX-License-Identifier: MIT */
/* A text is refused on one line, or it is counts. Then what is written of them is read again as the same,
 * they can be merged with themselves, and they can be judged.
 *
 * Few bytes are counts by themselves. So, but for a first byte 0, behind which they are taken as they are,
 * bytes are edits of a small file of counts: three for a place and what to write there. As judging takes
 * long, only a first byte 1 asks for it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probity/audit.h"
#include "probity/experimental/auditing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { JUDGED_MOST = 1 << 12 }; /* outputs; the tails of more take too long for a fuzzer */

static void must(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static pby_audit *read_counts(const char *text, size_t size)
{
    pby_error err = PBY_NO_ERROR;
    pby_audit *audit;
    if (pby_audit_read(&audit, text, size, &err) == PBY_OK)
        return audit;
    must(audit == NULL && err.status == PBY_BAD, "bytes are refused, they do not break the machine");
    must(strstr(err.text, ": expected ") != NULL && strchr(err.text, '\n') == NULL, "one line");
    return NULL;
}

/* The counts of a few outputs of every form. */
static char *small_file(void)
{
    static const char *const outputs[] = {
        "1", "-2.5", "yes", "", "1,2,3", "F,F,0.5", "0x3ff0000000000000", "1e9,,x"};
    char *text;
    pby_audit *audit;
    must(pby_audit_new(&audit, NULL) == PBY_OK, "an audit");
    for (size_t i = 0; i < 24; i++) {
        const char *output = outputs[i % (sizeof outputs / sizeof *outputs)];
        must(pby_audit_add(audit, i % 3 == 0 ? PBY_LEFT : PBY_RIGHT, output, strlen(output), NULL) == PBY_OK,
             "add");
    }
    must(pby_audit_write(&text, audit, NULL) == PBY_OK, "write");
    pby_audit_free(audit);
    return text;
}

static char *edit(const uint8_t *data, size_t size, size_t *length)
{
    static char *original;
    if (original == NULL)
        original = small_file();
    char *text = strdup(original);
    must(text != NULL, "memory");
    *length = strlen(text);
    for (size_t i = 0; i + 2 < size; i += 3)
        text[((size_t)data[i] << 8 | data[i + 1]) % *length] = (char)data[i + 2];
    return text;
}

static void check_text(const pby_audit *audit)
{
    char *text, *again;
    must(pby_audit_write(&text, audit, NULL) == PBY_OK, "counts can be written");
    pby_audit *back = read_counts(text, strlen(text));
    must(back != NULL, "what was written can be read");
    must(pby_audit_write(&again, back, NULL) == PBY_OK && strcmp(text, again) == 0, "and is the same");
    must(pby_audit_merge(back, audit, NULL) == PBY_OK || pby_audit_outputs(audit, PBY_LEFT) > 0 ||
             pby_audit_outputs(audit, PBY_RIGHT) > 0,
         "nothing can be merged with nothing");
    pby_audit_free(back);
    free(again);
    free(text);
}

static void judge(pby_audit *audit)
{
    mpq_t epsilon, delta, error;
    pby_verdict *verdict;
    mpq_inits(epsilon, delta, error, NULL);
    mpq_set_ui(epsilon, 1, 10);
    mpq_set_ui(error, 1, 1000);
    must(pby_audit_settle(audit, NULL) == PBY_OK, "counts can be settled");
    if (pby_audit_judge(&verdict, audit, pby_value_rational(epsilon), pby_value_rational(delta),
                        pby_value_rational(error), NULL) == PBY_OK) {
        char *page;
        must(pby_verdict_html(&page, verdict, &(pby_report){.how = ""}, NULL) == PBY_OK,
             "a verdict has a page");
        free(page);
        pby_verdict_free(verdict);
    }
    mpq_clears(epsilon, delta, error, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const int edited = size > 0 && data[0] != 0;
    size_t length = size > 0 ? size - 1 : 0;
    char *text = edited ? edit(data + 1, size - 1, &length) : NULL;
    pby_audit *audit = read_counts(edited ? text : (const char *)data + (size > 0), length);
    free(text);
    if (audit == NULL)
        return 0;
    check_text(audit);
    if (data[0] == 1 &&
        pby_audit_outputs(audit, PBY_LEFT) + pby_audit_outputs(audit, PBY_RIGHT) <= JUDGED_MOST)
        judge(audit);
    pby_audit_free(audit);
    return 0;
}
