/* SPDX-License-Identifier: MIT */
#include "mechanism/run/noise_bars.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernel/contraction.h"
#include "kernel/fit.h"
#include "law/thinning.h"
#include "mechanism/family.h"
#include "mechanism/run/release_state.h"
#include "mechanism/run/timing_safe.h"
#include "mechanism/shared/lattice.h"
#include "mechanism/shared/monotone.h"
#include "mechanism/shared/noise.h"
#include "mechanism/shared/scores.h"
#include "mechanism/shared/selection.h"
#include "number/scoped.h"
#include "probity/experimental/parts.h"

static bool reads_size(const pby_mechanism *m)
{
    return pby_mechanism_size(m) > 0;
}

static bool takes_scores(const pby_mechanism *m)
{
    return m->family->takes == PBY_TAKES_SCORES;
}

static bool has_lattice(const pby_mechanism *m)
{
    return m->family->lattice != NULL;
}

static bool chooses_bars(const pby_mechanism *m)
{
    return m->family->form == PBY_RELEASE_CHOSEN;
}

/* It releases something else than counts, one by one. */
static bool releases_otherwise(const pby_mechanism *m)
{
    return takes_scores(m) || has_lattice(m) || m->family->settle != NULL || chooses_bars(m);
}

static pby_status make_step(pby_release_step *step, const pby_mechanism *m, pby_error *err)
{
    pby_law *law;
    *step = (pby_release_step){m, NULL};
    if (reads_size(m) || m->family->law == NULL)
        return PBY_OK;
    const pby_status status = m->family->law(&law, m, err);
    return status == PBY_OK ? pby_sampler_of_law(&step->sampler, law, err) : status;
}

/* Refuses neighbours between which the loss is not known. */
static pby_status check_loss(const pby_mechanism *m, pby_neighbours relation, pby_error *err)
{
    pby_pairs pairs;
    const pby_status status = pby_mechanism_alone(&pairs, m, relation, err);
    if (status == PBY_OK)
        pby_pairs_clear(&pairs);
    return status;
}

/* Counts are sampled record by record where a record is one of one bar. A random query is made of all
 * records, and what it reveals is not sampled with them. */
static pby_status check_sample(const pby_mechanism *m, pby_neighbours relation, pby_error *err)
{
    if (pby_mechanism_sample(m) == NULL)
        return PBY_OK;
    if (pby_mechanism_fixed(m))
        return pby_mechanism_refuse(m, "no fixed: no sample of fixed size is drawn here", err);
    if (m->family->release == NULL || m->family->takes != PBY_TAKES_COUNTS)
        return pby_mechanism_unsampled(m, "only the records of a histogram are sampled", err);
    const fmpq *norm2 = pby_mechanism_value(m, PBY_ROLE_NORM);
    if (norm2 != NULL ? !fmpq_is_one(norm2) : pby_mechanism_distance(m, relation) != 1)
        return pby_mechanism_unsampled(
            m, "counts are sampled one by one, and a record that moves them by more would be seen in part",
            err);
    return pby_mechanism_value(m, PBY_ROLE_THETA) == NULL
               ? PBY_OK
               : pby_mechanism_unsampled(m, "a random query is made of all records", err);
}

/* Scores behind a threshold are counts, so that none moves by more than a bar does: by the sensitivity of the
 * threshold, unless that is one of utilities. */
static pby_status check_counts_as_scores(const pby_mechanism *gate, const pby_mechanism *m,
                                         pby_neighbours relation, pby_error *err)
{
    char expected[160];
    if (pby_mechanism_value(gate, PBY_ROLE_UTILITY) != NULL)
        return PBY_OK;
    const pby_role role = pby_mechanism_value(gate, PBY_ROLE_EACH) != NULL ? PBY_ROLE_EACH
                                                                           : PBY_ROLE_SENSITIVITY;
    if (pby_monotone(m) && pby_mechanism_value(gate, PBY_ROLE_MOVES) != NULL)
        return pby_mechanism_refuse(m, "scores=general behind moves=both-ways", err);
    PBY_TRY(pby_mechanism_spans(gate, relation, err));
    if (fmpq_cmp(pby_mechanism_value(m, PBY_ROLE_SENSITIVITY), pby_mechanism_value(gate, role)) >= 0)
        return PBY_OK;
    snprintf(expected, sizeof expected, "sensitivity=%" PRId64 " or more: a score is a count here",
             pby_mechanism_integer(gate, role));
    return pby_mechanism_refuse(m, expected, err);
}

