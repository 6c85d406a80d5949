/* SPDX-License-Identifier: MIT */
#include "probity/experimental/draw.h"

#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "cli/command.h"
#include "cli/draw_scores.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "io/file.h"
#include "io/spool.h"
#include "law/law_theorem.h"
#include "mechanism/family.h"
#include "number/integer.h"
#include "table/row/decimal.h"

enum { CHUNK = 1 << 14, BETWEEN_SIZE = 3, VALUE_SIZE = BETWEEN_SIZE + PBY_DIGITS };
enum { COUNT, SCORES, SEED, STREAM, THREADS, TIMING_SAFE, COQ, JSON, OPTIONS };

static const unsigned long count_max = 1000000000000;

static const pby_option known[OPTIONS + 1] = {
    [COUNT] = {.name = "-n",
               .shown = "N",
               .expected = "an integer from 0 to 1000000000000",
               .help = "the number of draws, from 0 to 10^12"},
    [SCORES] = {.name = "--scores",
                .shown = "FILE",
                .expected = "the name of a file with CANDIDATE,SCORE a line",
                .completes = "file",
                .help = "of exponential, power, noisymax, permuteflip: draws of a candidate of a file of "
                        "CANDIDATE,SCORE, by name; - is standard input"},
    [SEED] = {.name = "--seed",
              .shown = "HEX",
              .expected = "64 hexadecimal digits",
              .help = "64 hexadecimal digits, for tests: the same draws every time, on every machine, and so "
                      "nothing that protects anyone"},
    [STREAM] =
        {.name = "--stream",
         .shown = "V",
         .expected = "1 or 2",
         .completes = "1 2",
         .help = "how a seed's words are used: 2, two draws a word, or 1, one a word, as in 0.2.0, to have "
                 "its draws again"},
    [THREADS] = {.name = "--threads",
                 .shown = "T",
                 .expected = "an integer from 1 to 256",
                 .help = "draws on up to T threads, from 1 to 256; what a seed draws does not depend on it"},
    [TIMING_SAFE] =
        {.name = "--timing-safe",
         .help = "neither the time of a draw nor its memory access depends on its value; the distribution "
                 "is the same. The length of a printed line still depends on the value"},
    [COQ] = {.name = "--coq",
             .shown = "FILE",
             .expected = "the name of a file for a theorem",
             .completes = "file",
             .help = "writes a theorem of Coq, which coqc proves with the library Interval: every cut of the "
                     "table that the draws come from is the floor of 2^64 times the cdf. For geometric noise "
                     "and that of dgauss, stlap, rr and krr, up to 200 cuts; then -n may be left out"},
    [JSON] = {.name = "--json",
              .help = "one JSON object, printed as the draws are made: spec, n, and values, an array of "
                      "integers (for several uses, of arrays)"},
};

/* The form of the values: the texts before the first, between two draws, between two uses of one draw, and
 * after the last. */
struct form {
    char *open; /* for free(3); NULL for nothing */
    const char *between, *within, *close;
    uint64_t uses;
};

/* An object is printed as its values come, so that it needs no more memory than lines do. */
static pby_status start_json(struct form *form, const pby_spec *spec, uint64_t count, pby_error *err)
{
    char *text = pby_json_text(json_pack("{s:s, s:I}", "spec", pby_spec_text(spec), "n", (json_int_t)count),
                               JSON_PRESERVE_ORDER);
    const int braceless = text == NULL ? 0 : (int)strlen(text) - 1;
    const bool nested = form->uses > 1 && count > 0;
    *form = (struct form){NULL, nested ? "],[" : ",", ",", nested ? "]]}\n" : "]}\n", form->uses};
    if (text == NULL ||
        asprintf(&form->open, "%.*s, \"values\": [%s", braceless, text, nested ? "[" : "") < 0)
        form->open = NULL;
    free(text);
    return form->open == NULL ? pby_no_memory(err) : PBY_OK;
}

static pby_status print_text(const void *text, size_t size, pby_error *err)
{
    return pby_file_write_all(STDOUT_FILENO, text, size, "standard output", err);
}

/* at is the place of the first value among all. */
static pby_status print(const int64_t *noise, size_t n, const struct form *form, uint64_t at, uint8_t *text,
                        pby_error *err)
{
    uint8_t *end = text;
    for (size_t i = 0; i < n; i++) {
        const char *between = at + i == 0 ? "" : (at + i) % form->uses == 0 ? form->between : form->within;
        end = (uint8_t *)mempcpy(end, between, strlen(between));
        end = pby_put_number(end, noise[i]);
    }
    return print_text(text, (size_t)(end - text), err);
}

