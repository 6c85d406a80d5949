/* SPDX-License-Identifier: MIT */
/* Every row of tests/vectors/loss.tsv through the library.
 *
 * A row is "arguments <tab> key <tab> expected <tab> relation <tab> source". A row that is refused fails. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probity/experimental/losses.h"
#include "probity/loss.h"
#include "probity/rational.h"

enum { LINE_SIZE = 1024, FIELDS = 5, DIGITS = 40 };

/* Splits at tabs; the number of fields. */
static size_t split(char *line, char *field[FIELDS])
{
    size_t n = 0;
    line[strcspn(line, "\n")] = '\0';
    for (char *rest = line; rest != NULL && n < FIELDS; n++)
        field[n] = strsep(&rest, "\t");
    return n;
}

static void parse(mpq_t q, const char *text)
{
    pby_error err;
    cr_assert_eq(pby_rational_parse(q, "vector", text, &err), PBY_OK, "%s", err.text);
}

typedef pby_status question(pby_enclosure *x, const pby_spec *spec, pby_neighbours relation, mpq_srcptr at,
                            unsigned digits, pby_error *err);

static pby_status ask_renyi(pby_enclosure *x, const pby_spec *spec, pby_neighbours relation, mpq_srcptr order,
                            unsigned digits, pby_error *err)
{
    return pby_loss_renyi(x, NULL, spec, relation, order, digits, err);
}

static const struct {
    const char *option, *key;
    question *ask;
} QUESTIONS[] = {
    {"--epsilon", "delta", pby_loss_delta},
    {"--delta", "epsilon", pby_loss_epsilon},
    {"--order", "renyi", ask_renyi},
};

static question *find_question(const char *option, const char *key)
{
    size_t i = 0;
    while (i < sizeof QUESTIONS / sizeof *QUESTIONS && strcmp(QUESTIONS[i].option, option) != 0)
        i++;
    cr_assert_lt(i, sizeof QUESTIONS / sizeof *QUESTIONS, "%s is asked by no function here", option);
    cr_assert_str_eq(QUESTIONS[i].key, key);
    return QUESTIONS[i].ask;
}

/* "SPEC --option value"; false when it is refused. */
static bool answer(pby_enclosure *x, const char *arguments, const char *key)
{
    char text[LINE_SIZE];
    strcpy(text, arguments);
    char *rest = text;
    const char *spec_text = strsep(&rest, " "), *option = strsep(&rest, " "), *value = rest;
    question *ask = find_question(option, key);
    pby_spec *spec = NULL;
    mpq_t at;
    mpq_init(at);
    parse(at, value);
    pby_status status = pby_spec_parse(&spec, &spec_text, 1, NULL);
    if (status == PBY_OK)
        status = ask(x, spec, PBY_ADD_REMOVE, at, DIGITS, NULL);
    mpq_clear(at);
    pby_spec_free(spec);
    return status == PBY_OK;
}

/* "exact", "within W" (absolute) or ">=". */
static void judge(const pby_enclosure *x, const char *arguments, const char *expected, const char *relation)
{
    mpq_t value, margin, end;
    mpq_inits(value, margin, end, NULL);
    parse(value, expected);
    if (strncmp(relation, "within ", 7) == 0)
        parse(margin, relation + 7);
    else
        cr_assert(strcmp(relation, "exact") == 0 || strcmp(relation, ">=") == 0, "%s", relation);
    if (strcmp(relation, ">=") == 0) {
        cr_assert(mpfr_cmp_q(x->hi, value) >= 0, "%s", arguments);
    } else {
        mpq_sub(end, value, margin);
        cr_assert(mpfr_cmp_q(x->lo, end) >= 0, "%s is below %s", arguments, expected);
        mpq_add(end, value, margin);
        cr_assert(mpfr_cmp_q(x->hi, end) <= 0, "%s is above %s", arguments, expected);
    }
    mpq_clears(value, margin, end, NULL);
}

Test(vectors, every_row)
{
    FILE *in = fopen("tests/vectors/loss.tsv", "r");
    char line[LINE_SIZE], *field[FIELDS];
    size_t answered = 0;
    pby_enclosure x;
    pby_enclosure_init(&x);
    cr_assert_not_null(in, "run from the top of the source tree");
    while (fgets(line, sizeof line, in) != NULL) {
        if (*line == '#')
            continue;
        cr_assert_eq(split(line, field), (size_t)FIELDS, "%s", line);
        cr_assert(answer(&x, field[0], field[1]), "%s is not answered", field[0]);
        judge(&x, field[0], field[2], field[3]);
        answered++;
    }
    fclose(in);
    pby_enclosure_clear(&x);
    cr_assert(answered >= 14, "rows are gone from the file");
}
