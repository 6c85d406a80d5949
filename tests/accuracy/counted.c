/* SPDX-License-Identifier: MIT */
/* Accuracies on every histogram of small classes and under all noise that does not go farther than b, added
 * by the kernel functions that a release runs: no more than told is ever needed, and where alpha is the least
 * it is. */
#include <criterion/criterion.h>

#include "accuracy/accuracy.h"
#include "kernel/contraction.h"
#include "kernel/histogram.h"
#include "kernel/threshold.h"
#include "probity/release.h"
#include "tests/accuracy/explain.h"
#include "tests/accuracy/make.h"
#include "tests/claims/decide.h"
#include "tests/spec.h"

enum { BARS = EXPLAIN_BARS, STATISTICS = EXPLAIN_STATISTICS, RECORDS = 9, UNEXPLAINED = 1000 };

/* A release, and the noise that it may have. */
struct machine {
    const char *first, *second;
    int64_t threshold, loss; /* 0 where there is none */
    int64_t reach;
    size_t bars;
    const char *k;
};

static bool adds_noise(const struct machine *m)
{
    return m->loss == 0 && (m->threshold == 0 || m->second != NULL);
}

/* One release, with the noise of the gate and that of the counts. */
static void release(int64_t *y, int64_t *gate, const struct machine *m, const int64_t *x,
                    const int64_t *noise)
{
    int64_t seen[BARS];
    memcpy(seen, x, sizeof seen);
    memcpy(gate, x, sizeof seen);
    if (m->threshold > 0) {
        pby_threshold(gate, x, m->bars, noise, m->threshold);
        pby_keep(seen, x, m->bars, gate, 0);
    }
    memcpy(y, gate, sizeof seen);
    if (m->loss > 0)
        pby_shrink(y, seen, m->bars, noise + m->bars, m->loss);
    else if (adds_noise(m))
        pby_perturb(y, seen, m->bars, noise + m->bars);
    if (m->threshold > 0)
        pby_keep(y, y, m->bars, gate, PBY_SUPPRESSED);
}

/* The most that is needed of a class: to explain the release, the bars that passed, and each statistic. */
struct needed {
    int64_t release, kept, statistic[STATISTICS];
};

static void raise_to(int64_t *most, int64_t drop)
{
    const int64_t needed = drop < 0 ? UNEXPLAINED : drop;
    *most = needed > *most ? needed : *most;
}

static void add_release(struct needed *most, const struct machine *m, const explanation *why,
                        const int64_t *x, const int64_t *noise)
{
    int64_t y[BARS], gate[BARS], release_drop = 0, kept_drop = 0;
    release(y, gate, m, x, noise);
    for (size_t i = 0; i < m->bars; i++) {
        const int64_t here = least_drop(x[i], y[i] == PBY_SUPPRESSED ? 0 : y[i], m->loss > 0 ? 0 : m->reach);
        release_drop = here < 0 || release_drop < 0 ? -1 : release_drop + here;
        kept_drop += gate[i] == PBY_SUPPRESSED ? x[i] : 0;
    }
    raise_to(&most->release, release_drop);
    raise_to(&most->kept, kept_drop);
    for (size_t s = 0; s < STATISTICS; s++)
        raise_to(&most->statistic[s], why->drop[s][answer_of(&why->statistic[s], y, m->bars)]);
}

/* All noise: of the gate from -reach until everything passes, or to reach where it is published; of the
 * counts from -reach to reach, or from -loss to 0. */
static void add_releases(struct needed *most, const struct machine *m, const int64_t *x)
{
    explanation why;
    int64_t lo[2 * BARS] = {0}, hi[2 * BARS] = {0}, noise[2 * BARS];
    explain(&why, m->k, x, m->bars);
    for (size_t i = 0; i < m->bars; i++) {
        if (m->threshold > 0) {
            lo[i] = -m->reach;
            hi[i] = m->second == NULL ? m->reach : m->threshold;
        }
        lo[m->bars + i] = m->loss > 0 ? -m->loss : adds_noise(m) ? -m->reach : 0;
        hi[m->bars + i] = adds_noise(m) ? m->reach : 0;
    }
    memcpy(noise, lo, sizeof noise);
    for (size_t i = 0; i < 2 * m->bars;) {
        add_release(most, m, &why, x, noise);
        for (i = 0; i < 2 * m->bars && noise[i] == hi[i]; i++)
            noise[i] = lo[i];
        if (i < 2 * m->bars)
            noise[i]++;
    }
}

