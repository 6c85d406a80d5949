/* SPDX-License-Identifier: MIT */
#include "mechanism/buckethist/buckets.h"
#include "number/scoped.h"

/* x u as an int64_t; 0 when it is beyond 2^62. */
static int64_t in_units(const fmpq_t x, const fmpz_t unit)
{
    PBY_FMPZ(n, rest);
    fmpz_divexact(rest, unit, fmpq_denref(x));
    fmpz_mul(n, fmpq_numref(x), rest);
    return fmpz_bits(n) <= 62 ? fmpz_get_si(n) : 0;
}

static uint64_t count_cubes(int64_t side, int64_t dimension)
{
    uint64_t cubes = 1;
    for (int64_t i = 0; i < dimension && side > 1; i++) {
        if ((uint64_t)side > PBY_CUBES_MAX / cubes)
            return 0;
        cubes *= (uint64_t)side;
    }
    return cubes;
}

const char *pby_buckets_set(pby_buckets *out, const fmpq_t bound, const fmpq_t width, int64_t dimension)
{
    fmpz_t unit;
    fmpz_init(unit);
    fmpz_lcm(unit, fmpq_denref(bound), fmpq_denref(width));
    *out = (pby_buckets){.unit = fmpz_bits(unit) <= 62 ? fmpz_get_si(unit) : 0,
                         .bound = in_units(bound, unit),
                         .width = in_units(width, unit),
                         .dimension = (size_t)dimension};
    fmpz_clear(unit);
    if (out->unit == 0 || out->bound == 0 || out->width == 0)
        return "a bound and a width that are below 2^62 of their common unit";
    if (dimension > PBY_DIMENSION_MAX)
        return "a dimension of at most 62";
    const int64_t side = (out->bound - 1) / out->width + 1;
    out->side = (size_t)side;
    out->cubes = count_cubes(side, dimension);
    return out->cubes == 0 ? "at most 2^62 buckets" : NULL;
}
