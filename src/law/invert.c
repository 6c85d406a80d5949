/* SPDX-License-Identifier: MIT */
#include "law/invert.h"

#include "number/ball.h"
#include "number/scoped.h"

enum { WORD = 64 };

/* U as known so far: digits / 2^bits <= U < (digits + 1) / 2^bits. */
struct uniform {
    fmpz_t digits;
    slong bits;
    pby_entropy *source;
};

static pby_status next_word(struct uniform *u, pby_error *err)
{
    uint64_t word = 0;
    if (u->bits + WORD > PBY_PRECISION_MAX)
        return pby_fail_by(err, PBY_FAILED, PBY_REASON_PRECISION, "a draw is undecided at %d bits",
                           PBY_PRECISION_MAX);
    const pby_status status = pby_entropy_words(u->source, &word, 1, err);
    if (status == PBY_OK) {
        fmpz_mul_2exp(u->digits, u->digits, WORD);
        fmpz_add_ui(u->digits, u->digits, word);
        u->bits += WORD;
    }
    return status;
}

/* *less = whether U < cdf(k). */
static pby_status is_below(bool *less, struct uniform *u, const pby_law *law, int64_t k, pby_error *err)
{
    pby_status status = PBY_OK;
    bool decided = false;
    PBY_ARB(cdf, end);
    while (status == PBY_OK && !decided) {
        pby_law_cdf_arb(cdf, law, k, u->bits + 2 * WORD);
        arb_mul_2exp_si(cdf, cdf, u->bits);
        arb_sub_fmpz(end, cdf, u->digits, ARF_PREC_EXACT); /* cdf - U, in units of the last digit */
        *less = arb_is_positive(end);
        arb_sub_ui(cdf, end, 1, ARF_PREC_EXACT);
        decided = *less ? arb_is_nonnegative(cdf) : arb_is_nonpositive(end);
        if (!decided)
            status = next_word(u, err);
    }
    return status;
}

/* Moves [*from, *to] outwards until U < cdf(*to), and not U < cdf(*from - 1). */
static pby_status gallop(int64_t *from, int64_t *to, struct uniform *u, const pby_law *law, pby_error *err)
{
    bool less = false;
    pby_status status = PBY_OK;
    for (int64_t step = 1; status == PBY_OK && *to < law->hi; step *= 2) {
        status = is_below(&less, u, law, *to, err);
        if (status != PBY_OK || less)
            break;
        if (*to > INT64_MAX / 4)
            return pby_fail(err, PBY_FAILED, "a draw left the range of 64-bit integers");
        *from = *to + 1;
        *to = FLINT_MIN(*to + step, law->hi);
    }
    for (int64_t step = 1; status == PBY_OK && *from > law->lo; step *= 2) {
        status = is_below(&less, u, law, *from - 1, err);
        if (status != PBY_OK || !less)
            break;
        if (*from < INT64_MIN / 4)
            return pby_fail(err, PBY_FAILED, "a draw left the range of 64-bit integers");
        *to = *from - 1;
        *from = FLINT_MAX(*from - step, law->lo);
    }
    return status;
}

pby_status pby_law_invert(int64_t *value, const pby_law *law, uint64_t word, pby_entropy *source,
                          pby_error *err)
{
    struct uniform u = {.bits = WORD, .source = source};
    int64_t from = law->body_lo, to = law->body_hi;
    fmpz_init_set_ui(u.digits, word);
    pby_status status = gallop(&from, &to, &u, law, err);
    while (status == PBY_OK && from < to) {
        const int64_t middle = from + (to - from) / 2;
        bool less = false;
        status = is_below(&less, &u, law, middle, err);
        if (less)
            to = middle;
        else
            from = middle + 1;
    }
    *value = status == PBY_OK ? from : 0;
    fmpz_zero(u.digits);
    fmpz_clear(u.digits);
    return status;
}