/* Refuses a mechanism whose distances, by which it is charged, are not those that neighbours may move. */
static pby_status check_distances(const pby_mechanism *gate, const pby_mechanism *m, pby_neighbours relation,
                                  pby_error *err)
{
    pby_pairs none;
    if (pby_family_is_step(m->family))
        return pby_mechanism_pairs(&none, m, relation, err); /* which refuses it */
    if (m->family->release == NULL && !releases_otherwise(m))
        return pby_family_lacks(m, "a histogram release", err);
    if (pby_mechanism_value(m, PBY_ROLE_UTILITY) != NULL)
        return pby_mechanism_refuse(m, "a mechanism behind it, or of=count: a utility is not published", err);
    pby_status status = pby_mechanism_about(m, relation, err);
    if (status == PBY_OK)
        status = check_sample(m, relation, err);
    if (status == PBY_OK && gate != NULL && takes_scores(m))
        status = check_counts_as_scores(gate, m, relation, err);
    if (releases_otherwise(m))
        return status == PBY_OK ? check_loss(m, relation, err) : status;
    if (status == PBY_OK)
        status = pby_mechanism_spans(m, relation, err);
    if (status == PBY_OK && gate != NULL)
        status = pby_mechanism_agree(gate, m, relation, err);
    return status;
}

/* Finds the mechanisms that the spec runs, and how often. */
static pby_status read_spec(const pby_mechanism **gate, const pby_mechanism **m, size_t *uses,
                            const pby_spec *spec, pby_error *err)
{
    const pby_use *use = spec->use;
    const pby_family *family = use->mechanism.family;
    *uses = 1;
    if (spec->count != 1 || use->times == 1)
        return pby_spec_steps(gate, m, spec, err);
    if ((family->release == NULL && family->lattice == NULL) || family->takes == PBY_TAKES_ANSWERS ||
        use->times > PBY_RELEASE_USES_MAX)
        return pby_refuse(err, "SPEC", spec->text,
                          "one use, or up to 4096 of a mechanism that releases a histogram or a point");
    *gate = NULL;
    *m = &use->mechanism;
    *uses = (size_t)use->times;
    return PBY_OK;
}

pby_status pby_release_with(pby_release **out, const pby_spec *spec, pby_neighbours relation,
                            pby_entropy *source, pby_error *err)
{
    const pby_mechanism *gate, *m;
    size_t uses;
    *out = NULL;
    pby_status status = read_spec(&gate, &m, &uses, spec, err);
    if (status == PBY_OK)
        status = check_distances(gate, m, relation, err);
    if (status != PBY_OK)
        return status;
    pby_release *release = calloc(1, sizeof *release);
    if (release == NULL)
        return pby_no_memory(err);
    release->main.mechanism = m;
    if (has_lattice(m))
        status = pby_lattice_new(&release->lattice, m, err);
    else if (takes_scores(m) || chooses_bars(m))
        status = pby_scores_new(&release->scores, m, err);
    if (status == PBY_OK && !takes_scores(m) && !has_lattice(m))
        status = make_step(&release->main, m, err);
    if (status == PBY_OK && gate != NULL)
        status = make_step(&release->gate, gate, err);
    if (status == PBY_OK && spec->last.family != NULL)
        status = make_step(&release->last, &spec->last, err);
    if (status == PBY_OK && pby_mechanism_sample(m) != NULL)
        status = pby_thinning_new(&release->thinning, pby_mechanism_sample(m), err);
    if (status != PBY_OK) {
        pby_release_free(release);
        return status;
    }
    release->source = source;
    release->relation = relation;
    release->uses = uses;
    release->limit = INT64_MAX;
    *out = release;
    return PBY_OK;
}

pby_status pby_release_new(pby_release **out, const pby_spec *spec, pby_neighbours relation, pby_error *err)
{
    pby_entropy *source;
    *out = NULL;
    pby_status status = pby_entropy_system(&source, err);
    if (status != PBY_OK)
        return status;
    status = pby_release_with(out, spec, relation, source, err);
    if (status != PBY_OK)
        pby_entropy_free(source);
    return status;
}

pby_entropy *pby_release_source(const pby_release *release)
{
    return release->source;
}

