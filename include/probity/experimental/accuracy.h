/* SPDX-License-Identifier: MIT */
/* Flexible accuracy, in exact rationals.
 *
 * A mechanism is (alpha, beta, gamma)-accurate for a function f when, on every input x, there is a random
 * x' within distortion alpha of x such that the mechanism's output is within beta of f(x'), but for a
 * part gamma of the probability. docs/theory/accuracy.md derives every number here.
 *
 *     pby_measure *p, *q;                  atoms on the line: pby_measure_new, pby_measure_add
 *     pby_lossy_distance(w, p, q, gamma, err);
 */
#ifndef PROBITY_EXPERIMENTAL_ACCURACY_H
#define PROBITY_EXPERIMENTAL_ACCURACY_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/enclosure.h"
#include "probity/experimental/statistic.h"
#include "probity/rational.h"
#include "probity/spec.h"
#include "probity/status.h"

PBY_BEGIN_API

/* ---- numbers from 0 to infinity ---------------------------------------------------------------- */

typedef struct pby_distance {
    mpq_t value; /* 0 when it is infinite */
    bool infinite;
} pby_distance;

void pby_distance_init(pby_distance *x) PBY_NONNULL(1);
void pby_distance_clear(pby_distance *x) PBY_NONNULL(1);
void pby_distance_set(pby_distance *x, const pby_distance *y) PBY_NONNULL(1, 2);
PBY_CHECKED
int pby_distance_cmp(const pby_distance *x, const pby_distance *y) PBY_NONNULL(1, 2);

/* ---- measures on the line ---------------------------------------------------------------------- */

/* Finitely many atoms: a histogram, whose masses are its counts, or a law. */
typedef struct pby_measure pby_measure;

PBY_CHECKED
pby_status pby_measure_new(pby_measure **out, pby_error *err) PBY_NONNULL(1);
void pby_measure_free(pby_measure *m);

/* More mass, at least 0, at a point. */
PBY_CHECKED
pby_status pby_measure_add(pby_measure *m, mpq_srcptr at, mpq_srcptr mass, pby_error *err)
    PBY_NONNULL(1, 2, 3);

/* Returns true if the measure has no mass at all. */
PBY_CHECKED
bool pby_measure_empty(const pby_measure *m) PBY_NONNULL(1);

/* The distances below are between the two laws that the measures are in proportion to; a measure of
 * mass 0 is refused, and so is a gamma that is not from 0 to 1. A common denominator of all points, or
 * of all masses, of more than PBY_SCALE_BITS_MAX bits is refused too. */
enum { PBY_SCALE_BITS_MAX = 1 << 16 };

/* The gamma-lossy infinity-Wasserstein distance: the least b such that all but a part gamma of one law
 * can be carried to the other with no mass going farther than b. Time: a sort, and for n atoms some 2 log2(n)
 * passes, none of which depends on how long the numbers are but through their arithmetic. All numbers get the
 * length of the longest; more than 2^28 words of 64 bits in all are refused. */
PBY_CHECKED
pby_status pby_lossy_distance(mpq_t out, const pby_measure *p, const pby_measure *q, mpq_srcptr gamma,
                              pby_error *err) PBY_NONNULL(1, 2, 3, 4);

/* The sensitivity of a random query: laws[i] is the law of its answer on the i-th input, and neighbours[]
 * names the `count` pairs of neighbouring inputs. The greatest theta-lossy distance of a pair, and which pair
 * has it: the sensitivity=D that a spec with theta=T needs. 0 where there is no pair. */
typedef struct pby_law_pair {
    size_t first, second;
} pby_law_pair;
PBY_CHECKED
pby_status pby_query_sensitivity(mpq_t out, size_t *worst, const pby_measure *const *laws,
                                 const pby_law_pair *neighbours, size_t count, mpq_srcptr theta,
                                 pby_error *err) PBY_NONNULL(1, 2, 3, 4, 6);

/* The average version: the least mean distance over such carriages, what stays counting 0. Near-linear at
 * gamma 0. Otherwise the time grows about as n^1.5 for random atoms, and as n^2 at worst, and there may be at
 * most PBY_AVERAGE_MAX atoms in all: seconds for as many random ones. */
enum { PBY_AVERAGE_MAX = 1 << 15 };
PBY_CHECKED
pby_status pby_lossy_average(mpq_t out, const pby_measure *p, const pby_measure *q, mpq_srcptr gamma,
                             pby_error *err) PBY_NONNULL(1, 2, 3, 4);

