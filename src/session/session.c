/* SPDX-License-Identifier: MIT */
#include "session/session.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "certificate/ledger/spent.h"
#include "io/digest.h"
#include "io/sole.h"
#include "kernel/histogram.h"
#include "kernel/sparse.h"
#include "law/sampler.h"
#include "mechanism/shared/stream.h"
#include "session/digests.h"
#include "session/session_file.h"

enum { BATCH = 1 << 12 };

/* No session comes so far; with a batch more it is still a number. */
#define ASKED_MAX ((json_int_t)1 << 62)

/* The state is the file's: what is here beside it is made from it. */
struct pby_session {
    pby_session_file file;
    json_t *state;
    pby_spec *spec;
    pby_stream_limits limits;
    pby_sampler *threshold, *answer, *value; /* value is NULL where none is given */
    pby_entropy *source, *fresh;             /* of the noise, and of the digests */
    bool owns_source;
    bool broken; /* what the file holds is not known: nothing more is answered */
};

/* ---- the spec --------------------------------------------------------------------------------- */

typedef pby_status law_maker(pby_law **out, const pby_mechanism *m, pby_error *err);

static pby_status make_sampler(pby_sampler **out, law_maker *make, const pby_mechanism *m, pby_error *err)
{
    pby_law *law;
    const pby_status status = make(&law, m, err);
    return status == PBY_OK ? pby_sampler_of_law(out, law, err) : status;
}

static pby_status make_samplers(pby_session *s, pby_error *err)
{
    const pby_mechanism *m = &s->spec->use[0].mechanism;
    s->limits = pby_stream_limits_of(s->spec);
    pby_status status = make_sampler(&s->threshold, m->family->stream->threshold, m, err);
    if (status == PBY_OK)
        status = make_sampler(&s->answer, m->family->stream->answer, m, err);
    if (status == PBY_OK && s->spec->count == 2) {
        m = &s->spec->use[1].mechanism;
        status = make_sampler(&s->value, m->family->law, m, err);
    }
    return status;
}

/* ---- the state -------------------------------------------------------------------------------- */

static json_int_t number(const pby_session *s, const char *name)
{
    return json_integer_value(json_object_get(s->state, name));
}

static pby_status set_number(pby_session *s, const char *name, json_int_t value, pby_error *err)
{
    return pby_json_set(s->state, name, json_integer(value), err);
}

/* All the positive answers that were paid for. */
static json_int_t all_tops(const pby_session *s)
{
    return (json_int_t)s->spec->use[0].times * s->limits.tops;
}

const char *pby_session_spec(const pby_session *s)
{
    return pby_spec_text(s->spec);
}

int64_t pby_session_threshold(const pby_session *s)
{
    return number(s, "threshold");
}

uint64_t pby_session_left(const pby_session *s)
{
    return (uint64_t)number(s, "left");
}

uint64_t pby_session_asked(const pby_session *s)
{
    return (uint64_t)number(s, "asked");
}

size_t pby_session_tops(const pby_session *s)
{
    return json_array_size(json_object_get(s->state, "above"));
}

uint64_t pby_session_top(pby_reply *reply, const pby_session *s, size_t i)
{
    const json_t *top = json_array_get(json_object_get(s->state, "above"), i);
    const json_t *value = json_array_get(top, 1);
    *reply = (pby_reply){true, value != NULL, json_integer_value(value)};
    return (uint64_t)json_integer_value(json_array_get(top, 0));
}

/* A member that is a whole number from 0 to `most`. One that may be missing is 0 then. */
static bool is_count(const pby_session *s, const char *name, json_int_t most, bool needed)
{
    const json_t *member = json_object_get(s->state, name);
    if (member == NULL)
        return !needed;
    return json_is_integer(member) && json_integer_value(member) >= 0 && json_integer_value(member) <= most;
}

/* Positive answers, each with the number of its question, in order, and a value where the session gives them.
 */
static bool are_tops(const pby_session *s)
{
    const json_t *above = json_object_get(s->state, "above");
    json_int_t before = 0;
    bool good = json_is_array(above);
    for (size_t i = 0; good && i < json_array_size(above); i++) {
        const json_t *top = json_array_get(above, i), *at = json_array_get(top, 0);
        good = json_is_array(top) && json_array_size(top) == (s->value == NULL ? 1 : 2) &&
               json_is_integer(at) && json_integer_value(at) > before &&
               json_integer_value(at) <= number(s, "asked") &&
               (s->value == NULL || json_is_integer(json_array_get(top, 1)));
        before = json_integer_value(at);
    }
    return good;
}

