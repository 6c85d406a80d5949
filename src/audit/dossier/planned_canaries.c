/* SPDX-License-Identifier: MIT */
#include "audit/dossier/planned_canaries.h"

#include <stdio.h>
#include <string.h>

#include "audit/canary/canary_scores.h"
#include "audit/canary/canary_verdict.h"
#include "audit/dossier/plan_member.h"
#include "base/json.h"
#include "certificate/differ.h"
#include "io/digest.h"
#include "probity/rational.h"

static const json_int_t runs_max = (json_int_t)1 << 38;

/* ---- the member ------------------------------------------------------------------------------- */

static pby_status read_counts(uint64_t *const *out, const char *const *names, size_t n, const json_t *from,
                              const char *at, json_int_t most, pby_error *err)
{
    if (!json_is_object(from))
        return pby_fail(err, PBY_BAD, "%s: expected an object with counts", at);
    PBY_TRY(pby_member_only(from, at, names, err));
    for (size_t i = 0; i < n; i++) {
        json_int_t count;
        PBY_TRY(pby_member_integer(&count, from, at, names[i], 0, most, true, err));
        *out[i] = (uint64_t)count;
    }
    return PBY_OK;
}

static pby_status read_guesses(pby_planned_canaries *c, const json_t *from, const char *at, pby_error *err)
{
    static const char *const names[] = {"correct", "made", "canaries", NULL};
    uint64_t *const out[] = {&c->guesses.correct, &c->guesses.made, &c->guesses.canaries};
    char place[PBY_MEMBER_PLACE];
    pby_member_place(place, at, "guesses");
    c->kind = PBY_CANARIES_GUESSED;
    return read_counts(out, names, 3, from, place, (json_int_t)PBY_CANARIES_MAX, err);
}

static pby_status read_runs(pby_planned_canaries *c, const json_t *from, const char *at, pby_error *err)
{
    static const char *const names[] = {"true_positive", "false_positive", "true_negative", "false_negative",
                                        NULL};
    uint64_t *const out[] = {&c->runs.true_positive, &c->runs.false_positive, &c->runs.true_negative,
                             &c->runs.false_negative};
    char place[PBY_MEMBER_PLACE];
    pby_member_place(place, at, "runs");
    c->kind = PBY_CANARIES_RUN;
    return read_counts(out, names, 4, from, place, runs_max, err);
}

pby_status pby_planned_canaries_read(pby_planned_canaries *c, const json_t *audit, const char *within,
                                     pby_error *err)
{
    static const char *const known[] = {"scores", "guesses", "runs", NULL};
    char at[PBY_MEMBER_PLACE];
    const json_t *member = json_object_get(audit, "canaries"), *guesses = json_object_get(member, "guesses"),
                 *runs = json_object_get(member, "runs");
    if (!json_is_object(member) || json_object_size(member) != 1)
        return pby_member_expected(err, within, "canaries", "an object with one of scores, guesses and runs");
    pby_member_place(at, within, "canaries");
    PBY_TRY(pby_member_only(member, at, known, err));
    if (guesses != NULL)
        return read_guesses(c, guesses, at, err);
    if (runs != NULL)
        return read_runs(c, runs, at, err);
    c->kind = PBY_CANARIES_SCORED;
    return pby_member_pair(c->score, member, at, "scores",
                           "a list of two texts, files of scores of those included and left out", err);
}

/* ---- the verdict ------------------------------------------------------------------------------ */

/* The object of a verdict, which is freed. */
static pby_status object_of(json_t **out, pby_canary_verdict *v, pby_status status, pby_error *err)
{
    *out = status == PBY_OK ? pby_canary_verdict_object(v) : NULL;
    pby_canary_verdict_free(v);
    return status == PBY_OK && *out == NULL ? pby_no_memory(err) : status;
}

pby_status pby_planned_canaries_judge(json_t **out, const pby_planned_canaries *c, mpq_srcptr epsilon,
                                      mpq_srcptr delta, mpq_srcptr error, pby_error *err)
{
    pby_canary_verdict *v = NULL;
    const pby_status status =
        c->kind == PBY_CANARIES_GUESSED
            ? pby_canary_guesses_judge(&v, &c->guesses, pby_value_rational(epsilon),
                                       pby_value_rational(delta), pby_value_rational(error), err)
            : pby_canary_runs_judge(&v, &c->runs, pby_value_rational(epsilon), pby_value_rational(delta),
                                    pby_value_rational(error), err);
    return object_of(out, v, status, err);
}

/* ---- the verdict again ------------------------------------------------------------------------ */

static bool read_count(uint64_t *out, const json_t *value)
{
    const json_int_t n = json_integer_value(value);
    *out = (uint64_t)n;
    return json_is_integer(value) && n >= 0 && (uint64_t)n <= PBY_CANARIES_MAX;
}

