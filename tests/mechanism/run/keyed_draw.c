/* SPDX-License-Identifier: MIT */
/* Releases in parts: the same bytes again, other noise for another count, and the law of the mechanism. */
#include "probity/experimental/keyed.h"

#include <criterion/criterion.h>
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "mechanism/run/noise_bars.h"
#include "tests/spec.h"

enum { BARS = 50, WIDTH = 8 };

static const uint8_t secret[PBY_KEYED_SIZE] = {7, 1}, digest[PBY_KEYED_SIZE] = {9};

/* Bars with keys such as "bar 0012", whose counts rise. */
struct made {
    char bytes[BARS * WIDTH + 1];
    int64_t offsets[BARS + 1], counts[BARS];
    pby_keyed_part bars;
};

static void make(struct made *m, int first)
{
    for (int i = 0; i < BARS; i++) {
        snprintf(m->bytes + i * WIDTH, WIDTH + 1, "bar %04u", (unsigned)(first + i) % 10000);
        m->offsets[i] = i * WIDTH;
        m->counts[i] = i % 4;
    }
    m->offsets[BARS] = BARS * WIDTH;
    m->bars = (pby_keyed_part){m->bytes, m->offsets, m->counts, BARS};
}

static pby_release *keyed(const pby_spec *spec, const uint8_t *by, const uint8_t *of)
{
    pby_release *release;
    cr_assert_eq(pby_keyed_new(&release, spec, PBY_ADD_REMOVE, by, of, NULL), PBY_OK);
    return release;
}

/* From the definition: two hashes, then the stream of a seed. */
static int64_t expected(const char *text, const char *key, size_t size, uint64_t use, int64_t count)
{
    uint8_t message[512], master[32], seed[32];
    size_t length = 0;
    const char *parts[] = {"probity keyed release 1", "add-remove", text};
    for (int i = 0; i < 3; i++) {
        memcpy(message + length, parts[i], strlen(parts[i]) + 1);
        length += strlen(parts[i]) + 1;
    }
    memcpy(message + length, digest, sizeof digest);
    crypto_generichash(master, 32, message, length + sizeof digest, secret, sizeof secret);
    for (int i = 0; i < 8; i++) {
        message[i] = (uint8_t)(use >> 8 * i);
        message[8 + i] = (uint8_t)((uint64_t)count >> 8 * i);
    }
    memcpy(message + 16, key, size);
    crypto_generichash(seed, 32, message, 16 + size, master, sizeof master);
    pby_entropy *source;
    pby_release *release;
    pby_spec *spec = spec_of(text);
    cr_assert_eq(pby_entropy_seeded(&source, seed, NULL), PBY_OK);
    cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, source, NULL), PBY_OK);
    cr_assert_eq(pby_release_counts(release, &count, &count, 1, NULL), PBY_OK);
    pby_release_free(release);
    pby_spec_free(spec);
    return count;
}

Test(keyed, each_bar_has_the_stream_of_its_key_count_and_use)
{
    static const char *const specs[] = {
        "geometric:eps=1/10",           "2*dgauss:sigma2=9",
        "threshold:eps=1,T=2",          "threshold:eps=1,T=2 geometric:eps=1/3",
        "stlap:eps=1/2,q=40",           "laplace:scale=3,grid=1/4",
        "geometric:eps=1/2,sample=1/3", "partition:eps=1,delta=1/10"};
    struct made m;
    make(&m, 0);
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        pby_spec *spec = spec_of(specs[s]);
        pby_release *release = keyed(spec, secret, digest);
        int64_t noisy[BARS];
        for (size_t use = 0; use < pby_release_uses(release); use++) {
            cr_assert_eq(pby_keyed_bars(release, &m.bars, use, noisy, NULL), PBY_OK);
            for (size_t i = 0; i < BARS; i++)
                cr_assert_eq(noisy[i],
                             expected(pby_spec_text(spec), m.bytes + i * WIDTH, WIDTH, use, m.counts[i]));
        }
        pby_release_free(release);
        pby_spec_free(spec);
    }
}

