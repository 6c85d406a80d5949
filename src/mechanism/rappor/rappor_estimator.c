/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "mechanism/rappor/respond.h"
#include "number/scoped.h"

static size_t cells(const pby_mechanism *m)
{
    pby_rappor r;
    pby_rappor_of(&r, m);
    return (size_t)(r.cohorts * (r.bits + 1));
}

static size_t estimated(const pby_mechanism *m)
{
    pby_rappor r;
    pby_rappor_of(&r, m);
    return r.cohorts == 1 ? (size_t)r.bits : 0;
}

static bool count(uint64_t *cell, const pby_mechanism *m, const char *report)
{
    pby_rappor r;
    uint64_t cohort, bits[PBY_RAPPOR_BITS_MAX / 64];
    pby_rappor_of(&r, m);
    if (!pby_rappor_read(&cohort, bits, &r, report))
        return false;
    const uint64_t none = fmpq_cmp(r.p, r.q) > 0 ? 0 : 1, n = (uint64_t)r.bits;
    for (uint64_t b = 0; b < n; b++)
        cell[cohort * n + b] += (bits[b / 64] >> b % 64 & 1) ^ none;
    cell[(uint64_t)r.cohorts * n + cohort]++;
    return true;
}

static void expected(char *text, size_t size, const pby_mechanism *m)
{
    pby_rappor r;
    pby_rappor_of(&r, m);
    if (r.cohorts == 1)
        snprintf(text, size, "a report of rappor, %" PRId64 " characters 0 or 1", r.bits);
    else
        snprintf(text, size,
                 "a report of rappor, a cohort from 0 to %" PRId64 ", a colon and %" PRId64
                 " characters 0 or 1",
                 r.cohorts - 1, r.bits);
}

static void set(pby_expsum_t x, const fmpq_t value)
{
    PBY_FMPQ(zero);
    if (!fmpq_is_zero(value))
        pby_expsum_add_term(x, value, zero);
}

static void chances(pby_chances *out, const pby_mechanism *m)
{
    pby_rappor r;
    PBY_FMPQ(with, without);
    pby_rappor_of(&r, m);
    pby_rappor_chances(with, without, &r);
    if (fmpq_cmp(with, without) < 0) {
        fmpq_neg(with, with);
        fmpq_neg(without, without);
        fmpq_add_si(with, with, 1);
        fmpq_add_si(without, without, 1);
    }
    set(out->p, with);
    set(out->q, without);
    pby_expsum_one(out->norm);
}

const pby_estimator pby_rappor_estimator = {
    .cells = cells,
    .estimated = estimated,
    .apart = true,
    .count = count,
    .expected = expected,
    .chances = chances,
};