pby_release_form pby_release_form_of(const pby_release *release)
{
    const pby_release_form form = release->main.mechanism->family->form;
    if (release->gate.mechanism == NULL)
        return form;
    return form == PBY_RELEASE_RANGES      ? PBY_RELEASE_PASSED_RANGES
           : form == PBY_RELEASE_CANDIDATE ? PBY_RELEASE_PASSED_CANDIDATE
                                           : PBY_RELEASE_PASSED;
}

size_t pby_release_uses(const pby_release *release)
{
    return release->uses;
}

void pby_release_unit(mpq_ptr unit, const pby_release *release)
{
    const fmpq *grid = pby_mechanism_unit(release->main.mechanism);
    mpq_set_ui(unit, 1, 1);
    if (grid != NULL)
        fmpq_get_mpq(unit, grid);
}

int64_t pby_release_reach(const pby_release *release)
{
    const pby_mechanism *m = release->main.mechanism;
    return m->family->reach == NULL ? 0 : m->family->reach(m);
}

int64_t pby_release_gate_most(const pby_release *release)
{
    const pby_mechanism *gate = release->gate.mechanism;
    return gate == NULL ? INT64_MAX : gate->family->most(gate);
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t pby_release_most(const pby_release *release)
{
    const pby_mechanism *m = release->main.mechanism;
    const int64_t passes = pby_release_gate_most(release);
    if (m->family->most != NULL)
        return smaller(m->family->most(m), passes);
    const int64_t most = release->thinning != NULL ? PBY_THINNED_MAX
                                                   : INT64_MAX - 2 * pby_release_reach(release);
    return smaller(release->limit > most ? most : INT64_MAX, passes);
}

pby_status pby_release_size(pby_release *release, uint64_t records, uint64_t bars, pby_error *err)
{
    const pby_mechanism *m = release->main.mechanism;
    pby_law *law;
    if (!reads_size(m))
        return PBY_OK;
    const pby_status status = m->family->law_for(&law, m, records, bars, err);
    if (status != PBY_OK)
        return status;
    pby_sampler_free(release->main.sampler);
    const pby_status made = pby_sampler_of_law(&release->main.sampler, law, err);
    return made == PBY_OK && release->timing_safe ? pby_sampler_timing_safe(release->main.sampler, err)
                                                  : made;
}

pby_status pby_release_timing_safe(pby_release *release, pby_error *err)
{
    const pby_release_step *step = &release->main;
    if (release->thinning != NULL)
        return pby_mechanism_unsampled(step->mechanism, "sampling takes longer for a larger count", err);
    const bool every = release->scores == NULL && release->lattice == NULL &&
                       release->last.mechanism == NULL && release->gate.mechanism == NULL &&
                       pby_mechanism_unit(step->mechanism) == NULL;
    pby_silent_update *update = every ? step->mechanism->family->silent : NULL;
    if (update == NULL && (!step->mechanism->family->even || release->last.mechanism != NULL))
        return pby_family_lacks(step->mechanism, "a timing-safe release", err);
    const pby_status status = step->sampler == NULL ? PBY_OK : pby_sampler_timing_safe(step->sampler, err);
    if (status == PBY_OK) {
        release->silent = update;
        release->timing_safe = true;
    }
    return status;
}

pby_status pby_release_mapped(pby_release *release, pby_error *err)
{
    const pby_mechanism *m = release->main.mechanism;
    return reads_size(m)
               ? pby_refuse(err, "SPEC", m->family->name,
                            "a mechanism that does not read its size, behind a filter, groups or a limit")
               : PBY_OK;
}

pby_status pby_release_truncate(pby_release *release, int64_t limit, pby_error *err)
{
    if (limit < 1)
        return pby_fail(err, PBY_BAD, "limit: expected an integer from 1 on");
    const pby_mechanism *m = release->main.mechanism;
    if (m->family->form == PBY_RELEASE_TOTAL)
        return pby_refuse(err, "SPEC", m->family->name, "a mechanism without a total, behind a limit");
    const pby_status status = pby_release_mapped(release, err);
    if (status == PBY_OK)
        release->limit = limit;
    return status;
}

static pby_status refuse_negative(const int64_t *counts, size_t n, pby_error *err)
{
    size_t i = 0;
    if (pby_within(counts, n, 0, INT64_MAX))
        return PBY_OK;
    while (counts[i] >= 0)
        i++;
    return pby_fail(err, PBY_BAD, "counts: bar %zu of the chunk is negative: expected 0 or more", i);
}

static pby_status take_step(const pby_release_step *step, pby_entropy *source, const int64_t *counts,
                            int64_t *noisy, size_t n, pby_error *err)
{
    return step->mechanism->family->release(step->mechanism, step->sampler, source, counts, noisy, n, err);
}

/* Runs the mechanism on the counts, or on a sample of their records. */
static pby_status take_main(const pby_release *release, const int64_t *counts, int64_t *noisy, size_t n,
                            pby_error *err)
{
    if (release->thinning != NULL) {
        const pby_status status =
            pby_thinning_draw(release->thinning, release->source, counts, noisy, n, err);
        if (status != PBY_OK)
            return status;
        counts = noisy;
    }
    return take_step(&release->main, release->source, counts, noisy, n, err);
}

/* gate[i] is PBY_SUPPRESSED of bars that do not pass. A bar that is kept passes whatever it draws. */
static pby_status take_gate(const pby_release *release, const int64_t *counts, const pby_gate *by,
                            int64_t *gate, size_t n, pby_error *err)
{
    PBY_TRY(
        take_step(&release->gate, release->source, by->utility != NULL ? by->utility : counts, gate, n, err));
    if (by->kept != NULL)
        pby_prefer(gate, counts, n, by->kept); /* a count is not PBY_SUPPRESSED */
    return PBY_OK;
}

/* The mechanism sees of the bars that passed their exact counts, and of the others none; what it makes of
 * those is not published. */
static pby_status stabilised_counts(pby_release *release, const int64_t *counts, const pby_gate *by,
                                    int64_t *noisy, size_t n, pby_error *err)
{
    int64_t *gate = malloc((n + 1) * sizeof *gate), *seen = malloc((n + 1) * sizeof *seen);
    pby_status status = gate == NULL || seen == NULL ? pby_no_memory(err) : PBY_OK;
    if (status == PBY_OK)
        status = take_gate(release, counts, by, gate, n, err);
    if (status == PBY_OK) {
        pby_keep(seen, counts, n, gate, 0);
        status = take_main(release, seen, noisy, n, err);
    }
    if (status == PBY_OK)
        pby_keep(noisy, noisy, n, gate, PBY_SUPPRESSED);
    if (gate != NULL)
        sodium_memzero(gate, n * sizeof *gate);
    if (seen != NULL)
        sodium_memzero(seen, n * sizeof *seen);
    free(seen);
    free(gate);
    return status;
}

/* A threshold by itself: what is kept gets its noise, and no threshold. */
static pby_status kept_counts(pby_release *release, const int64_t *counts, const bool *kept, int64_t *noisy,
                              size_t n, pby_error *err)
{
    int64_t *every = malloc((n + 1) * sizeof *every);
    pby_status status = every == NULL ? pby_no_memory(err) : PBY_OK;
    if (status == PBY_OK)
        status = pby_noise_every(release->main.mechanism, release->main.sampler, release->source, counts,
                                 every, n, err);
    if (status == PBY_OK)
        status = take_main(release, counts, noisy, n, err);
    if (status == PBY_OK)
        pby_prefer(noisy, every, n, kept);
    if (every != NULL)
        sodium_memzero(every, n * sizeof *every);
    free(every);
    return status;
}

/* Checks that the utilities are given exactly if SPEC keeps bars by them. */
static pby_status check_gate(const pby_release *release, const pby_gate *by, size_t n, pby_error *err)
{
    const pby_mechanism *gate = release->gate.mechanism;
    const bool asks = pby_release_by_utility(release);
    if (asks != (by->utility != NULL))
        return pby_fail(err, PBY_BAD, "utility: expected %s",
                        asks ? "the utilities by which SPEC keeps bars" : "none, or of=utility in SPEC");
    if (by->kept != NULL && gate == NULL && release->main.mechanism->family->form != PBY_RELEASE_PASSED)
        return pby_fail(err, PBY_BAD, "kept: expected a threshold");
    const int64_t most = pby_release_gate_most(release);
    for (size_t i = 0; i < n && by->utility != NULL; i++)
        if (by->utility[i] < 0 || by->utility[i] > most)
            return pby_fail(err, PBY_BAD, "utility: bar %zu of the chunk: expected 0 to %" PRId64, i, most);
    return PBY_OK;
}

static pby_status take_all(pby_release *release, const int64_t *counts, const pby_gate *by, int64_t *noisy,
                           size_t n, pby_error *err)
{
    if (release->gate.mechanism != NULL)
        return stabilised_counts(release, counts, by, noisy, n, err);
    return by->kept != NULL ? kept_counts(release, counts, by->kept, noisy, n, err)
                            : take_main(release, counts, noisy, n, err);
}

pby_status pby_release_counts(pby_release *release, const int64_t *counts, int64_t *noisy, size_t n,
                              pby_error *err)
{
    return pby_release_gated(release, counts, &(pby_gate){NULL, NULL}, noisy, n, err);
}

pby_status pby_release_gated(pby_release *release, const int64_t *counts, const pby_gate *by, int64_t *noisy,
                             size_t n, pby_error *err)
{
    if (release->main.mechanism->family->release == NULL)
        return pby_family_lacks(release->main.mechanism, "a histogram release", err);
    pby_status status = check_gate(release, by, n, err);
    if (status == PBY_OK && !release->timing_safe)
        status = refuse_negative(counts, n, err);
    if (status == PBY_OK && release->main.sampler == NULL)
        status = pby_family_lacks(release->main.mechanism, "been told the size of its data", err);
    if (status == PBY_OK && !release->holds_last)
        status = pby_release_check_last(release, err);
    if (status == PBY_OK && release->limit < INT64_MAX) {
        pby_truncate(noisy, counts, n, release->limit);
        counts = noisy;
    }
    if (status == PBY_OK && release->silent != NULL)
        status = pby_silent_release(release->silent, release->main.sampler, release->source, counts, noisy, n,
                                    err);
    else if (status == PBY_OK)
        status = take_all(release, counts, by, noisy, n, err);
    if (status == PBY_OK && release->last.mechanism != NULL && !release->holds_last)
        status = pby_noise_every(release->last.mechanism, release->last.sampler, release->source, noisy,
                                 noisy, n, err);
    if (status != PBY_OK)
        sodium_memzero(noisy, n * sizeof *noisy);
    return status;
}

bool pby_release_by_utility(const pby_release *release)
{
    const pby_mechanism *gate = release->gate.mechanism;
    return gate != NULL && pby_mechanism_value(gate, PBY_ROLE_UTILITY) != NULL;
}

static pby_status add_passed(pby_release *release, const int64_t *counts, const int64_t *gate, bool *passed,
                             size_t n, pby_error *err)
{
    PBY_MPQ(score);
    pby_status status = PBY_OK;
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        passed[i] = gate[i] != PBY_SUPPRESSED;
        if (!passed[i])
            continue;
        mpz_set_si(mpq_numref(score), counts[i]);
        status = pby_scores_add(release->scores, score, err);
    }
    mpq_set_ui(score, 0, 1);
    return status;
}

