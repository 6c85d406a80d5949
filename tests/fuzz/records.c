/* SPDX-License-Identifier: MIT */
/* Raw records are refused on one line, without a word of theirs, or counted: then the counts are of the
 * groups of the rows, and at most so many of a user. The first byte says how: its lowest bit whether users
 * are bounded, the next whether groups are numbers in buckets, the third whether all goes through a file. */
#include "table/records/records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static uint64_t total(pby_csv *csv)
{
    uint64_t bars;
    pby_csv_allow_empty(csv);
    must(pby_csv_scan(csv, &bars, NULL) == PBY_OK, "what was counted is a histogram");
    return pby_csv_records(csv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char header[] = "u,g\n";
    enum { USERS = 1, BUCKETS = 2, FILED = 4 };
    if (size == 0)
        return 0;
    char *text = malloc(sizeof header + size);
    must(text != NULL, "memory");
    memcpy(text, header, sizeof header - 1);
    memcpy(text + sizeof header - 1, data + 1, size - 1);
    const pby_records_options o = {.by = (data[0] & BUCKETS) != 0 ? "g:-2:9/2:1/3" : "g",
                                   .user = (data[0] & USERS) != 0 ? "u" : NULL,
                                   .contributions = (data[0] & USERS) != 0 ? 2 : 0};
    pby_error err = PBY_NO_ERROR;
    pby_csv_input *in;
    pby_records *r;
    pby_csv *csv;
    must(pby_csv_input_memory(&in, "records", text, sizeof header + size - 2, &err) == PBY_OK, "an input");
    must(pby_records_new(&r, in, &o, "", &pby_arguments_library, &err) == PBY_OK, "options");
    if ((data[0] & FILED) != 0)
        r->memory = 64;
    if (pby_records_count(&csv, r, NULL, &err) == PBY_OK) {
        size_t lines = 0;
        for (size_t i = 1; i < size; i++)
            lines += data[i] == '\n';
        must(total(csv) <= lines + 1, "no record is counted twice");
    } else {
        must(csv == NULL && err.status == PBY_BAD, "bytes are refused, they do not break the machine");
        must(strncmp(err.text, "records: line ", 14) == 0 && strchr(err.text, '\n') == NULL, "one line");
    }
    pby_csv_free(csv);
    pby_records_free(r);
    free(text);
    return 0;
}
