/* SPDX-License-Identifier: MIT */
#include "probity/experimental/keyed.h"

#include <endian.h>
#include <sodium.h>
#include <string.h>

#include "base/status.h"
#include "entropy/internal.h"
#include "entropy/keyed.h"
#include "mechanism/run/noise_bars.h"

/* The prefix of a bar's key in everything that is hashed: the use and the count, 16 bytes, so that no two
 * bars or uses give the same bytes. */
enum { LABEL_SIZE = 16 };

static void label_of(uint8_t label[LABEL_SIZE], size_t use, int64_t count)
{
    const uint64_t words[2] = {htole64(use), htole64((uint64_t)count)};
    memcpy(label, words, sizeof words);
}

static const char *key_of(size_t *size, const pby_keyed_part *bars, size_t i)
{
    *size = (size_t)(bars->offsets[i + 1] - bars->offsets[i]);
    return bars->bytes + bars->offsets[i];
}

static pby_status check_bars(const pby_keyed_part *bars, pby_error *err)
{
    for (size_t i = 0; i < bars->n; i++)
        if (bars->offsets[i] < 0 || bars->offsets[i + 1] < bars->offsets[i])
            return pby_fail(err, PBY_BAD,
                            "bars: the offsets of bar %zu fall: expected ones from 0 on that rise", i);
    return PBY_OK;
}

pby_status pby_keyed_secret(uint8_t secret[PBY_KEYED_SIZE], pby_error *err)
{
    uint64_t words[PBY_KEYED_SIZE / 8];
    const pby_status status = pby_entropy_fresh(words, sizeof words / sizeof *words, err);
    memcpy(secret, words, sizeof words);
    sodium_memzero(words, sizeof words);
    return status;
}

/* ---- the digest of all counts ------------------------------------------------------------------ */

/* The sum of the bars' hashes modulo 2^256, least byte first. */
void pby_keyed_join(uint8_t digest[PBY_KEYED_SIZE], const uint8_t other[PBY_KEYED_SIZE])
{
    sodium_add(digest, other, PBY_KEYED_SIZE);
}

pby_status pby_keyed_digest(uint8_t digest[PBY_KEYED_SIZE], const pby_keyed_part *bars, pby_error *err)
{
    pby_status status = pby_entropy_start(err);
    if (status == PBY_OK)
        status = check_bars(bars, err);
    for (size_t i = 0; i < bars->n && status == PBY_OK; i++) {
        uint8_t label[LABEL_SIZE], hash[PBY_KEYED_SIZE];
        size_t size;
        const char *key = key_of(&size, bars, i);
        crypto_generichash_state state;
        label_of(label, 0, bars->counts[i]);
        crypto_generichash_init(&state, NULL, 0, sizeof hash);
        crypto_generichash_update(&state, label, sizeof label);
        if (size > 0)
            crypto_generichash_update(&state, (const uint8_t *)key, size);
        crypto_generichash_final(&state, hash, sizeof hash);
        pby_keyed_join(digest, hash);
    }
    return status;
}

/* ---- the release ------------------------------------------------------------------------------- */

/* The key of a release: of another secret, spec, relation or digest another one. */
static void derive(uint8_t key[PBY_SEED_SIZE], const pby_spec *spec, pby_neighbours relation,
                   const uint8_t secret[PBY_KEYED_SIZE], const uint8_t digest[PBY_KEYED_SIZE])
{
    static const char version[] = "probity keyed release 1";
    const char *texts[] = {version, pby_neighbours_text(relation), pby_spec_text(spec)};
    crypto_generichash_state state;
    crypto_generichash_init(&state, secret, PBY_KEYED_SIZE, PBY_SEED_SIZE);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        crypto_generichash_update(&state, (const uint8_t *)texts[i], strlen(texts[i]) + 1);
    crypto_generichash_update(&state, digest, PBY_KEYED_SIZE);
    crypto_generichash_final(&state, key, PBY_SEED_SIZE);
    sodium_memzero(&state, sizeof state);
}

static pby_status check_form(const pby_release *release, const pby_spec *spec, pby_error *err)
{
    if (spec->first.family != NULL)
        return pby_refuse(err, "spec", pby_spec_text(spec), "a mechanism without a first step");
    switch (pby_release_form_of(release)) {
    case PBY_RELEASE_COUNTS:
    case PBY_RELEASE_PASSED:
    case PBY_RELEASE_PRESENT:
    case PBY_RELEASE_RANGES:
    case PBY_RELEASE_PASSED_RANGES:
        return PBY_OK;
    case PBY_RELEASE_ANSWERS:
    case PBY_RELEASE_CANDIDATE:
    case PBY_RELEASE_TOTAL:
    case PBY_RELEASE_POINT:
    case PBY_RELEASE_STATISTIC:
    case PBY_RELEASE_CHOSEN:
    case PBY_RELEASE_PASSED_CANDIDATE:
        break;
    }
    return pby_refuse(err, "spec", pby_spec_text(spec), "a mechanism that releases a histogram, bar by bar");
}

pby_status pby_keyed_new(pby_release **out, const pby_spec *spec, pby_neighbours relation,
                         const uint8_t secret[PBY_KEYED_SIZE], const uint8_t digest[PBY_KEYED_SIZE],
                         pby_error *err)
{
    uint8_t key[PBY_SEED_SIZE];
    pby_entropy *source;
    *out = NULL;
    derive(key, spec, relation, secret, digest);
    pby_status status = pby_entropy_keyed(&source, key, err);
    sodium_memzero(key, sizeof key);
    if (status != PBY_OK)
        return status;
    status = pby_release_with(out, spec, relation, source, err);
    if (status != PBY_OK) {
        pby_entropy_free(source);
        return status;
    }
    status = check_form(*out, spec, err);
    if (status != PBY_OK) {
        pby_release_free(*out);
        *out = NULL;
    }
    return status;
}

pby_status pby_keyed_bars(pby_release *release, const pby_keyed_part *bars, size_t use, int64_t *noisy,
                          pby_error *err)
{
    pby_entropy *source = pby_release_source(release);
    pby_status status = check_bars(bars, err);
    if (status == PBY_OK && !pby_entropy_is_keyed(source))
        status = pby_fail(err, PBY_BAD, "release: expected one that pby_keyed_new has made");
    if (status == PBY_OK && use >= pby_release_uses(release))
        status = pby_fail(err, PBY_BAD, "use: expected an integer below %zu", pby_release_uses(release));
    for (size_t i = 0; i < bars->n && status == PBY_OK; i++) {
        uint8_t label[LABEL_SIZE];
        size_t size;
        const char *key = key_of(&size, bars, i);
        label_of(label, use, bars->counts[i]);
        pby_entropy_keyed_turn(source, label, sizeof label, key, size);
        status = pby_release_counts(release, bars->counts + i, noisy + i, 1, err);
    }
    if (status != PBY_OK && bars->n > 0)
        sodium_memzero(noisy, bars->n * sizeof *noisy);
    return status;
}