/* Half the sum of absolute differences. */
PBY_CHECKED
pby_status pby_total_variation(mpq_t out, const pby_measure *p, const pby_measure *q, pby_error *err)
    PBY_NONNULL(1, 2, 3);

/* ---- distortions of a histogram x into a histogram y ------------------------------------------- */

/* The part of x that is dropped; infinite when y has more anywhere. 0 from the empty to the empty. */
PBY_CHECKED
pby_status pby_distortion_drop(pby_distance *out, const pby_measure *x, const pby_measure *y, pby_error *err)
    PBY_NONNULL(1, 2, 3);

/* The farthest that a record is moved; infinite when the sizes differ. */
PBY_CHECKED
pby_status pby_distortion_move(pby_distance *out, const pby_measure *x, const pby_measure *y, pby_error *err)
    PBY_NONNULL(1, 2, 3);

/* Dropping and then moving, a move by one charged eta >= 0. */
PBY_CHECKED
pby_status pby_distortion_drop_move(pby_distance *out, const pby_measure *x, const pby_measure *y,
                                    mpq_srcptr eta, pby_error *err) PBY_NONNULL(1, 2, 3, 4);

/* ---- laws on a finite metric ------------------------------------------------------------------- */

/* Masses p[0 .. n-1] and q[0 .. n-1] at points 0 .. n-1, and the distance from i to j in
 * metric[i * n + j]: 0 for i = j, not negative, possibly infinite. Symmetry is not needed, nor the triangle
 * inequality: with a distortion and gamma 0 this is its extension to random inputs. At most PBY_METRIC_MAX
 * points. Time: some log2(n) greatest flows over n^2 pairs for the lossy distance and for the move, one
 * simplex method over them for the average; for random points in the plane between n^2 and n^3, seconds for
 * as many as may be. */
enum { PBY_METRIC_MAX = 1024 };
PBY_CHECKED
pby_status pby_metric_lossy(pby_distance *out, mpq_srcptr p, mpq_srcptr q, const pby_distance *metric,
                            size_t n, mpq_srcptr gamma, pby_error *err) PBY_NONNULL(1, 6);
PBY_CHECKED
pby_status pby_metric_average(pby_distance *out, mpq_srcptr p, mpq_srcptr q, const pby_distance *metric,
                              size_t n, mpq_srcptr gamma, pby_error *err) PBY_NONNULL(1, 6);

/* The distortions of histograms x and y whose bars are such points: as pby_distortion_move and
 * pby_distortion_drop_move. Infinite also where the distances do not let a record reach. */
PBY_CHECKED
pby_status pby_metric_move(pby_distance *out, mpq_srcptr x, mpq_srcptr y, const pby_distance *metric,
                           size_t n, pby_error *err) PBY_NONNULL(1);
PBY_CHECKED
pby_status pby_metric_drop_move(pby_distance *out, mpq_srcptr x, mpq_srcptr y, const pby_distance *metric,
                                size_t n, mpq_srcptr eta, pby_error *err) PBY_NONNULL(1, 6);

/* ---- sensitivities of a function given as a table ---------------------------------------------- */

/* f[i] < after is the value at i, for i < before. */
typedef struct pby_finite_function {
    const size_t *f;
    size_t before, after;
} pby_finite_function;

/* Distortion sensitivity at alpha: how far an input must be distorted to explain any distortion of its
 * value by alpha. domain is a distortion on the inputs, codomain one on the values. */
PBY_CHECKED
pby_status pby_distortion_sensitivity(pby_distance *out, const pby_finite_function *f,
                                      const pby_distance *domain, const pby_distance *codomain,
                                      const pby_distance *alpha, pby_error *err) PBY_NONNULL(1, 2, 5);

/* Error sensitivity of the mechanism m for f, both deterministic, at (beta1, gamma1) with the
 * allowances alpha2 and gamma2. */
typedef struct pby_error_sensitivity_at {
    const pby_distance *distortion, *metric; /* both on the inputs */
    const pby_distance *output;              /* the metric on the outputs */
    const pby_distance *alpha2, *beta1;
    mpq_srcptr gamma1, gamma2;
} pby_error_sensitivity_at;
PBY_CHECKED
pby_status pby_error_sensitivity(pby_distance *out, const pby_finite_function *m,
                                 const pby_finite_function *f, const pby_error_sensitivity_at *at,
                                 pby_error *err) PBY_NONNULL(1, 2, 3, 4);

