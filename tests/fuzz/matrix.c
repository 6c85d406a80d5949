/* SPDX-License-Identifier: MIT */
/* A table of rationals is refused on one line, or written again it is the same. A first byte that is odd asks
 * for columns whose names differ. */
#include "table/measure/matrix.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probity/rational.h"
#include "table/row/csv_row.h"
#include "table/store/rows.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static void put_name(FILE *out, const pby_names *names, size_t i)
{
    size_t size;
    const uint8_t *name = pby_names_get(names, i, &size);
    uint8_t *text = malloc(2 * size + 2);
    must(text != NULL, "memory");
    const uint8_t *end = pby_put_name(text, name, size);
    fwrite(text, 1, (size_t)(end - text), out);
    free(text);
}

/* As a fraction; or, where that has more digits than a number may have, by an exponent: a number that was
 * read and is no fraction was written so. */
static void put_number(FILE *out, mpq_srcptr x)
{
    char *text = mpq_get_str(NULL, 10, x);
    mpz_t digits, two, five, rest;
    mpz_inits(digits, two, five, rest, NULL);
    if (strlen(text) > PBY_RATIONAL_DIGITS_MAX) {
        mpz_set_ui(two, 2);
        mpz_set_ui(five, 5);
        const unsigned long a = mpz_remove(rest, mpq_denref(x), two), b = mpz_remove(rest, rest, five);
        long exponent = -(long)(a > b ? a : b);
        must(mpz_cmp_ui(rest, 1) == 0, "a fraction has no more digits than it was read of");
        mpz_ui_pow_ui(digits, 10, (unsigned long)-exponent);
        mpz_mul(digits, digits, mpq_numref(x));
        mpz_divexact(digits, digits, mpq_denref(x));
        for (mpz_set_ui(two, 10); mpz_divisible_p(digits, two); exponent++)
            mpz_divexact(digits, digits, two);
        free(text);
        text = mpz_get_str(NULL, 10, digits);
        fprintf(out, "%se%ld", text, exponent);
    } else
        fputs(text, out);
    mpz_clears(digits, two, five, rest, NULL);
    free(text);
}

static char *written(const pby_matrix *m, size_t *size)
{
    char *text;
    mpq_t value;
    mpq_init(value);
    FILE *out = open_memstream(&text, size);
    must(out != NULL, "memory");
    fputc('x', out);
    for (size_t j = 0; j < m->width; j++) {
        fputc(',', out);
        if (pby_names_count(m->columns) > 0)
            put_name(out, m->columns, j);
    }
    for (size_t i = 0; i < pby_names_count(m->rows); i++) {
        fputc('\n', out);
        put_name(out, m->rows, i);
        for (size_t j = 0; j < m->width; j++) {
            fmpq_get_mpq(value, m->value + i * m->width + j);
            fputc(',', out);
            put_number(out, value);
        }
    }
    fputc('\n', out);
    must(fclose(out) == 0, "memory");
    mpq_clear(value);
    return text;
}

static void check_again(const pby_matrix *m, const pby_matrix_form *form)
{
    pby_matrix again;
    size_t size, other;
    char *text = written(m, &size);
    must(pby_matrix_parse(&again, "again", text, size, form, NULL) == PBY_OK, "what was written is read");
    char *second = written(&again, &other);
    must(size == other && memcmp(text, second, size) == 0, "and is the same");
    must(again.width == m->width && pby_names_count(again.rows) == pby_names_count(m->rows), "of one size");
    for (size_t i = 0; i < m->width * pby_names_count(m->rows); i++)
        must(fmpq_equal(m->value + i, again.value + i), "with equal numbers");
    pby_matrix_clear(&again);
    free(second);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const bool differ = size > 0 && data[0] % 2 == 1;
    const pby_matrix_form form = {.header = "header",
                                  .narrow = "narrow",
                                  .row = "row",
                                  .name = "name",
                                  .value = "value",
                                  .column = differ ? "column" : NULL};
    pby_error err = PBY_NO_ERROR;
    pby_matrix m;
    if (size == 0)
        return 0;
    char *text = malloc(size);
    must(text != NULL, "memory");
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    if (pby_matrix_parse(&m, "t.csv", text, size - 1, &form, &err) == PBY_OK) {
        must(m.width > 0 && pby_names_count(m.rows) > 0, "there are rows and columns");
        check_again(&m, &form);
    } else {
        must(err.status == PBY_BAD, "bytes are refused, they do not break the machine");
        must(strncmp(err.text, "t.csv: line ", 12) == 0 && strchr(err.text, '\n') == NULL, "by a place");
    }
    pby_matrix_clear(&m);
    free(text);
    return 0;
}
