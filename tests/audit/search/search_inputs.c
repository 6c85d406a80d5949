/* SPDX-License-Identifier: MIT */
#include "audit/search/search_inputs.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "audit/search/pattern.h"

static pby_inputs *inputs_of(const char *text, pby_neighbours neighbours)
{
    pby_inputs *inputs;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_inputs_parse(&inputs, text, neighbours, &err), PBY_OK, "%s", err.text);
    return inputs;
}

Test(audit_inputs, a_description_that_is_none_is_refused)
{
    static const char *const bad[] = {"",
                                      "values",
                                      "values:",
                                      "values:n=0,from=0,to=1",
                                      "values:n=65,from=0,to=1",
                                      "values:n=2,from=1,to=1",
                                      "values:n=2,to=9",
                                      "values:n=2,from=0,to=9,move=two",
                                      "values:n=2,n=2,from=0,to=9",
                                      "values:n=2,from=0,to=9,",
                                      "values:n=2,from=0,to=1e3",
                                      "values:n=2,from=0,to=99999999999999999999",
                                      "counts:n=2,from=-1,to=9",
                                      "counts:n=2,to=9,move=one",
                                      "records:n=2,to=9"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pby_inputs *inputs;
        pby_error err = PBY_NO_ERROR;
        cr_assert_eq(pby_inputs_parse(&inputs, bad[i], PBY_ADD_REMOVE, &err), PBY_BAD, "%s", bad[i]);
        cr_assert_null(inputs);
        cr_assert(strncmp(err.text, "inputs '", 8) == 0, "%s", err.text);
    }
    pby_inputs *inputs;
    cr_assert_eq(pby_inputs_parse(&inputs, "counts:n=1,to=9", PBY_SUBSTITUTE, NULL), PBY_BAD);
}

Test(audit_inputs, ranges_are_read_from_a_table)
{
    static const char *const bad[] = {"a,1\n", "a,0,x\n", ",0,1\n", "a,-1,1\n", "a,2,1\n", "a,1,1\n", ""};
    pby_inputs *inputs;
    pby_error err = PBY_NO_ERROR;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_assert_eq(pby_inputs_ranges(&inputs, bad[i], strlen(bad[i]), PBY_ADD_REMOVE, &err), PBY_BAD, "%s",
                     bad[i]);
    static const char good[] = "blue,0,9\r\n\na,b,5,5\n";
    cr_assert_eq(pby_inputs_ranges(&inputs, good, strlen(good), PBY_ADD_REMOVE, &err), PBY_OK, "%s",
                 err.text);
    cr_assert(pby_inputs_lines(inputs));
    const pby_input_pair pair = {.count = 2, .gone = 2, .left = {8, 5}, .more = {1, 0}};
    cr_assert(pby_input_pair_fits(&pair, inputs));
    char *text = pby_input_pair_text(&pair, inputs, PBY_RIGHT);
    cr_assert_str_eq(text, "blue,9\na,b,5\n");
    free(text);
    pby_inputs_free(inputs);
}

/* An independent reading of what neighbours are, from the texts alone. */
static void check_neighbours(const char *left, const char *right, const pby_inputs *inputs, int64_t from,
                             int64_t to)
{
    int64_t value[2][PBY_INPUTS_LENGTH_MAX];
    size_t count[2] = {0, 0}, moved = 0, total = 0;
    for (int side = 0; side < 2; side++)
        for (const char *at = side == 0 ? left : right; *at != '\0';) {
            char *end;
            if (*at == 'k')
                at = strchr(at, ',') + 1;
            const int64_t x = strtoll(at, &end, 10);
            cr_assert(x >= from && x <= to, "%s | %s", left, right);
            value[side][count[side]++] = x;
            at = *end == '\0' ? end : end + 1;
        }
    cr_assert_str_neq(left, right);
    if (inputs->move == PBY_MOVE_DROP) {
        cr_assert_eq(count[0], count[1] + 1);
        for (size_t i = 0; i < count[1]; i++) {
            moved += value[0][i + moved] != value[1][i];
            cr_assert(moved <= 1 && value[0][i + moved] == value[1][i], "%s | %s", left, right);
        }
        return;
    }
    cr_assert_eq(count[0], count[1]);
    int64_t sum = 0;
    for (size_t i = 0; i < count[0]; i++) {
        const int64_t by = value[1][i] - value[0][i];
        moved += by != 0;
        total += (size_t)llabs(by);
        sum += by;
        cr_assert(inputs->move == PBY_MOVE_CHANGE || llabs(by) <= 1, "%s | %s", left, right);
    }
    if (inputs->move == PBY_MOVE_ONE)
        cr_assert(moved == 1 && total == 1, "%s | %s", left, right);
    if (inputs->move == PBY_MOVE_SWAP)
        cr_assert(moved == 2 && sum == 0, "%s | %s", left, right);
    if (inputs->move == PBY_MOVE_CHANGE)
        cr_assert_eq(moved, 1);
}

Test(audit_inputs, every_pair_is_one_of_neighbours_within_the_ranges)
{
    static const struct {
        const char *text;
        pby_neighbours neighbours;
        int64_t from, to;
    } cases[] = {{"values:n=5,from=-10,to=10", PBY_ADD_REMOVE, -10, 10},
                 {"values:n=1,from=0,to=1", PBY_ADD_REMOVE, 0, 1},
                 {"values:n=3,from=0,to=7,move=one", PBY_ADD_REMOVE, 0, 7},
                 {"counts:n=3,to=100", PBY_ADD_REMOVE, 0, 100},
                 {"counts:n=3,to=100", PBY_SUBSTITUTE, 0, 100},
                 {"records:n=6,from=-3,to=50", PBY_ADD_REMOVE, -3, 50},
                 {"records:n=6,from=-3,to=50", PBY_SUBSTITUTE, -3, 50},
                 {"records:n=1,from=0,to=2305843009213693952", PBY_ADD_REMOVE, 0, INT64_C(1) << 61}};
    enum { MOST = 60, NEAR = 400 };
    uint64_t state = 7;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        pby_inputs *inputs = inputs_of(cases[c].text, cases[c].neighbours);
        pby_input_pair pair[MOST], near;
        const size_t count = pby_patterns(pair, MOST, inputs);
        cr_assert(count > 0 && count <= MOST);
        for (size_t i = 0; i < count + NEAR; i++) {
            const pby_input_pair from = i <= count ? pair[0] : near;
            if (i >= count)
                pby_pattern_near(&near, &from, inputs, &state);
            const pby_input_pair *p = i < count ? &pair[i] : &near;
            char *left = pby_input_pair_text(p, inputs, PBY_LEFT),
                 *right = pby_input_pair_text(p, inputs, PBY_RIGHT);
            check_neighbours(left, right, inputs, cases[c].from, cases[c].to);
            for (size_t j = 0; j < i && i < count; j++)
                cr_assert_not(pby_input_pair_same(&pair[j], p));
            free(left);
            free(right);
        }
        pby_inputs_free(inputs);
    }
}
