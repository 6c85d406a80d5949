/* SPDX-License-Identifier: MIT */
#include "audit/count/learn.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/audit/mechanisms.h"

enum { EXAMPLES = 1000 };

static char text[EXAMPLES][256];
static pby_example example[EXAMPLES];

/* In a format, # is a number, + a larger one, ? a word, and ! one that is mostly the same. */
static void make(const char *format_left, const char *format_right)
{
    specimen_random *random = specimen_random_new(21);
    for (size_t i = 0; i < EXAMPLES; i++) {
        const int side = (int)(i & 1);
        char *at = text[i];
        for (const char *f = side == 0 ? format_left : format_right; *f != '\0'; f++)
            at += *f == '#'   ? sprintf(at, "%.3f", specimen_uniform(random))
                  : *f == '+' ? sprintf(at, "%.3f", specimen_uniform(random) + 0.7)
                  : *f == '?' ? sprintf(at, specimen_uniform(random) < 0.5 ? "yes" : "no")
                  : *f == '!' ? sprintf(at, specimen_uniform(random) < 0.99 ? "yes" : "no")
                              : sprintf(at, "%c", *f);
        example[i] = (pby_example){text[i], strlen(text[i]), side};
    }
    specimen_random_free(random);
}

/* Returns the share of pairs in which the score puts the left output above the right one. */
static double separated(const pby_model *model)
{
    size_t right_order = 0;
    for (size_t i = 0; i < EXAMPLES; i += 2) {
        pby_outcome a, b;
        pby_outcome_read(&a, example[i].text, example[i].length);
        pby_outcome_read(&b, example[i + 1].text, example[i + 1].length);
        right_order += pby_model_score(model, &a) > pby_model_score(model, &b);
    }
    return (double)right_order / (EXAMPLES / 2);
}

/* Returns `separated` for a model that is learned from outputs of these forms. */
static double separated_by(const char *left, const char *right)
{
    pby_model model;
    bool useful;
    make(left, right);
    cr_assert_eq(pby_model_train(&model, &useful, example, EXAMPLES, NULL), PBY_OK);
    return separated(&model);
}

Test(audit_learn, finds_a_shifted_coordinate)
{
    pby_model model;
    bool useful;
    make("#,#,#", "#,+,#");
    cr_assert_eq(pby_model_train(&model, &useful, example, EXAMPLES, NULL), PBY_OK);
    cr_assert(useful);
    cr_assert_gt(separated(&model), 0.9);
}

Test(audit_learn, finds_a_suppressed_coordinate)
{
    cr_assert_gt(separated_by("#,,#", "#,#,#"), 0.99);
}

Test(audit_learn, finds_a_coordinate_far_behind)
{
    cr_assert_gt(separated_by("#,#,#,#,#,#,#,#,#,#,#,#,#,#,#,#,#,#,#,#,#,#,#,#,#,#",
                              "#,#,#,#,#,#,#,#,#,#,#,#,#,#,#,#,#,#,#,#,#,#,#,#,+,#"),
                 0.9);
}

/* Half of the left outputs have the word "no", which a right one all but never has. */
Test(audit_learn, tells_words_apart)
{
    cr_assert_gt(separated_by("?,?,?,?", "?,?,!,?"), 0.65);
}

Test(audit_learn, is_not_used_for_single_numbers_or_one_side)
{
    pby_model model;
    bool useful;
    make("#", "+");
    cr_assert_eq(pby_model_train(&model, &useful, example, EXAMPLES, NULL), PBY_OK);
    cr_assert(!useful);
    make("#,#", "#,#");
    for (size_t i = 0; i < EXAMPLES; i++)
        example[i].side = 0;
    cr_assert_eq(pby_model_train(&model, &useful, example, EXAMPLES, NULL), PBY_OK);
    cr_assert(!useful);
}