/* Metric sensitivity at beta: the farthest apart that f is on inputs within beta. */
PBY_CHECKED
pby_status pby_metric_sensitivity(pby_distance *out, const pby_finite_function *f, const pby_distance *metric,
                                  const pby_distance *output, const pby_distance *beta, pby_error *err)
    PBY_NONNULL(1, 2, 5);

/* The unit of an error beta of a histogram: how far records have moved, none being lost, in the greatest
 * difference of a coordinate (the maximum norm; on the line the distance); or the greatest difference of a
 * count. */
typedef enum pby_statistic_metric { PBY_METRIC_POINTS, PBY_METRIC_COUNTS } pby_statistic_metric;

/* The metric sensitivity of a statistic at beta, the bars wherever they may be; of the support in Hausdorff
 * distance. A statistic that reads an order is asked on the line alone. */
void pby_statistic_sensitivity(pby_distance *out, const pby_statistic *statistic, pby_statistic_metric metric,
                               const pby_distance *beta) PBY_NONNULL(1, 2, 4);

/* ---- (alpha, beta, gamma) ---------------------------------------------------------------------- */

typedef struct pby_accuracy {
    pby_distance alpha, beta;
    mpq_t gamma;
} pby_accuracy;

void pby_accuracy_init(pby_accuracy *a) PBY_NONNULL(1);
void pby_accuracy_clear(pby_accuracy *a) PBY_NONNULL(1);

/* Holds an accuracy as exact texts; an infinite distance is "inf". */
typedef struct pby_accuracy_words {
    char *alpha, *beta, *gamma;
} pby_accuracy_words;

void pby_accuracy_words_clear(pby_accuracy_words *accuracy) PBY_NONNULL(1);

/* Sets out to the accuracy of M2 after M1, from the accuracy of M1, the distortion sensitivity sigma of f1 at
 * alpha2, the error sensitivity tau of M2 at (beta1, gamma1), and gamma2. out may be first. */
void pby_accuracy_compose(pby_accuracy *out, const pby_accuracy *first, const pby_distance *sigma,
                          const pby_distance *tau, mpq_srcptr gamma2) PBY_NONNULL(1, 2, 3, 4, 5);

/* Sets out to the accuracy of M2 after M1 where beta is a mean distance, from the accuracies of both, sigma
 * of f1 at the alpha of M2, and tau of M2 at the beta and gamma of M1. Errors and losses add up. out may be
 * either. */
void pby_accuracy_compose_average(pby_accuracy *out, const pby_accuracy *first, const pby_accuracy *second,
                                  const pby_distance *sigma, const pby_distance *tau)
    PBY_NONNULL(1, 2, 3, 4, 5);

/* A release changes a histogram in one of these ways, which decides the promise that can be made of it. */
typedef enum pby_accuracy_kind {
    PBY_ACCURACY_DROPS,  /* takes records away: (alpha, beta, 0), for the histogram (stlap, buckethist) */
    PBY_ACCURACY_HIDES,  /* takes bars away, and shows no counts: the same, for the support (partition) */
    PBY_ACCURACY_NOISY,  /* adds noise to every bar (geometric, range) */
    PBY_ACCURACY_QUERY,  /* adds noise to the answer of a query, or of each of several (tgeometric, dgauss,
                          * laplace on a grid) */
    PBY_ACCURACY_GATED,  /* adds noise, and takes away the bars that are then below a threshold (threshold) */
    PBY_ACCURACY_BEHIND, /* a threshold in front of stlap or geometric, which then has the true counts */
    PBY_ACCURACY_CHOICE, /* chooses one of several candidates by its score (exponential, noisymax, ...) */
    PBY_ACCURACY_SHARE,  /* reports an answer of each user, from which shares are estimated (rr, krr) */
    PBY_ACCURACY_STREAM, /* says which answers of a session are large (above, sparse) */
    PBY_ACCURACY_MEAN,   /* reports a bit of each user, from which the mean of their values is estimated
                          * (onebit)
                          */
    PBY_ACCURACY_POINT,  /* releases a point of a grid (fbquantile, depth, fbsupport) */
    PBY_ACCURACY_TOTALS  /* releases running totals of a stream (matrix) */
} pby_accuracy_kind;

PBY_CHECKED
pby_status pby_accuracy_kind_of(pby_accuracy_kind *out, const pby_spec *spec, pby_error *err)
    PBY_NONNULL(1, 2);