/* ---- what is told -------------------------------------------------------------------------------- */

static int64_t records_of(const pby_distance *alpha, uint64_t n)
{
    mpq_t records;
    mpq_init(records);
    mpq_set_ui(records, n, 1);
    mpq_mul(records, records, alpha->value);
    cr_assert(!alpha->infinite && mpz_cmp_ui(mpq_denref(records), 1) == 0);
    const int64_t whole = mpz_get_si(mpq_numref(records));
    mpq_clear(records);
    return whole;
}

static void expect(const struct machine *m, const char *what, const pby_distance *alpha, bool least,
                   const pby_input_class *inputs, int64_t needed)
{
    const int64_t told = records_of(alpha, inputs->n);
    cr_assert(least ? claims_eq_si(CLAIMS_ALL, needed, told) : claims_le_si(CLAIMS_ALL, needed, told),
              "%s of %s at %d, %d records in %d bars: told %d, needed %d", what, m->first, (int)m->reach,
              (int)inputs->n, (int)inputs->support, (int)told, (int)needed);
}

static void check_noisy(const struct machine *m, const pby_spec *spec, const pby_input_class *inputs,
                        const struct needed *needed, int *unknowns)
{
    char beta[8];
    pby_noisy_accuracy a;
    pby_accuracy told;
    pby_statistic statistic[STATISTICS];
    pby_noisy_accuracy_init(&a);
    pby_accuracy_init(&told);
    snprintf(beta, sizeof beta, "%d", (int)m->reach);
    list_statistics(statistic, m->k);
    cr_assert_eq(ask_noisy(&a, spec, inputs->n, inputs->support, beta, NULL), PBY_OK);
    expect(m, "release", &a.release.alpha, true, inputs, needed->release);
    if (a.gated)
        expect(m, "kept", &a.kept.alpha, true, inputs, needed->kept);
    for (size_t s = 0; s < STATISTICS; s++) {
        const char *unknown;
        const bool least = pby_accuracy_counted(&told, &unknown, &a, inputs, &statistic[s]);
        cr_assert(told.beta.infinite == false && mpq_sgn(told.beta.value) == 0);
        *unknowns += unknown != NULL;
        if (unknown == NULL)
            expect(m, pby_statistic_text(statistic[s].name), &told.alpha, least, inputs,
                   needed->statistic[s]);
    }
    pby_accuracy_clear(&told);
    pby_noisy_accuracy_clear(&a);
}

static void check_dropping(const struct machine *m, const pby_spec *spec, const pby_input_class *inputs,
                           const struct needed *needed)
{
    pby_accuracy release, seen;
    pby_statistic statistic[STATISTICS];
    uint64_t loss;
    pby_accuracy_init(&release);
    pby_accuracy_init(&seen);
    list_statistics(statistic, m->k);
    cr_assert_eq(pby_accuracy_release(&release, &loss, spec, inputs, NULL), PBY_OK);
    cr_assert_eq(pby_accuracy_seen(&seen, spec, inputs, NULL), PBY_OK);
    cr_assert_eq((int64_t)loss, m->loss);
    expect(m, "release", &release.alpha, true, inputs, needed->release);
    for (size_t s = 0; s < STATISTICS; s++) {
        const bool least = pby_statistic_of_support(&statistic[s]);
        expect(m, pby_statistic_text(statistic[s].name), least ? &seen.alpha : &release.alpha, least, inputs,
               needed->statistic[s]);
    }
    pby_accuracy_clear(&seen);
    pby_accuracy_clear(&release);
}

/* ---- every class --------------------------------------------------------------------------------- */

static size_t occupied(const int64_t *x)
{
    return pby_support(x, BARS);
}

/* Goes through all histograms of n records; most[t] is over those in at most t bars. Where every bar has
 * noise all of them count. */