static pby_status judge_stated(json_t **out, const json_t *stated, mpq_srcptr epsilon, mpq_srcptr delta,
                               mpq_srcptr error, pby_error *err)
{
    const json_t *correct = json_object_get(stated, "correct");
    pby_canary_tally tally;
    pby_canary_verdict *v = NULL;
    bool holds = read_count(&tally.canaries, json_object_get(stated, "canaries")) && tally.canaries > 0 &&
                 read_count(&tally.included, json_object_get(stated, "included")) &&
                 json_array_size(correct) == pby_canary_lists(tally.canaries);
    for (size_t i = 0; i < json_array_size(correct) && holds; i++)
        holds = read_count(&tally.correct[i], json_array_get(correct, i));
    if (!holds || !pby_canary_tally_holds(&tally))
        return pby_differ_deny(err, "verdict.correct", "the correct guesses of lists, each in a longer one");
    const pby_status status = pby_canary_tally_judge(
        &v, &tally, pby_value_rational(epsilon), pby_value_rational(delta), pby_value_rational(error), err);
    return object_of(out, v, status, err);
}

/* The files of the scores, by their digests. */
static bool has_sources(const json_t *verdict, const pby_planned_canaries *c)
{
    const json_t *list = json_object_get(verdict, "sources");
    bool holds = json_is_array(list) && json_array_size(list) <= 2;
    for (size_t i = 0; i < json_array_size(list) && holds; i++) {
        const json_t *source = json_array_get(list, i);
        const char *name = pby_json_string(source, "name");
        holds = json_object_size(source) == 3 && pby_json_string(source, "what")[0] != '\0' &&
                (strcmp(name, c->score[0]) == 0 || strcmp(name, c->score[1]) == 0) &&
                pby_digest_is(pby_json_string(source, "sha256"));
    }
    return holds;
}

/* True if a lower bound as text is at most the computed one, which is proved, and nearly as large: the search
 * for it is in doubles, and another machine's C library may end a last digit lower. */
static bool nearly(const char *stated, const char *computed)
{
    mpq_t x, y, part;
    mpq_inits(x, y, part, NULL);
    bool yes = pby_rational_parse(x, "stated", stated, NULL) == PBY_OK &&
               pby_rational_parse(y, "computed", computed, NULL) == PBY_OK && mpq_sgn(x) > 0 &&
               mpq_cmp(x, y) <= 0 && strlen(stated) <= strlen(computed);
    mpq_set_ui(part, 100000001, 100000000);
    mpq_canonicalize(part);
    mpq_mul(x, x, part);
    yes = yes && mpq_cmp(x, y) >= 0;
    mpq_clears(x, y, part, NULL);
    return yes;
}

static pby_status take_lower(json_t *computed, const json_t *stated, const char *name, pby_error *err)
{
    const char *text = pby_json_string(stated, name);
    return json_object_get(computed, name) != NULL && nearly(text, pby_json_string(computed, name))
               ? pby_json_set(computed, name, json_string(text), err)
               : PBY_OK;
}

static pby_status take_lowers(json_t *computed, const json_t *stated, pby_error *err)
{
    json_t *ours = json_object_get(computed, "bounds");
    const json_t *theirs = json_object_get(stated, "bounds");
    PBY_TRY(take_lower(computed, stated, "epsilon_lower", err));
    for (size_t i = 0; i < json_array_size(ours); i++) {
        PBY_TRY(take_lower(json_array_get(ours, i), json_array_get(theirs, i), "epsilon_lower", err));
        PBY_TRY(take_lower(json_array_get(ours, i), json_array_get(theirs, i), "mu_lower", err));
    }
    return PBY_OK;
}

pby_status pby_planned_canaries_recount(const json_t *stated, const pby_planned_canaries *c,
                                        mpq_srcptr epsilon, mpq_srcptr delta, mpq_srcptr error,
                                        pby_error *err)
{
    const bool scored = c->kind == PBY_CANARIES_SCORED;
    json_t *computed = NULL;
    if (!json_is_object(stated))
        return pby_differ_deny(err, "verdict", "an object");
    if (scored && !has_sources(stated, c))
        return pby_differ_deny(err, "verdict.sources", "the files of scores and their SHA-256");
    pby_status status = scored ? judge_stated(&computed, stated, epsilon, delta, error, err)
                               : pby_planned_canaries_judge(&computed, c, epsilon, delta, error, err);
    if (status == PBY_OK)
        status = take_lowers(computed, stated, err);
    if (status == PBY_OK && scored)
        status = pby_json_set(computed, "sources", json_deep_copy(json_object_get(stated, "sources")), err);
    if (status == PBY_OK)
        status = pby_differ("verdict", stated, computed, err);
    json_decref(computed);
    return status == PBY_BAD ? PBY_NO : status;
}
