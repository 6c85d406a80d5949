/* SPDX-License-Identifier: MIT */
#include "law/pick.h"
#include "number/scoped.h"

#include <arb.h>
#include <flint/longlong.h>
#include <gmp.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdlib.h>

/* A fall is read in digits of so many bits, with a table for each. */
enum { DIGIT = 10, WORD = 64, GUARD = 32 };

/* ---- weights ----------------------------------------------------------------------------------- */

struct powers {
    uint64_t *entry; /* exp(-rate d 2^(DIGIT k)) 2^64 at k 2^DIGIT + d, rounded down; 2^64 - 1 for d = 0 */
    unsigned digits;
};

/* An entry is at most 1 below its number. A product of two words that are at most a and b below theirs,
 * rounded down, is at most a + b + 2 below its own. A weight begins 1 below and has a factor for each digit.
 */
static uint64_t slack(const struct powers *p)
{
    return 1 + 3 * (uint64_t)p->digits;
}

static uint64_t entry_of(const fmpq_t rate, uint64_t d, unsigned shift)
{
    const slong prec = 2 * WORD;
    fmpz_t whole;
    PBY_FMPQ(x);
    PBY_ARB(ball);
    PBY_ARF(end);
    fmpz_init_set_ui(whole, d);
    fmpz_mul_2exp(whole, whole, shift);
    fmpz_neg(whole, whole);
    fmpq_mul_fmpz(x, rate, whole);
    arb_set_fmpq(ball, x, prec + (slong)fmpz_bits(fmpq_numref(x)));
    arb_exp(ball, ball, prec);
    arb_get_lbound_arf(end, ball, prec);
    arf_mul_2exp_si(end, end, WORD);
    arf_get_fmpz(whole, end, ARF_RND_FLOOR);
    const uint64_t out = fmpz_sgn(whole) <= 0 ? 0 : fmpz_get_ui(whole);
    fmpz_clear(whole);
    return out;
}

static pby_status powers_init(struct powers *p, const fmpq_t rate, uint64_t most, pby_error *err)
{
    p->digits = most == 0 ? 1 : ((unsigned)FLINT_BIT_COUNT(most) + DIGIT - 1) / DIGIT;
    p->entry = malloc(((size_t)p->digits << DIGIT) * sizeof *p->entry);
    if (p->entry == NULL)
        return pby_no_memory(err);
    for (unsigned k = 0; k < p->digits; k++) {
        const uint64_t top = most >> (k * DIGIT), last = (1u << DIGIT) - 1; /* no digit is above either */
        for (uint64_t d = 0; d <= (top < last ? top : last); d++)
            p->entry[((size_t)k << DIGIT) + d] = d == 0 ? UINT64_MAX : entry_of(rate, d, k * DIGIT);
    }
    return PBY_OK;
}

static uint64_t weigh(const struct powers *p, uint64_t fall)
{
    uint64_t weight = UINT64_MAX, low;
    for (unsigned k = 0; k < p->digits; k++, fall >>= DIGIT) {
        const uint64_t digit = fall & ((1u << DIGIT) - 1);
        if (digit != 0)
            umul_ppmm(weight, low, weight, p->entry[((size_t)k << DIGIT) + digit]);
    }
    (void)low;
    return weight;
}

/* ---- the quick way ----------------------------------------------------------------------------- */

/* A sum of weights, less than 2^24 of them: two words. */
struct sum {
    uint64_t high, low;
};

static void add(struct sum *s, uint64_t x)
{
    add_ssaaaa(s->high, s->low, s->high, s->low, 0, x);
}

static bool less(const struct sum *a, const struct sum *b)
{
    return a->high < b->high || (a->high == b->high && a->low < b->low);
}

/* out = floor(word sum/2^128) for a random number of two words. */
static void place(struct sum *out, const uint64_t word[2], const struct sum *s)
{
    mp_limb_t product[4];
    const mp_limb_t a[2] = {word[1], word[0]}, b[2] = {s->low, s->high};
    mpn_mul_n(product, a, b, 2);
    *out = (struct sum){product[3], product[2]};
    sodium_memzero(product, sizeof product);
}

