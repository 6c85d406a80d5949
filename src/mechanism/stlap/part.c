/* SPDX-License-Identifier: MIT */
/* Bounds on the worst input, where the bars are too many to be multiplied out.
 *
 * From below: as many full bars as the records fill, the others empty. From above, for any h: at most n / h
 * bars have h records or more, each of which shows no more than a full one; and of the others at most n are
 * occupied, each of which shows no more than one of h - 1 records. The h is chosen so that this is little, by
 * a guess that costs sharpness where it is bad and nothing else. */
#include "mechanism/stlap/size.h"
#include "number/scoped.h"

/* About how many full bars the bound is worth: n / h, and the others as often as they are not clamped. */
static void weigh(arb_t weight, const pby_stlap_size *s, const pby_law *law, int64_t h)
{
    enum { PREC = 64 };
    pby_law_cdf_arb(weight, law, 1 - h, PREC);
    arb_sub_ui(weight, weight, 1, PREC);
    arb_neg(weight, weight);
    arb_mul_si(weight, weight, FLINT_MIN(s->bars - 1, s->n), PREC);
    arb_add_si(weight, weight, FLINT_MIN(s->bars - 1, s->n / h), PREC);
}

static pby_status choose(int64_t *best, const pby_stlap_size *s, pby_error *err)
{
    pby_law *law;
    const pby_status status = pby_stlap_size_law(&law, s, s->n, err);
    PBY_ARB(weight, least);
    arb_pos_inf(least);
    *best = 1;
    for (int64_t h = 1; h <= pby_stlap_size_reach(s, s->n) && status == PBY_OK; h += (h + 7) / 8) {
        weigh(weight, s, law, h);
        if (arf_cmp(arb_midref(weight), arb_midref(least)) < 0) {
            arb_swap(weight, least);
            *best = h;
        }
    }
    pby_law_free(law);
    return status;
}

/* The bars beside the one that gets the record: the full ones, or those of h - 1 records. */
static pby_status others(pby_pairs *out, uint64_t *times, const pby_stlap_size *s, bool crowded,
                         pby_error *err)
{
    int64_t h;
    const int64_t full = pby_stlap_size_reach(s, s->n + 1);
    const pby_status status = choose(&h, s, err);
    const int64_t most = FLINT_MIN(s->bars - 1, crowded ? s->n / h : h == 1 ? 0 : s->n);
    *times = status == PBY_OK ? (uint64_t)most : 0;
    return *times == 0 ? status
                       : pby_stlap_size_bar(out, s, crowded ? full : h - 1, crowded ? full : h - 1, err);
}

pby_status pby_stlap_part(pby_pairs *out, uint64_t *times, uint64_t *reached, const pby_stlap_size *s,
                          size_t i, pby_error *err)
{
    const int64_t full = pby_stlap_size_reach(s, s->n + 1), filled = pby_stlap_size_filled(s);
    *out = (pby_pairs){NULL, 0};
    *reached = *times = i == 0 ? 1 : i == 1 ? (uint64_t)filled : 0;
    if (i > 0 && filled < s->bars - 1)
        return others(out, times, s, i == 1, err);
    return *times == 0 ? PBY_OK : pby_stlap_size_bar(out, s, full, i == 0 ? full + 1 : full, err);
}
