/* SPDX-License-Identifier: MIT */
#include "lab/experiment/contest.h"

#include <math.h>
#include <stdlib.h>

#include "kernel/statistic.h"
#include "number/ball.h"
#include "number/scoped.h"
#include "probity/experimental/stable.h"

enum { PREC = PBY_ANSWER_PRECISION };

/* ---- a data set ------------------------------------------------------------------------------- */

pby_status pby_data_set_init(pby_data_set *d, const pby_statistic *s, const int64_t *counts, size_t n,
                             int64_t drop, pby_error *err)
{
    *d = (pby_data_set){.statistic = s, .counts = counts, .n = n, .answer = pby_answer_of(s, counts, n)};
    bool *flags = calloc(n + 1, sizeof *flags);
    d->far = calloc(n + 1, sizeof *d->far);
    d->flexible = calloc(n + 1, sizeof *d->flexible);
    d->jumps = calloc(n + 1, sizeof *d->jumps);
    pby_status status = flags == NULL || d->far == NULL || d->flexible == NULL || d->jumps == NULL
                            ? pby_no_memory(err)
                            : PBY_OK;
    if (status == PBY_OK) {
        flags[d->answer] = true;
        pby_answer_far(d->far, flags, n);
        pby_answer_flexible(flags, s, counts, n, pby_stat_total(counts, n) / drop);
        pby_answer_far(d->flexible, flags, n);
        status = pby_statistic_radius(&d->radius, s, PBY_ADD_REMOVE, counts, n, err);
    }
    if (status == PBY_OK)
        status = pby_statistic_jumps(d->jumps, s, counts, n, err);
    free(flags);
    return status;
}

void pby_data_set_clear(pby_data_set *d)
{
    free(d->far);
    free(d->flexible);
    free(d->jumps);
    *d = (pby_data_set){.far = NULL};
}

void pby_score_init(pby_score *s)
{
    arb_init(s->error);
    arb_init(s->flexible);
    arb_init(s->none);
}

void pby_score_clear(pby_score *s)
{
    arb_clear(s->error);
    arb_clear(s->flexible);
    arb_clear(s->none);
}

/* ---- laws around the true answer -------------------------------------------------------------- */

/* law[i] in proportion to exp(-rate |i - answer|), by powers of a = exp(-rate). */
static void exponential_law(arb_ptr law, const arb_t rate, const pby_data_set *d)
{
    PBY_ARB(sum, power);
    for (size_t i = 0; i <= d->n; i++) {
        const size_t far = i < d->answer ? d->answer - i : i - d->answer;
        arb_mul_ui(power, rate, far, PREC);
        arb_neg(power, power);
        arb_exp(law + i, power, PREC);
        arb_add(sum, sum, law + i, PREC);
    }
    for (size_t i = 0; i <= d->n; i++)
        arb_div(law + i, law + i, sum, PREC);
}

/* Two-sided geometric noise, what lies beyond the bars 1 and n being heaped there. */
static void clamped_law(arb_ptr law, const arb_t rate, const pby_data_set *d)
{
    PBY_ARB(a, norm);
    arb_neg(a, rate);
    arb_exp(a, a, PREC);
    arb_add_ui(norm, a, 1, PREC);
    arb_sub_ui(a, a, 1, PREC);
    arb_neg(a, a);
    arb_zero(law);
    for (size_t i = 1; i <= d->n; i++) {
        const size_t far = i < d->answer ? d->answer - i : i - d->answer;
        arb_mul_ui(law + i, rate, far, PREC);
        arb_neg(law + i, law + i);
        arb_exp(law + i, law + i, PREC);
        arb_div(law + i, law + i, norm, PREC);
        if (i > 1 && i < d->n)
            arb_mul(law + i, law + i, a, PREC);
    }
}

/* rate = eps/(2 S), S the greatest distance times decay^jumps. */
static void smooth_rate(arb_t rate, const pby_setting *s, const pby_data_set *d)
{
    PBY_ARB(decay, one, most);
    arb_set_fmpq(decay, s->decay, PREC);
    arb_log(decay, decay, PREC);
    arb_neg_inf(most);
    for (size_t far = 1; far <= d->n; far++)
        if (d->jumps[far] < INT64_MAX) {
            arb_mul_si(one, decay, d->jumps[far], PREC);
            arb_set_ui(rate, far);
            arb_log(rate, rate, PREC);
            arb_add(one, one, rate, PREC);
            pby_raise_to(most, one, PREC);
        }
    arb_neg(most, most);
    arb_exp(most, most, PREC);
    arb_set_fmpq(rate, s->eps, PREC);
    arb_mul(rate, rate, most, PREC);
    arb_mul_2exp_si(rate, rate, -1);
}

/* The answer where its radius and noise exceed the threshold, and any answer otherwise. */
static void tested_law(arb_ptr law, const pby_setting *s, const pby_data_set *d)
{
    PBY_ARB(a, shown, rest);
    const int64_t more = s->threshold - d->radius;
    arb_set_fmpq(a, s->eps, PREC);
    arb_neg(a, a);
    arb_mul_si(rest, a, more >= 0 ? more + 1 : -more, PREC);
    arb_exp(rest, rest, PREC);
    arb_exp(a, a, PREC);
    arb_add_ui(a, a, 1, PREC);
    arb_div(rest, rest, a, PREC);
    arb_sub_ui(shown, rest, 1, PREC);
    arb_neg(shown, shown);
    if (more >= 0)
        arb_swap(shown, rest);
    arb_div_ui(rest, rest, d->n + 1, PREC);
    for (size_t i = 0; i <= d->n; i++)
        arb_set(law + i, rest);
    arb_add(law + d->answer, law + d->answer, shown, PREC);
}