/* The candidate in whose share the number lies for certain; n where that is not told. */
static size_t settle(const uint64_t *weight, size_t n, uint64_t below, const uint64_t word[2])
{
    struct sum all = {0, 0}, most, at, last = {0, 0};
    for (size_t i = 0; i < n; i++)
        add(&all, weight[i]);
    most = all;
    add(&most, (uint64_t)n * below);
    place(&at, word, &all);    /* at or below the number's place among the true sums */
    place(&most, word, &most); /* and so many above it: */
    add(&most, 2);
    size_t i = 0;
    struct sum next = {0, weight[0]};
    while (i + 1 < n && !less(&at, &next)) {
        last = next;
        add(&next, weight[++i]);
    }
    struct sum left = last;
    if (i > 0)
        add(&left, (uint64_t)i * below);
    const bool inside = !less(&at, &left) && less(&most, &next);
    sodium_memzero(&at, sizeof at);
    sodium_memzero(&most, sizeof most);
    return inside ? i : n;
}

/* ---- until it is decided ----------------------------------------------------------------------- */

static void exact_weight(arb_t out, uint64_t fall, const fmpq_t rate, slong prec)
{
    fmpz_t times;
    PBY_FMPQ(x);
    fmpz_init_set_ui(times, fall);
    fmpq_mul_fmpz(x, rate, times);
    fmpq_neg(x, x);
    arb_set_fmpq(out, x, prec + GUARD + (slong)fmpz_bits(fmpq_numref(x)));
    arb_exp(out, out, prec + GUARD);
    fmpz_clear(times);
}

/* The candidate whose share holds all of [number, number + 1]/2^bits; n where none does for certain. */
static size_t settle_slowly(const uint64_t *fall, size_t n, const fmpq_t rate, const fmpz_t number,
                            slong bits)
{
    const slong prec = bits + GUARD;
    size_t found = n;
    PBY_ARB(all, one, from, to, sum);
    PBY_FMPZ(next);
    for (size_t i = 0; i < n; i++) {
        exact_weight(one, fall[i], rate, prec);
        arb_add(all, all, one, prec);
    }
    fmpz_add_ui(next, number, 1);
    arb_mul_fmpz(from, all, number, prec);
    arb_mul_2exp_si(from, from, -bits);
    arb_mul_fmpz(to, all, next, prec);
    arb_mul_2exp_si(to, to, -bits);
    for (size_t i = 0; i < n && found == n; i++) {
        const bool after = i == 0 || arb_le(sum, from);
        exact_weight(one, fall[i], rate, prec);
        arb_add(sum, sum, one, prec);
        if (after && (i + 1 == n || arb_le(to, sum)))
            found = i;
        if (!after)
            break;
    }
    return found;
}

static pby_status pick_slowly(size_t *found, const uint64_t *fall, size_t n, const fmpq_t rate,
                              const uint64_t word[2], pby_entropy *source, pby_error *err)
{
    pby_status status = PBY_OK;
    fmpz_t number;
    fmpz_init_set_ui(number, word[0]);
    fmpz_mul_2exp(number, number, WORD);
    fmpz_add_ui(number, number, word[1]);
    *found = n;
    for (slong bits = 2 * WORD; *found == n && status == PBY_OK; bits += WORD) {
        uint64_t more = 0;
        *found = settle_slowly(fall, n, rate, number, bits);
        if (*found < n)
            break;
        status = pby_entropy_words(source, &more, 1, err);
        fmpz_mul_2exp(number, number, WORD);
        fmpz_add_ui(number, number, more);
    }
    fmpz_clear(number);
    return status;
}

pby_status pby_pick(uint64_t *chosen, const uint64_t *fall, size_t n, const fmpq_t rate, pby_entropy *source,
                    pby_error *err)
{
    uint64_t most = 0, word[2];
    struct powers p = {NULL, 0};
    size_t found = n;
    for (size_t i = 0; i < n; i++)
        most = FLINT_MAX(most, fall[i]);
    uint64_t *weight = reallocarray(NULL, n, sizeof *weight);
    pby_status status = weight == NULL ? pby_no_memory(err) : powers_init(&p, rate, most, err);
    if (status == PBY_OK)
        status = pby_entropy_words(source, word, 2, err);
    if (status == PBY_OK) {
        for (size_t i = 0; i < n; i++)
            weight[i] = weigh(&p, fall[i]);
        found = settle(weight, n, slack(&p), word);
        if (found == n)
            status = pick_slowly(&found, fall, n, rate, word, source, err);
    }
    *chosen = status == PBY_OK ? found : 0;
    if (weight != NULL)
        sodium_memzero(weight, n * sizeof *weight);
    sodium_memzero(word, sizeof word);
    free(weight);
    free(p.entry);
    return status;
}
