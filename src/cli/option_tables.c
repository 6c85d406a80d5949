/* SPDX-License-Identifier: MIT */
#include "cli/option_tables.h"

#include <stdlib.h>

#include "cli/guard.h"
#include "cli/help.h"

static json_t *row_json(const pby_option *option, const char *help)
{
    return json_pack("{s:s, s:s?, s:s, s:s?, s:i}", "name", option->name, "value", option->shown, "help",
                     help, "completes", option->completes, "alternative", option->alternative);
}

static json_t *limit_json(const pby_option *option, const char *command)
{
    char *text = pby_help_limit(option, command);
    json_t *row = text == NULL ? NULL : row_json(option, text);
    free(text);
    return row;
}

json_t *pby_option_table(const pby_command *command, bool limited)
{
    json_t *rows = json_array();
    bool good = rows != NULL;
    for (const pby_option *option = command->options; good && option->name != NULL; option++)
        if (option->alternative != PBY_OPTION_RENAMED)
            good = json_array_append_new(rows, row_json(option, option->help)) == 0;
    for (const pby_option *option = pby_guard_options; good && limited && option->name != NULL; option++)
        good = json_array_append_new(rows, limit_json(option, command->name)) == 0;
    if (!good) {
        json_decref(rows);
        return NULL;
    }
    return json_pack("{s:s, s:s, s:o}", "name", command->name, "summary", command->summary, "options", rows);
}
