/* SPDX-License-Identifier: MIT */
/* The public bits of a value, and reports as text.
 *
 * With hashes the i-th of them, from 0, names the bit d mod K, d being the first 8 bytes, little-endian, of
 * SHA-256("probity rappor" 0 seed cohort i value), the three numbers as 8 bytes each, little-endian. Two
 * hashes may name one bit. */
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "mechanism/rappor/respond.h"
#include "probity/experimental/memo.h"

enum { LANES = 64 };

size_t pby_rappor_words(const pby_rappor *r)
{
    return ((size_t)r->bits + LANES - 1) / LANES;
}

uint64_t pby_rappor_last(const pby_rappor *r)
{
    const unsigned used = (unsigned)(r->bits % LANES);
    return used == 0 ? UINT64_MAX : ((uint64_t)1 << used) - 1;
}

static void set_bit(uint64_t *bits, uint64_t i)
{
    bits[i / LANES] |= (uint64_t)1 << i % LANES;
}

static void put_number(crypto_hash_sha256_state *state, uint64_t x)
{
    unsigned char bytes[8];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(x >> 8 * i);
    crypto_hash_sha256_update(state, bytes, sizeof bytes);
}

static uint64_t hash(const pby_rappor *r, uint64_t cohort, uint64_t i, const char *value, size_t length)
{
    static const unsigned char label[] = "probity rappor";
    crypto_hash_sha256_state state;
    unsigned char digest[crypto_hash_sha256_BYTES];
    uint64_t x = 0;
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, label, sizeof label);
    put_number(&state, (uint64_t)r->seed);
    put_number(&state, cohort);
    put_number(&state, i);
    crypto_hash_sha256_update(&state, (const unsigned char *)value, length);
    crypto_hash_sha256_final(&state, digest);
    for (unsigned j = 8; j-- > 0;)
        x = x << 8 | digest[j];
    return x % (uint64_t)r->bits;
}

/* The place of a value that has a bit of its own; `most` where it is none. */
static uint64_t place_of(const char *value, size_t length, uint64_t most)
{
    uint64_t x = 0;
    if (length == 0 || length > 9 || (length > 1 && value[0] == '0'))
        return most;
    for (size_t i = 0; i < length; i++) {
        if (value[i] < '0' || value[i] > '9')
            return most;
        x = 10 * x + (uint64_t)(value[i] - '0');
    }
    return x < most ? x : most;
}

pby_status pby_rappor_check(const pby_rappor *r, const char *value, size_t length, pby_error *err)
{
    const uint64_t most = (uint64_t)r->bits;
    if (r->hashes == 0)
        return place_of(value, length, most) < most
                   ? PBY_OK
                   : pby_fail_by(err, PBY_BAD, PBY_REASON_INPUT,
                                 "the value (not shown): expected an integer from 0 to %" PRIu64, most - 1);
    return length > 0 && length <= PBY_MEMO_VALUE_MAX
               ? PBY_OK
               : pby_fail_by(err, PBY_BAD, PBY_REASON_INPUT, "the value (not shown): expected 1 to %d bytes",
                             PBY_MEMO_VALUE_MAX);
}

pby_status pby_rappor_encode(uint64_t *bits, const pby_rappor *r, uint64_t cohort, const char *value,
                             size_t length, pby_error *err)
{
    memset(bits, 0, pby_rappor_words(r) * sizeof *bits);
    const pby_status status = pby_rappor_check(r, value, length, err);
    if (status == PBY_OK && r->hashes == 0)
        set_bit(bits, place_of(value, length, (uint64_t)r->bits));
    for (uint64_t i = 0; i < (uint64_t)r->hashes && status == PBY_OK; i++)
        set_bit(bits, hash(r, cohort, i, value, length));
    return status;
}

/* ---- text ------------------------------------------------------------------------------------- */

enum { COHORT_SIZE = 12 };

size_t pby_rappor_text_size(const pby_rappor *r)
{
    return (size_t)r->bits + COHORT_SIZE + 1;
}

void pby_rappor_text(char *out, const pby_rappor *r, uint64_t cohort, const uint64_t *bits)
{
    if (r->cohorts > 1)
        out += snprintf(out, COHORT_SIZE + 1, "%" PRIu64 ":", cohort);
    for (uint64_t i = 0; i < (uint64_t)r->bits; i++)
        *out++ = (char)('0' + (bits[i / LANES] >> i % LANES & 1));
    *out = '\0';
}

bool pby_rappor_read(uint64_t *cohort, uint64_t *bits, const pby_rappor *r, const char *text)
{
    *cohort = 0;
    if (r->cohorts > 1) {
        const char *colon = strchr(text, ':');
        *cohort = colon == NULL ? UINT64_MAX : place_of(text, (size_t)(colon - text), (uint64_t)r->cohorts);
        if (*cohort >= (uint64_t)r->cohorts)
            return false;
        text = colon + 1;
    }
    memset(bits, 0, pby_rappor_words(r) * sizeof *bits);
    for (uint64_t i = 0; i < (uint64_t)r->bits; i++) {
        if (text[i] != '0' && text[i] != '1')
            return false;
        bits[i / LANES] |= (uint64_t)(text[i] - '0') << i % LANES;
    }
    return text[r->bits] == '\0';
}