/* The inputs that an accuracy is promised for: histograms of n records in at most `support` occupied bars,
 * points first moved to the middle of buckets of that width (NULL or 0: not moved; a spec with buckets of its
 * own says how wide they are). Where every bar gets noise, `support` is how many there are, and n is read for
 * some statistics alone. */
typedef struct pby_input_class {
    uint64_t n, support;
    mpq_srcptr width;
} pby_input_class;

/* The accuracy of a mechanism whose noise may go farther than any bound, or is cut off by chance. The promise
 * holds as long as no bar's noise goes farther than beta, and alpha is the least for which it then does; how
 * likely it goes farther is the chance, enclosed, and gamma is the upper end of that, rounded up to a decimal
 * of 9 digits at most. beta counts records: the greatest difference of a count. */
typedef struct pby_noisy_accuracy {
    pby_accuracy release; /* of the histogram that is published */
    pby_enclosure chance;
    uint64_t reach;    /* how far noise may go, in steps: records, or halves of a grid */
    bool gated;        /* whether there is a threshold; then, and only then, */
    bool shrinks;      /* the mechanism behind it, if any, takes records away and adds none; */
    bool recounts;     /* or adds noise of its own */
    uint64_t hidden;   /* a bar of more records is published */
    pby_accuracy kept; /* the histogram of the bars that pass it, with their true counts: beta is 0 */
    pby_enclosure lost;
    pby_accuracy seen; /* the support of the histogram that is published: beta is 0 */
} pby_noisy_accuracy;

/* Checks that a statistic has a meaning behind the release of a histogram: refused when it reads an order and
 * points have several coordinates, when it reads counts and there are none, and when no histogram is
 * released. */
PBY_CHECKED
pby_status pby_statistic_released(const pby_spec *spec, const pby_statistic *statistic, pby_error *err)
    PBY_NONNULL(1, 2);

/* Checks that the statistic has an accuracy as well, which it has not behind a mechanism whose accuracy is
 * that of a query. */
PBY_CHECKED
pby_status pby_statistic_admitted(const pby_spec *spec, const pby_statistic *statistic, pby_error *err)
    PBY_NONNULL(1, 2);

/* Sets out to the accuracy of any function of a release of that accuracy, under dropping and moving, a move
 * by one charged eta. out may be release. */
void pby_accuracy_drop_move(pby_accuracy *out, const pby_accuracy *release, mpq_srcptr eta)
    PBY_NONNULL(1, 2, 3);

/* ---- on given data ----------------------------------------------------------------------------- */

/* The accuracy of a statistic of a release on one input: not on all of a class, but from the exact law of its
 * answer there. THIS IS NOT PRIVATE: every number follows from the data, and none may be published. */
typedef struct pby_given_accuracy {
    size_t bars, truth;     /* the bar that the statistic is, without noise; `bars` is none */
    pby_enclosure *law;     /* the chance of each bar to be the answer, and of none */
    bool *explained;        /* whether it is the answer on some input with records dropped, and none */
    mpq_t none;             /* how far none is taken to be from every bar: the width of all positions */
    pby_enclosure error;    /* the mean distance of the answer from the truth */
    pby_enclosure flexible; /* the mean distance from the nearest that is explained, but for gamma */
    mpq_t beta;             /* the answer is farther from these with a chance of at most gamma */
    bool least;             /* beta is the least such */
} pby_given_accuracy;

/* ---- one question ------------------------------------------------------------------------------ */

typedef enum pby_accuracy_question {
    PBY_ACCURACY_RELEASE,   /* of what is published */
    PBY_ACCURACY_STATISTIC, /* of a statistic of that, too */
    PBY_ACCURACY_AVERAGE,   /* the mean error */
    PBY_ACCURACY_GIVEN      /* of a statistic on given data. THE ANSWER IS NOT PRIVATE */
} pby_accuracy_question;

