/* SPDX-License-Identifier: MIT */
/* More answers as text (probity/report.h): distances, mean errors, estimates, statistics, sessions, and what
 * papers compute on public tables.
 */
#ifndef PROBITY_EXPERIMENTAL_REPORTS_H
#define PROBITY_EXPERIMENTAL_REPORTS_H

#include <stdbool.h>
#include <stdint.h>

#include "probity/experimental/session.h"
#include "probity/experimental/statistic.h"
#include "probity/report.h"
#include "probity/status.h"

PBY_BEGIN_API

/* ---- loss -------------------------------------------------------------------------------------- */

/* A question about a channel, in a table of CSV ("-": standard input), or a mechanism: the least alpha for
 * which it is private, and the inputs that need it (see probity/experimental/condensed.h). */
typedef struct pby_condensed_asked {
    const char *channel;    /* a first line that names the outputs, then INPUT,CHANCE,... a line; */
    const char *metric;     /* line, discrete, or a table: its inputs, then INPUT,DISTANCE,... a line */
    const pby_spec *spec;   /* in the place of both, a mechanism, between inputs */
    unsigned long distance; /* from 1 to so many neighbours apart, at most 1000; 0: 1 */
    const char *alpha;      /* NULL, or one to judge */
    unsigned digits;        /* 0: PBY_DIGITS_DEFAULT */
} pby_condensed_asked;

/* *holds is whether it is private at the alpha that is judged. */
PBY_CHECKED
pby_status pby_report_condensed(char **text, bool *holds, const pby_condensed_asked *asked,
                                pby_report_form form, pby_error *err) PBY_NONNULL(1, 2, 3);

/* ---- accuracy ---------------------------------------------------------------------------------- */

/* A question about the distance of the histogram or law in file a from that in b, each CSV of KEY,MASS; "-"
 * is standard input, once. gamma is the part of the mass that need not move, eta the price of a move by one.
 */
typedef struct pby_between_asked {
    const char *a, *b;
    const char *gamma, *eta; /* NULL: 0, and no price */
    bool average;            /* the mean distance too */
} pby_between_asked;

PBY_CHECKED
pby_status pby_report_between(char **text, const pby_between_asked *asked, pby_report_form form,
                              pby_error *err) PBY_NONNULL(1, 2);

/* The mean error (PBY_ACCURACY_AVERAGE), but for gamma: of noise on so many bars; of a choice among so many
 * candidates, of a session of so many questions, or of the reports of n users, which must be said. */
typedef struct pby_average_asked {
    const char *support, *gamma; /* NULL: 1, and 0 */
    unsigned digits;             /* 0: PBY_DIGITS_DEFAULT */
    const char *n;               /* NULL but for users */
} pby_average_asked;

PBY_CHECKED
pby_status pby_report_average(char **text, const pby_spec *spec, const pby_average_asked *asked,
                              pby_report_form form, pby_error *err) PBY_NONNULL(1, 2, 3);

/* A question about the bars that pass a threshold: of so many bars of 0, and relative to a bar's count. */
typedef struct pby_passing_asked {
    const char *zeros, *relative; /* NULL: not asked */
    unsigned digits;              /* 0: PBY_DIGITS_DEFAULT */
} pby_passing_asked;

PBY_CHECKED
pby_status pby_report_passing(char **text, const pby_spec *spec, const pby_passing_asked *asked,
                              pby_report_form form, pby_error *err) PBY_NONNULL(1, 2, 3);

/* A question about the mean of n independent variables from 0 to 1: the chance that it is more than beta
 * above its expectation, below it, and either: what published bounds say, and what it is of coins. */
typedef struct pby_tails_asked {
    const char *mean; /* the expectation, a rational above 0 and below 1 */
    const char *n;    /* an integer from 1 to 10^9 */
    const char *beta; /* a rational above 0 */
    unsigned digits;  /* 0: PBY_DIGITS_DEFAULT */
} pby_tails_asked;

PBY_CHECKED
pby_status pby_report_tails(char **text, const pby_tails_asked *asked, pby_report_form form, pby_error *err)
    PBY_NONNULL(1, 2);

/* The accuracy of a statistic on given data (PBY_ACCURACY_GIVEN), KEY,COUNT in a file ("-": standard input).
 * The answer is not private, and refused unless `not_private` says that this is known. */
typedef struct pby_given_asked {
    const char *input;
    const char *statistic, *k; /* max, min, max_k, min_k, mode, median or quantile */
    const char *alpha, *gamma; /* NULL: 0 */
    bool not_private;
    unsigned digits; /* 0: PBY_DIGITS_DEFAULT */
    const char *q;   /* of quantile */
} pby_given_asked;

PBY_CHECKED
pby_status pby_report_given(char **text, const pby_spec *spec, const pby_given_asked *asked,
                            pby_report_form form, pby_error *err) PBY_NONNULL(1, 2, 3);

/* The sensitivity of a random query (pby_query_sensitivity) whose laws stand in a table of CSV ("-": standard
 * input): a first line that names the answers, numbers, then INPUT,CHANCE,... a line. */
typedef struct pby_sensitivity_asked {
    const char *laws;
    const char *neighbours; /* NULL or all: any two inputs; next: each line and the one below it; or a table
                             * of 0 and 1: its inputs, then INPUT,0 or 1,... a line */
    const char *theta;      /* the mass that may move any distance, from 0 on and below 1; NULL: 0 */
} pby_sensitivity_asked;

