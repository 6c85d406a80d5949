/* SPDX-License-Identifier: MIT */
#include "audit/run/npy.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

/* More numbers in a row than this make a line that no feed takes. */
enum { COLUMNS_MAX = 1 << 19 };

pby_status pby_npy_prefix(size_t *length, const uint8_t prefix[PBY_NPY_PREFIX], const char *name,
                          pby_error *err)
{
    if (memcmp(prefix, "\x93NUMPY\x01", 7) != 0)
        return pby_fail(err, PBY_BAD, "%s: expected a NumPy file of version 1", name);
    *length = (size_t)prefix[8] | (size_t)prefix[9] << 8;
    return PBY_OK;
}

/* Returns the text behind a key of the header; NULL if the key does not occur. */
static const char *value_of(const char *header, const char *key)
{
    const char *at = strstr(header, key);
    if (at == NULL)
        return NULL;
    at += strlen(key);
    return at + strspn(at, ": ");
}

static bool read_type(pby_npy *out, const char *at)
{
    if (at == NULL || at[0] != '\'' || at[1] == '\0' || strchr("<>|", at[1]) == NULL || at[2] == '\0')
        return false; /* the header may end here, and nothing is behind its end */
    out->turned = at[1] == '>';
    out->kind = at[2];
    char *end;
    out->size = (size_t)strtoul(at + 3, &end, 10);
    const bool whole = out->size == 1 || out->size == 2 || out->size == 4 || out->size == 8;
    if (*end != '\'' || !whole)
        return false;
    return out->kind == 'b'   ? out->size == 1
           : out->kind == 'f' ? out->size >= 2
                              : out->kind == 'i' || out->kind == 'u';
}

static bool read_shape(pby_npy *out, const char *at)
{
    if (at == NULL || *at++ != '(')
        return false;
    out->columns = 1;
    for (int axis = 0; *at != ')'; axis++) {
        char *end;
        const unsigned long long n = strtoull(at, &end, 10);
        if (end == at || n > UINT64_C(1) << 40)
            return false;
        if (axis == 0)
            out->rows = n;
        else if (n == 0 || n > COLUMNS_MAX || (out->columns *= n) > COLUMNS_MAX)
            return false;
        at = end + strspn(end, ", ");
        if (axis == 31)
            return false;
    }
    return true;
}

pby_status pby_npy_header(pby_npy *out, const char *header, const char *name, pby_error *err)
{
    const char *order = value_of(header, "'fortran_order'");
    *out = (pby_npy){.rows = 1};
    if (!read_type(out, value_of(header, "'descr'")))
        return pby_fail(err, PBY_BAD,
                        "%s: expected integers, booleans or floats of 2, 4 or 8 bytes in a NumPy file", name);
    if (!read_shape(out, value_of(header, "'shape'")))
        return pby_fail(err, PBY_BAD,
                        "%s: expected an array with a row for each output, of at most %d numbers", name,
                        COLUMNS_MAX);
    if (order == NULL || (strncmp(order, "False", 5) != 0 && out->columns > 1))
        return pby_fail(err, PBY_BAD, "%s: expected the rows of the array one behind the other (C order)",
                        name);
    return PBY_OK;
}

/* A float of 2 bytes: 1 bit of sign, 5 of the exponent, 10 of the fraction. */
static double of_half(unsigned bits)
{
    const unsigned exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double size = exponent == 0    ? ldexp(fraction, -24)
                        : exponent == 31 ? (fraction == 0 ? INFINITY : NAN)
                                         : ldexp(fraction + 1024, (int)exponent - 25);
    return bits >> 15 != 0 ? -size : size;
}

/* A float of 2, 4 or 8 bytes. */
static double of_bits(uint64_t bits, size_t size)
{
    double value;
    float single;
    const uint32_t low = (uint32_t)bits;
    memcpy(&value, &bits, sizeof value);
    memcpy(&single, &low, sizeof single);
    return size == 8 ? value : size == 4 ? (double)single : of_half(low);
}

int pby_npy_text(char text[PBY_NPY_TEXT], const pby_npy *npy, const uint8_t *bytes)
{
    uint64_t bits = 0, ones = 0; /* as many as there are bits */
    for (size_t i = 0; i < npy->size; i++) {
        bits = bits << 8 | bytes[npy->turned ? i : npy->size - 1 - i];
        ones = ones << 8 | UINT8_MAX;
    }
    if (npy->kind == 'f')
        return snprintf(text, PBY_NPY_TEXT, "%.17g", of_bits(bits, npy->size));
    if (npy->kind == 'i' &&
        (bits & (ones ^ ones >> 1)) != 0) /* the size of a negative number, by its complement */
        return snprintf(text, PBY_NPY_TEXT, "-%" PRIu64, (~bits & ones) + 1);
    return snprintf(text, PBY_NPY_TEXT, "%" PRIu64, bits);
}
