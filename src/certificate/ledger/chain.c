/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/chain.h"

#include <sodium.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LENGTH_BYTES = 8, NUMBER_SIZE = 24 };

_Static_assert(PBY_CHAIN_SIZE == 2 * crypto_hash_sha256_BYTES + 1, "a digest in hexadecimal");

static void hash_text(crypto_hash_sha256_state *state, const char *text)
{
    uint8_t length[LENGTH_BYTES];
    const size_t size = strlen(text);
    for (size_t i = 0; i < LENGTH_BYTES; i++)
        length[i] = (uint8_t)((uint64_t)size >> 8 * i);
    crypto_hash_sha256_update(state, length, sizeof length);
    crypto_hash_sha256_update(state, (const uint8_t *)text, size);
}

static void hash_texts(char digest[PBY_CHAIN_SIZE], const char *const *texts, size_t count)
{
    uint8_t hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    for (size_t i = 0; i < count; i++)
        hash_text(&state, texts[i]);
    crypto_hash_sha256_final(&state, hash);
    sodium_bin2hex(digest, PBY_CHAIN_SIZE, hash, sizeof hash);
}

void pby_chain_begin(pby_chain *chain, const char *const *texts, size_t count)
{
    chain->entries = 0;
    hash_texts(chain->digest, texts, count);
}

void pby_chain_add(pby_chain *chain, const pby_ledger_entry *entry)
{
    char number[NUMBER_SIZE];
    snprintf(number, sizeof number, "%lld", entry->number);
    const char *const texts[] = {chain->digest, number, entry->at, entry->spec, entry->epsilon, entry->delta};
    hash_texts(chain->digest, texts, sizeof texts / sizeof *texts);
    chain->entries++;
}
