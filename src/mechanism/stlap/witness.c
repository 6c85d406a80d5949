/* SPDX-License-Identifier: MIT */
/* Inputs whose records do not fill their bars, as candidates for the worst.
 *
 * Where the ways to spread the records are too many to be listed, the worst of them is enclosed. What any one
 * input shows is a bound from below: the full bars of part.c, and those here, of which the greatest counts.
 */
#include "mechanism/stlap/size.h"

/* `first` records are in the bar that gets one more, `each` in others[0] further bars and the same and
 * `more` others in others[1]. */
struct spread {
    int64_t first, each, others[2], more;
};

/* Spreads the records that are not in the first bar as evenly as possible over `bars` others. */
static void even(struct spread *x, const pby_stlap_size *s, int64_t bars)
{
    const int64_t rest = s->n - x->first;
    x->each = rest / bars;
    x->more = 1;
    x->others[1] = rest % bars;
    x->others[0] = bars - x->others[1];
}

/* As many bars of `each` records as there are, and one of what is left. Where no bar is left for that, it is
 * anywhere: a bar with more records shows no less. */
static void filled(struct spread *x, const pby_stlap_size *s, int64_t each)
{
    const int64_t rest = s->n - x->first, bars = FLINT_MIN(s->bars - 1, rest / each);
    x->each = each;
    x->others[0] = bars;
    x->others[1] = bars < s->bars - 1 && rest > bars * each ? 1 : 0;
    x->more = rest - bars * each - each;
}

/* The inputs: what the first bar has, and how many quarters full the others are, 0 if they are even. */
enum first { NONE, SHARE, FULL };
static const struct {
    enum first first;
    int64_t quarters;
} inputs[] = {{NONE, 0}, {FULL, 0}, {SHARE, 0}, {NONE, 3}, {FULL, 2}, {FULL, 3}, {FULL, 1}};

/* The c-th input; false beyond the last. */
static bool spread_records(struct spread *x, const pby_stlap_size *s, size_t c)
{
    const int64_t full = pby_stlap_size_reach(s, s->n + 1);
    if (c >= sizeof inputs / sizeof *inputs || s->bars == 1)
        return false;
    *x = (struct spread){.first = inputs[c].first == NONE ? 0
                                  : inputs[c].first == SHARE
                                      ? s->n / s->bars
                                      : FLINT_MIN(s->n, pby_stlap_size_reach(s, s->n))};
    if (inputs[c].quarters == 0)
        even(x, s, s->bars - 1);
    else
        filled(x, s, FLINT_MAX(1, (full * inputs[c].quarters + 3) / 4));
    return true;
}

pby_status pby_stlap_witness(pby_pairs *out, uint64_t *times, const pby_stlap_size *s, size_t c, size_t i,
                             pby_error *err)
{
    struct spread x;
    *out = (pby_pairs){NULL, 0};
    *times = 0;
    if (!spread_records(&x, s, c) || i > 2)
        return PBY_OK;
    if (i == 0) {
        *times = 1;
        return pby_stlap_size_bar(out, s, x.first, x.first + 1, err);
    }
    const int64_t records[2] = {x.each, x.each + x.more};
    size_t at = i - 1;
    if (x.others[0] == 0 || records[0] == 0)
        at++;
    if (at > 1 || x.others[at] == 0 || records[at] == 0)
        return PBY_OK;
    *times = (uint64_t)x.others[at];
    return pby_stlap_size_bar(out, s, records[at], records[at], err);
}
