#include "kernel/lanes.h"

int pby_draw_lanes(const uint64_t *t, const uint16_t *lane, size_t m, int64_t *out)
{
    const uint16_t cut = (uint16_t)(t[1] / PBY_LANE_SPAN);
    size_t undecided = 0;
    /*@ assert span: PBY_LANE_SPAN == LaneSpan; */
    /*@ assert cut: Begins(t[1], cut); */
    /*@ loop invariant index: k <= m;
        loop invariant value: \forall integer j; 0 <= j < k ==> out[j] == (lane[j] > cut ? 1 : 0);
        loop invariant count: undecided <= k;
        loop invariant found: undecided > 0 <==> \exists integer j; 0 <= j < k && lane[j] == cut;
        loop assigns k, undecided, out[0 .. m - 1];
        loop variant m - k;
    */
    for (size_t k = 0; k < m; k++) {
        out[k] = (int64_t)(lane[k] > cut);
        undecided += (size_t)(lane[k] == cut);
    }
    /*@ assert same: \forall integer j; 0 <= j < m ==> (Begins(t[1], lane[j]) <==> lane[j] == cut); */
    /*@ assert above: \forall integer j, w; 0 <= j < m && lane[j] > cut && Begins(w, lane[j]) ==> t[1] < w; */
    /*@ assert below: \forall integer j, w; 0 <= j < m && lane[j] < cut && Begins(w, lane[j]) ==> w < t[1]; */
    /*@ assert high: \forall integer w; t[1] < w ==> Draw(t, 2, w) == 1 && !Cut(t, 2, w); */
    /*@ assert low: \forall integer w; w < t[1] ==> Draw(t, 2, w) == 0 && !Cut(t, 2, w); */
    return undecided == 0;
}