pby_status pby_release_pass(pby_release *release, const int64_t *counts, const pby_gate *by, bool *passed,
                            size_t n, pby_error *err)
{
    PBY_TRY(pby_release_expect_scores(release, err));
    PBY_TRY(check_gate(release, by, n, err));
    PBY_TRY(refuse_negative(counts, n, err));
    int64_t *gate = calloc(n + 1, sizeof *gate), *seen = calloc(n + 1, sizeof *seen);
    pby_status status = gate == NULL || seen == NULL ? pby_no_memory(err) : PBY_OK;
    if (status == PBY_OK) {
        pby_truncate(seen, counts, n, release->limit);
        status = take_gate(release, seen, by, gate, n, err);
    }
    if (status == PBY_OK)
        status = add_passed(release, seen, gate, passed, n, err);
    if (gate != NULL)
        sodium_memzero(gate, n * sizeof *gate);
    if (seen != NULL)
        sodium_memzero(seen, n * sizeof *seen);
    free(seen);
    free(gate);
    return status;
}

/* ---- the end ----------------------------------------------------------------------------------- */

void pby_release_free(pby_release *release)
{
    if (release == NULL)
        return;
    pby_scores_free(release->scores);
    pby_lattice_free(release->lattice);
    pby_thinning_free(release->thinning);
    pby_entropy_free(release->source);
    pby_sampler_free(release->last.sampler);
    pby_sampler_free(release->gate.sampler);
    pby_sampler_free(release->main.sampler);
    free(release);
}
