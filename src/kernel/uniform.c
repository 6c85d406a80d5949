/* SPDX-License-Identifier: MIT */
#include "kernel/uniform.h"

int pby_uniform(const uint64_t *words, size_t len, size_t *at, uint64_t n, uint64_t *out)
{
    /* 2^64 mod n, without 2^64 */
    const uint64_t surplus = (UINT64_MAX % n + 1) % n;
    /*@ ghost lemma_surplus(n); */
    /*@ ghost lemma_fair(n); */
    /*@ loop invariant cursor:   \at(*at, Pre) <= *at <= len;
        loop invariant rejected: \forall integer j; \at(*at, Pre) <= j < *at ==> !Accepted(words[j], n);
        loop assigns *at;
        loop variant len - *at; */
    while (*at < len) {
        const uint64_t w = words[(*at)++];
        if (w >= surplus) {
            *out = w % n;
            return 0;
        }
    }
    return -1;
}