/* A question about an accuracy. A member that is left out is 0 or says nothing; which of them a mechanism
 * needs depends on its kind.
 *
 * Noise is asked at an error beta from 0 on, or at the least whose chance is at most gamma: one of the two,
 * or neither for the most that is ever published, if there is such a bound. For a session, K*above or K*above
 * K*geometric, and for sparse, support is how many questions a use is asked at most, and beta how far an
 * answer may be from the threshold on the wrong side, or a value from the answer. For a choice support is the
 * number of candidates, and beta how far the chosen score may be below the best. Of shares and means n is the
 * number of users, and beta how far the estimate may be off; the chance of shares is exact for up to 500
 * users, and beyond them from 0 to Hoeffding's bound, by which a gamma finds beta for any number; that of
 * means, for up to 500 users, goes from the chance of users at the ends to Hoeffding's bound.
 *
 * The mean error leaves out a mass gamma (none: 0) of the farthest, which counts 0: the least beta of (0,
 * beta, gamma) on average, at the worst over all inputs. Of support bars the greatest counts; a query that is
 * rounded to a grid first is asked at its worst place; a count that a threshold hides is off by itself. Of
 * noisymax, sessions, several bars under a threshold, more than 500 users, onebit, and depth with n the two
 * ends stay apart: some input has the lower one, and none has more than the upper one.
 *
 * On given data counts[i] records stand at the position at[i], which grow; a part alpha of all may be dropped
 * (none: 0), and gamma is as above. The statistic is max, min, max_k, min_k, mode, median or quantile, behind
 * stlap, threshold, geometric, dgauss, or laplace on the grid 1; max, min, max_k, min_k or mode by ptr; max,
 * max_k or mode by smooth, for add-remove neighbours. At most 65536 bars; the mode takes a step for each bar
 * and height, and quantiles take the memory of sums of counts. */
typedef struct pby_accuracy_request {
    pby_accuracy_question ask;
    uint64_t n, support; /* as in pby_input_class */
    pby_value width;
    pby_value beta, gamma;
    const pby_statistic *statistic;
    const int64_t *counts; /* on given data: of so many bars, */
    const pby_value *at;
    size_t bars;
    pby_value alpha;
    unsigned digits; /* of enclosures; 0: PBY_DIGITS_DEFAULT */
} pby_accuracy_request;

/* The answer. Each number also as a text, which belongs to the answer: an exact one is "inf" where it is
 * infinite, and NULL where it was not asked for or is not known. */
typedef struct pby_accuracy_answer {
    pby_accuracy_kind kind;
    pby_noisy_accuracy of; /* of the release: of one that drops or hides only `release` and `seen` are set */
    pby_accuracy_words release, seen;
    pby_decimals chance;
    uint64_t bar_loss;              /* of one that drops or hides: the most that a bar can lose */
    char *claimed;                  /* of one that drops: the alpha that its paper states */
    pby_enclosure truth, deviation; /* of users: the chance that a report is the truth, or what it was rounded
                                     * to; the standard deviation of the unbiased estimate of an answer's
                                     * share, or of the mean, the greatest over all truths */
    pby_decimals truth_text, deviation_text;
    pby_accuracy behind; /* of the statistic */
    pby_accuracy_words statistic;
    const char *unknown; /* why no accuracy of the statistic is known, which then has no meaning; or NULL */
    bool least;          /* whether its alpha is the least, or only known to be enough */
    pby_enclosure mean;  /* the mean error */
    pby_decimals mean_text;
    pby_given_accuracy given;
    pby_decimals error, flexible;
    char *beta;
} pby_accuracy_answer;

void pby_accuracy_answer_init(pby_accuracy_answer *x) PBY_NONNULL(1);
void pby_accuracy_answer_clear(pby_accuracy_answer *x) PBY_NONNULL(1);

/* Asks for an accuracy. out is initialised, and may be asked into again. Refused: a question that the kind of
 * the mechanism has no answer to. */
PBY_CHECKED
pby_status pby_accuracy_ask(pby_accuracy_answer *out, const pby_spec *spec,
                            const pby_accuracy_request *request, pby_error *err) PBY_NONNULL(1, 2, 3);

/* ---- numbers as text --------------------------------------------------------------------------- */

/* The caller frees exact texts with free(3); a distance that is infinite is "inf". */
PBY_CHECKED
pby_status pby_measure_add_text(pby_measure *m, const char *at, const char *mass, pby_error *err)
    PBY_NONNULL(1, 2, 3);
PBY_CHECKED
pby_status pby_distance_text(char **out, const pby_distance *x, pby_error *err) PBY_NONNULL(1, 2);

PBY_CHECKED
pby_status pby_lossy_distance_text(char **out, const pby_measure *p, const pby_measure *q, const char *gamma,
                                   pby_error *err) PBY_NONNULL(1, 2, 3, 4);
