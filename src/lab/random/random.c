/* SPDX-License-Identifier: MIT */
/* Sensitivities of random functions, by linear programmes.
 *
 * All of them ask one question: is there a law w on some inputs such that the values of f on it can be
 * carried to a given law within a distance, but for a mass gamma? A distortion of f(x) by alpha is a choice
 * of a value within alpha of each value that f(x) has, or a mixture of such choices; the laws that are
 * explained form a convex set, so the choices decide. */
#include "probity/experimental/random.h"

#include <stdlib.h>

#include "base/status.h"
#include "number/scoped.h"
#include "transport/metric.h"
#include "transport/programme.h"
#include "transport/transport_measure.h"

static mpq_srcptr chance(const pby_random_function *f, size_t i, size_t j)
{
    return &f->chance[i * f->after + j];
}

static pby_status check_function(const pby_random_function *f, pby_error *err)
{
    pby_status status =
        f->before > 0 && f->after > 0 && f->before <= PBY_RANDOM_MAX && f->after <= PBY_RANDOM_MAX
            ? PBY_OK
            : pby_fail(err, PBY_BAD, "function: expected from 1 to %d inputs and values", PBY_RANDOM_MAX);
    PBY_MPQ(sum);
    for (size_t i = 0; i < f->before && status == PBY_OK; i++) {
        mpq_set_ui(sum, 0, 1);
        for (size_t j = 0; j < f->after && status == PBY_OK; j++) {
            mpq_add(sum, sum, chance(f, i, j));
            if (mpq_sgn(chance(f, i, j)) < 0)
                status = pby_fail(err, PBY_BAD, "function: input %zu: expected chances from 0 to 1", i + 1);
        }
        if (status == PBY_OK && mpq_cmp_ui(sum, 1, 1) != 0)
            status = pby_fail(err, PBY_BAD, "function: input %zu: expected chances that add up to 1", i + 1);
    }
    return status;
}

/* ---- the question ------------------------------------------------------------------------------ */

/* The law to be explained; the inputs that may explain it; and how far values may be carried, but for gamma.
 */
struct question {
    const pby_random_function *f;
    const fmpq *target;
    bool *allowed;              /* inputs */
    const pby_distance *metric; /* of the values */
    const pby_distance *reach;
    mpq_srcptr gamma;
};

/* Columns: the law on the inputs, what is carried from b to c, what is left of either side, what is carried
 * beyond 1 - gamma. */
static pby_status is_explained(bool *out, const struct question *q, pby_error *err)
{
    const pby_random_function *f = q->f;
    const size_t n = f->before, m = f->after, columns = n + m * m + 2 * m + 1, carried = 1 + 2 * m;
    pby_programme p;
    pby_status status = pby_programme_init(&p, 2 * m + 2, columns, err);
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        if (!q->allowed[i])
            continue;
        fmpq_one(pby_programme_at(&p, 0, i));
        for (size_t b = 0; b < m; b++) {
            fmpq *x = pby_programme_at(&p, 1 + b, i);
            fmpq_set_mpq(x, chance(f, i, b));
            fmpq_neg(x, x);
        }
    }
    for (size_t e = 0; e < m * m && status == PBY_OK; e++)
        if (pby_distance_cmp(&q->metric[e % m * m + e / m], q->reach) <= 0) { /* from the target's side */
            fmpq_one(pby_programme_at(&p, 1 + e / m, n + e));
            fmpq_one(pby_programme_at(&p, 1 + m + e % m, n + e));
            fmpq_one(pby_programme_at(&p, carried, n + e));
        }
    for (size_t b = 0; b < 2 * m && status == PBY_OK; b++)
        fmpq_one(pby_programme_at(&p, 1 + b, n + m * m + b));
    if (status == PBY_OK) {
        fmpq_one(pby_programme_at(&p, 0, columns));
        for (size_t c = 0; c < m; c++)
            fmpq_set(pby_programme_at(&p, 1 + m + c, columns), &q->target[c]);
        fmpq_set_si(pby_programme_at(&p, carried, columns - 1), -1, 1);
        fmpq *need = pby_programme_at(&p, carried, columns);
        fmpq_set_mpq(need, q->gamma);
        fmpq_sub_si(need, need, 1);
        fmpq_neg(need, need);
        status = pby_programme_start(&p, out, err);
    }
    pby_programme_clear(&p);
    return status;
}

/* ---- the least of some distances --------------------------------------------------------------- */

static int by_distance(const void *a, const void *b)
{
    return pby_distance_cmp(*(const pby_distance *const *)a, *(const pby_distance *const *)b);
}