PBY_CHECKED
pby_status pby_report_sensitivity(char **text, const pby_sensitivity_asked *asked, pby_report_form form,
                                  pby_error *err) PBY_NONNULL(1, 2);

/* ---- estimates --------------------------------------------------------------------------------- */

/* The input of an estimate from the reports of users (probity/experimental/estimate.h). */
typedef struct pby_estimates_asked {
    const char *reports;    /* the file of a released column; NULL and "-": standard input */
    const char *candidates; /* NULL, or of rappor the file of the values that users have, one a line */
    const char *error;      /* the chance that an interval may fail, above 0 and below 1; NULL: 1/20 */
    unsigned digits;        /* 0: PBY_DIGITS_DEFAULT */
} pby_estimates_asked;

/* The estimate of each answer or candidate, or of the mean, with its intervals and its variance. */
PBY_CHECKED
pby_status pby_report_estimates(char **text, const pby_spec *spec, const pby_estimates_asked *asked,
                                pby_report_form form, pby_error *err) PBY_NONNULL(1, 2, 3);

/* ---- data -------------------------------------------------------------------------------------- */

/* A path NULL or "-" is standard input. */

/* A statistic of a histogram, CSV of KEY,COUNT: as lines a bar a line, quoted as in CSV, or none. *mixed is
 * whether it reads an order, and that is the order of the rows although some keys are numbers. */
PBY_CHECKED
pby_status pby_report_statistic(char **text, bool *mixed, const pby_statistic *statistic, const char *path,
                                pby_report_form form, pby_error *err) PBY_NONNULL(1, 2, 3);

/* Prints how many records of a table agree in the columns of quasi (probity/experimental/anonymity.h).
 * *least is the size of the smallest class; 0 of a table without records. */
PBY_CHECKED
pby_status pby_report_anonymity(char **text, uint64_t *least, const char *path, const char *quasi,
                                pby_report_form form, pby_error *err) PBY_NONNULL(1, 2, 4);

/* The weights that fit a release of bars and their total (probity/experimental/microdata.h): as lines CSV of
 * KEY,WEIGHT, behind a header where the release has one. */
PBY_CHECKED
pby_status pby_report_weights(char **text, const char *path, pby_report_form form, pby_error *err)
    PBY_NONNULL(1);

/* The squared errors of such weights, for so many bars, at least 1. epsilon is that of the bound on all
 * mechanisms; NULL: the mechanism's, and no bound where it has none. digits 0: PBY_DIGITS_DEFAULT. */
PBY_CHECKED
pby_status pby_report_weights_errors(char **text, const pby_spec *spec, uint64_t bars, const char *epsilon,
                                     unsigned digits, pby_report_form form, pby_error *err) PBY_NONNULL(1, 2);

/* ---- small databases ---------------------------------------------------------------------------- */

/* A question about a release of smalldb, before any data are read: the size that some database within alpha
 * of all queries has, and the error of the one that is released. */
typedef struct pby_smalldb_asked {
    const char *spec;    /* of smalldb, without a size */
    const char *queries; /* the file of the table: a header, then KIND,ANSWER,... a line */
    const char *alpha;   /* a rational above 0 and up to 1 */
    const char *records; /* of the data, */
    const char *beta; /* and the chance that the error is larger, above 0 and below 1; NULL both: no error */
} pby_smalldb_asked;

PBY_CHECKED
pby_status pby_report_smalldb(char **text, const pby_smalldb_asked *asked, pby_report_form form,
                              pby_error *err) PBY_NONNULL(1, 2);

/* ---- geometry ---------------------------------------------------------------------------------- */

/* Depth regions of public points in the plane: the points that every half-plane around has so many of them in
 * common with. Nothing of it is private. */
typedef struct pby_geometry_asked {
    const char *points;    /* the file of X,Y a line, integers up to 2^20 in size, at most 400 different ones;
                            * NULL and "-": standard input */
    const char *levels;    /* integers from 1 on, separated by commas */
    const char *direction; /* NULL, or X,Y: the greatest value of each region along it */
    const char *point;     /* NULL, or X,Y: the nearest point of each region to it */
    const char *samples;   /* NULL, or a file of X,Y a line that the picture shows too */
    unsigned digits;       /* of the Steiner point; 0: PBY_DIGITS_DEFAULT */
} pby_geometry_asked;

/* The corners of each region, its Steiner point and its distance from the region before. *svg, unless svg is
 * NULL, is a picture of all, for free(3). */
PBY_CHECKED
pby_status pby_report_geometry(char **text, char **svg, const pby_geometry_asked *asked, pby_report_form form,
                               pby_error *err) PBY_NONNULL(1, 3);

/* ---- budgets and sessions ---------------------------------------------------------------------- */

/* Describes a session: its spec, the questions that it has answered and may still answer, and its positive
 * answers. */
PBY_CHECKED
pby_status pby_report_session(char **text, const pby_session *session, pby_report_form form, pby_error *err)
    PBY_NONNULL(1, 2);

/* ---- separators -------------------------------------------------------------------------------- */

/* Prints, for a histogram in CSV of KEY,COUNT ("-" or NULL: standard input) whose keys are points,
 * coordinates separated by spaces, the last of which is one of two labels: the hyperplane between the two
 * sets and its margin (probity/experimental/separator.h). The first set has the smaller label. */
PBY_CHECKED
pby_status pby_report_separator(char **text, const char *path, pby_report_form form, pby_error *err)
    PBY_NONNULL(1);

PBY_END_API

#endif
