/* SPDX-License-Identifier: MIT */
/* Statistics of counts that have an error of at most b, each at no error but for records that are dropped.
 *
 * The bar that comes out is to be that of an x' which is part of x. docs/theory/accuracy.md, Statistics
 * behind noise, has the proofs. Behind a threshold a bar that is seen is occupied, and one of more than
 * `hidden` records is seen. */
#include "accuracy/accuracy.h"
#include "accuracy/row.h"
#include "number/scoped.h"

/* min(1, ceil((support - 1) each) / n) */
static void drop_from_others(mpq_t alpha, const pby_input_class *inputs, mpq_srcptr each)
{
    PBY_MPQ(others);
    mpz_set_ui(mpq_numref(others), inputs->support - 1);
    mpq_mul(alpha, others, each);
    mpz_cdiv_q(mpq_numref(alpha), mpq_numref(alpha), mpq_denref(alpha));
    mpz_set_ui(mpq_denref(alpha), inputs->n);
    mpq_canonicalize(alpha);
    if (mpq_cmp_ui(alpha, 1, 1) > 0)
        mpq_set_ui(alpha, 1, 1);
}

/* 2 b for the mode. For a quantile p it is 2 b max(p, 1-p)/min(p, 1-p), and at least what a hidden bar holds.
 */
static void drop_from_each(mpq_t each, const pby_noisy_accuracy *a, const pby_statistic *s)
{
    mpz_set_ui(mpq_numref(each), a->reach);
    mpz_set_ui(mpq_denref(each), 1);
    mpq_mul_2exp(each, each, 1);
    if (s->name == PBY_STATISTIC_MODE)
        return;
    const int32_t below = s->num, above = s->den - s->num;
    mpq_t ratio, hidden;
    mpq_inits(ratio, hidden, NULL);
    mpq_set_si(ratio, below > above ? below : above, (unsigned long)(below > above ? above : below));
    mpq_canonicalize(ratio);
    mpq_mul(each, each, ratio);
    mpz_set_ui(mpq_numref(hidden), a->hidden);
    if (mpq_cmp(each, hidden) < 0)
        mpq_set(each, hidden);
    mpq_clears(ratio, hidden, NULL);
}

static void drop_others(mpq_t alpha, const pby_noisy_accuracy *a, const pby_input_class *inputs,
                        const pby_statistic *s)
{
    PBY_MPQ(each);
    drop_from_each(each, a, s);
    drop_from_others(alpha, inputs, each);
}

/* Every bar has noise, the empty ones too, and a single bar may vanish in it. On two bars the median is the
 * mode. */
static const char *behind_noise(pby_accuracy *out, const pby_noisy_accuracy *a, const pby_input_class *inputs,
                                const pby_statistic *s)
{
    const bool mode = s->name == PBY_STATISTIC_MODE ||
                      (s->name == PBY_STATISTIC_MEDIAN && inputs->support <= 2);
    if (a->reach == 0)
        return NULL;
    if (!mode)
        return "a bar may come out that has too few records, or none";
    const pby_statistic fullest = {.name = PBY_STATISTIC_MODE};
    drop_others(out->alpha.value, a, inputs, &fullest);
    return inputs->n > a->reach && mpq_cmp_ui(out->alpha.value, 1, 1) < 0
               ? NULL
               : "it needs more records than beta, and than 2 beta for each bar but one";
}

/* A bar that is published with k records has so many if k <= T - b, or if there is no error at all. */
static const char *full_behind_threshold(pby_accuracy *out, const pby_noisy_accuracy *a,
                                         const pby_input_class *inputs, const pby_statistic *s)
{
    const uint64_t fewer = (uint64_t)s->k - 1;
    if (a->reach > 0 && (a->recounts || fewer > a->hidden || a->hidden - fewer < 2 * a->reach))
        return "a bar of fewer than k records may come out with k";
    const pby_bar_loss loss = {a->hidden, fewer < a->hidden ? fewer : a->hidden, 0};
    pby_drop_of(out->alpha.value, inputs, &loss);
    return NULL;
}

/* All bars may be hidden, or one is not and comes out. */
static bool may_hide_all(const pby_noisy_accuracy *a, const pby_input_class *inputs)
{
    mpz_t room;
    mpz_init_set_ui(room, inputs->support);
    mpz_mul_ui(room, room, a->hidden);
    const bool all = mpz_cmp_ui(room, inputs->n) >= 0;
    mpz_clear(room);
    return all;
}

static const char *behind_threshold(pby_accuracy *out, const pby_noisy_accuracy *a,
                                    const pby_input_class *inputs, const pby_statistic *s)
{
    if (s->name == PBY_STATISTIC_MAX_K || s->name == PBY_STATISTIC_MIN_K)
        return full_behind_threshold(out, a, inputs, s);
    if (may_hide_all(a, inputs))
        mpq_set_ui(out->alpha.value, 1, 1);
    else
        drop_others(out->alpha.value, a, inputs, s);
    return NULL;
}

bool pby_accuracy_counted(pby_accuracy *out, const char **unknown, const pby_noisy_accuracy *a,
                          const pby_input_class *inputs, const pby_statistic *s)
{
    const pby_accuracy *from = a->gated && pby_statistic_of_support(s) ? &a->seen : &a->release;
    pby_distance_set(&out->alpha, &from->alpha);
    mpq_set_ui(out->beta.value, 0, 1);
    out->beta.infinite = false;
    mpq_set(out->gamma, from->gamma);
    *unknown = NULL;
    if (from == &a->seen)
        return true;
    if (a->shrinks)
        return false;
    *unknown = a->gated ? behind_threshold(out, a, inputs, s) : behind_noise(out, a, inputs, s);
    return s->name == PBY_STATISTIC_MAX_K || s->name == PBY_STATISTIC_MIN_K || mpq_sgn(out->alpha.value) == 0;
}
