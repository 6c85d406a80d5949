/* SPDX-License-Identifier: MIT */
/* Contracts that run: the code that proofs/contracts.py writes includes this, and nothing else does.
 *
 * A formula is evaluated in integers of 128 bits. An evaluation that overflows them, divides by 0, recurs too
 * deep or takes too many steps is given up, and the clause counts as not evaluated at that call. */
/* Names end with an underscore, since parameters of the kernel's functions have others. */
#pragma once
#include <fcntl.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef __int128 I;

enum { STEPS = 100000, DEPTH = 3000, RANGES = 16, ALWAYS = 200, LATER = 101 };
enum { NOW = 0, PRE = 1 };
static const size_t COPIED = (size_t)1 << 22; /* bytes that are copied before a call, at most */

/* A range of memory, and a copy of it from before the call. */
typedef struct range {
    unsigned char *begin, *copy;
    size_t size;
} range;

typedef struct frame {
    range kept[RANGES], written[RANGES];
    size_t kept_count, written_count, bytes;
    int whole; /* all ranges that may be written to have been copied */
} frame;

static _Thread_local frame *now_;
static _Thread_local jmp_buf *given_up_;
static _Thread_local long steps_, depth_;

static inline void give_up_(void)
{
    longjmp(*given_up_, 1);
}

static inline void step_(void)
{
    if (--steps_ < 0)
        give_up_();
}

static inline int down_(void)
{
    step_();
    if (++depth_ > DEPTH)
        give_up_();
    return 1;
}

static inline I up_(I value)
{
    depth_--;
    return value;
}

static inline I add_(I a, I b)
{
    I r;
    if (__builtin_add_overflow(a, b, &r))
        give_up_();
    return r;
}

static inline I sub_(I a, I b)
{
    I r;
    if (__builtin_sub_overflow(a, b, &r))
        give_up_();
    return r;
}

static inline I mul_(I a, I b)
{
    I r;
    if (__builtin_mul_overflow(a, b, &r))
        give_up_();
    return r;
}

static inline I quotient_(I a, I b)
{
    if (b == 0 || b == -1)
        return b == 0 ? (give_up_(), 0) : sub_(0, a);
    return a / b;
}

static inline I rest_(I a, I b)
{
    if (b == 0)
        give_up_();
    return b == -1 ? 0 : a % b;
}

static inline I shifted_(I a, I b)
{
    if (b < 0 || b > 126)
        give_up_();
    return a >> b;
}

static inline I least_(I a, I b)
{
    return a < b ? a : b;
}
static inline I most_(I a, I b)
{
    return a > b ? a : b;
}

/* Returns where a value stands in that state. */
static inline const void *where_(int state, const void *p)
{
    const frame *f = now_;
    const unsigned char *at = p;
    for (size_t i = 0; state == PRE && i < f->kept_count; i++)
        if (at >= f->kept[i].begin && at < f->kept[i].begin + f->kept[i].size)
            return f->kept[i].copy + (at - f->kept[i].begin);
    return p;
}

#define READ(type, state, p) (*(const type *)where_(state, (const type *)(p)))

/* The bytes from index lo to hi of items of that size. */
static inline range bytes_(const void *p, I lo, I hi, size_t size)
{
    range r = {0};
    if (hi < lo)
        return r;
    if (hi - lo > ((I)1 << 40))
        give_up_();
    r.begin = (unsigned char *)(uintptr_t)((const unsigned char *)p + (ptrdiff_t)(lo * (I)size));
    r.size = (size_t)(hi - lo + 1) * size;
    return r;
}

static inline int apart_(range a, range b)
{
    return a.size == 0 || b.size == 0 || a.begin + a.size <= b.begin || b.begin + b.size <= a.begin;
}

static inline void keep_(frame *f, range r)
{
    for (size_t i = 0; i < f->kept_count; i++)
        if (r.begin >= f->kept[i].begin && r.begin + r.size <= f->kept[i].begin + f->kept[i].size)
            return;
    if (r.size == 0)
        return;
    if (f->kept_count == RANGES || f->bytes + r.size > COPIED || !(r.copy = malloc(r.size)))
        give_up_();
    memcpy(r.copy, r.begin, r.size);
    f->bytes += r.size;
    f->kept[f->kept_count++] = r;
}

static inline void write_to_(frame *f, range r)
{
    keep_(f, r);
    if (f->written_count == RANGES)
        give_up_();
    f->written[f->written_count++] = r;
}

/* Returns 1 if no byte of what was copied has changed but for those that may be written to. */
static inline int only_written_(const frame *f)
{
    for (size_t i = 0; i < f->kept_count; i++)
        for (size_t k = 0; k < f->kept[i].size; k++) {
            const unsigned char *at = f->kept[i].begin + k;
            int may = *at == f->kept[i].copy[k];
            for (size_t j = 0; !may && j < f->written_count; j++)
                may = at >= f->written[j].begin && at < f->written[j].begin + f->written[j].size;
            if (!may)
                return 0;
        }
    return 1;
}

static inline void forget_(frame *f)
{
    for (size_t i = 0; i < f->kept_count; i++)
        free(f->kept[i].copy);
}

/* The counts of each clause are in one file for all processes: how often it held and was given up. */
typedef struct tally {
    uint64_t held, given_up;
} tally;

static tally *tallies_(void)
{
    static tally *table;
    static tally none[CLAUSES];
    tally *found = __atomic_load_n(&table, __ATOMIC_ACQUIRE);
    const char *path = getenv("PROBITY_CONTRACTS");
    if (found)
        return found;
    const int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *map = file >= 0 ? mmap(NULL, CLAUSES * sizeof *table, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                          : MAP_FAILED;
    if (file >= 0)
        close(file);
    found = map == MAP_FAILED ? none : map;
    __atomic_store_n(&table, found, __ATOMIC_RELEASE);
    return found;
}

/* Counts an evaluation: 1, 0, or -1 if it was given up; 0 ends the process. */
static inline void judge_(int clause, int value, const char *function, const char *text)
{
    tally *t = &tallies_()[clause];
    __atomic_fetch_add(value < 0 ? &t->given_up : &t->held, 1, __ATOMIC_RELAXED);
    if (value != 0)
        return;
    fprintf(stderr, "contracts: %s: does not hold: %s\n", function, text);
    abort();
}

#define TRY(value, expression)               \
    do {                                     \
        jmp_buf here_, *before_ = given_up_; \
        given_up_ = &here_;                  \
        steps_ = STEPS;                      \
        depth_ = 0;                          \
        if (setjmp(here_) == 0)              \
            value = (expression);            \
        else                                 \
            value = -1;                      \
        given_up_ = before_;                 \
    } while (0)

/* A function is checked at its first calls, and then at some. */
static inline int is_checked_(uint64_t *calls)
{
    const uint64_t n = __atomic_fetch_add(calls, 1, __ATOMIC_RELAXED);
    return n < ALWAYS || n % LATER == 0;
}
