/* SPDX-License-Identifier: MIT */
/* The worst inputs of records that do not fill their bars, where the ways to spread them are few.
 *
 * A bar with more records shows no less, so that no input is worse than one in which no bar has more than
 * what fills it: records beyond that are moved to a bar which is not full. Bars that do not get the record
 * are alike, so that their counts are listed in decreasing order, and a bar that is empty on both sides shows
 * nothing. */
#include "mechanism/stlap/size.h"
#include "pair/product.h"

enum { BARS_MAX = 17, INPUTS_MAX = 128, TERMS_MAX = 100000 };

struct inputs {
    pby_law *small, *large;              /* the noise at n and at n + 1 records */
    int64_t count[BARS_MAX], bars, full; /* count[0] gets the record */
    pby_pairs *out;                      /* out->count of them so far; NULL while they are counted */
    size_t listed, terms;
    bool few;
    pby_error *err;
};

/* all = the pair of the input count[0 .. used - 1], from n to n + 1 or back. */
static pby_status multiply(pby_pair *all, struct inputs *in, int64_t used, pby_direction direction)
{
    pby_status status = pby_pair_one(all, in->err);
    all->direction = direction;
    for (int64_t i = 0; i < used && in->few && status == PBY_OK; i++) {
        pby_pair bar;
        pby_pair_init(&bar);
        status = pby_stlap_bar(&bar, in->small, in->count[i], in->large, in->count[i] + (i == 0), in->err);
        if (direction == PBY_BACKWARD)
            pby_pair_reverse(&bar);
        if (status == PBY_OK)
            status = pby_stlap_multiply(all, &in->few, &bar, in->err);
        pby_pair_clear(&bar);
    }
    return status;
}

/* Counts the input, and appends its pairs where there is something to append to. */
static pby_status append(struct inputs *in, int64_t used)
{
    static const pby_direction directions[2] = {PBY_FORWARD, PBY_BACKWARD};
    pby_status status = PBY_OK;
    in->few = ++in->listed <= INPUTS_MAX;
    for (size_t i = 0; i < 2 && in->out != NULL && in->few && status == PBY_OK; i++) {
        pby_pair *all = &in->out->pair[in->out->count++];
        status = multiply(all, in, used, directions[i]);
        in->terms += pby_pair_terms(all);
        in->few = in->few && in->terms <= TERMS_MAX;
    }
    return status;
}

/* Spreads the rest over the bars from `at` on, none of them above `most`. */
static pby_status list(struct inputs *in, int64_t at, int64_t rest, int64_t most)
{
    pby_status status = PBY_OK;
    if (rest == 0)
        return append(in, at);
    in->few = at < BARS_MAX;
    for (int64_t x = FLINT_MIN(rest, most);
         x > 0 && x * (in->bars - at) >= rest && in->few && status == PBY_OK; x--) {
        in->count[at] = x;
        status = list(in, at + 1, rest - x, x);
    }
    return status;
}

static pby_status list_all(struct inputs *in, const pby_stlap_size *s)
{
    const int64_t most = FLINT_MIN(s->n, pby_stlap_size_reach(s, s->n));
    pby_status status = PBY_OK;
    for (int64_t x = most; x >= 0 && in->few && status == PBY_OK; x--) {
        in->count[0] = x;
        status = list(in, 1, s->n - x, in->full);
    }
    return status;
}

static pby_status multiply_all(pby_pairs *out, struct inputs *in, const pby_stlap_size *s)
{
    pby_status status = pby_pairs_init(out, 2 * in->listed, in->err);
    out->count = 0;
    in->out = out;
    in->listed = 0;
    if (status == PBY_OK)
        status = pby_stlap_size_law(&in->small, s, s->n, in->err);
    if (status == PBY_OK)
        status = pby_stlap_size_law(&in->large, s, s->n + 1, in->err);
    if (status == PBY_OK)
        status = list_all(in, s);
    pby_law_free(in->large);
    pby_law_free(in->small);
    return status;
}

pby_status pby_stlap_inputs(pby_pairs *out, bool *few, const pby_stlap_size *s, pby_error *err)
{
    *out = (pby_pairs){NULL, 0};
    struct inputs in = {.bars = s->bars, .full = pby_stlap_size_reach(s, s->n + 1), .few = true, .err = err};
    pby_status status = list_all(&in, s);
    if (status == PBY_OK && in.few)
        status = multiply_all(out, &in, s);
    *few = in.few;
    if (status != PBY_OK || !*few)
        pby_pairs_clear(out);
    return status;
}
