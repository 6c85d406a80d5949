/* SPDX-License-Identifier: MIT */
/* A file of running times is refused on one line that names it, or its runs are judged. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "audit/timing/times_read.h"
#include "tests/fuzz/must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_judged(const pby_times *times)
{
    char *text;
    pby_times_verdict verdict;
    pby_error err = PBY_NO_ERROR;
    const pby_status status =
        pby_times_judge(&text, &verdict, times, "1/2", "1/100", NULL, PBY_REPORT_JSON, &err);
    must(status == PBY_OK || strstr(err.text, "a fair coin") != NULL,
         "judged, unless no coin chose the sides");
    must(status != PBY_OK || strstr(text, "\"verdict\"") != NULL, "an answer");
    for (int e = 0; e < PBY_TIMES_EVENTS; e++)
        must(times->counts.seen[e][0] + times->counts.seen[e][1] <= times->counts.judging,
             "an event of runs that judge");
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pby_csv_input *input;
    pby_lines *lines;
    pby_times *times;
    pby_error err = PBY_NO_ERROR;
    must(pby_csv_input_memory(&input, "times.csv", data, size, &err) == PBY_OK, "opened");
    must(pby_lines_of(&lines, input, &err) == PBY_OK, "opened");
    must(pby_times_new(&times, &err) == PBY_OK, "made");
    const pby_status status = pby_times_read(times, lines, &err);
    if (status == PBY_OK)
        check_judged(times);
    else
        must(strstr(err.text, "times.csv") != NULL && strchr(err.text, '\n') == NULL,
             "one line, with its name");
    pby_times_free(times);
    pby_lines_close(lines);
    pby_csv_input_free(input);
    return 0;
}