/* The least candidate, among `count` of them, for which the question is answered with yes; infinite where it
 * is not even for the greatest finite one. `set` puts a candidate into the question. */
typedef void put(struct question *q, const void *what, const pby_distance *candidate);

static pby_status least(pby_distance *out, struct question *q, const pby_distance *candidates, size_t count,
                        put *set, const void *what, pby_error *err)
{
    const pby_distance **sorted = calloc(count + 1, sizeof *sorted);
    size_t kept = 0;
    bool found = false;
    pby_status status = sorted == NULL ? pby_no_memory(err) : PBY_OK;
    for (size_t i = 0; i < count && status == PBY_OK; i++)
        if (!candidates[i].infinite)
            sorted[kept++] = &candidates[i];
    if (status == PBY_OK && kept > 0)
        qsort(sorted, kept, sizeof *sorted, by_distance);
    size_t low = 0, high = kept; /* the answer is yes from high on */
    while (low < high && status == PBY_OK) {
        const size_t middle = low + (high - low) / 2;
        set(q, what, sorted[middle]);
        status = is_explained(&found, q, err);
        if (found)
            high = middle;
        else
            low = middle + 1;
    }
    if (status == PBY_OK && high < kept)
        pby_distance_set(out, sorted[high]);
    else if (status == PBY_OK)
        pby_distance_set_infinite(out);
    free(sorted);
    return status;
}

static void raise_to(pby_distance *out, const pby_distance *x)
{
    if (pby_distance_cmp(x, out) > 0)
        pby_distance_set(out, x);
}

/* ---- distortion sensitivity -------------------------------------------------------------------- */

/* The distortions of an input: those within the candidate may explain. */
struct from {
    const pby_distance *row;
    size_t inputs;
};

static void allow_within(struct question *q, const void *what, const pby_distance *candidate)
{
    const struct from *from = what;
    for (size_t i = 0; i < from->inputs; i++)
        q->allowed[i] = pby_distance_cmp(&from->row[i], candidate) <= 0;
}

/* The next choice, one value within alpha for each value of f(x); false behind the last. */
static bool next_choice(size_t *choice, const pby_random_function *f, size_t x,
                        const pby_random_distortion_at *at)
{
    for (size_t b = 0; b < f->after; b++) {
        if (mpq_sgn(chance(f, x, b)) == 0)
            continue;
        for (size_t c = choice[b] + 1; c < f->after; c++)
            if (pby_distance_cmp(&at->codomain[b * f->after + c], at->alpha) <= 0) {
                choice[b] = c;
                return true;
            }
        choice[b] = 0;
        while (pby_distance_cmp(&at->codomain[b * f->after + choice[b]], at->alpha) > 0)
            choice[b]++;
    }
    return false;
}

static pby_status sigma_of(pby_distance *out, const pby_random_function *f, size_t x,
                           const pby_random_distortion_at *at, fmpq *target, size_t *choice, pby_error *err)
{
    bool allowed[PBY_RANDOM_MAX];
    const struct from from = {&at->domain[x * f->before], f->before};
    struct question q = {f, target, allowed, at->metric, at->omega, at->gamma};
    pby_distance one;
    size_t choices = 0;
    pby_distance_init(&one);
    PBY_FMPQ(mass);
    for (size_t b = 0; b < f->after; b++)
        for (choice[b] = 0; pby_distance_cmp(&at->codomain[b * f->after + choice[b]], at->alpha) > 0;)
            choice[b]++;
    pby_status status = PBY_OK;
    do {
        for (size_t c = 0; c < f->after; c++)
            fmpq_zero(&target[c]);
        for (size_t b = 0; b < f->after; b++) {
            fmpq_set_mpq(mass, chance(f, x, b));
            fmpq_add(&target[choice[b]], &target[choice[b]], mass);
        }
        status = ++choices > PBY_RANDOM_CHOICES_MAX
                     ? pby_fail(err, PBY_BAD,
                                "alpha: expected at most %d ways to distort the values of an input",
                                PBY_RANDOM_CHOICES_MAX)
                     : least(&one, &q, from.row, f->before, allow_within, &from, err);
        if (status == PBY_OK)
            raise_to(out, &one);
    } while (status == PBY_OK && next_choice(choice, f, x, at));
    pby_distance_clear(&one);
    return status;
}

static pby_status check_zero(const pby_distance *metric, size_t n, const char *name, pby_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (metric[i * n + i].infinite || mpq_sgn(metric[i * n + i].value) != 0)
            return pby_fail(err, PBY_BAD, "%s: expected distance 0 from a point to itself", name);
    return PBY_OK;
}

