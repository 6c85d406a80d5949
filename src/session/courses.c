/* SPDX-License-Identifier: MIT */
#include "session/courses.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "certificate/ledger/spent.h"
#include "mechanism/onebit/memobit.h"
#include "probity/experimental/draw.h"
#include "probity/experimental/entropy.h"
#include "session/session_values.h"

enum { VALUE_MAX = 256 };

struct course {
    const pby_mechanism *m;
    pby_sampler *sampler;
    pby_entropy *source;
    int64_t *step; /* of the rounds of one user */
    size_t rounds, room;
    char *text; /* of a report: two bytes for each round */
};

bool pby_course_takes(const pby_spec *spec)
{
    const pby_mechanism *m;
    return pby_spec_memobit(&m, spec, NULL) == PBY_OK;
}

static void course_clear(struct course *c)
{
    if (c->step != NULL)
        sodium_memzero(c->step, c->room * sizeof *c->step);
    free(c->step);
    free(c->text);
    pby_sampler_free(c->sampler);
    pby_entropy_free(c->source);
}

/* A line of n bytes has room for n values at most, with commas between. */
static pby_status make_room(struct course *c, size_t length, pby_error *err)
{
    if (c->step != NULL)
        sodium_memzero(c->step, c->room * sizeof *c->step);
    free(c->step);
    free(c->text);
    c->room = length / 2 + 1;
    c->step = calloc(c->room, sizeof *c->step);
    c->text = malloc(2 * c->room);
    return c->step == NULL || c->text == NULL ? pby_no_memory(err) : PBY_OK;
}

static pby_status read_value(struct course *c, const char *from, size_t length, pby_error *err)
{
    char value[VALUE_MAX];
    if (length == 0 || length >= VALUE_MAX)
        return pby_fail(err, PBY_BAD, "round %zu: expected a value of 1 to %d bytes", c->rounds + 1,
                        VALUE_MAX - 1);
    memcpy(value, from, length);
    value[length] = '\0';
    const pby_status status = pby_memobit_step(&c->step[c->rounds++], c->m, value, err);
    sodium_memzero(value, sizeof value);
    return status;
}

/* The steps of a user's rounds. */
static pby_status read_course(struct course *c, const char *line, size_t length, pby_error *err)
{
    c->rounds = 0;
    if (length / 2 + 1 > c->room)
        PBY_TRY(make_room(c, length, err));
    for (size_t at = 0, end; at <= length; at = end + 1) {
        const char *comma = memchr(line + at, ',', length - at);
        end = comma == NULL ? length : (size_t)(comma - line);
        PBY_TRY(read_value(c, line + at, end - at, err));
    }
    return pby_memobit_check(c->m, c->step, c->rounds, err);
}

/* Reads every line before anything is drawn, then goes back before the first. */
static pby_status check_all(struct course *c, pby_memo_values *values, pby_error *err)
{
    pby_error why = PBY_NO_ERROR;
    const char *line;
    size_t length;
    while (pby_memo_values_next(&line, &length, values))
        if (read_course(c, line, length, &why) != PBY_OK)
            return pby_memo_values_refuse(values, &why, err);
    values->at = 0;
    values->line = 0;
    return PBY_OK;
}

static pby_status report_all(struct course *c, pby_memo_values *values, pby_memo_told *told, void *what,
                             pby_error *err)
{
    const char *line;
    size_t length;
    while (pby_memo_values_next(&line, &length, values)) {
        PBY_TRY(read_course(c, line, length, err));
        PBY_TRY(pby_memobit_report(c->step, c->rounds, c->m, c->sampler, c->source, err));
        for (size_t i = 0; i < c->rounds; i++) {
            c->text[2 * i] = (char)('0' + c->step[i]);
            c->text[2 * i + 1] = i + 1 < c->rounds ? ',' : '\0';
        }
        PBY_TRY(told(what, c->text, err));
    }
    return PBY_OK;
}

static pby_status course_init(struct course *c, const pby_spec *spec, const uint8_t *seed, pby_error *err)
{
    PBY_TRY(pby_spec_memobit(&c->m, spec, err));
    PBY_TRY(pby_sampler_new(&c->sampler, spec, err));
    return seed == NULL ? pby_entropy_system(&c->source, err) : pby_entropy_seeded(&c->source, seed, err);
}

pby_status pby_course_report(const pby_spec *spec, const char *path, pby_ledger *ledger, const uint8_t *seed,
                             pby_memo_told *told, void *what, pby_error *err)
{
    struct course c = {.m = NULL};
    pby_memo_values values = {.text = NULL};
    pby_status status = course_init(&c, spec, seed, err);
    if (status == PBY_OK)
        status = pby_memo_values_read(&values, path, err);
    if (status == PBY_OK)
        status = check_all(&c, &values, err);
    const uint64_t before = pby_ledger_spends(ledger);
    if (status == PBY_OK && ledger != NULL)
        status = pby_ledger_spend(ledger, spec, NULL, err);
    if (status == PBY_OK)
        status = pby_ledger_note(ledger, before, report_all(&c, &values, told, what, err), err);
    pby_memo_values_clear(&values);
    course_clear(&c);
    return status;
}
