/* SPDX-License-Identifier: MIT */
/* One record changed, at a threshold from the size: a bar goes from x + 1 to x and another from y to y + 1,
 * with the noise of the one size m = x + 1 + y + the records of other bars.
 *
 * As in docs/theory/stlap-size.md a bar with more records shows no less, and one is full with reach(m)
 * records. Where m records fill both there is one worst input, its own reverse with the bars exchanged; where
 * they do not, all of them are in the two bars, and every way to spread them counts, its reverse being
 * another one. */
#include "mechanism/stlap/size.h"
#include "number/text.h"
#include "pair/product.h"

enum { WAYS_MAX = 256 };

/* The least x of a list that is worst at m records, and how long it is, y falling as x grows. */
static int64_t ways(int64_t *x, int64_t *y, int64_t m, int64_t full)
{
    if (2 * full + 1 <= m) {
        *x = *y = full;
        return 1;
    }
    *y = FLINT_MIN(full, m - 1);
    *x = m - 1 - *y;
    return *y - *x + 1;
}

/* A lone bar has no other to trade a record with, and shows nothing. */
static pby_status alone(pby_pairs *out, pby_error *err)
{
    const pby_status status = pby_pairs_init(out, 1, err);
    return status == PBY_OK ? pby_pair_one(out->pair, err) : status;
}

static pby_status trade(pby_pair *out, const pby_law *law, int64_t x, int64_t y, pby_error *err)
{
    pby_pair down, up;
    pby_pair_init(&down);
    pby_pair_init(&up);
    pby_status status = pby_stlap_bar(&down, law, x + 1, law, x, err);
    if (status == PBY_OK)
        status = pby_stlap_bar(&up, law, y, law, y + 1, err);
    if (status == PBY_OK)
        status = pby_pair_product(out, &down, &up, err);
    pby_pair_clear(&up);
    pby_pair_clear(&down);
    return status;
}

static pby_status trades(pby_pair *out, const pby_stlap_size *s, int64_t m, pby_error *err)
{
    pby_law *law;
    int64_t x, y;
    const int64_t count = ways(&x, &y, m, pby_stlap_size_reach(s, m));
    pby_status status = pby_stlap_size_law(&law, s, m, err);
    for (int64_t i = 0; i < count && status == PBY_OK; i++)
        status = trade(&out[i], law, x + i, y - i, err);
    pby_law_free(law);
    return status;
}

pby_status pby_stlap_trade(pby_pairs *out, const pby_stlap_size *s, pby_error *err)
{
    int64_t x, y, count[2];
    if (s->bars == 1)
        return alone(out, err);
    for (int i = 0; i < 2; i++)
        count[i] = ways(&x, &y, s->n + i, pby_stlap_size_reach(s, s->n + i));
    if (count[0] + count[1] > WAYS_MAX)
        return pby_refuse_rational(err, "stlap:tau", s->tau,
                                   "at most 1/2 with substitute neighbours, or a smaller n");
    pby_status status = pby_pairs_init(out, (size_t)(count[0] + count[1]), err);
    for (int i = 0; i < 2 && status == PBY_OK; i++)
        status = trades(out->pair + i * count[0], s, s->n + i, err);
    if (status != PBY_OK)
        pby_pairs_clear(out);
    return status;
}
