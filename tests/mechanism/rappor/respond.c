/* SPDX-License-Identifier: MIT */
#include "mechanism/rappor/respond.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism/family.h"
#include "probity/experimental/memo.h"
#include "tests/spec.h"

/* Bits from outside: SHA-256 of Python's hashlib over what bloom.c says. */
Test(rappor_respond, bits_from_outside)
{
    static const struct {
        const char *spec, *value;
        uint64_t cohort;
        int bit[6]; /* ended by -1 */
    } rows[] = {
        {"rappor:bits=128,hashes=2,f=1/2", "alice", 0, {98, 35, -1}},
        {"rappor:bits=16,hashes=2,f=1/2,cohorts=4,seed=7", "bob", 3, {15, 11, -1}},
        {"rappor:bits=65,hashes=5,f=1/2,seed=2147483647", "\xc3\xa4", 0, {33, 27, 37, 49, 29, -1}},
        {"rappor:bits=70,f=1/2", "69", 0, {69, -1}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pby_spec *spec = spec_of(rows[i].spec);
        pby_rappor r;
        uint64_t bits[2] = {0}, expected[2] = {0};
        pby_rappor_of(&r, &spec->use[0].mechanism);
        for (size_t j = 0; j < 6 && rows[i].bit[j] >= 0; j++)
            expected[rows[i].bit[j] / 64] |= (uint64_t)1 << rows[i].bit[j] % 64;
        cr_assert_eq(pby_rappor_encode(bits, &r, rows[i].cohort, rows[i].value, strlen(rows[i].value), NULL),
                     PBY_OK);
        cr_assert_arr_eq(bits, expected, pby_rappor_words(&r) * sizeof *bits, "%s", rows[i].value);
        pby_spec_free(spec);
    }
}

static void refuses(const char *text, const char *value, size_t length)
{
    pby_spec *spec = spec_of(text);
    pby_rappor r;
    pby_error err;
    uint64_t bits[2];
    pby_rappor_of(&r, &spec->use[0].mechanism);
    cr_assert_eq(pby_rappor_encode(bits, &r, 0, value, length, &err), PBY_BAD, "%.*s", (int)length, value);
    cr_assert_not_null(strstr(err.text, "(not shown)"), "%s", err.text);
    pby_spec_free(spec);
}

Test(rappor_respond, values_that_cannot_be)
{
    static const char *const bad[] = {"", "70", "-1", "+1", "01", " 1", "1 ", "a", "99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuses("rappor:bits=70,f=1/2", bad[i], strlen(bad[i]));
    char *long_one = calloc(1, PBY_MEMO_VALUE_MAX + 1);
    memset(long_one, 'x', PBY_MEMO_VALUE_MAX + 1);
    refuses("rappor:bits=70,hashes=2,f=1/2", long_one, PBY_MEMO_VALUE_MAX + 1);
    refuses("rappor:bits=70,hashes=2,f=1/2", "", 0);
    free(long_one);
}

Test(rappor_respond, a_report_is_read_as_it_was_written)
{
    pby_spec *spec = spec_of("rappor:bits=70,hashes=2,f=1/2,cohorts=20");
    pby_rappor r;
    uint64_t bits[2] = {0x8000000000000001, 0x21}, read[2], cohort;
    pby_rappor_of(&r, &spec->use[0].mechanism);
    char *text = malloc(pby_rappor_text_size(&r));
    pby_rappor_text(text, &r, 17, bits);
    cr_assert_eq(strncmp(text, "17:1000", 7), 0);
    cr_assert_eq(strlen(text), 73);
    cr_assert(pby_rappor_read(&cohort, read, &r, text));
    cr_assert_eq(cohort, 17);
    cr_assert_arr_eq(bits, read, sizeof bits);
    static const char *const bad[] = {"", "1", "20:0", "017:", ":", "17:"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_assert(!pby_rappor_read(&cohort, read, &r, bad[i]), "%s", bad[i]);
    text[20] = '2';
    cr_assert(!pby_rappor_read(&cohort, read, &r, text));
    text[20] = '0';
    strcat(text, "0");
    cr_assert(!pby_rappor_read(&cohort, read, &r, text));
    free(text);
    pby_spec_free(spec);
}

/* Counts of ones over n users, with and without the bit, against their chances: a count is off by more than d
 * with a chance of at most 2 exp(-2 d^2/n) (Hoeffding), d = 2000 of n = 100000 below 1e-34. */
Test(rappor_respond, reports_have_their_chances)
{
    enum { N = 100000, FAR = 2000 };
    static const uint8_t seed[PBY_SEED_SIZE] = {5};
    pby_spec *spec = spec_of("rappor:bits=70,f=1/3,p=4/5,q=1/7,reports=1");
    pby_rappor r;
    pby_responder x;
    pby_entropy *source;
    fmpq_t with, without;
    fmpq_init(with);
    fmpq_init(without);
    pby_rappor_of(&r, &spec->use[0].mechanism);
    pby_rappor_chances(with, without, &r);
    cr_assert_eq(pby_responder_init(&x, &r, NULL), PBY_OK);
    cr_assert_eq(pby_entropy_seeded(&source, seed, NULL), PBY_OK);
    uint64_t *bits = calloc(2 * N, sizeof *bits);
    for (size_t i = 0; i < N; i++)
        bits[2 * i + 1] = 0x20;
    cr_assert_eq(pby_responder_permanent(&x, source, false, bits, bits, N, NULL), PBY_OK);
    cr_assert_eq(pby_responder_report(&x, source, false, bits, bits, N, NULL), PBY_OK);
    long ones[70] = {0};
    for (size_t i = 0; i < N; i++) {
        cr_assert_eq(bits[2 * i + 1] >> 6, 0);
        for (size_t j = 0; j < 70; j++)
            ones[j] += (long)(bits[2 * i + j / 64] >> j % 64 & 1);
    }
    for (size_t j = 0; j < 70; j++) {
        const fmpq *chance = j == 69 ? with : without;
        const double expected = N * fmpz_get_d(fmpq_numref(chance)) / fmpz_get_d(fmpq_denref(chance));
        cr_assert(labs(ones[j] - (long)expected) < FAR, "bit %zu", j);
    }
    free(bits);
    pby_entropy_free(source);
    pby_responder_clear(&x);
    fmpq_clear(without);
    fmpq_clear(with);
    pby_spec_free(spec);
}
