/* SPDX-License-Identifier: MIT */
/* The number of some bytes, and their SHA-256. */
#ifndef PBY_IO_DIGEST_H
#define PBY_IO_DIGEST_H

#include <sodium.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pby_digest {
    uint64_t bytes;
    char sha256[2 * crypto_hash_sha256_BYTES + 1]; /* in hexadecimal */
} pby_digest;

/* Bytes that come one after the other. */
typedef struct pby_digesting {
    crypto_hash_sha256_state state;
    uint64_t bytes;
} pby_digesting;

void pby_digesting_begin(pby_digesting *d);
void pby_digesting_add(pby_digesting *d, const void *bytes, size_t size);

/* The digest of the bytes so far; more may come. */
void pby_digesting_so_far(pby_digest *out, const pby_digesting *d);

/* True if a text is a digest as this program writes it: 64 hexadecimal digits in lower case. */
bool pby_digest_is(const char *text);

void pby_digest_bytes(pby_digest *out, const void *bytes, size_t size);

/* Digests an open file from where it stands to its end; returns false, with errno, if it cannot be read. */
bool pby_digest_file(pby_digest *out, int fd);

#endif
