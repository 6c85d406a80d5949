/* SPDX-License-Identifier: MIT */
/* A trace is refused on one line that names it, or its runs are read. */
#include "audit/trace/trace_read.h"

#include <stdint.h>
#include <string.h>

#include "tests/fuzz/must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pby_trace_reader *reader;
    pby_error err = PBY_NO_ERROR;
    bool got = true;
    must(pby_trace_open_memory(&reader, "t.trace", data, size, &err) == PBY_OK, "opened");
    while (got) {
        pby_trace_run run;
        const pby_status status = pby_trace_next(&run, &got, reader, &err);
        if (status != PBY_OK) {
            must(status == PBY_BAD && strstr(err.text, "t.trace: line ") != NULL, "the line is named");
            must(strchr(err.text, '\n') == NULL, "one line");
            break;
        }
        for (size_t i = 0; i < run.sums_count; i++)
            must(run.sums[i].noise < run.noise_count &&
                     run.sums[i].element < run.noise[run.sums[i].noise].count,
                 "a sum of a draw");
        for (size_t i = 0; i < run.outputs_count; i++)
            must(run.outputs[i].sum < (int64_t)run.sums_count, "a coordinate of a sum");
        pby_trace_run_clear(&run);
    }
    pby_trace_reader_free(reader);
    return 0;
}
