/* SPDX-License-Identifier: MIT */
#include "cli/help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/guard.h"

enum { INDENT = 19, WIDTH = 105 };

/* Prints a word behind those that stand in the line, or in a line of its own where there is no room. */
static void print_word(const char *word, int size, int *column)
{
    if (*column + 1 + size > WIDTH)
        *column = printf("\n%*s", INDENT, "") - 1;
    else if (*column > INDENT)
        *column += printf(" ");
    *column += printf("%.*s", size, word);
}

/* Prints a row: the option with its value, and the text at a fixed column, in the next line where the option
 * is too long. */
static void print_option(const pby_option *option, const char *text)
{
    int column = printf("  %s%s%s", option->name, option->shown == NULL ? "" : " ",
                        option->shown == NULL ? "" : option->shown);
    if (column > INDENT - 2)
        column = printf("\n") - 1;
    column += printf("%*s", INDENT - column, "");
    for (const char *word = text; *word != '\0'; word += strspn(word, " ")) {
        const int size = (int)strcspn(word, " ");
        print_word(word, size, &column);
        word += size;
    }
    printf("\n");
}

char *pby_help_limit(const pby_option *option, const char *command)
{
    char fallback[PBY_GUARD_DEFAULT_SIZE], *text;
    pby_guard_default(fallback, option, command);
    return asprintf(&text, "%s (%s)", option->help, fallback) < 0 ? NULL : text;
}

static void print_limit(const pby_option *option, const char *command)
{
    char *text = pby_help_limit(option, command);
    print_option(option, text == NULL ? option->help : text);
    free(text);
}

void pby_help_print(const pby_command *command, bool limited)
{
    fputs(command->help, stdout);
    for (const pby_option *option = command->options; option->name != NULL; option++)
        if (option->alternative != PBY_OPTION_RENAMED)
            print_option(option, option->help);
    for (const pby_option *option = pby_guard_options; limited && option->name != NULL; option++)
        print_limit(option, command->name);
    fputs(command->end, stdout);
}
