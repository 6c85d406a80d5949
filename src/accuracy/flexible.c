/* SPDX-License-Identifier: MIT */
/* (alpha, beta, gamma) of compositions: of a statistic behind a release, of a move in front of one. */
#include "accuracy/accuracy.h"
#include "number/scoped.h"
#include "probity/experimental/accuracy.h"

void pby_accuracy_init(pby_accuracy *a)
{
    pby_distance_init(&a->alpha);
    pby_distance_init(&a->beta);
    mpq_init(a->gamma);
}

void pby_accuracy_clear(pby_accuracy *a)
{
    pby_distance_clear(&a->alpha);
    pby_distance_clear(&a->beta);
    mpq_clear(a->gamma);
}

void pby_accuracy_compose(pby_accuracy *out, const pby_accuracy *first, const pby_distance *sigma,
                          const pby_distance *tau, mpq_srcptr gamma2)
{
    out->alpha.infinite = first->alpha.infinite || sigma->infinite;
    if (out->alpha.infinite)
        mpq_set_ui(out->alpha.value, 0, 1);
    else
        mpq_add(out->alpha.value, first->alpha.value, sigma->value);
    pby_distance_set(&out->beta, tau);
    mpq_set(out->gamma, gamma2);
}

/* ---- statistics ---------------------------------------------------------------------------------- */

/* Returns how many times beta a statistic may move when records move by beta; -1 if there is no bound. */
static int moves(const pby_statistic *s)
{
    switch (s->name) {
    case PBY_STATISTIC_RANGE:
        return 2;
    case PBY_STATISTIC_MODE:
        return -1;
    case PBY_STATISTIC_MAX_K:
    case PBY_STATISTIC_MIN_K:
        return s->k == 1 ? 1 : -1;
    case PBY_STATISTIC_MAX:
    case PBY_STATISTIC_MIN:
    case PBY_STATISTIC_SUPPORT:
    case PBY_STATISTIC_MEDIAN:
    case PBY_STATISTIC_QUANTILE:
        break;
    }
    return 1;
}

/* Records that move by at most beta. */
static void moved_points(pby_distance *out, const pby_statistic *statistic, const pby_distance *beta)
{
    const int factor = moves(statistic);
    const bool still = !beta->infinite && mpq_sgn(beta->value) == 0;
    PBY_MPQ(times);
    mpq_set_si(times, factor, 1);
    out->infinite = beta->infinite || (factor < 0 && !still);
    mpq_set_ui(out->value, 0, 1);
    if (!out->infinite)
        mpq_mul(out->value, beta->value, times);
}

/* Counts are integers: within less than 1 they are equal. Within 1 are (k, k-1) and (k-1, k), and (1, 0) and
 * (1, 1), the two bars as far apart as you like: no statistic has a bound. */
static void changed_counts(pby_distance *out, const pby_distance *beta)
{
    out->infinite = beta->infinite || mpq_cmp_ui(beta->value, 1, 1) >= 0;
    mpq_set_ui(out->value, 0, 1);
}

void pby_statistic_sensitivity(pby_distance *out, const pby_statistic *statistic, pby_statistic_metric metric,
                               const pby_distance *beta)
{
    if (metric == PBY_METRIC_COUNTS)
        changed_counts(out, beta);
    else
        moved_points(out, statistic, beta);
}

void pby_accuracy_statistic(pby_accuracy *out, pby_distance *tau, const pby_accuracy *release,
                            const pby_statistic *statistic, pby_statistic_metric metric)
{
    pby_distance sigma;
    pby_distance_init(&sigma); /* that of the identity at 0 is 0 */
    pby_statistic_sensitivity(tau, statistic, metric, &release->beta);
    pby_accuracy_compose(out, release, &sigma, tau, release->gamma);
    pby_distance_clear(&sigma);
}

void pby_accuracy_drop_move(pby_accuracy *out, const pby_accuracy *release, mpq_srcptr eta)
{
    pby_distance move, none;
    pby_distance_init(&move);
    pby_distance_init(&none);
    move.infinite = release->beta.infinite;
    mpq_mul(move.value, release->beta.value, eta);
    pby_accuracy_compose(out, release, &move, &none, release->gamma);
    pby_distance_clear(&none);
    pby_distance_clear(&move);
}
