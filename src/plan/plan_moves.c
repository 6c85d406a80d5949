/* SPDX-License-Identifier: MIT */
#include "plan/plan_moves.h"

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

void pby_plan_bounds_cut(pby_plan_bounds *b)
{
    b->m = least(b->m, b->rows);
    b->k = least(least(b->k, b->rows), b->groups);
}

uint64_t pby_plan_bounds_total(const pby_plan_bounds *b)
{
    return least(b->rows, b->k * b->m);
}

/* ---- add-remove --------------------------------------------------------------------------------- */

/* The parts of any user's rows can be joined until two of them have more than m rows together. Then each
 * but one has h = floor(m/2) + 1 rows or more, and that one with any other at least m + 1: q parts have
 * at least q h - e rows, with e = 2h - m - 1. */
static uint64_t joined_parts(const pby_plan_bounds *b)
{
    const uint64_t h = b->m / 2 + 1, e = 2 * h - b->m - 1;
    return least(b->k, (b->rows + e) / h);
}

/* One user's rows, as cells that all move the same way. */
static void one_user(pby_plan_moves *out, const pby_plan_bounds *b)
{
    *out = (pby_plan_moves){.parts = 1, .reached = true};
    if (b->k * b->m <= b->rows || b->m >= b->rows) {
        out->count[0] = b->m >= b->rows ? 1 : b->k;
        out->size[0] = b->m;
    } else if (b->m <= 2) {
        const uint64_t total = pby_plan_bounds_total(b), rest = total % b->m;
        out->count[0] = total / b->m;
        out->size[0] = b->m;
        out->count[1] = rest > 0;
        out->size[1] = rest;
        out->parts = rest > 0 ? 2 : 1;
    } else {
        out->count[0] = joined_parts(b);
        out->size[0] = b->m;
        out->reached = false;
    }
}

/* ---- substitute --------------------------------------------------------------------------------- */

static uint64_t coordinates(const pby_plan_moves *x)
{
    return x->count[0] + x->count[1];
}

/* The list twice: cells that rise are part of one user's rows, and cells that fall of the other's. Or all
 * cells, each by the greatest move, where these are fewer. */
static void two_users(pby_plan_moves *out, uint64_t cells)
{
    if (cells < 2 * coordinates(out)) {
        *out = (pby_plan_moves){.parts = 1, .count = {cells}, .size = {out->size[0]}, .reached = false};
        return;
    }
    out->count[0] *= 2;
    out->count[1] *= 2;
}

void pby_plan_moves_of(pby_plan_moves *out, const pby_plan_bounds *b, pby_neighbours relation)
{
    one_user(out, b);
    if (relation == PBY_SUBSTITUTE)
        two_users(out, b->groups);
}

void pby_plan_moves_signed(pby_plan_moves *out, const pby_plan_bounds *b, pby_neighbours relation)
{
    one_user(out, b);
    if (relation != PBY_SUBSTITUTE)
        return;
    const bool alone = b->m >= b->rows;
    *out = (pby_plan_moves){
        .parts = 1, .count = {alone ? 1 : b->k}, .size = {2 * (alone ? b->rows : b->m)}, .reached = false};
}

void pby_plan_moves_buckets(pby_plan_moves *out, const pby_plan_bounds *b, uint64_t buckets,
                            pby_neighbours relation)
{
    one_user(out, b);
    if (relation == PBY_SUBSTITUTE)
        two_users(out, b->groups * buckets);
}

void pby_plan_moves_users(pby_plan_moves *out, const pby_plan_bounds *b, pby_neighbours relation)
{
    *out = (pby_plan_moves){.parts = 1, .count = {b->k}, .size = {1}, .reached = true};
    if (relation == PBY_SUBSTITUTE)
        two_users(out, b->groups);
}

void pby_plan_moves_top(pby_plan_moves *out, const pby_plan_bounds *b, uint64_t choices)
{
    *out = (pby_plan_moves){.parts = 1, .count = {choices}, .size = {b->m}, .reached = true};
}

/* ---- norms -------------------------------------------------------------------------------------- */

static void norms_of_one(pby_plan_norms *out, pby_plan_bounds b, uint64_t k)
{
    b.k = least(b.k, k);
    const uint64_t total = pby_plan_bounds_total(&b), whole = b.m == 0 ? 0 : total / b.m;
    const uint64_t rest = total - whole * b.m;
    *out = (pby_plan_norms){b.k, b.k == 0 ? 0 : b.m, total, whole * b.m * b.m + rest * rest};
}

/* Two users with no group in common are the worst: of two numbers from 0 on the difference is at most the
 * greater. They share out the groups. */
void pby_plan_norms_of(pby_plan_norms *out, const pby_plan_bounds *b, pby_neighbours relation)
{
    norms_of_one(out, *b, b->k);
    if (relation != PBY_SUBSTITUTE)
        return;
    const uint64_t most_groups = least(2 * b->k, b->groups);
    for (uint64_t a = most_groups - b->k; a <= b->k; a++) {
        pby_plan_norms first, second;
        norms_of_one(&first, *b, a);
        norms_of_one(&second, *b, most_groups - a);
        if (first.l1 + second.l1 > out->l1)
            out->l1 = first.l1 + second.l1;
        if (first.l2 + second.l2 > out->l2)
            out->l2 = first.l2 + second.l2;
    }
    out->l0 = most_groups;
}
