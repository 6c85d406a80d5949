/* SPDX-License-Identifier: MIT */
#include "cli/draw_scores.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/status.h"
#include "io/file.h"
#include "mechanism/shared/scores.h"
#include "table/row/csv_row.h"
#include "table/scored.h"
#include "table/store/rows.h"

enum { CHUNK = 1 << 10 };

bool pby_draw_wants_scores(const pby_spec *spec)
{
    return pby_spec_is_single(spec) && spec->use[0].mechanism.family->takes == PBY_TAKES_SCORES;
}

static pby_status take(void *scores, mpq_srcptr score, pby_error *err)
{
    return pby_scores_add(scores, score, err);
}

static pby_status print_name(const uint8_t *name, size_t size, bool json, bool first, uint8_t *room,
                             pby_error *err)
{
    if (!json) {
        uint8_t *end = pby_put_name(room, name, size);
        *end++ = '\n';
        fwrite(room, 1, (size_t)(end - room), stdout);
        return PBY_OK;
    }
    char *text = pby_json_text(json_stringn((const char *)name, size), JSON_ENCODE_ANY);
    if (text == NULL)
        return pby_no_memory(err);
    printf("%s%s", first ? "" : ", ", text);
    free(text);
    return PBY_OK;
}

static pby_status print_draws(const pby_scored *scored, pby_scores *scores, uint64_t count,
                              pby_entropy *source, bool json, pby_error *err)
{
    uint64_t chosen[CHUNK];
    uint8_t *room = malloc(2 * PBY_ROW_KEY_MAX + 4);
    pby_status status = room == NULL ? pby_no_memory(err) : PBY_OK;
    for (uint64_t done = 0; done < count && status == PBY_OK;) {
        const size_t n = count - done < CHUNK ? (size_t)(count - done) : CHUNK;
        status = pby_scores_draw(scores, source, chosen, n, err);
        for (size_t i = 0; i < n && status == PBY_OK; i++) {
            size_t size;
            const uint8_t *name = pby_scored_name(scored, chosen[i], &size);
            status = print_name(name, size, json, done + i == 0, room, err);
        }
        done += n;
    }
    free(room);
    return status;
}

static pby_status print_object(const pby_spec *spec, uint64_t count, pby_error *err)
{
    char *text = pby_json_text(json_string(pby_spec_text(spec)), JSON_ENCODE_ANY);
    if (text == NULL)
        return pby_no_memory(err);
    printf("{\"spec\": %s, \"n\": %llu, \"values\": [", text, (unsigned long long)count);
    free(text);
    return PBY_OK;
}

pby_status pby_draw_scores(const pby_spec *spec, const char *path, uint64_t count, const uint8_t *seed,
                           bool json, pby_error *err)
{
    pby_scores *scores = NULL;
    pby_scored *scored = NULL;
    pby_entropy *source = NULL;
    const pby_mechanism *m = &spec->use[0].mechanism;
    pby_status status = pby_scores_new(&scores, m, err);
    if (status == PBY_OK)
        status = pby_scored_read(&scored, pby_path_named(path), take, scores, pby_scores_expected(m), err);
    if (status == PBY_OK)
        status = seed != NULL ? pby_entropy_seeded(&source, seed, err) : pby_entropy_system(&source, err);
    if (status == PBY_OK && json)
        status = print_object(spec, count, err);
    if (status == PBY_OK)
        status = print_draws(scored, scores, count, source, json, err);
    if (status == PBY_OK && json)
        printf("]}\n");
    pby_entropy_free(source);
    pby_scored_free(scored);
    pby_scores_free(scores);
    return status;
}
