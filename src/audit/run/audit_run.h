/* SPDX-License-Identifier: MIT */
/* One audit end to end, in each of the ways to run it: from files, commands or releases to a verdict. */
#ifndef PBY_AUDIT_RUN_AUDIT_RUN_H
#define PBY_AUDIT_RUN_AUDIT_RUN_H

#include <gmp.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "audit/judge/claimed_curve.h"
#include "audit/run/feed.h"
#include "audit/run/sources.h"
#include "base/observer.h"
#include "probity/audit.h"
#include "probity/experimental/canary.h"
#include "probity/experimental/search.h"
#include "probity/experimental/timing.h"

typedef struct pby_audit_request {
    int operands;
    char **operand;              /* two files or inputs, or one and more files */
    mpq_t epsilon, delta, error; /* the claim; epsilon is read only where it is needed */
    pby_divergence_claim
        claimed; /* a claim in their place, of which they are a point; or its value is NULL */
    bool json, sequential, judge;
    const char *features; /* kinds of event; NULL for all */
    const char *columns;  /* names of columns of outputs, separated by commas; NULL for all */
    const char *report, *command, *release, *count_to, *state;
    const char *queries;       /* the table of queries of releases, or NULL */
    const char *search;        /* a description of inputs to search, or NULL; */
    unsigned long pairs;       /* so many pairs of them, or 0 */
    uint64_t n;                /* outputs of a command or of releases, a side */
    unsigned patience;         /* seconds that a command may say nothing; 0: PBY_CHILD_PATIENCE */
    pby_neighbours neighbours; /* of releases, and of the certified curve */
    pby_spec *certified;
    const char *how; /* the command line, for the report; with */
    const char *name, *date;
    pby_sources *sources; /* and what was read */
    bool digests;         /* the object has the digests of what was read, and all that recomputing it needs */
    const char *keep;     /* the folder where the outputs are kept, or NULL */
    pby_observer observer;
    bool *cut;      /* set for each side: whether a command printed more outputs than were asked for */
    char **warning; /* set to what should be looked at again, for free(3), or to NULL; NULL: nobody asks */
} pby_audit_request;

/* The verdict, for json_decref, on two samples of outputs and on counts of them; NULL where nothing is
 * judged. Reports and counts that are asked for have been written. */
PBY_CHECKED
pby_status pby_audit_samples(json_t **out, const pby_audit_request *r, pby_error *err);
PBY_CHECKED
pby_status pby_audit_counts(json_t **out, const pby_audit_request *r, pby_error *err);

/* As pby_audit_samples, but judged again and again while the outputs come. */
PBY_CHECKED
pby_status pby_audit_sequence(json_t **out, const pby_audit_request *r, pby_error *err);

/* Searches the inputs for the pair that shows most, and then does one of both on that pair. The object has a
 * member search. */
PBY_CHECKED
pby_status pby_audit_searched(json_t **out, const pby_audit_request *r, pby_error *err);

/* One sample, the first operand, against a law. */
PBY_CHECKED
pby_status pby_audit_law(json_t **out, bool *violation, const pby_audit_request *r, const char *law,
                         pby_error *err);

/* Running times, of runs of the command, or recorded in the first operand as lines of a side and nanoseconds;
 * `sequential` ends the runs at a violation. */
PBY_CHECKED
pby_status pby_audit_times(pby_times **out, const pby_audit_request *r, pby_error *err);

/* The evidence of canaries: the scores of one run in two files, IN and OUT; the guesses of one run; the
 * guesses of many runs. */
typedef enum pby_canary_source { PBY_CANARY_SCORES, PBY_CANARY_GUESSES, PBY_CANARY_RUNS } pby_canary_source;

/* Judges such evidence, which the operands are; without a claim no epsilon is judged. */
PBY_CHECKED
pby_status pby_audit_judge_canaries(pby_canary_verdict **out, const pby_audit_request *r,
                                    pby_canary_source source, bool claimed, pby_error *err);

/* Reads the scores of canaries, one a line, that were included or left out. */
PBY_CHECKED
pby_status pby_audit_read_scores(pby_canaries *canaries, const char *path, bool included, pby_error *err);

/* Opens what a request names: two files, or a command or releases on two inputs. */
PBY_CHECKED
pby_status pby_audit_open(pby_feed lines[2], const pby_audit_request *r, pby_error *err);

/* Opens as pby_audit_open does, and passes over a header; inputs of releases that are no neighbours are
 * refused. The caller frees the columns of *compared, whether this succeeds or not. */
PBY_CHECKED
pby_status pby_audit_begin(pby_feed lines[2], const pby_audit_request *r, pby_compared *compared,
                           pby_error *err);

/* A description that begins so names files of rows. */
#define PBY_INPUTS_ROWS "rows:"

/* Reads a description of inputs, or the file of ranges or of rows that it names. */
PBY_CHECKED
pby_status pby_audit_inputs(pby_inputs **out, const char *text, pby_neighbours neighbours, pby_error *err);

/* Judges what was counted, at an error of its own. */
PBY_CHECKED
pby_status pby_audit_judge_request(pby_verdict **out, const pby_audit_request *r, const pby_audit *audit,
                                   mpq_srcptr error, pby_error *err);

/* An audit that judges by the kinds of event that were asked for. */
PBY_CHECKED
pby_status pby_audit_select(const pby_audit_request *r, pby_audit *audit, pby_error *err);

/* Notes what two feeds have read so far, for the report. */
PBY_CHECKED
pby_status pby_audit_note_sources(const pby_audit_request *r, const pby_feed lines[2], pby_error *err);

/* Tells the audit what two commands that have ended still owe. */
void pby_audit_note_missing(pby_audit *audit, const pby_feed lines[2]);

/* Refuses outputs that are the same on both sides beyond chance; else warns of columns that repeat no value.
 * To be called once all are counted, and before the feeds are closed. */
PBY_CHECKED
pby_status pby_audit_compared(const pby_audit_request *r, const pby_feed lines[2],
                              const pby_compared *compared, pby_error *err);

/* Closes both, and notes which were cut off; what is returned is the first of the two failures, or the status
 * so far. */
PBY_CHECKED
pby_status pby_audit_close(bool cut[2], pby_feed lines[2], bool early, pby_status status, pby_error *err);

#endif
