/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "entropy/internal.h"
#include "probity/experimental/entropy.h"

enum {
    BLOCK = 2044, /* words of one block, after the 4 that are the next block's key */
    KEY = 4,
};

static int calls;

static ssize_t counting(void *buffer, size_t size, unsigned flags)
{
    (void)flags;
    memset(buffer, 0x40 + calls++, size);
    return (ssize_t)size;
}

static ssize_t failing(void *buffer, size_t size, unsigned flags)
{
    (void)flags;
    memset(buffer, 0xff, size);
    calls++;
    errno = ENOSYS;
    return -1;
}

static ssize_t failing_later(void *buffer, size_t size, unsigned flags)
{
    return calls == 0 ? counting(buffer, size, flags) : failing(buffer, size, flags);
}

static ssize_t short_by_one(void *buffer, size_t size, unsigned flags)
{
    return counting(buffer, size, flags) - 1;
}

static ssize_t giving_nothing(void *buffer, size_t size, unsigned flags)
{
    (void)buffer, (void)size, (void)flags;
    calls++;
    return 0;
}

static ssize_t interrupted_twice(void *buffer, size_t size, unsigned flags)
{
    if (calls < 2) {
        calls++;
        errno = EINTR;
        return -1;
    }
    return counting(buffer, size, flags);
}

static pby_entropy *source_from(pby_entropy_getter *getter)
{
    pby_entropy *source;
    cr_assert_eq(pby_entropy_system_from(&source, getter, NULL), PBY_OK);
    return source;
}

static void refused(pby_entropy_getter *getter, const char *text)
{
    pby_error err;
    pby_entropy *source = (pby_entropy *)&err;
    cr_assert_eq(pby_entropy_system_from(&source, getter, &err), PBY_FAILED);
    cr_assert_null(source);
    cr_assert_str_eq(err.text, text);
    cr_assert_eq(calls, 1, "asked once, and nothing else was asked");
}

/* The seeded source gives whole keystreams; a block here is one of them, its first words the next key. */
Test(system, each_block_carries_the_key_of_the_next)
{
    uint8_t key[PBY_SEED_SIZE];
    uint64_t expected[KEY + BLOCK], words[BLOCK];
    memset(key, 0x40, sizeof key);
    pby_entropy *source = source_from(counting);
    for (int block = 0; block < 3; block++) {
        pby_entropy *keystream;
        cr_assert_eq(pby_entropy_seeded(&keystream, key, NULL), PBY_OK);
        cr_assert_eq(pby_entropy_words(keystream, expected, KEY + BLOCK, NULL), PBY_OK);
        pby_entropy_free(keystream);
        cr_assert_eq(pby_entropy_words(source, words, 7, NULL), PBY_OK);
        cr_assert_eq(pby_entropy_words(source, words + 7, BLOCK - 7, NULL), PBY_OK);
        cr_assert_arr_eq(words, expected + KEY, sizeof words, "block %d", block);
        memcpy(key, expected, sizeof key);
    }
    cr_assert_eq(calls, 1);
    pby_entropy_free(source);
}

Test(system, one_long_read_equals_many_short_ones)
{
    enum { COUNT = 3 * BLOCK + 5 };
    static uint64_t whole[COUNT];
    pby_entropy *a = source_from(counting);
    calls = 0;
    pby_entropy *b = source_from(counting);
    cr_assert_eq(pby_entropy_words(a, whole, COUNT, NULL), PBY_OK);
    for (size_t i = 0; i < COUNT; i++) {
        uint64_t word;
        cr_assert_eq(pby_entropy_words(b, &word, 1, NULL), PBY_OK);
        cr_assert_eq(word, whole[i], "word %zu", i);
    }
    pby_entropy_free(a);
    pby_entropy_free(b);
}

/* Chance of a false alarm: below 2^-40 even for one pair of equal words among all of them. */
Test(system, two_sources_share_no_word)
{
    enum { COUNT = 256 };
    uint64_t words[2 * COUNT];
    for (int i = 0; i < 2; i++) {
        pby_entropy *source;
        cr_assert_eq(pby_entropy_system(&source, NULL), PBY_OK);
        cr_assert_eq(pby_entropy_words(source, words + i * COUNT, COUNT, NULL), PBY_OK);
        pby_entropy_free(source);
    }
    for (int i = 0; i < 2 * COUNT; i++)
        for (int j = 0; j < i; j++)
            cr_assert_neq(words[i], words[j]);
}

