/* SPDX-License-Identifier: MIT */
/* The accuracy of one kind of release each, inside the library: pby_accuracy_ask asks them all. */
#ifndef PBY_ACCURACY_ACCURACY_H
#define PBY_ACCURACY_ACCURACY_H

#include "probity/experimental/accuracy.h"

/* For a mechanism that drops or hides: sets out to the least alpha for which the promise holds with beta half
 * the width, in the maximum norm, and gamma 0. *bar_loss is the most that one bar can lose. The second is of
 * the support alone: a bar that is seen need not lose anything. */
PBY_CHECKED
pby_status pby_accuracy_release(pby_accuracy *out, uint64_t *bar_loss, const pby_spec *spec,
                                const pby_input_class *inputs, pby_error *err) PBY_NONNULL(1, 2, 3, 4);
PBY_CHECKED
pby_status pby_accuracy_seen(pby_accuracy *out, const pby_spec *spec, const pby_input_class *inputs,
                             pby_error *err) PBY_NONNULL(1, 2, 3);

/* The alpha that the paper states for one that drops. */
PBY_CHECKED
pby_status pby_accuracy_claimed(mpq_t alpha, const pby_spec *spec, const pby_input_class *inputs,
                                pby_error *err) PBY_NONNULL(1, 2, 3);

/* For a session, K*above or K*above K*geometric, and for sparse, inputs->support are the questions that a use
 * is asked at most, and beta is how far an answer may be from the threshold on the wrong side, or a value
 * from the answer.
 *
 * For a choice inputs->support are the candidates, and beta is how far the chosen score may be below the
 * best. Of shares inputs->n are the users, and beta is how far the estimate may be off; the chance is exact
 * for up to 500 users, and beyond them from 0 to Hoeffding's bound, by which a gamma finds beta for any
 * number. Of a mean it is the same, but that for up to 500 users the chance is from that of users at the ends
 * to Hoeffding's bound.
 *
 * At a beta from 0 on, or at the least whose chance is at most gamma; the other is NULL. Without either the
 * most that is ever published, if there is such a bound. */
PBY_CHECKED
pby_status pby_accuracy_noisy(pby_noisy_accuracy *out, const pby_spec *spec, const pby_input_class *inputs,
                              mpq_srcptr beta, mpq_srcptr gamma, unsigned digits, pby_error *err)
    PBY_NONNULL(1, 2, 3);

/* The mean error of a mechanism that draws, but for a mass gamma of the farthest, which counts 0: the least
 * beta of (0, beta, gamma) on average, at the worst over all inputs. The error is that of pby_accuracy_noisy:
 * of inputs->support bars the greatest counts; a query that is rounded to a grid first is asked at its worst
 * place; a count that a threshold hides is off by itself. Of noisymax, sessions, several bars under a
 * threshold, more than 500 users, onebit, and depth with n the two ends stay apart: some input has the lower
 * one, and none has more than the upper one. */
PBY_CHECKED
pby_status pby_accuracy_average(pby_enclosure *beta, const pby_spec *spec, const pby_input_class *inputs,
                                mpq_srcptr gamma, unsigned digits, pby_error *err) PBY_NONNULL(1, 2, 3, 4);

/* For a mechanism that reports answers or bits of n users: gives the chance that a report is the truth, or
 * what it was rounded to, and the standard deviation of the unbiased estimate of an answer's share, or of the
 * mean, the greatest over all truths. */
PBY_CHECKED
pby_status pby_accuracy_share(pby_enclosure *truth, pby_enclosure *deviation, const pby_spec *spec,
                              uint64_t n, unsigned digits, pby_error *err) PBY_NONNULL(1, 2, 3);

/* Sets out to the accuracy of a statistic of a release of that accuracy, by composition: sigma is 0, that of
 * the identity at 0, and tau the statistic's sensitivity at beta. out may be release. */
void pby_accuracy_statistic(pby_accuracy *out, pby_distance *tau, const pby_accuracy *release,
                            const pby_statistic *statistic, pby_statistic_metric metric)
    PBY_NONNULL(1, 2, 3, 4);

/* Sets out to the accuracy of a statistic of a release with noise, on inputs of that class: beta is 0
 * throughout. *unknown is NULL, or says why no accuracy is known; out then has no meaning, nor has what is
 * returned. Whether alpha is the least, as it is above, or only known to be enough, is returned. */
bool pby_accuracy_counted(pby_accuracy *out, const char **unknown, const pby_noisy_accuracy *release,
                          const pby_input_class *inputs, const pby_statistic *statistic)
    PBY_NONNULL(1, 2, 3, 4, 5);

void pby_noisy_accuracy_init(pby_noisy_accuracy *a) PBY_NONNULL(1);
void pby_noisy_accuracy_clear(pby_noisy_accuracy *a) PBY_NONNULL(1);

void pby_given_accuracy_init(pby_given_accuracy *a) PBY_NONNULL(1);
void pby_given_accuracy_clear(pby_given_accuracy *a) PBY_NONNULL(1);

/* Answers for max, min, max_k, min_k, mode, median and quantile, behind stlap, threshold, geometric, dgauss,
 * or laplace on the grid 1; of max, min, max_k, min_k and mode by ptr, and of max, max_k and mode by smooth,
 * for add-remove neighbours. counts[i] records stand at the position at + i, which grow; a part alpha of all
 * may be dropped. At most 65536 bars; the mode takes a step for each bar and height, and quantiles take the
 * memory of sums of counts. */
PBY_CHECKED
pby_status pby_accuracy_given(pby_given_accuracy *out, const pby_spec *spec, const pby_statistic *statistic,
                              const int64_t *counts, mpq_srcptr at, size_t n, mpq_srcptr alpha,
                              mpq_srcptr gamma, unsigned digits, pby_error *err)
    PBY_NONNULL(1, 2, 3, 4, 5, 7, 8);

#endif
