/* Every row of tests/vectors/loss.tsv through the library.
 *
 * A row is "arguments <tab> key <tab> expected <tab> relation <tab> source". What the library cannot answer
 * yet is listed below by name, and a row that is listed but answered fails as well: the list can only
 * shrink. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probity/loss.h"
#include "probity/rational.h"

enum { LINE_SIZE = 1024, FIELDS = 5, DIGITS = 40 };

/* Specs that no family answers yet, and keys that no function here answers yet. */
static const char *const PENDING[] = {
    "stlap:eps=1/2,tau=1/75,n=3000,bars=3 --epsilon 1/2",
    "threshold:eps=1/10,T=150 --epsilon 1/10",
    "3*gauss:sigma2=3,sensitivity=1 --epsilon 1",
    "2*geometric:eps=1/2 --epsilon 1/2",
    "zcdp:rho=1/20 --epsilon 1/4",
    "zcdp:rho=5e-30 --epsilon 1e-13",
    "pure:eps=1/10 --order 2",
    NULL,
};

static bool is_pending(const char *arguments)
{
    for (size_t i = 0; PENDING[i] != NULL; i++)
        if (strcmp(PENDING[i], arguments) == 0)
            return true;
    return false;
}

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

/* "SPEC --option value"; false when the option is not --epsilon or --delta, or the answer is refused. */
static bool answer(pby_enclosure *x, const char *arguments)
{
    char text[LINE_SIZE];
    strcpy(text, arguments);
    char *rest = text;
    const char *spec_text = strsep(&rest, " "), *option = strsep(&rest, " "), *value = rest;
    const bool delta = strcmp(option, "--epsilon") == 0;
    if (!delta && strcmp(option, "--delta") != 0)
        return false;
    pby_spec *spec = NULL;
    mpq_t at;
    mpq_init(at);
    parse(at, value);
    pby_status status = pby_spec_parse(&spec, &spec_text, 1, NULL);
    if (status == PBY_OK)
        status = delta ? pby_loss_delta(x, spec, PBY_ADD_REMOVE, at, DIGITS, NULL)
                       : pby_loss_epsilon(x, spec, PBY_ADD_REMOVE, at, DIGITS, NULL);
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
    size_t answered = 0, pending = 0;
    pby_enclosure x;
    pby_enclosure_init(&x);
    cr_assert_not_null(in, "run from the top of the source tree");
    while (fgets(line, sizeof line, in) != NULL) {
        if (*line == '#')
            continue;
        cr_assert_eq(split(line, field), (size_t)FIELDS, "%s", line);
        if (is_pending(field[0])) {
            cr_assert(!answer(&x, field[0]), "%s is answered: take it off the list", field[0]);
            pending++;
            continue;
        }
        cr_assert(answer(&x, field[0]), "%s is not answered", field[0]);
        judge(&x, field[0], field[2], field[3]);
        answered++;
    }
    fclose(in);
    pby_enclosure_clear(&x);
    cr_assert_eq(pending, sizeof PENDING / sizeof *PENDING - 1, "a row on the list is gone from the file");
    cr_assert(answered >= 8);
}