Test(system, a_failing_system_is_a_failure)
{
    refused(failing, "no entropy: getrandom: Function not implemented");
}

Test(system, a_short_read_is_a_failure)
{
    refused(short_by_one, "no entropy: getrandom gave 31 bytes of the 32 asked for");
}

Test(system, an_empty_read_is_a_failure)
{
    refused(giving_nothing, "no entropy: getrandom gave 0 bytes of the 32 asked for");
}

Test(system, an_interrupted_read_is_tried_again)
{
    uint64_t word;
    pby_entropy *source = source_from(interrupted_twice);
    cr_assert_eq(calls, 3);
    cr_assert_eq(pby_entropy_words(source, &word, 1, NULL), PBY_OK);
    pby_entropy_free(source);
}

/* The words that a child process reads from a source that its parent made, and its status. */
typedef struct child_read {
    uint64_t words[BLOCK];
    pby_status status;
    int calls;
} child_read;

static child_read read_in_child(pby_entropy *source)
{
    int ends[2];
    child_read result;
    cr_assert_eq(pipe(ends), 0);
    const pid_t pid = fork();
    cr_assert_geq(pid, 0);
    if (pid == 0) {
        memset(result.words, 0xaa, sizeof result.words);
        result.status = pby_entropy_words(source, result.words, BLOCK, NULL);
        result.calls = calls;
        _exit(write(ends[1], &result, sizeof result) == (ssize_t)sizeof result ? 0 : 1);
    }
    close(ends[1]);
    size_t got = 0;
    for (ssize_t n;
         got < sizeof result && (n = read(ends[0], (char *)&result + got, sizeof result - got)) > 0;)
        got += (size_t)n;
    cr_assert_eq(got, sizeof result);
    close(ends[0]);
    cr_assert_eq(waitpid(pid, NULL, 0), pid);
    return result;
}

static bool share_a_word(const uint64_t *a, const uint64_t *b)
{
    for (int i = 0; i < BLOCK; i++)
        for (int j = 0; j < BLOCK; j++)
            if (a[i] == b[j])
                return true;
    return false;
}

Test(system, a_child_never_repeats_its_parent)
{
    uint64_t before[3], words[BLOCK];
    pby_entropy *source;
    cr_assert_eq(pby_entropy_system(&source, NULL), PBY_OK);
    cr_assert_eq(pby_entropy_words(source, before, 3, NULL), PBY_OK);
    const child_read first = read_in_child(source), second = read_in_child(source);
    cr_assert_eq(pby_entropy_words(source, words, BLOCK, NULL), PBY_OK);
    cr_assert_eq(first.status, PBY_OK);
    cr_assert_eq(second.status, PBY_OK);
    cr_assert_not(share_a_word(words, first.words));
    cr_assert_not(share_a_word(words, second.words));
    cr_assert_not(share_a_word(first.words, second.words));
    pby_entropy_free(source);
}

Test(system, a_child_takes_its_own_key_and_the_parent_goes_on)
{
    uint64_t words[BLOCK], alone[BLOCK];
    pby_entropy *source = source_from(counting);
    const child_read child = read_in_child(source);
    cr_assert_eq(child.status, PBY_OK);
    cr_assert_eq(child.calls, 2);
    cr_assert_eq(pby_entropy_words(source, words, BLOCK, NULL), PBY_OK);
    cr_assert_eq(calls, 1);
    pby_entropy_free(source);
    calls = 0;
    source = source_from(counting);
    cr_assert_eq(pby_entropy_words(source, alone, BLOCK, NULL), PBY_OK);
    cr_assert_arr_eq(words, alone, sizeof words);
    pby_entropy_free(source);
}

Test(system, a_child_without_entropy_fails_and_gives_nothing)
{
    pby_entropy *source = source_from(failing_later);
    const child_read child = read_in_child(source);
    cr_assert_eq(child.status, PBY_FAILED);
    for (int i = 0; i < BLOCK; i++)
        cr_assert_eq(child.words[i], 0);
    uint64_t word;
    cr_assert_eq(pby_entropy_words(source, &word, 1, NULL), PBY_OK);
    pby_entropy_free(source);
}