/* Refuses a state that this program never writes, which a digest cannot see. Every count is held below its
 * bound before two are added. */
static pby_status check_state(const pby_session *s, pby_error *err)
{
    const json_int_t threshold = number(s, "threshold"), all = all_tops(s);
    const json_t *digests = json_object_get(s->state, "digests");
    const bool good = json_is_integer(json_object_get(s->state, "threshold")) &&
                      json_is_integer(json_object_get(s->state, "noise")) &&
                      (digests == NULL || json_is_array(digests)) && threshold >= -PBY_SESSION_ANSWER_MAX &&
                      threshold <= PBY_SESSION_ANSWER_MAX && is_count(s, "asked", ASKED_MAX, true) &&
                      are_tops(s) && is_count(s, "left", all, true) &&
                      pby_session_tops(s) <= (size_t)(all - number(s, "left")) &&
                      is_count(s, "use_tops", s->limits.tops - 1, false) &&
                      is_count(s, "use_asked", s->limits.questions == 0 ? 0 : s->limits.questions - 1, false);
    return good ? PBY_OK : pby_refuse(err, "session", s->file.path, "a state that a session can be in");
}

/* ---- the digests ------------------------------------------------------------------------------ */

const char *pby_session_digest(const pby_session *s)
{
    return pby_digests_last(s->state);
}

pby_status pby_session_after(const pby_session *s, const char *digest, pby_error *err)
{
    return pby_digests_after(s->state, digest, err);
}

static pby_status save(pby_session *s, pby_error *err)
{
    const pby_status status = pby_digests_add(s->state, s->fresh, err);
    return status == PBY_OK ? pby_session_file_save(&s->file, s->state, err) : status;
}

/* Fresh noise for the threshold of the next use; none where no use is left. */
static pby_status draw_threshold(pby_session *s, pby_error *err)
{
    int64_t noise = 0;
    const pby_status status =
        pby_session_left(s) == 0 ? PBY_OK : pby_draw_many(s->threshold, s->source, &noise, 1, err);
    return status == PBY_OK ? set_number(s, "noise", noise, err) : status;
}

/* ---- open and close --------------------------------------------------------------------------- */

void pby_session_close(pby_session *s)
{
    if (s == NULL)
        return;
    pby_session_file_close(&s->file);
    json_decref(s->state);
    pby_sampler_free(s->threshold);
    pby_sampler_free(s->answer);
    pby_sampler_free(s->value);
    pby_spec_free(s->spec);
    if (s->owns_source)
        pby_entropy_free(s->source);
    pby_entropy_free(s->fresh);
    free(s);
}

/* Takes the state over. */
static pby_status begin(pby_session *s, const pby_spec *known, pby_entropy *source, pby_error *err)
{
    const char *text = json_string_value(json_object_get(s->state, "spec"));
    pby_status status = known != NULL  ? pby_spec_times(&s->spec, known, 1, err)
                        : text == NULL ? pby_refuse(err, "session", s->file.path, "a session with a spec")
                                       : pby_spec_parse(&s->spec, &text, 1, err);
    if (status == PBY_OK)
        status = pby_stream_session(s->spec, err);
    if (status == PBY_OK)
        status = make_samplers(s, err);
    s->source = source;
    s->owns_source = source == NULL;
    if (status == PBY_OK && source == NULL)
        status = pby_entropy_system(&s->source, err);
    return status == PBY_OK ? pby_entropy_system(&s->fresh, err) : status;
}

pby_status pby_session_open_from(pby_session **out, const char *path, pby_entropy *source, pby_error *err)
{
    *out = NULL;
    pby_session *s = calloc(1, sizeof *s);
    if (s == NULL)
        return pby_no_memory(err);
    s->file.fd = -1;
    pby_status status = pby_session_file_open(&s->file, &s->state, path, err);
    if (status == PBY_OK)
        status = begin(s, NULL, source, err);
    if (status == PBY_OK)
        status = check_state(s, err);
    if (status == PBY_OK)
        *out = s;
    else
        pby_session_close(s);
    return status;
}

pby_status pby_session_open(pby_session **out, const char *path, pby_error *err)
{
    return pby_session_open_from(out, path, NULL, err);
}

/* ---- a new one -------------------------------------------------------------------------------- */