Test(keyed, parts_give_the_same_bytes_in_any_order)
{
    struct made m;
    make(&m, 0);
    pby_spec *spec = spec_of("geometric:eps=1/10");
    pby_release *one = keyed(spec, secret, digest), *two = keyed(spec, secret, digest);
    int64_t whole[BARS], part[BARS];
    cr_assert_eq(pby_keyed_bars(one, &m.bars, 0, whole, NULL), PBY_OK);
    for (size_t i = BARS; i-- > 0;) {
        const pby_keyed_part bar = {m.bytes, m.offsets + i, m.counts + i, 1};
        cr_assert_eq(pby_keyed_bars(two, &bar, 0, part + i, NULL), PBY_OK);
    }
    cr_assert_arr_eq(whole, part, sizeof whole);
    pby_release_free(one);
    pby_release_free(two);
    pby_spec_free(spec);
}

/* Noise of a scale of 1000 is the same for two bars with a chance below 1/1000; of 50 it is so for fewer than
 * 10 but with a chance below (50 choose 10) 1000^-10 < 1e-19. */
static size_t equal_noise(pby_release *a, const struct made *m, pby_release *b, const struct made *n,
                          size_t use)
{
    int64_t x[BARS], y[BARS];
    size_t same = 0;
    cr_assert_eq(pby_keyed_bars(a, &m->bars, 0, x, NULL), PBY_OK);
    cr_assert_eq(pby_keyed_bars(b, &n->bars, use, y, NULL), PBY_OK);
    for (size_t i = 0; i < BARS; i++)
        same += x[i] - m->counts[i] == y[i] - n->counts[i];
    return same;
}

Test(keyed, another_secret_digest_key_count_or_use_is_other_noise)
{
    const uint8_t other[PBY_KEYED_SIZE] = {8};
    struct made m, renamed, recounted;
    make(&m, 0);
    make(&renamed, 5000);
    make(&recounted, 0);
    for (size_t i = 0; i < BARS; i++)
        recounted.counts[i]++;
    pby_spec *spec = spec_of("2*geometric:eps=1/1000"), *near = spec_of("2*geometric:eps=2/2001");
    pby_release *one = keyed(spec, secret, digest);
    pby_release *by = keyed(spec, other, digest), *of = keyed(spec, secret, other),
                *law = keyed(near, secret, digest);
    cr_assert_eq(equal_noise(one, &m, one, &m, 0), BARS);
    cr_assert_lt(equal_noise(one, &m, one, &m, 1), 10);
    cr_assert_lt(equal_noise(one, &m, by, &m, 0), 10);
    cr_assert_lt(equal_noise(one, &m, of, &m, 0), 10);
    cr_assert_lt(equal_noise(one, &m, law, &m, 0), 10);
    cr_assert_lt(equal_noise(one, &m, one, &renamed, 0), 10);
    cr_assert_lt(equal_noise(one, &m, one, &recounted, 0), 10);
    pby_release_free(one);
    pby_release_free(by);
    pby_release_free(of);
    pby_release_free(law);
    pby_spec_free(spec);
    pby_spec_free(near);
}

/* The share of n draws of chance p is farther than sqrt(log(2/error) / 2n) from p with a chance of at most
 * error (Hoeffding), here 1e-9. */
Test(keyed, noise_has_the_law_of_the_mechanism)
{
    enum { PARTS = 400 };
    const double n = PARTS * BARS, reach = sqrt(log(2e9) / (2 * n));
    pby_spec *spec = spec_of("geometric:eps=1");
    pby_release *release = keyed(spec, secret, digest);
    int zero = 0, one = 0, below = 0;
    for (int p = 0; p < PARTS; p++) {
        struct made m;
        int64_t noisy[BARS];
        make(&m, p * BARS % 10000);
        m.bytes[0] = (char)('a' + p / 200);
        for (int i = 0; i < BARS; i++)
            m.bytes[i * WIDTH] = m.bytes[0];
        cr_assert_eq(pby_keyed_bars(release, &m.bars, 0, noisy, NULL), PBY_OK);
        for (int i = 0; i < BARS; i++) {
            zero += noisy[i] == m.counts[i];
            one += noisy[i] == m.counts[i] + 1;
            below += noisy[i] < m.counts[i];
        }
    }
    cr_assert_float_eq(zero / n, 0.4621171573, reach);
    cr_assert_float_eq(one / n, 0.1700034024, reach);
    cr_assert_float_eq(below / n, 0.2689414214, reach);
    pby_release_free(release);
    pby_spec_free(spec);
}

