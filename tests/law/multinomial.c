/* SPDX-License-Identifier: MIT */
#include "law/multinomial.h"

#include <criterion/criterion.h>
#include <flint/fmpq_vec.h>
#include <string.h>

#include "tests/law/make.h"

enum { PLACES = 3, MOST = 2 };

/* The chance of each way to deal x records, record by record: at sum of dealt[i] (MOST + 1)^i. */
static void by_records(fmpq *out, const fmpq *chance, int64_t x)
{
    uint64_t ways = 1;
    for (int64_t r = 0; r < x; r++)
        ways *= PLACES;
    for (uint64_t code = 0; code < ways; code++) {
        size_t at = 0;
        uint64_t rest = code;
        fmpq_t part;
        fmpq_init(part);
        fmpq_one(part);
        for (int64_t r = 0; r < x; r++, rest /= PLACES) {
            const uint64_t place = rest % PLACES;
            fmpq_mul(part, part, chance + place);
            at += place == 0 ? 1 : place == 1 ? MOST + 1 : (MOST + 1) * (MOST + 1);
        }
        fmpq_add(out + at, out + at, part);
        fmpq_clear(part);
    }
}

/* Every tape of `depth` words of which the lowest x bits count. Tapes that end before all is decided may lead
 * to any way. */
static void check_law(const char *const texts[PLACES], int64_t x, unsigned depth, bool ends)
{
    enum { WAYS = (MOST + 1) * (MOST + 1) * (MOST + 1) };
    const uint64_t values = UINT64_C(1) << x, tapes = UINT64_C(1) << ((uint64_t)x * depth);
    int64_t hits[WAYS] = {0}, open = 0;
    fmpq *chance = _fmpq_vec_init(PLACES), *law = _fmpq_vec_init(WAYS);
    fmpq_t found;
    for (int i = 0; i < PLACES; i++)
        set_text(chance + i, texts[i]);
    by_records(law, chance, x);
    for (uint64_t code = 0; code < tapes; code++) {
        uint64_t words[16];
        int64_t dealt[PLACES] = {0};
        pby_entropy *tape;
        for (unsigned t = 0; t < depth; t++)
            words[t] = (code >> ((uint64_t)x * t)) % values;
        cr_assert_eq(pby_entropy_tape(&tape, words, depth, NULL), PBY_OK);
        if (pby_multinomial_draw(tape, x, chance, PLACES, dealt, NULL) == PBY_OK) {
            cr_assert_eq(dealt[0] + dealt[1] + dealt[2], x);
            hits[dealt[0] + (MOST + 1) * (dealt[1] + (MOST + 1) * dealt[2])]++;
        } else {
            open++;
        }
        pby_entropy_free(tape);
    }
    cr_assert_eq(open == 0, ends);
    fmpq_init(found);
    for (int i = 0; i < WAYS; i++) {
        fmpq_set_si(found, hits[i], 1);
        fmpq_div_2exp(found, found, (ulong)x * depth);
        cr_assert(fmpq_cmp(found, law + i) <= 0, "%s,%s,%s: too many", texts[0], texts[1], texts[2]);
        fmpq_set_si(found, hits[i] + open, 1);
        fmpq_div_2exp(found, found, (ulong)x * depth);
        cr_assert(fmpq_cmp(found, law + i) >= 0, "%s,%s,%s: too few", texts[0], texts[1], texts[2]);
    }
    fmpq_clear(found);
    _fmpq_vec_clear(law, WAYS);
    _fmpq_vec_clear(chance, PLACES);
}

Test(multinomial, is_the_law_of_records_that_are_dealt_one_by_one)
{
    static const char *const halves[] = {"1/2", "1/4", "1/4"}, *const fourths[] = {"1/4", "3/8", "3/8"},
                             *const thirds[] = {"1/3", "1/2", "1/6"},
                             *const sevenths[] = {"2/7", "4/7", "1/7"};
    check_law(halves, 1, 2, true);
    check_law(halves, 2, 2, true);
    check_law(fourths, 2, 3, true);
    check_law(thirds, 1, 14, false);
    check_law(thirds, 2, 7, false);
    check_law(sevenths, 2, 7, false);
}

/* The count of a place is added to, and nothing is drawn for no record or for one place. */
Test(multinomial, adds_and_draws_only_where_something_is_open)
{
    fmpq *chance = _fmpq_vec_init(1);
    int64_t dealt[PLACES] = {5, 6, 7};
    pby_entropy *tape;
    fmpq_one(chance);
    cr_assert_eq(pby_entropy_tape(&tape, NULL, 0, NULL), PBY_OK);
    cr_assert_eq(pby_multinomial_draw(tape, 40, chance, 1, dealt, NULL), PBY_OK);
    cr_assert_eq(pby_multinomial_draw(tape, 0, chance, 1, dealt + 1, NULL), PBY_OK);
    cr_assert(dealt[0] == 45 && dealt[1] == 6 && dealt[2] == 7);
    pby_entropy_free(tape);
    _fmpq_vec_clear(chance, 1);
}
