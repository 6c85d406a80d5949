#include "cli/digest.h"

#include <errno.h>
#include <unistd.h>

enum { BLOCK = 1 << 16 };

static void finish(pby_digest *out, crypto_hash_sha256_state *state)
{
    unsigned char hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_final(state, hash);
    sodium_bin2hex(out->sha256, sizeof out->sha256, hash, sizeof hash);
}

void pby_digest_bytes(pby_digest *out, const void *bytes, size_t size)
{
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, bytes, size);
    out->bytes = size;
    finish(out, &state);
}

bool pby_digest_file(pby_digest *out, int fd)
{
    unsigned char block[BLOCK];
    crypto_hash_sha256_state state;
    ssize_t got;
    crypto_hash_sha256_init(&state);
    for (out->bytes = 0; (got = read(fd, block, sizeof block)) > 0 || (got < 0 && errno == EINTR);) {
        if (got < 0)
            continue;
        crypto_hash_sha256_update(&state, block, (unsigned long long)got);
        out->bytes += (uint64_t)got;
    }
    finish(out, &state);
    return got == 0;
}
