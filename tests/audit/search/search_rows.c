/* SPDX-License-Identifier: MIT */
#include "audit/search/search_rows.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "audit/search/pattern.h"

static const char lines[] = "1,blue\r\nnan,red\n\n1,blue\n-inf,";

static pby_inputs *rows_of(const char *text, const char *source, size_t n, pby_neighbours neighbours)
{
    pby_inputs *inputs;
    pby_error err = PBY_NO_ERROR;
    const size_t size = source == NULL ? 0 : strlen(source);
    cr_assert_eq(pby_rows_inputs(&inputs, n, text, strlen(text), source, size, neighbours, &err), PBY_OK,
                 "%s", err.text);
    return inputs;
}

static bool has(const pby_inputs *inputs, const char *row)
{
    for (size_t i = 0; i < inputs->rows; i++)
        if (strcmp(inputs->row[i], row) == 0)
            return true;
    return false;
}

Test(audit_rows, a_description_names_its_files)
{
    static const char *const bad[] = {"rows:n=0,of=a",
                                      "rows:n=65,of=a",
                                      "rows:n=-1,of=a",
                                      "rows:n=3",
                                      "rows:n=3,of=",
                                      "rows:of=a",
                                      "rows:n=3x,of=a",
                                      "rows:n=3,to=4",
                                      "rows:n= 3,of=a",
                                      "rows:n=3,of=,constants=b",
                                      "rows:n=3,of=a,constants="};
    size_t n;
    char *file, *program;
    pby_error err = PBY_NO_ERROR;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_assert_eq(pby_rows_named(&n, &file, &program, bad[i], &err), PBY_BAD, "%s", bad[i]);
        cr_assert(strncmp(err.text, "inputs '", 8) == 0, "%s", err.text);
        cr_assert(file == NULL && program == NULL);
    }
    cr_assert_eq(pby_rows_named(&n, &file, &program, "rows:n=64,of=a,b.csv,constants=c.py", &err), PBY_OK);
    cr_assert(n == 64 && strcmp(file, "a,b.csv") == 0 && strcmp(program, "c.py") == 0);
    free(file);
    free(program);
    cr_assert_eq(pby_rows_named(&n, &file, &program, "rows:n=1,of=a", &err), PBY_OK);
    cr_assert(program == NULL);
    free(file);
}

Test(audit_rows, rows_are_texts_and_each_stands_once)
{
    pby_inputs *inputs = rows_of(lines, NULL, 2, PBY_ADD_REMOVE);
    cr_assert_eq(inputs->rows, 4);
    cr_assert(has(inputs, "1,blue") && has(inputs, "nan,red") && has(inputs, "") && has(inputs, "-inf,"));
    const pby_input_pair pair = {.count = 2, .gone = 1, .left = {1, 3}};
    char *left = pby_input_pair_text(&pair, inputs, PBY_LEFT),
         *right = pby_input_pair_text(&pair, inputs, PBY_RIGHT);
    cr_assert_str_eq(left, "nan,red\n-inf,\n");
    cr_assert_str_eq(right, "nan,red\n");
    free(left);
    free(right);
    pby_inputs_free(inputs);
}

/* Numbers in names, texts that do not close and texts with commas are no constants. */
Test(audit_rows, constants_of_a_program_stand_in_the_columns_of_their_kind)
{
    static const char source[] = "if x1 == 99.5 and name == 'green': # it's \"a,b\" 2e3\n  'open\n y = -7";
    pby_inputs *inputs = rows_of("1,blue,nan\n", source, 2, PBY_SUBSTITUTE);
    static const char *const made[] = {"99.5,blue,nan", "1,blue,99.5", "1,green,nan", "2e3,blue,nan",
                                       "1,blue,2e3",    "7,blue,nan",  "1,blue,7",    "1,blue,nan"};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        cr_assert(has(inputs, made[i]), "%s", made[i]);
    cr_assert_eq(inputs->rows, sizeof made / sizeof *made);
    pby_inputs_free(inputs);
}

Test(audit_rows, what_is_no_list_of_rows_is_refused)
{
    pby_inputs *inputs;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_rows_inputs(&inputs, 2, "", 0, NULL, 0, PBY_ADD_REMOVE, &err), PBY_BAD);
    cr_assert_eq(pby_rows_inputs(&inputs, 2, "a\0b", 3, NULL, 0, PBY_ADD_REMOVE, &err), PBY_BAD);
    cr_assert_eq(pby_rows_inputs(&inputs, 2, "a\na\n", 4, NULL, 0, PBY_SUBSTITUTE, &err), PBY_BAD);
    cr_assert_null(inputs);
}

/* Every row is met alone, and every pair is one of neighbours. */
Test(audit_rows, each_row_is_tried_alone_beside_the_empty_input)
{
    enum { MOST = 40 };
    pby_input_pair pair[MOST], near;
    uint64_t state = 3;
    for (int way = 0; way < 2; way++) {
        pby_inputs *inputs = rows_of(lines, NULL, 3, way == 0 ? PBY_ADD_REMOVE : PBY_SUBSTITUTE);
        const size_t count = pby_patterns(pair, MOST, inputs);
        size_t alone = 0;
        for (size_t i = 0; i < count; i++) {
            cr_assert(pby_input_pair_fits(&pair[i], inputs));
            alone += pair[i].count == 1;
        }
        cr_assert_eq(alone, way == 0 ? 4 : 3);
        for (int i = 0; i < 200; i++) {
            const pby_input_pair from = i == 0 ? pair[0] : near;
            pby_pattern_near(&near, &from, inputs, &state);
            cr_assert(pby_input_pair_fits(&near, inputs));
        }
        pby_inputs_free(inputs);
    }
}
