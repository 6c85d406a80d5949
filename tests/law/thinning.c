/* SPDX-License-Identifier: MIT */
#include "law/thinning.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/law/fit.h"
#include "tests/law/make.h"

static pby_thinning *make_thinning(const char *rate)
{
    pby_thinning *thinning;
    fmpq_t q;
    fmpq_init(q);
    set_text(q, rate);
    cr_assert_eq(pby_thinning_new(&thinning, q, NULL), PBY_OK);
    fmpq_clear(q);
    return thinning;
}

/* ---- the whole law ------------------------------------------------------------------------------- */

enum { MOST = 3 };

/* out = (x over k) q^k (1-q)^(x-k) */
static void binomial(fmpq_t out, int64_t x, int64_t k, const fmpq_t q)
{
    fmpz_t ways;
    fmpq_t rest, part;
    fmpz_init(ways);
    fmpq_init(rest);
    fmpq_init(part);
    fmpz_bin_uiui(ways, (ulong)x, (ulong)k);
    fmpq_sub_si(rest, q, 1);
    fmpq_neg(rest, rest);
    fmpq_pow_si(out, q, k);
    fmpq_pow_si(part, rest, x - k);
    fmpq_mul(out, out, part);
    fmpq_mul_fmpz(out, out, ways);
    fmpq_clear(part);
    fmpq_clear(rest);
    fmpz_clear(ways);
}

/* Every tape of `depth` words of which the lowest x bits count: as many lead to k as its chance says. Tapes
 * that end before all is decided may lead to any. */
static void check_law(const char *rate, int64_t x, unsigned depth, bool ends)
{
    const uint64_t values = UINT64_C(1) << x, tapes = UINT64_C(1) << (x * depth);
    int64_t hits[MOST + 1] = {0}, open = 0;
    pby_thinning *thinning = make_thinning(rate);
    for (uint64_t code = 0; code < tapes; code++) {
        uint64_t words[16];
        pby_entropy *tape;
        int64_t seen;
        for (unsigned t = 0; t < depth; t++) /* the other bits must not matter */
            words[t] = (code >> (x * t)) % values | (t % 2 == 0 ? UINT64_MAX << x : 0);
        cr_assert_eq(pby_entropy_tape(&tape, words, depth, NULL), PBY_OK);
        if (pby_thinning_draw(thinning, tape, &x, &seen, 1, NULL) == PBY_OK) {
            cr_assert(seen >= 0 && seen <= x);
            hits[seen]++;
        } else {
            open++;
        }
        pby_entropy_free(tape);
    }
    cr_assert_eq(open == 0, ends);
    fmpq_t q, chance, least, all;
    fmpq_init(q);
    fmpq_init(chance);
    fmpq_init(least);
    fmpq_init(all);
    set_text(q, rate);
    fmpq_set_ui(all, tapes, 1);
    for (int64_t k = 0; k <= x; k++) {
        binomial(chance, x, k, q);
        fmpq_mul(chance, chance, all);
        fmpq_set_si(least, hits[k], 1);
        cr_assert(fmpq_cmp(least, chance) <= 0, "%s of %d: too many at %d", rate, (int)x, (int)k);
        fmpq_set_si(least, hits[k] + open, 1);
        cr_assert(fmpq_cmp(least, chance) >= 0, "%s of %d: too few at %d", rate, (int)x, (int)k);
    }
    fmpq_clear(all);
    fmpq_clear(least);
    fmpq_clear(chance);
    fmpq_clear(q);
    pby_thinning_free(thinning);
}

Test(thinning, rates_whose_digits_end_are_exact)
{
    static const char *const rates[] = {"1/2", "1/4", "3/4", "3/8", "5/8", "1/16", "11/16"};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        for (int64_t x = 1; x <= MOST; x++)
            check_law(rates[i], x, 4, true);
}

