/* SPDX-License-Identifier: MIT */
/* A histogram, and one of the bars that passed a threshold, chosen by its exact count.
 *
 * Written: the name of the bar, or no row if none passed; under `key` where the input has a header, since the
 * name of a hidden key's column may tell of the data. The number of bars that passed is never shown. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "mechanism/run/noise_bars.h"
#include "probity/experimental/parts.h"
#include "release/input_histogram.h"
#include "release/input_kind.h"
#include "table/key/names.h"

enum { CHUNK = 1 << 14 };

struct input {
    pby_histogram h;
    int64_t *counts, *utility; /* of a chunk; utility NULL: none decide */
    bool *kept, *passed;       /* kept NULL: none is */
    uint8_t *scratch;          /* for a name with escapes */
    pby_names *names;          /* of the bars that passed */
};

/* ---- reading ----------------------------------------------------------------------------------- */

static pby_status check_passed(const pby_pipeline *p, const pby_release *release, pby_error *err)
{
    return pby_release_has_last(release)
               ? pby_refuse(err, "SPEC", pby_spec_text(p->budget->spec), "no last step: a name gets no noise")
               : PBY_OK;
}

static pby_status open_passed(void **out, const pby_pipeline *p, pby_release *release, pby_error *err)
{
    struct input *in = *out = calloc(1, sizeof *in);
    if (in == NULL)
        return pby_no_memory(err);
    PBY_TRY(pby_histogram_open(&in->h, p, release, err));
    const bool utility = in->h.utilities != NULL, kept = in->h.keep != NULL;
    in->counts = calloc(CHUNK, sizeof *in->counts);
    in->passed = calloc(CHUNK, sizeof *in->passed);
    in->scratch = calloc(1, PBY_ROW_KEY_MAX);
    in->utility = utility ? calloc(CHUNK, sizeof *in->utility) : NULL;
    in->kept = kept ? calloc(CHUNK, sizeof *in->kept) : NULL;
    return in->counts == NULL || in->passed == NULL || in->scratch == NULL ||
                   (utility && in->utility == NULL) || (kept && in->kept == NULL)
               ? pby_no_memory(err)
               : PBY_OK;
}

static pby_status again_passed(void *what, const pby_pipeline *p, pby_release *release, pby_error *err)
{
    (void)p;
    (void)release;
    (void)err;
    struct input *in = what;
    if (in->h.scattered == NULL)
        pby_histogram_again(&in->h);
    return PBY_OK;
}

/* Reads the next counts, and of the same rows the utilities and the marks. */
static pby_status read_chunk(struct input *in, size_t *n, pby_error *err)
{
    size_t some = 1;
    PBY_TRY(pby_csv_next_chunk(in->h.csv, in->counts, CHUNK, n, err));
    if (in->kept != NULL)
        pby_universe_marks(in->kept, in->h.keep, in->h.csv, *n);
    if (in->utility == NULL)
        return PBY_OK;
    if (*n == 0)
        return pby_csv_next_chunk(in->h.utilities, in->utility, 1, &some, err);
    for (size_t done = 0; done < *n && some > 0; done += some)
        PBY_TRY(pby_csv_next_chunk(in->h.utilities, in->utility + done, *n - done, &some, err));
    return PBY_OK;
}

/* ---- the choice -------------------------------------------------------------------------------- */

static pby_status note_passed(struct input *in, size_t n, pby_error *err)
{
    for (size_t i = 0; i < n; i++) {
        size_t size, number;
        if (!in->passed[i])
            continue;
        const uint8_t *name = pby_csv_key(in->h.csv, i, in->scratch, &size);
        PBY_TRY(pby_names_add(in->names, name, size, &number, err));
    }
    return PBY_OK;
}

/* The keys of several columns have the names that the request gave; a single column is called key. */
static pby_status write_header(const struct input *in, pby_rows *rows, pby_error *err)
{
    static const uint8_t key[] = "key";
    const pby_csv_head head = pby_csv_head_of(in->h.csv, in->scratch);
    const uint8_t *name = rows->tuples ? head.name : key;
    const size_t size = rows->tuples ? head.size : sizeof key - 1;
    if (rows->store != NULL)
        PBY_TRY(pby_store_shape(rows->store, pby_columns_none, NULL, true, err));
    if (rows->json || head.name == NULL)
        return PBY_OK;
    return rows->store != NULL ? pby_store_head(rows->store, name, size, err)
                               : pby_rows_add(rows, name, size, pby_columns_none, NULL, err);
}

/* One chunk after the other: which bars pass, and as the last of all the choice among them. */
static pby_status choose(struct input *in, pby_rows *rows, const pby_pipeline *p, pby_release *release,
                         pby_error *err)
{
    const pby_gate by = {in->utility, in->kept};
    size_t n = 1;
    uint64_t chosen;
    for (uint64_t done = 0; n > 0; done += n) {
        PBY_TRY(read_chunk(in, &n, err));
        PBY_TRY(write_header(in, rows, err));
        PBY_TRY(pby_release_pass(release, in->counts, &by, in->passed, n, err));
        PBY_TRY(note_passed(in, n, err));
        pby_observe(&p->observer, done, in->h.rows);
    }
    if (pby_names_count(in->names) == 0)
        return PBY_OK;
    PBY_TRY(pby_release_candidate(release, &chosen, err));
    size_t size;
    const uint8_t *name = pby_names_get(in->names, (size_t)chosen, &size);
    return pby_rows_add(rows, name, size, pby_columns_none, NULL, err);
}

static pby_status run_passed(pby_rows *rows, void *what, const pby_pipeline *p, pby_release *release,
                             pby_error *err)
{
    struct input *in = what;
    if (in->h.scattered != NULL)
        PBY_TRY(pby_histogram_move(&in->h, p, release, err));
    PBY_TRY(pby_names_new(&in->names, err));
    pby_release_clear_scores(release);
    const pby_status status = choose(in, rows, p, release, err);
    pby_release_clear_scores(release);
    pby_names_free(in->names);
    in->names = NULL;
    return status;
}

static void learn_passed(pby_learned *out, const void *what, const pby_pipeline *p,
                         const pby_release *release)
{
    const struct input *in = what;
    pby_histogram_learn(out, &in->h, p, release);
}

static void close_passed(void *what)
{
    struct input *in = what;
    if (in == NULL)
        return;
    if (in->counts != NULL)
        sodium_memzero(in->counts, CHUNK * sizeof *in->counts);
    if (in->utility != NULL)
        sodium_memzero(in->utility, CHUNK * sizeof *in->utility);
    if (in->passed != NULL)
        sodium_memzero(in->passed, CHUNK * sizeof *in->passed);
    if (in->scratch != NULL)
        sodium_memzero(in->scratch, PBY_ROW_KEY_MAX);
    free(in->counts);
    free(in->utility);
    free(in->passed);
    free(in->kept);
    free(in->scratch);
    pby_names_free(in->names);
    pby_histogram_clear(&in->h);
    free(in);
}

const pby_input_kind pby_kind_passed = {
    .name = "passed",
    .histogram = true,
    .truncates = true,
    .check = check_passed,
    .open = open_passed,
    .again = again_passed,
    .run = run_passed,
    .learn = learn_passed,
    .close = close_passed,
};