PBY_CHECKED
pby_status pby_query_sensitivity_text(char **out, size_t *worst, const pby_measure *const *laws,
                                      const pby_law_pair *neighbours, size_t count, const char *theta,
                                      pby_error *err) PBY_NONNULL(1, 2, 3, 4, 6);
PBY_CHECKED
pby_status pby_lossy_average_text(char **out, const pby_measure *p, const pby_measure *q, const char *gamma,
                                  pby_error *err) PBY_NONNULL(1, 2, 3, 4);
PBY_CHECKED
pby_status pby_total_variation_text(char **out, const pby_measure *p, const pby_measure *q, pby_error *err)
    PBY_NONNULL(1, 2, 3);
PBY_CHECKED
pby_status pby_distortion_drop_text(char **out, const pby_measure *x, const pby_measure *y, pby_error *err)
    PBY_NONNULL(1, 2, 3);
PBY_CHECKED
pby_status pby_distortion_move_text(char **out, const pby_measure *x, const pby_measure *y, pby_error *err)
    PBY_NONNULL(1, 2, 3);
PBY_CHECKED
pby_status pby_distortion_drop_move_text(char **out, const pby_measure *x, const pby_measure *y,
                                         const char *eta, pby_error *err) PBY_NONNULL(1, 2, 3, 4);

/* Distances as texts, "inf" among them: the masses p[0 .. n-1] and q[0 .. n-1], and n * n distances. */
PBY_CHECKED
pby_status pby_metric_lossy_text(char **out, const char *const *p, const char *const *q,
                                 const char *const *metric, size_t n, const char *gamma, pby_error *err)
    PBY_NONNULL(1, 6);
PBY_CHECKED
pby_status pby_metric_average_text(char **out, const char *const *p, const char *const *q,
                                   const char *const *metric, size_t n, const char *gamma, pby_error *err)
    PBY_NONNULL(1, 6);
PBY_CHECKED
pby_status pby_metric_move_text(char **out, const char *const *x, const char *const *y,
                                const char *const *metric, size_t n, pby_error *err) PBY_NONNULL(1);
PBY_CHECKED
pby_status pby_metric_drop_move_text(char **out, const char *const *x, const char *const *y,
                                     const char *const *metric, size_t n, const char *eta, pby_error *err)
    PBY_NONNULL(1, 6);

PBY_CHECKED
pby_status pby_distortion_sensitivity_text(char **out, const pby_finite_function *f,
                                           const char *const *domain, const char *const *codomain,
                                           const char *alpha, pby_error *err) PBY_NONNULL(1, 2, 5);

/* pby_error_sensitivity_at with texts. */
typedef struct pby_error_sensitivity_words {
    const char *const *distortion, *const *metric; /* both on the inputs */
    const char *const *output;
    const char *alpha2, *beta1, *gamma1, *gamma2;
} pby_error_sensitivity_words;
PBY_CHECKED
pby_status pby_error_sensitivity_text(char **out, const pby_finite_function *m, const pby_finite_function *f,
                                      const pby_error_sensitivity_words *at, pby_error *err)
    PBY_NONNULL(1, 2, 3, 4);
PBY_CHECKED
pby_status pby_metric_sensitivity_text(char **out, const pby_finite_function *f, const char *const *metric,
                                       const char *const *output, const char *beta, pby_error *err)
    PBY_NONNULL(1, 2, 5);
PBY_CHECKED
pby_status pby_statistic_sensitivity_text(char **out, const pby_statistic *statistic,
                                          pby_statistic_metric metric, const char *beta, pby_error *err)
    PBY_NONNULL(1, 2, 4);

PBY_CHECKED
pby_status pby_accuracy_compose_average_text(pby_accuracy_words *out, const pby_accuracy_words *first,
                                             const pby_accuracy_words *second, const char *sigma,
                                             const char *tau, pby_error *err) PBY_NONNULL(1, 2, 3, 4, 5);

/* Out of an accuracy that was given as text; out is to be cleared when they succeed, and is not
 * release. */
PBY_CHECKED
pby_status pby_accuracy_compose_text(pby_accuracy_words *out, const pby_accuracy_words *first,
                                     const char *sigma, const char *tau, const char *gamma2, pby_error *err)
    PBY_NONNULL(1, 2, 3, 4, 5);
PBY_CHECKED
pby_status pby_accuracy_drop_move_text(pby_accuracy_words *out, const pby_accuracy_words *release,
                                       const char *eta, pby_error *err) PBY_NONNULL(1, 2, 3);

PBY_END_API

#endif