/* Nothing can be asked of it yet. */
static json_t *first_state(const pby_spec *spec, int64_t threshold)
{
    return json_pack("{s:s, s:i, s:s, s:I, s:I, s:I, s:I, s:[]}", "probity", "session", "version", 1, "spec",
                     pby_spec_text(spec), "threshold", (json_int_t)threshold, "left", (json_int_t)0, "asked",
                     (json_int_t)0, "noise", (json_int_t)0, "above");
}

/* The file is there, and says that nothing is left; now it is paid for, and may be asked. */
static pby_status pay(pby_session *s, pby_ledger *ledger, pby_error *err)
{
    const uint64_t before = pby_ledger_spends(ledger);
    pby_status status = ledger == NULL ? PBY_OK : pby_ledger_spend(ledger, s->spec, NULL, err);
    if (status == PBY_OK)
        status = set_number(s, "left", all_tops(s), err);
    if (status == PBY_OK)
        status = draw_threshold(s, err);
    if (status == PBY_OK)
        status = save(s, err);
    if (status != PBY_OK)
        unlink(s->file.path);
    return pby_ledger_note(ledger, before, status, err);
}

static pby_status check_new(const pby_spec *spec, int64_t threshold, pby_ledger *ledger, pby_error *err)
{
    pby_status status = pby_stream_session(spec, err);
    if (status == PBY_OK && (threshold < -PBY_SESSION_ANSWER_MAX || threshold > PBY_SESSION_ANSWER_MAX))
        status = pby_fail(err, PBY_BAD, "threshold '%" PRId64 "': expected an integer from -2^61 to 2^61",
                          threshold);
    if (status == PBY_OK && ledger != NULL && pby_ledger_accounting(ledger) == PBY_COMPOSE_BASIC)
        status = pby_fail(err, PBY_BAD, "ledger: expected exact accounting for a session");
    return status == PBY_OK && ledger != NULL ? pby_ledger_affords(ledger, spec, NULL, err) : status;
}

pby_status pby_session_create_from(const char *path, const pby_spec *spec, int64_t threshold,
                                   pby_ledger *ledger, pby_entropy *source, pby_error *err)
{
    pby_status status = check_new(spec, threshold, ledger, err);
    if (status != PBY_OK)
        return status;
    pby_session *s = calloc(1, sizeof *s);
    if (s == NULL)
        return pby_no_memory(err);
    s->file.fd = -1;
    s->state = first_state(spec, threshold);
    status = s->state == NULL ? pby_no_memory(err) : begin(s, spec, source, err);
    if (status == PBY_OK)
        status = pby_session_file_make(&s->file, path, s->state, err);
    if (status == PBY_OK)
        status = pay(s, ledger, err);
    pby_session_close(s);
    return status;
}

pby_status pby_session_create(const char *path, const pby_spec *spec, int64_t threshold, pby_ledger *ledger,
                              pby_error *err)
{
    return pby_session_create_from(path, spec, threshold, ledger, NULL, err);
}

/* ---- questions -------------------------------------------------------------------------------- */

/* The place of the first answer that reaches the noisy threshold, n where none does. Compared is what an
 * answer lies above the threshold, raised to the gap where there is one, with the threshold's noise, so that
 * no sum is made. */
static pby_status look(size_t *first, pby_session *s, const int64_t *answers, size_t n, pby_error *err)
{
    const int64_t threshold = pby_session_threshold(s), noise = number(s, "noise");
    int64_t above[BATCH], drawn[BATCH];
    for (size_t i = 0; i < n; i++)
        above[i] = answers[i] - threshold;
    for (size_t i = 0; i < n && s->limits.gap > 0; i++)
        above[i] = above[i] < -s->limits.gap ? -s->limits.gap : above[i];
    const pby_status status = pby_draw_many(s->answer, s->source, drawn, n, err);
    if (status == PBY_OK)
        *first = pby_above(above, drawn, 0, n, noise);
    sodium_memzero(above, sizeof above);
    sodium_memzero(drawn, sizeof drawn);
    return status;
}

/* A positive answer is recorded. */
static pby_status count_top(pby_session *s, int64_t answer, pby_reply *reply, pby_error *err)
{
    int64_t noise = 0;
    pby_status status = s->value == NULL ? PBY_OK : pby_draw_many(s->value, s->source, &noise, 1, err);
    *reply = (pby_reply){true, s->value != NULL, 0};
    if (reply->has_value)
        pby_perturb(&reply->value, &answer, 1, &noise);
    sodium_memzero(&noise, sizeof noise);
    json_t *top = json_pack("[I]", (json_int_t)pby_session_asked(s));
    if (reply->has_value)
        top = pby_json_append(top, json_integer(reply->value));
    json_t *above = json_object_get(s->state, "above");
    if (status == PBY_OK && (top == NULL || json_array_append(above, top) != 0))
        status = pby_no_memory(err);
    json_decref(top);
    return status == PBY_OK ? set_number(s, "left", (json_int_t)pby_session_left(s) - 1, err) : status;
}