static void add_histograms(struct needed *most, const struct machine *m, int64_t n)
{
    for (int64_t a = 0; a <= n; a++)
        for (int64_t b = 0; b <= (m->bars > 1 ? n - a : 0); b++) {
            const int64_t x[BARS] = {a, b, n - a - b};
            if ((m->bars < 3 && x[2] > 0) || (m->bars < 2 && x[1] > 0))
                continue;
            struct needed here = {0, 0, {0}};
            add_releases(&here, m, x);
            for (size_t t = occupied(x); t <= m->bars; t++) {
                raise_to(&most[t].release, here.release);
                raise_to(&most[t].kept, here.kept);
                for (size_t s = 0; s < STATISTICS; s++)
                    raise_to(&most[t].statistic[s], here.statistic[s]);
            }
        }
}

/* Returns how many accuracies are not known. */
static int hold(const struct machine *m)
{
    int unknowns = 0;
    pby_spec *spec = spec_of_both(m->first, m->second);
    for (int64_t n = 1; n <= RECORDS; n++) {
        struct needed most[BARS + 1] = {{0, 0, {0}}};
        add_histograms(most, m, n);
        for (size_t t = m->threshold > 0 || m->loss > 0 ? 1 : m->bars; t <= m->bars; t++) {
            const pby_input_class inputs = {(uint64_t)n, t, NULL};
            if (m->threshold > 0 || m->loss == 0)
                check_noisy(m, spec, &inputs, &most[t], &unknowns);
            else
                check_dropping(m, spec, &inputs, &most[t]);
        }
    }
    pby_spec_free(spec);
    return unknowns;
}

/* claims: Flex/Theorem 5; Flex/Corollary 1; Flex/Corollary 2 */
Test(counted, behind_what_only_takes_away)
{
    hold(&(struct machine){"stlap:eps=1,q=2", NULL, 0, 2, 0, 3, "2"});
    hold(&(struct machine){"stlap:eps=1,q=3", NULL, 0, 3, 0, 2, "3"});
}

Test(counted, behind_a_threshold)
{
    cr_assert_eq(hold(&(struct machine){"threshold:eps=2,T=2", NULL, 2, 0, 0, 3, "2"}), 0);
    cr_assert_eq(hold(&(struct machine){"threshold:eps=2,T=3", NULL, 3, 0, 1, 2, "2"}), 0);
    cr_assert_gt(hold(&(struct machine){"threshold:eps=2,T=2", NULL, 2, 0, 1, 3, "2"}), 0); /* k > T - b */
    hold(&(struct machine){"threshold:eps=2,T=4", NULL, 4, 0, 2, 2, "2"});
    hold(&(struct machine){"threshold:eps=2,T=1", NULL, 1, 0, 1, 3, "3"});
}

Test(counted, behind_a_threshold_and_more)
{
    hold(&(struct machine){"threshold:eps=2,T=2", "geometric:eps=2", 2, 0, 1, 3, "2"});
    hold(&(struct machine){"threshold:eps=2,T=1", "geometric:eps=2", 1, 0, 1, 3, "2"});
    cr_assert_eq(hold(&(struct machine){"threshold:eps=2,T=2", "stlap:eps=2,q=3", 2, 3, 1, 2, "2"}), 0);
    cr_assert_eq(hold(&(struct machine){"threshold:eps=2,T=3", "stlap:eps=2,q=1", 3, 1, 1, 2, "2"}), 0);
}

Test(counted, behind_noise_on_every_bar)
{
    cr_assert_eq(hold(&(struct machine){"geometric:eps=2", NULL, 0, 0, 0, 3, "2"}), 0);
    cr_assert_gt(hold(&(struct machine){"geometric:eps=2", NULL, 0, 0, 1, 3, "2"}), 0);
    cr_assert_gt(hold(&(struct machine){"geometric:eps=2", NULL, 0, 0, 2, 2, "2"}), 0);
    cr_assert_gt(hold(&(struct machine){"geometric:eps=2", NULL, 0, 0, 2, 1, "2"}),
                 0); /* a bar that may vanish */
}
