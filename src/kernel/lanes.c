/* SPDX-License-Identifier: MIT */
#include "kernel/lanes.h"

void pby_lanes(uint16_t *lane, const uint64_t *words, size_t m)
{
    /*@ loop invariant range:  i <= m;
        loop invariant first:  \forall integer j; 0 <= j < i ==> lane[4 * j] == words[j] % 65536;
        loop invariant second: \forall integer j; 0 <= j < i ==> lane[4 * j + 1] == words[j] / 65536 % 65536;
        loop invariant third:  \forall integer j; 0 <= j < i ==>
                                 lane[4 * j + 2] == words[j] / 4294967296 % 65536;
        loop invariant fourth: \forall integer j; 0 <= j < i ==> lane[4 * j + 3] == words[j] / LaneSpan;
        loop assigns i, lane[0 .. 4 * m - 1];
        loop variant m - i;
    */
    for (size_t i = 0; i < m; i++) {
        lane[4 * i] = (uint16_t)(words[i] % 65536);
        lane[4 * i + 1] = (uint16_t)(words[i] / 65536 % 65536);
        lane[4 * i + 2] = (uint16_t)(words[i] / 4294967296 % 65536);
        lane[4 * i + 3] = (uint16_t)(words[i] / PBY_LANE_SPAN);
    }
}

int pby_draw_lanes(const uint64_t *t, const uint16_t *lane, size_t m, int64_t first, int64_t *out)
{
    const uint16_t cut = (uint16_t)(t[1] / PBY_LANE_SPAN);
    size_t undecided = 0;
    /*@ assert span: UINT64_MAX / 65536 + 1 == LaneSpan; */
    /*@ assert cut: Begins(t[1], cut); */
    /*@ loop invariant index: k <= m;
        loop invariant value: \forall integer j; 0 <= j < k ==> out[j] == first + (lane[j] > cut ? 1 : 0);
        loop invariant count: undecided <= k;
        loop invariant found: undecided > 0 <==> \exists integer j; 0 <= j < k && lane[j] == cut;
        loop assigns k, undecided, out[0 .. m - 1];
        loop variant m - k;
    */
    for (size_t k = 0; k < m; k++) {
        out[k] = first + (int64_t)(lane[k] > cut);
        undecided += (size_t)(lane[k] == cut);
    }
    /*@ assert same: \forall integer j; 0 <= j < m ==> (Begins(t[1], lane[j]) <==> lane[j] == cut); */
    /*@ assert above: \forall integer j, w; 0 <= j < m && lane[j] > cut && Begins(w, lane[j]) ==> t[1] < w; */
    /*@ assert below: \forall integer j, w; 0 <= j < m && lane[j] < cut && Begins(w, lane[j]) ==> w < t[1]; */
    /*@ assert high: \forall integer w; t[1] < w ==> Draw(t, 2, w) == 1 && !Cut(t, 2, w); */
    /*@ assert low: \forall integer w; w < t[1] ==> Draw(t, 2, w) == 0 && !Cut(t, 2, w); */
    return undecided == 0;
}

size_t pby_open_lanes(uint32_t *open, const uint64_t *t, const uint16_t *lane, size_t m)
{
    const uint16_t cut = (uint16_t)(t[1] / PBY_LANE_SPAN);
    size_t r = 0;
    /*@ assert cut: Begins(t[1], cut); */
    /*@ loop invariant range:  k <= m && r <= k;
        loop invariant rising: Rising(open, r);
        loop invariant open:   \forall integer j; 0 <= j < r ==> open[j] < k && lane[open[j]] == cut;
        loop invariant all:    \forall integer i; 0 <= i < k && lane[i] == cut ==>
                                 \exists integer j; 0 <= j < r && open[j] == i;
        loop assigns k, r, open[0 .. m - 1];
        loop variant m - k;
    */
    for (size_t k = 0; k < m; k++)
        if (lane[k] == cut)
            open[r++] = (uint32_t)k;
    /*@ assert same: \forall integer j; 0 <= j < m ==> (Begins(t[1], lane[j]) <==> lane[j] == cut); */
    return r;
}
