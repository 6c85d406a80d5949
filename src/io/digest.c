/* SPDX-License-Identifier: MIT */
#include "io/digest.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 1 << 16 };

void pby_digesting_begin(pby_digesting *d)
{
    d->bytes = 0;
    crypto_hash_sha256_init(&d->state);
}

void pby_digesting_add(pby_digesting *d, const void *bytes, size_t size)
{
    d->bytes += size;
    crypto_hash_sha256_update(&d->state, bytes, size);
}

void pby_digesting_so_far(pby_digest *out, const pby_digesting *d)
{
    unsigned char hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_state state = d->state;
    crypto_hash_sha256_final(&state, hash);
    out->bytes = d->bytes;
    sodium_bin2hex(out->sha256, sizeof out->sha256, hash, sizeof hash);
}

void pby_digest_bytes(pby_digest *out, const void *bytes, size_t size)
{
    pby_digesting d;
    pby_digesting_begin(&d);
    pby_digesting_add(&d, bytes, size);
    pby_digesting_so_far(out, &d);
}

bool pby_digest_file(pby_digest *out, int fd)
{
    unsigned char block[BLOCK];
    pby_digesting d;
    ssize_t got;
    pby_digesting_begin(&d);
    while ((got = read(fd, block, sizeof block)) > 0 || (got < 0 && errno == EINTR))
        if (got > 0)
            pby_digesting_add(&d, block, (size_t)got);
    pby_digesting_so_far(out, &d);
    return got == 0;
}

bool pby_digest_is(const char *text)
{
    const size_t digits = 2 * crypto_hash_sha256_BYTES;
    return strlen(text) == digits && strspn(text, "0123456789abcdef") == digits;
}
