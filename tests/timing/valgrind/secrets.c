/* SPDX-License-Identifier: MIT */
/* Runs draws and histogram updates under valgrind, on words and counts that it takes for undefined. A branch
 * or an address that depends on one of them is then an error that memcheck reports.
 *
 *   secrets                 every silent function, and whole timing-safe draws and releases
 *   secrets --plant         one branch on a secret, which must be reported
 *
 * A timing-safe draw makes one fact public, which is declared by name: whether a block holds an undecided
 * word. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/memcheck.h>

#include "entropy/internal.h"
#include "kernel/histogram.h"
#include "kernel/silent.h"
#include "law/sampler.h"
#include "mechanism/rappor/respond.h"
#include "mechanism/run/noise_bars.h"
#include "probity.h"
#include "probity/experimental/parts.h"

enum { MANY = 1003 }; /* no multiple of a vector: the rest of a loop is looked at too */

static volatile int64_t seen;

static void check(pby_status status, const pby_error *err)
{
    if (status == PBY_OK)
        return;
    fprintf(stderr, "secrets: %s\n", err->text);
    exit(3);
}

/* A source whose words are secret. */
struct secret {
    pby_entropy base;
    pby_entropy *words;
};

static pby_status secret_words(pby_entropy *source, uint64_t *words, size_t count, pby_error *err)
{
    const pby_status status = pby_entropy_words(((struct secret *)source)->words, words, count, err);
    VALGRIND_MAKE_MEM_UNDEFINED(words, count * sizeof *words);
    return status;
}

static void secret_free(pby_entropy *source)
{
    pby_entropy_free(((struct secret *)source)->words);
    free(source);
}

static pby_entropy *secret_source(void)
{
    static const pby_entropy_ops ops = {secret_words, secret_free};
    static const uint8_t seed[PBY_SEED_SIZE] = {8};
    pby_error err;
    struct secret *s = calloc(1, sizeof *s);
    if (s == NULL)
        exit(3);
    s->base.ops = &ops;
    check(pby_entropy_seeded(&s->words, seed, &err), &err);
    return &s->base;
}

static pby_spec *parse(const char *text)
{
    pby_spec *spec;
    pby_error err;
    check(pby_spec_parse(&spec, &text, 1, &err), &err);
    return spec;
}

static void draw(const char *text)
{
    static int64_t noise[MANY];
    pby_sampler *sampler;
    pby_error err;
    pby_spec *spec = parse(text);
    pby_entropy *source = secret_source();
    check(pby_sampler_new(&sampler, spec, &err), &err);
    check(pby_sampler_timing_safe(sampler, &err), &err);
    check(pby_draw_many(sampler, source, noise, MANY, &err), &err);
    int64_t undefined = 0;
    if (VALGRIND_GET_VBITS(&noise[MANY / 2], &undefined, sizeof undefined) == 1 && undefined == 0) {
        fprintf(stderr, "secrets: the noise of %s is not secret: nothing was checked\n", text);
        exit(3);
    }
    pby_entropy_free(source);
    pby_sampler_free(sampler);
    pby_spec_free(spec);
}

static void release(const char *text, int64_t limit)
{
    static int64_t counts[MANY];
    pby_release *release;
    pby_error err;
    pby_spec *spec = parse(text);
    for (size_t i = 0; i < MANY; i++)
        counts[i] = (int64_t)(i % 3 * i);
    VALGRIND_MAKE_MEM_UNDEFINED(counts, sizeof counts);
    check(pby_release_with(&release, spec, PBY_ADD_REMOVE, secret_source(), &err), &err);
    check(pby_release_timing_safe(release, &err), &err);
    check(pby_release_truncate(release, limit, &err), &err);
    check(pby_release_counts(release, counts, counts, MANY, &err), &err);
    pby_release_free(release);
    pby_spec_free(spec);
}

/* Answers of users, each below k. */
static void respond(const char *text, int64_t k)
{
    static int64_t answers[MANY];
    pby_release *release;
    pby_error err;
    pby_spec *spec = parse(text);
    for (size_t i = 0; i < MANY; i++)
        answers[i] = (int64_t)i % k;
    VALGRIND_MAKE_MEM_UNDEFINED(answers, sizeof answers);
    check(pby_release_with(&release, spec, PBY_LOCAL, secret_source(), &err), &err);
    check(pby_release_timing_safe(release, &err), &err);
    check(pby_release_counts(release, answers, answers, MANY, &err), &err);
    pby_release_free(release);
    pby_spec_free(spec);
}

/* The coins of RAPPOR, on secret bits: chances whose digits end, and some whose do not. */
static void flip(const char *text)
{
    static uint64_t bits[2 * MANY];
    pby_rappor r;
    pby_responder responder;
    pby_error err;
    pby_spec *spec = parse(text);
    pby_entropy *source = secret_source();
    VALGRIND_MAKE_MEM_UNDEFINED(bits, sizeof bits);
    pby_rappor_of(&r, &spec->use[0].mechanism);
    check(pby_responder_init(&responder, &r, &err), &err);
    check(pby_responder_permanent(&responder, source, true, bits, bits, MANY, &err), &err);
    check(pby_responder_report(&responder, source, true, bits, bits, MANY, &err), &err);
    pby_responder_clear(&responder);
    pby_entropy_free(source);
    pby_spec_free(spec);
}

/* The fault: the quick update, which asks whether a bar is empty. */
static void plant(void)
{
    int64_t count = 3, noise = -1;
    VALGRIND_MAKE_MEM_UNDEFINED(&count, sizeof count);
    pby_shrink(&count, &count, 1, &noise, 1);
    seen = count;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--plant") == 0) {
        plant();
        return 0;
    }
    draw("stlap:eps=1/2,q=40");
    draw("geometric:eps=1/10");
    draw("geometric:eps=1/100000");
    draw("dgauss:sigma2=100");
    draw("tgeometric:eps=1,bound=9");
    release("stlap:eps=1/2,q=40", INT64_MAX);
    release("geometric:eps=1/10", INT64_MAX);
    release("geometric:eps=1/10", 100);
    release("dgauss:sigma2=30", INT64_MAX);
    release("2*dgauss:sigma2=30", 100);
    release("laplace:scale=7,grid=1", INT64_MAX);
    respond("rr:eps=1", 2);
    respond("rr:odds=3", 2);
    respond("krr:eps=1,k=7", 7);
    flip("rappor:bits=100,hashes=2,f=1/2,p=3/4,q=1/4");
    flip("rappor:bits=128,hashes=2,f=1/3,p=4/5,q=0");
    return 0;
}