static pby_status print_all(const int64_t *noise, size_t n, const struct form *form, uint64_t done,
                            uint8_t *text, pby_error *err)
{
    for (size_t at = 0; at < n; at += CHUNK)
        PBY_TRY(print(noise + at, n - at < CHUNK ? n - at : CHUNK, form, done + at, text, err));
    return PBY_OK;
}

/* In turns of a block for each thread. */
static pby_status draw(pby_bulk *bulk, uint64_t count, unsigned long threads, const struct form *form,
                       pby_error *err)
{
    const uint64_t most = threads * PBY_BULK_BLOCK, turn = count < most ? count : most;
    int64_t *noise = malloc((turn + 1) * sizeof *noise);
    uint8_t *text = malloc(CHUNK * VALUE_SIZE);
    pby_status status = noise == NULL || text == NULL ? pby_no_memory(err) : PBY_OK;
    pby_progress progress;
    pby_progress_begin(&progress, "drawn", count);
    for (uint64_t done = 0; done < count && status == PBY_OK;) {
        const size_t n = count - done < turn ? (size_t)(count - done) : (size_t)turn;
        status = pby_bulk_draw(bulk, noise, n, err);
        if (status == PBY_OK)
            status = print_all(noise, n, form, done, text, err);
        done += n;
        pby_progress_at(&progress, done);
    }
    pby_progress_end(&progress);
    free(text);
    free(noise);
    return status;
}

static pby_status draw_in_form(pby_bulk *bulk, const struct form *form, uint64_t count, unsigned long threads,
                               pby_error *err)
{
    pby_status status = form->open == NULL ? PBY_OK : print_text(form->open, strlen(form->open), err);
    if (status == PBY_OK)
        status = draw(bulk, count, threads, form, err);
    return status == PBY_OK ? print_text(form->close, strlen(form->close), err) : status;
}

/* The sampler of one use: that of M for K*M too. */
static pby_status sampler_of_use(pby_sampler **out, const pby_spec *spec, pby_error *err)
{
    pby_spec *use;
    *out = NULL;
    if (pby_spec_uses(spec) < 2)
        return pby_sampler_new(out, spec, err);
    pby_status status = pby_spec_of(&use, &spec->use[0].mechanism, 1, err);
    if (status != PBY_OK)
        return status;
    status = pby_sampler_new(out, use, err);
    pby_spec_free(use);
    return status;
}

/* The version of a seed's stream. */
static pby_status choose_stream(pby_sampler *sampler, const pby_option *options, pby_error *err)
{
    unsigned long version;
    const char *value = options[STREAM].value;
    if (value != NULL && options[SEED].value == NULL)
        return pby_refuse(err, "--stream", value, "it with --seed");
    const pby_status status = pby_integer_parse(&version, "--stream", value, 1, PBY_STREAM, PBY_STREAM, err);
    return status == PBY_OK ? pby_sampler_stream(sampler, (unsigned)version, err) : status;
}

/* Writes the theorem about the table, if one is asked for. */
static pby_status state(const pby_sampler *sampler, const pby_spec *spec, const pby_option *options,
                        pby_error *err)
{
    char *text = NULL;
    const char *path = options[COQ].value;
    if (path == NULL)
        return PBY_OK;
    if (options[TIMING_SAFE].value != NULL)
        return pby_refuse(err, "--coq", path, "it without --timing-safe, which draws from other tables");
    pby_status status = pby_sampler_theorem(&text, sampler, pby_spec_text(spec), err);
    if (status == PBY_OK)
        status = pby_spool_text(pby_path_named(path), text, "", err);
    free(text);
    return status;
}

static pby_status draw_from(const pby_spec *spec, const pby_option *options, unsigned long count,
                            unsigned long threads, pby_error *err)
{
    pby_sampler *sampler = NULL;
    pby_bulk *bulk = NULL;
    const uint64_t uses = pby_spec_uses(spec) > 1 ? pby_spec_uses(spec) : 1;
    struct form form = {NULL, "\n", ",", count == 0 ? "" : "\n", uses};
    uint8_t seed[PBY_SEED_SIZE];
    const bool seeded = options[SEED].value != NULL;
    pby_status status = seeded ? pby_option_seed(seed, options[SEED].value, err) : PBY_OK;
    if (status == PBY_OK)
        status = sampler_of_use(&sampler, spec, err);
    if (status == PBY_OK && count > count_max / uses)
        status =
            pby_fail(err, PBY_BAD, "-n: expected at most 1000000000000 values, those of every use together");
    if (status == PBY_OK)
        status = choose_stream(sampler, options, err);
    if (status == PBY_OK)
        status = state(sampler, spec, options, err);
    if (status == PBY_OK && options[TIMING_SAFE].value != NULL)
        status = pby_sampler_timing_safe(sampler, err);
    if (status == PBY_OK)
        status = pby_bulk_new(&bulk, sampler, seeded ? seed : NULL, (unsigned)threads, err);
    if (status == PBY_OK && options[JSON].value != NULL)
        status = start_json(&form, spec, count, err);
    if (status == PBY_OK)
        status = draw_in_form(bulk, &form, count * uses, threads, err);
    free(form.open);
    sodium_memzero(seed, sizeof seed);
    pby_bulk_free(bulk);
    pby_sampler_free(sampler);
    return status;
}