/* So many questions were answered, the last of them positively or not. Where that ends the use, the next one
 * begins with a threshold of its own, and positive answers that were not given are lost. */
static pby_status count_use(pby_session *s, size_t count, bool top, pby_error *err)
{
    const pby_stream_limits *limits = &s->limits;
    json_int_t tops = number(s, "use_tops") + top, asked = number(s, "use_asked") + (json_int_t)count;
    const bool over = tops == limits->tops || (limits->questions > 0 && asked == limits->questions);
    pby_status status = PBY_OK;
    if (over)
        status = set_number(s, "left", (json_int_t)pby_session_left(s) - (limits->tops - tops), err);
    if (over)
        tops = asked = 0;
    if (status == PBY_OK && limits->tops > 1)
        status = set_number(s, "use_tops", tops, err);
    if (status == PBY_OK && limits->questions > 0)
        status = set_number(s, "use_asked", asked, err);
    return status == PBY_OK && over ? draw_threshold(s, err) : status;
}

/* Returns the number of answers that are looked at together: no more than the use still has questions. */
static size_t batch_of(const pby_session *s, size_t n)
{
    const int64_t limit = s->limits.questions == 0 ? BATCH : s->limits.questions - number(s, "use_asked");
    const size_t most = limit < BATCH ? (size_t)limit : BATCH;
    return n > most ? most : n;
}

/* The state in memory must be what the file holds, in the process that opened it: a child that went on from
 * a copy of this memory would answer with the same noise again. */
static pby_status check_use(const pby_session *s, pby_error *err)
{
    const pby_status status = pby_sole_process(s->file.process, "session", err);
    if (status == PBY_OK && s->broken)
        return pby_fail(err, PBY_FAILED, "session: an earlier answer could not be recorded; open it again");
    return status == PBY_OK ? pby_session_file_check(&s->file, err) : status;
}

static pby_status check_ask(const pby_session *s, const int64_t *answers, size_t n, pby_error *err)
{
    const pby_status status = check_use(s, err);
    if (status != PBY_OK)
        return status;
    if (pby_session_left(s) == 0 || pby_session_asked(s) >= (uint64_t)ASKED_MAX)
        return pby_fail(err, PBY_NO, "session '%s': it has halted, and nothing is answered any more",
                        s->file.path);
    for (size_t i = 0; i < n; i++)
        if (answers[i] < -PBY_SESSION_ANSWER_MAX || answers[i] > PBY_SESSION_ANSWER_MAX)
            return pby_fail(err, PBY_BAD, "answer (not shown): expected an integer from -2^61 to 2^61");
    return PBY_OK;
}

pby_status pby_session_ask(pby_session *s, const int64_t *answers, size_t n, pby_reply *replies,
                           size_t *taken, pby_error *err)
{
    size_t first = 0;
    *taken = 0;
    n = batch_of(s, n);
    pby_status status = check_ask(s, answers, n, err);
    if (status != PBY_OK || n == 0)
        return status;
    s->broken = true;
    status = look(&first, s, answers, n, err);
    if (status != PBY_OK)
        return status;
    const size_t count = first < n ? first + 1 : n;
    memset(replies, 0, count * sizeof *replies);
    status = set_number(s, "asked", (json_int_t)pby_session_asked(s) + (json_int_t)count, err);
    if (status == PBY_OK && first < n)
        status = count_top(s, answers[first], &replies[first], err);
    if (status == PBY_OK)
        status = count_use(s, count, first < n, err);
    if (status == PBY_OK)
        status = save(s, err);
    if (status != PBY_OK) {
        sodium_memzero(replies, count * sizeof *replies);
        return status;
    }
    s->broken = false;
    *taken = count;
    return PBY_OK;
}

pby_status pby_session_end(pby_session *s, pby_error *err)
{
    pby_status status = check_use(s, err);
    if (status != PBY_OK)
        return status;
    s->broken = true;
    status = set_number(s, "left", 0, err);
    if (status == PBY_OK)
        status = set_number(s, "noise", 0, err);
    if (status == PBY_OK)
        status = save(s, err);
    s->broken = status != PBY_OK;
    return status;
}