pby_status pby_random_distortion_sensitivity(pby_distance *out, const pby_random_function *f,
                                             const pby_random_distortion_at *at, pby_error *err)
{
    fmpq target[PBY_RANDOM_MAX];
    size_t choice[PBY_RANDOM_MAX];
    pby_status status = check_function(f, err);
    if (status == PBY_OK)
        status = pby_check_gamma(at->gamma, err);
    if (status == PBY_OK)
        status = check_zero(at->codomain, f->after, "codomain", err);
    if (status != PBY_OK)
        return status;
    for (size_t c = 0; c < PBY_RANDOM_MAX; c++)
        fmpq_init(&target[c]);
    mpq_set_ui(out->value, 0, 1);
    out->infinite = false;
    for (size_t x = 0; x < f->before && status == PBY_OK; x++)
        status = sigma_of(out, f, x, at, target, choice, err);
    for (size_t c = 0; c < PBY_RANDOM_MAX; c++)
        fmpq_clear(&target[c]);
    return status;
}

/* ---- error sensitivity ------------------------------------------------------------------------- */

static void reach_within(struct question *q, const void *what, const pby_distance *candidate)
{
    (void)what;
    q->reach = candidate;
}

pby_status pby_random_error_sensitivity(pby_distance *out, const pby_random_function *m,
                                        const pby_random_function *f, const pby_error_sensitivity_at *at,
                                        pby_error *err)
{
    fmpq target[PBY_RANDOM_MAX];
    bool allowed[PBY_RANDOM_MAX];
    pby_distance one;
    pby_status status = check_function(m, err);
    if (status == PBY_OK)
        status = check_function(f, err);
    if (status == PBY_OK && (m->before != f->before || m->after != f->after))
        status = pby_fail(err, PBY_BAD,
                          "table: expected a mechanism and a function of the same inputs and values");
    if (status == PBY_OK && mpq_sgn(at->gamma1) != 0)
        status = pby_fail(err, PBY_BAD, "gamma1: expected 0");
    if (status == PBY_OK)
        status = pby_check_gamma(at->gamma2, err);
    if (status != PBY_OK)
        return status;
    struct question q = {f, target, allowed, at->output, NULL, at->gamma2};
    const size_t n = f->before;
    for (size_t c = 0; c < PBY_RANDOM_MAX; c++)
        fmpq_init(&target[c]);
    pby_distance_init(&one);
    mpq_set_ui(out->value, 0, 1);
    out->infinite = false;
    for (size_t k = 0; k < n * n && status == PBY_OK; k++) {
        if (pby_distance_cmp(&at->metric[k], at->beta1) > 0)
            continue;
        for (size_t c = 0; c < f->after; c++)
            fmpq_set_mpq(&target[c], chance(m, k / n, c));
        for (size_t i = 0; i < n; i++)
            allowed[i] = pby_distance_cmp(&at->distortion[k % n * n + i], at->alpha2) <= 0;
        status = least(&one, &q, at->output, f->after * f->after, reach_within, NULL, err);
        if (status == PBY_OK)
            raise_to(out, &one);
    }
    pby_distance_clear(&one);
    for (size_t c = 0; c < PBY_RANDOM_MAX; c++)
        fmpq_clear(&target[c]);
    return status;
}

/* ---- neighbours -------------------------------------------------------------------------------- */

pby_status pby_random_keeps_neighbours(bool *out, const pby_random_function *f, const bool *before,
                                       const bool *after, pby_error *err)
{
    const size_t n = f->before, m = f->after;
    pby_distance found;
    *out = false;
    pby_status status = check_function(f, err);
    if (status != PBY_OK)
        return status;
    pby_distance *metric = calloc(m * m, sizeof *metric);
    if (metric == NULL)
        return pby_no_memory(err);
    pby_distance_init(&found);
    PBY_MPQ(none);
    for (size_t k = 0; k < m * m; k++) {
        pby_distance_init(&metric[k]);
        metric[k].infinite = k / m != k % m && !after[k] && !after[k % m * m + k / m];
    }
    bool keeps = true;
    for (size_t k = 0; k < n * n && status == PBY_OK && keeps; k++)
        if (before[k]) {
            status = pby_metric_lossy(&found, chance(f, k / n, 0), chance(f, k % n, 0), metric, m, none, err);
            keeps = !found.infinite;
        }
    if (status == PBY_OK)
        *out = keeps;
    for (size_t k = 0; k < m * m; k++)
        pby_distance_clear(&metric[k]);
    free(metric);
    pby_distance_clear(&found);
    return status;
}