/* Candidates take words from one stream, whose draws depend on their scores. */
static pby_status draw_candidates(const pby_spec *spec, const pby_option *options, unsigned long count,
                                  pby_error *err)
{
    uint8_t seed[PBY_SEED_SIZE];
    const bool seeded = options[SEED].value != NULL;
    if (options[TIMING_SAFE].value != NULL)
        return pby_fail(err, PBY_BAD, "--timing-safe: expected it without --scores");
    if (options[COQ].value != NULL)
        return pby_refuse(err, "--coq", options[COQ].value, "it without --scores");
    if (options[THREADS].value != NULL)
        return pby_refuse(err, "--threads", options[THREADS].value, "it without --scores");
    if (options[STREAM].value != NULL)
        return pby_refuse(err, "--stream", options[STREAM].value, "it without --scores");
    pby_status status = seeded ? pby_option_seed(seed, options[SEED].value, err) : PBY_OK;
    if (status == PBY_OK)
        status = pby_draw_scores(spec, options[SCORES].value, count, seeded ? seed : NULL,
                                 options[JSON].value != NULL, err);
    sodium_memzero(seed, sizeof seed);
    return status;
}

static pby_status answer(const pby_spec *spec, const pby_option *options, unsigned long count,
                         unsigned long threads, pby_error *err)
{
    const char *scores = options[SCORES].value;
    const bool wanted = pby_draw_wants_scores(spec);
    if (wanted && scores == NULL)
        return pby_fail(err, PBY_BAD, "draw: expected --scores FILE, the candidates and their scores");
    if (!wanted && scores != NULL)
        return pby_refuse(err, "--scores", scores,
                          "it with a mechanism that chooses a candidate by its score");
    return wanted ? draw_candidates(spec, options, count, err)
                  : draw_from(spec, options, count, threads, err);
}

static pby_status run_draw(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    pby_spec *spec;
    unsigned long count, threads;
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status == PBY_OK && options[COUNT].value == NULL && options[COQ].value == NULL)
        status = pby_fail(err, PBY_BAD, "draw: expected -n N, the number of draws");
    if (status == PBY_OK)
        status = pby_integer_parse(&count, "-n", options[COUNT].value, 0, count_max, 0, err);
    if (status == PBY_OK)
        status = pby_integer_parse(&threads, "--threads", options[THREADS].value, 1, PBY_THREADS_MAX, 1, err);
    if (status == PBY_OK)
        status = pby_operand_spec(&spec, "draw", operands, argv, err);
    if (status != PBY_OK)
        return status;
    status = answer(spec, options, count, threads, err);
    pby_spec_free(spec);
    return status;
}

static const char help[] =
    "probity draw: draw noise, one integer per line\n"
    "\n"
    "usage: probity draw SPEC -n N [--seed HEX [--stream V]] [--threads T] [--timing-safe] [--json]\n"
    "       probity draw SPEC --scores FILE -n N [--seed HEX] [--json]\n"
    "       probity draw SPEC --coq FILE [-n N ...]\n"
    "\n"
    "Prints N independent draws of the mechanism's noise. Each follows exactly the distribution of the\n"
    "SPEC. The randomness comes from the system's generator, unless a seed is given.\n"
    "\n"
    "  SPEC             a mechanism with a noise law, such as geometric:eps=1/10 or stlap:eps=1/2,q=40;\n"
    "                   of several uses, 3*dgauss:sigma2=50, a line has a value for each, separated by\n"
    "                   commas; values of laplace count in steps of its grid\n";

static const char end[] = "\n"
                          "examples:\n"
                          "  probity draw geometric:eps=1/10 -n 5\n"
                          "  probity draw exponential:eps=1 --scores scores.csv -n 1000 | sort | uniq -c\n"
                          "  probity draw stlap:eps=1/2,q=40 -n 1e6 | sort -n | uniq -c\n"
                          "  probity draw stlap:eps=1/2,q=40 --coq table.v\n";

const pby_command pby_command_draw = {"draw", "draw noise, one integer per line", help, known, end, run_draw};