/* None, unless the largest count and noise of rate weight/4 reach the test; the rest is not known. */
static void cited_choosing_law(arb_ptr law, const pby_setting *s, const pby_data_set *d)
{
    PBY_ARB(pass, a);
    int64_t largest = 0;
    for (size_t i = 0; i < d->n; i++)
        largest = d->counts[i] > largest ? d->counts[i] : largest;
    const int64_t more = s->tested - largest;
    _arb_vec_zero(law, (slong)d->n + 2);
    arb_set_fmpq(a, s->weight, PREC);
    arb_mul_2exp_si(a, a, -2);
    arb_neg(a, a);
    arb_mul_si(pass, a, more > 0 ? more : 0, PREC);
    arb_exp(pass, pass, PREC);
    arb_exp(a, a, PREC);
    arb_add_ui(a, a, 1, PREC);
    if (more > 0)
        arb_div(pass, pass, a, PREC);
    arb_sub_ui(law, pass, 1, PREC);
    arb_neg(law, law);
    arb_set(law + d->n + 1, pass);
}

pby_status pby_contest(pby_score *score, pby_contestant who, const pby_setting *s, const pby_data_set *d,
                       pby_error *err)
{
    (void)err;
    arb_ptr law = _arb_vec_init((slong)d->n + 2);
    PBY_ARB(rate);
    if (who <= PBY_CONTESTANT_ESA) {
        pby_answer_law(law, d->statistic, &s->bars[who], d->counts, d->n);
    } else if (who == PBY_CONTESTANT_CHOOSING) {
        cited_choosing_law(law, s, d);
    } else if (who == PBY_CONTESTANT_PTR) {
        tested_law(law, s, d);
    } else if (who == PBY_CONTESTANT_SMOOTH) {
        smooth_rate(rate, s, d);
        clamped_law(law, rate, d);
    } else {
        arb_set_fmpq(rate, s->eps, PREC);
        arb_div_ui(rate, rate, (who == PBY_CONTESTANT_TIGHT ? 1 : 2) * d->n, PREC);
        exponential_law(law, rate, d);
    }
    pby_answer_error(score->error, law, d->far, d->n);
    pby_answer_error(score->flexible, law, d->flexible, d->n);
    arb_add(score->none, law, law + d->n + 1, PREC);
    arb_union(score->none, score->none, law, PREC);
    _arb_vec_clear(law, (slong)d->n + 2);
    return PBY_OK;
}

/* ---- choosing --------------------------------------------------------------------------------- */

struct ring {
    double time; /* the logarithm of the time that its clock rings at */
    size_t bar;
};

static int earlier(const void *a, const void *b)
{
    const struct ring *x = a, *y = b;
    return x->time != y->time ? (x->time > y->time) - (x->time < y->time)
                              : (x->bar > y->bar) - (x->bar < y->bar);
}

/* One run: the clocks, and the noisy counts of the first half of the bars that ring. */
static pby_status run_contest(int64_t *noisy, struct ring *ring, uint64_t *words, int64_t *noise,
                              const pby_setting *s, const pby_data_set *d, pby_entropy *source,
                              pby_error *err)
{
    const double weight = fmpq_get_d(s->weight);
    const size_t chosen = d->n / 2;
    pby_status status = pby_entropy_words(source, words, d->n, err);
    if (status == PBY_OK)
        status = pby_draw_many(s->counts, source, noise, chosen, err);
    if (status != PBY_OK)
        return status;
    for (size_t i = 0; i < d->n; i++) {
        const double u = ((double)(words[i] >> 11) + .5) * 0x1p-53;
        ring[i] = (struct ring){log(-log(u)) - weight * (double)d->counts[i], i};
        noisy[i] = 0;
    }
    qsort(ring, d->n, sizeof *ring, earlier);
    for (size_t i = 0; i < chosen; i++) {
        const int64_t count = d->counts[ring[i].bar] + noise[i];
        noisy[ring[i].bar] = count > 0 ? count : 0;
    }
    return PBY_OK;
}

pby_status pby_contest_runs(pby_runs *sums, uint64_t runs, const pby_setting *s, const pby_data_set *d,
                            pby_entropy *source, pby_error *err)
{
    int64_t *noisy = calloc(d->n, sizeof *noisy), *noise = calloc(d->n, sizeof *noise);
    uint64_t *words = calloc(d->n, sizeof *words);
    struct ring *ring = calloc(d->n, sizeof *ring);
    pby_status status = noisy == NULL || noise == NULL || words == NULL || ring == NULL ? pby_no_memory(err)
                                                                                        : PBY_OK;
    for (uint64_t i = 0; i < runs && status == PBY_OK; i++) {
        status = run_contest(noisy, ring, words, noise, s, d, source, err);
        if (status != PBY_OK)
            break;
        const size_t answer = pby_answer_of(d->statistic, noisy, d->n);
        sums->error += d->far[answer];
        sums->flexible += d->flexible[answer];
        sums->none += answer == 0;
        sums->runs++;
    }
    free(ring);
    free(words);
    free(noise);
    free(noisy);
    return status;
}
