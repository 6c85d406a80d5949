/* SPDX-License-Identifier: MIT */
/* A histogram, and noisy counts of its bars, of all of them or of those that passed (publish.h). */
#include <sodium.h>
#include <stdlib.h>

#include "base/status.h"
#include "mechanism/run/noise_bars.h"
#include "probity/experimental/parts.h"
#include "release/input_histogram.h"
#include "release/input_kind.h"
#include "release/publish.h"

enum { CHUNK = 1 << 14, USES_CHUNK = 1 << 18 /* counts of all uses together */ };

_Static_assert(USES_CHUNK / PBY_RELEASE_USES_MAX > 0, "a row of any number of uses");

/* The counts of a chunk and what is released of them, in one buffer. One use may write over its counts. */
struct buffer {
    size_t uses, room; /* rows, of each */
    int64_t *counts, *noisy;
    int64_t *utility; /* of the rows; NULL: none decide */
    bool *kept;       /* in any case; NULL: none is */
};

struct input {
    pby_histogram h;
    pby_publish *publish;
    struct buffer buffer;
};

static size_t buffer_size(const struct buffer *b)
{
    return (b->uses == 1 ? 1 : b->uses + 1) * b->room;
}

/* b is for buffer_clear whether this succeeds or not. */
static pby_status buffer_init(struct buffer *b, size_t uses, const pby_histogram *h, pby_error *err)
{
    const size_t room = uses == 1 ? CHUNK : USES_CHUNK / uses;
    const bool utility = h->utilities != NULL, kept = h->keep != NULL;
    *b = (struct buffer){.uses = uses, .room = room};
    b->counts = malloc(buffer_size(b) * sizeof *b->counts);
    b->utility = utility ? malloc(room * sizeof *b->utility) : NULL;
    b->kept = kept ? calloc(room, sizeof *b->kept) : NULL;
    if (b->counts == NULL || (utility && b->utility == NULL) || (kept && b->kept == NULL))
        return pby_no_memory(err);
    b->noisy = uses == 1 ? b->counts : b->counts + room;
    return PBY_OK;
}

static void buffer_clear(struct buffer *b)
{
    if (b->counts != NULL)
        sodium_memzero(b->counts, buffer_size(b) * sizeof *b->counts);
    free(b->counts);
    if (b->utility != NULL)
        sodium_memzero(b->utility, b->room * sizeof *b->utility);
    free(b->utility);
    free(b->kept);
}

/* ---- chunks ------------------------------------------------------------------------------------ */

/* Every use is a release of its own. */
static pby_status release_chunk(struct buffer *b, pby_release *release, size_t n, pby_error *err)
{
    const pby_gate by = {b->utility, b->kept};
    for (size_t u = 0; u < b->uses; u++)
        PBY_TRY(pby_release_gated(release, b->counts, &by, b->noisy + u * n, n, err));
    return PBY_OK;
}

/* Reads the utilities and the marks of the next n rows. */
static pby_status read_gate(struct buffer *b, const pby_histogram *h, size_t n, pby_error *err)
{
    size_t some = 1;
    if (b->kept != NULL)
        pby_universe_marks(b->kept, h->keep, h->csv, n);
    if (b->utility == NULL)
        return PBY_OK;
    if (n == 0)
        return pby_csv_next_chunk(h->utilities, b->utility, 1, &some, err);
    for (size_t done = 0; done < n && some > 0; done += some)
        PBY_TRY(pby_csv_next_chunk(h->utilities, b->utility + done, n - done, &some, err));
    return PBY_OK;
}

static pby_status next_chunk(struct input *in, pby_release *release, pby_rows *rows, size_t *n,
                             pby_error *err)
{
    struct buffer *b = &in->buffer;
    PBY_TRY(pby_csv_next_chunk(in->h.csv, b->counts, b->room, n, err));
    PBY_TRY(read_gate(b, &in->h, *n, err));
    PBY_TRY(release_chunk(b, release, *n, err));
    return pby_publish_chunk(in->publish, rows, b->noisy, *n, err);
}

static pby_status release_total(const pby_pipeline *p, struct input *in, pby_release *release, pby_rows *rows,
                                pby_error *err)
{
    struct buffer *b = &in->buffer;
    char key[PBY_TOTAL_SIZE];
    b->counts[0] = (int64_t)pby_csv_records(in->h.csv);
    PBY_TRY(release_chunk(b, release, 1, err));
    return pby_publish_total(in->publish, rows, pby_histogram_total(key, p), b->noisy, err);
}

/* ---- the kind ---------------------------------------------------------------------------------- */

static void drop_publish(struct input *in)
{
    pby_publish_free(in->publish);
    in->publish = NULL;
}

/* The noise may depend on the public size of the histogram. */
static pby_status prepare(struct input *in, pby_release *release, pby_error *err)
{
    PBY_TRY(pby_release_size(release, pby_csv_records(in->h.csv), in->h.rows, err));
    return pby_publish_new(&in->publish, pby_release_form_of(release), pby_release_reach(release),
                           pby_release_uses(release), in->h.csv, err);
}

/* Records that move are prepared in run: no row of theirs is there before it. */
static pby_status open_counts(void **out, const pby_pipeline *p, pby_release *release, pby_error *err)
{
    struct input *in = *out = calloc(1, sizeof *in);
    if (in == NULL)
        return pby_no_memory(err);
    PBY_TRY(pby_histogram_open(&in->h, p, release, err));
    PBY_TRY(buffer_init(&in->buffer, pby_release_uses(release), &in->h, err));
    return in->h.scattered == NULL ? prepare(in, release, err) : PBY_OK;
}

static pby_status again_counts(void *what, const pby_pipeline *p, pby_release *release, pby_error *err)
{
    (void)p;
    struct input *in = what;
    if (in->h.scattered != NULL)
        return PBY_OK;
    drop_publish(in);
    pby_histogram_again(&in->h);
    return prepare(in, release, err);
}

/* The observer may show a share and not the number of rows: less the published ones it is that of the
 * hidden. */
static pby_status run_counts(pby_rows *rows, void *what, const pby_pipeline *p, pby_release *release,
                             pby_error *err)
{
    struct input *in = what;
    if (in->h.scattered != NULL) {
        drop_publish(in);
        PBY_TRY(pby_histogram_move(&in->h, p, release, err));
        PBY_TRY(prepare(in, release, err));
    }
    size_t n = 1;
    for (uint64_t done = 0; n > 0; done += n) {
        PBY_TRY(next_chunk(in, release, rows, &n, err));
        pby_observe(&p->observer, done, in->h.rows);
    }
    if (pby_histogram_has_total(release))
        PBY_TRY(release_total(p, in, release, rows, err));
    return pby_publish_end(in->publish, rows, err);
}

static void learn_counts(pby_learned *out, const void *what, const pby_pipeline *p,
                         const pby_release *release)
{
    const struct input *in = what;
    pby_histogram_learn(out, &in->h, p, release);
}

static void close_counts(void *what)
{
    struct input *in = what;
    if (in == NULL)
        return;
    drop_publish(in);
    buffer_clear(&in->buffer);
    pby_histogram_clear(&in->h);
    free(in);
}

const pby_input_kind pby_kind_counts = {
    .name = "counts",
    .histogram = true,
    .truncates = true,
    .open = open_counts,
    .again = again_counts,
    .run = run_counts,
    .learn = learn_counts,
    .close = close_counts,
};
