#include "cli/advice.h"

#include <stdio.h>
#include <string.h>

#include "table/csv_row.h"

#define COUNT_FIRST                                                                                      \
    "; raw records must be counted first, as with: awk -F, 'NR > 1 {n[$1]++} END {for (k in n) print k " \
    "\",\" n[k]}'"

static const struct {
    const char *library, *command;
} advice[] = {
    {PBY_ROW_COMMA, "a comma and a count after the key" COUNT_FIRST},
    {PBY_ROW_COUNT,
     "a whole number from 0 to 9223372036854775807; --counts COLUMN chooses another column" COUNT_FIRST},
    {PBY_ROW_END, "the end of the line; --keys COLUMN and --counts COLUMN choose two of the columns"},
};

void pby_advise(pby_error *err)
{
    const size_t size = strlen(err->text);
    for (size_t i = 0; i < sizeof advice / sizeof *advice; i++) {
        const size_t length = strlen(advice[i].library);
        if (size < length || strcmp(err->text + size - length, advice[i].library) != 0)
            continue;
        snprintf(err->text + size - length, sizeof err->text - (size - length), "%s", advice[i].command);
        return;
    }
}
