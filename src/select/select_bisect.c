/* SPDX-License-Identifier: MIT */
#include "select/select_bisect.h"

/* "The verdict is `key`", or, negated, "it is not". False for early candidates, true for late ones. */
struct question {
    pby_judge judge;
    const void *what;
    const pby_candidates *candidates;
    pby_decision key;
    bool negated;
};

static pby_status ask_candidate(bool *yes, const struct question *q, int64_t j, pby_error *err)
{
    pby_decision verdict = PBY_NEITHER;
    const pby_status status =
        q->judge(&verdict, q->candidates->first + j * q->candidates->stride, q->what, err);
    *yes = (verdict == q->key) != q->negated;
    return status;
}

/* The least j below n whose answer is yes, n when there is none. */
static pby_status first_yes(int64_t *out, const struct question *q, int64_t n, int64_t start, pby_error *err)
{
    int64_t no = -1, yes = n, j = start < n ? start : n - 1;
    bool turned = q->candidates->anywhere, answer = false;
    pby_status status = PBY_OK;
    for (int64_t step = 1; yes - no > 1 && status == PBY_OK; step *= 2) {
        const bool before = answer;
        status = ask_candidate(&answer, q, j, err);
        *(answer ? &yes : &no) = j;
        turned = turned || (step > 1 && answer != before);
        if (turned)
            j = no + (yes - no) / 2;
        else
            j = answer ? (j - step > no ? j - step : no + 1) : (j + step < yes ? j + step : yes - 1);
    }
    *out = yes;
    return status;
}

pby_status pby_edge_find(pby_edge *out, pby_judge judge, const void *what, const pby_candidates *candidates,
                         bool rising, pby_error *err)
{
    const pby_decision early = rising ? PBY_BEYOND : PBY_WITHIN, late = rising ? PBY_WITHIN : PBY_BEYOND;
    const struct question is_late = {judge, what, candidates, late, false},
                          is_not_early = {judge, what, candidates, early, true};
    const int64_t n = candidates->first > candidates->last
                          ? 0
                          : (candidates->last - candidates->first) / candidates->stride + 1;
    const int64_t start = candidates->start > candidates->first
                              ? (candidates->start - candidates->first) / candidates->stride
                              : 0;
    int64_t first_late = 0, first_not_early = 0;
    *out = (pby_edge){0, 0};
    pby_status status = first_yes(&first_late, &is_late, n, start, err);
    if (status == PBY_OK && first_late > 0) {
        bool told = false;
        status = ask_candidate(&told, &is_not_early, first_late - 1, err);
        if (status == PBY_OK && told)
            status = first_yes(&first_not_early, &is_not_early, first_late - 1, first_late - 2, err);
        else
            first_not_early = first_late;
    }
    if (status != PBY_OK)
        return status;
    const int64_t a = first_not_early == 0 ? 0
                                           : candidates->first + (first_not_early - 1) * candidates->stride,
                  b = first_late == n ? 0 : candidates->first + first_late * candidates->stride;
    *out = rising ? (pby_edge){.within = b, .beyond = a} : (pby_edge){.within = a, .beyond = b};
    return PBY_OK;
}

pby_status pby_edge_scan(pby_edge *out, pby_judge judge, const void *what, const pby_candidates *candidates,
                         pby_error *err)
{
    pby_status status = PBY_OK;
    *out = (pby_edge){0, 0};
    for (int64_t i = candidates->first; i <= candidates->last && out->within == 0 && status == PBY_OK;
         i += candidates->stride) {
        pby_decision verdict = PBY_NEITHER;
        status = judge(&verdict, i, what, err);
        if (status == PBY_OK && verdict == PBY_WITHIN)
            out->within = i;
        else if (status == PBY_OK && verdict == PBY_BEYOND)
            out->beyond = i;
    }
    return status;
}