Test(thinning, rates_whose_digits_go_on_are_enclosed)
{
    static const char *const rates[] = {"1/3", "2/3", "1/100", "99/100", "5/7"};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        check_law(rates[i], 1, 14, false);
        check_law(rates[i], 2, 7, false);
        check_law(rates[i], 3, 4, false);
    }
}

/* ---- many records -------------------------------------------------------------------------------- */

/* The recorded words, bit by bit: in each round every record that is left takes the next one. Rounds begin
 * with a word. */
static void check_records(const char *rate, int64_t x)
{
    pby_thinning *thinning = make_thinning(rate);
    pby_entropy *source = seeded(7);
    int64_t got, seen = 0, left = x;
    size_t count, used = 0;
    fmpq_t rest;
    cr_assert_eq(pby_entropy_record(source, NULL), PBY_OK);
    cr_assert_eq(pby_thinning_draw(thinning, source, &x, &got, 1, NULL), PBY_OK);
    const uint64_t *words = pby_entropy_recorded(source, &count);
    fmpq_init(rest);
    set_text(rest, rate);
    while (left > 0 && !fmpq_is_zero(rest)) {
        const int64_t records = left;
        fmpq_mul_2exp(rest, rest, 1);
        const unsigned digit = fmpq_cmp_si(rest, 1) >= 0;
        fmpq_sub_si(rest, rest, digit);
        for (int64_t r = 0; r < records; r++) {
            const unsigned bit = words[used + (size_t)r / 64] >> r % 64 & 1;
            seen += bit < digit;
            left -= bit != digit;
        }
        used += ((size_t)records + 63) / 64;
        cr_assert_leq(used, count);
    }
    cr_assert_eq(used, count, "every word is used, and once");
    cr_assert_eq(got, seen, "%s of %lld", rate, (long long)x);
    fmpq_clear(rest);
    pby_entropy_free(source);
    pby_thinning_free(thinning);
}

Test(thinning, every_record_has_bits_of_its_own)
{
    check_records("1/3", 200000); /* more than are counted at a time */
    check_records("3/4", 65536);
    check_records("1/100", 65537);
    check_records("999999/1000000", 1000);
    check_records("1/18446744073709551629", 64); /* more digits than are kept */
}

/* The digits of 1/2^70 are 69 zeros and a one: a number of zeros alone is below it, and behind the digits
 * nothing is. */
Test(thinning, digits_beyond_those_that_are_kept)
{
    for (size_t last = 0; last < 2; last++) {
        uint64_t words[70] = {0};
        const int64_t x = 1;
        int64_t seen;
        pby_thinning *thinning = make_thinning("1/1180591620717411303424");
        pby_entropy *tape;
        words[69] = last;
        cr_assert_eq(pby_entropy_tape(&tape, words, 70, NULL), PBY_OK);
        cr_assert_eq(pby_thinning_draw(thinning, tape, &x, &seen, 1, NULL), PBY_OK);
        cr_assert_eq(seen, last == 0);
        pby_entropy_free(tape);
        pby_thinning_free(thinning);
    }
}

Test(thinning, in_place_and_refused)
{
    pby_thinning *thinning = make_thinning("1/2");
    pby_entropy *source = seeded(1);
    int64_t counts[3] = {0, 100, 1};
    const int64_t large = PBY_THINNED_MAX + 1;
    int64_t seen;
    pby_error err;
    cr_assert_eq(pby_thinning_draw(thinning, source, counts, counts, 3, NULL), PBY_OK);
    cr_assert(counts[0] == 0 && counts[1] >= 0 && counts[1] <= 100 && (counts[2] == 0 || counts[2] == 1));
    cr_assert_eq(pby_thinning_draw(thinning, source, &large, &seen, 1, &err), PBY_BAD);
    cr_assert_null(strstr(err.text, "68719476737"), "the error shows a count");
    pby_entropy_free(source);
    pby_thinning_free(thinning);
}