Test(keyed, a_digest_is_of_the_bars_and_not_of_their_order)
{
    struct made m;
    uint8_t whole[PBY_KEYED_SIZE] = {0}, front[PBY_KEYED_SIZE] = {0}, back[PBY_KEYED_SIZE] = {0};
    make(&m, 0);
    const pby_keyed_part first = {m.bytes, m.offsets, m.counts, 20},
                         rest = {m.bytes, m.offsets + 20, m.counts + 20, 30};
    cr_assert_eq(pby_keyed_digest(whole, &m.bars, NULL), PBY_OK);
    cr_assert_eq(pby_keyed_digest(back, &rest, NULL), PBY_OK);
    cr_assert_eq(pby_keyed_digest(front, &first, NULL), PBY_OK);
    pby_keyed_join(back, front);
    cr_assert_arr_eq(whole, back, sizeof whole);
    m.counts[3]++;
    memset(front, 0, sizeof front);
    cr_assert_eq(pby_keyed_digest(front, &m.bars, NULL), PBY_OK);
    cr_assert_arr_neq(whole, front, sizeof whole);
}

Test(keyed, a_secret_is_fresh)
{
    uint8_t a[PBY_KEYED_SIZE], b[PBY_KEYED_SIZE];
    cr_assert_eq(pby_keyed_secret(a, NULL), PBY_OK);
    cr_assert_eq(pby_keyed_secret(b, NULL), PBY_OK);
    cr_assert_arr_neq(a, b, sizeof a);
}

Test(keyed, refusals)
{
    static const char *const others[] = {"rr:eps=1", "exponential:eps=1"};
    pby_error err = PBY_NO_ERROR;
    struct made m;
    int64_t noisy[BARS];
    pby_release *release;
    make(&m, 0);
    for (size_t i = 0; i < 2; i++) {
        pby_spec *spec = spec_of(others[i]);
        const pby_neighbours relation = i == 0 ? PBY_LOCAL : PBY_ADD_REMOVE;
        cr_assert_eq(pby_keyed_new(&release, spec, relation, secret, digest, &err), PBY_BAD);
        cr_assert_null(release);
        cr_assert(strstr(err.text, "a mechanism that releases a histogram"), "%s", err.text);
        pby_spec_free(spec);
    }
    pby_spec *spec = spec_of("geometric:eps=1");
    release = keyed(spec, secret, digest);
    cr_assert_eq(pby_keyed_bars(release, &m.bars, 1, noisy, &err), PBY_BAD);
    m.counts[7] = -424242;
    cr_assert_eq(pby_keyed_bars(release, &m.bars, 0, noisy, &err), PBY_BAD);
    cr_assert_null(strstr(err.text, "424242"));
    for (size_t i = 0; i < BARS; i++)
        cr_assert_eq(noisy[i], 0);
    m.counts[7] = 0;
    m.offsets[7] = 1000;
    cr_assert_eq(pby_keyed_bars(release, &m.bars, 0, noisy, &err), PBY_BAD);
    cr_assert_eq(pby_keyed_digest((uint8_t[PBY_KEYED_SIZE]){0}, &m.bars, &err), PBY_BAD);
    pby_release_free(release);
    make(&m, 0);
    cr_assert_eq(pby_release_new(&release, spec, PBY_ADD_REMOVE, NULL), PBY_OK);
    cr_assert_eq(pby_keyed_bars(release, &m.bars, 0, noisy, &err), PBY_BAD);
    pby_release_free(release);
    pby_spec_free(spec);
}
