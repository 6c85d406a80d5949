/* The parts of `probity audit`, one for each way to run it. */
#ifndef PBY_CLI_AUDIT_H
#define PBY_CLI_AUDIT_H

#include <gmp.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "cli/audit_input.h"
#include "cli/audit_source.h"
#include "cli/options.h"
#include "probity/audit.h"

typedef struct pby_audit_request {
    int operands;
    char **operand;
    mpq_t epsilon, delta, error; /* the claim; epsilon is read only where it is needed */
    bool json, sequential, judge;
    const char *features; /* kinds of event; NULL for all */
    const char *report, *command, *release, *count_to, *state;
    uint64_t n;                /* outputs of a command or of releases, a side */
    pby_neighbours neighbours; /* of releases, and of the certified curve */
    pby_spec *certified;
    const char *how; /* the command line, for the report; with */
    const char *name, *date;
    pby_sources *sources; /* and what was read */
    const char *keep;     /* the folder where the outputs are kept, or NULL */
} pby_audit_request;

/* Two samples of outputs, counts of them, and one sample against a law. What they return is the exit
 * status. */
PBY_CHECKED
pby_status pby_audit_samples(const pby_audit_request *r, pby_error *err);
PBY_CHECKED
pby_status pby_audit_counts(const pby_audit_request *r, pby_error *err);
PBY_CHECKED
pby_status pby_audit_law(const pby_audit_request *r, const char *law, pby_error *err);

/* As pby_audit_samples, but judged again and again while the outputs come. */
PBY_CHECKED
pby_status pby_audit_sequence(const pby_audit_request *r, pby_error *err);

/* Opens what a request names: two files, or a command or releases on two inputs. */
PBY_CHECKED
pby_status pby_audit_open(pby_feed lines[2], const pby_audit_request *r, pby_error *err);

/* An audit that judges by the kinds of event that were asked for. */
PBY_CHECKED
pby_status pby_audit_select(const pby_audit_request *r, pby_audit *audit, pby_error *err);

/* Where the outputs of a side are kept, for free(3); *path is NULL where they are not. */
PBY_CHECKED
pby_status pby_audit_keep_path(char **path, const pby_audit_request *r, int side, pby_error *err);

/* Notes what two feeds have read so far, for the report. */
PBY_CHECKED
pby_status pby_audit_note_sources(const pby_audit_request *r, const pby_feed lines[2], pby_error *err);

/* Tells the audit what two commands that have ended still owe. */
void pby_audit_note_missing(pby_audit *audit, const pby_feed lines[2]);

/* Closes both; what is returned is the first of the two failures, or the status so far. */
PBY_CHECKED
pby_status pby_audit_close(pby_feed lines[2], bool early, pby_status status, pby_error *err);

/* The verdict as a JSON object; `looks` is left out when it is 0, and *out is for json_decref. */
PBY_CHECKED
pby_status pby_audit_object(json_t **out, const pby_verdict *verdict, uint64_t looks, pby_error *err);

/* Prints a verdict, and returns PBY_NO for a violation, PBY_INCONCLUSIVE where the evidence could not show
 * one. */
PBY_CHECKED
pby_status pby_audit_answer(const pby_audit_request *r, const json_t *verdict, pby_error *err);

/* Writes the report, if one is asked for. */
PBY_CHECKED
pby_status pby_audit_report(const pby_audit_request *r, const pby_verdict *verdict, pby_error *err);

/* Writes the text file that an option names, whole or not at all. */
PBY_CHECKED
pby_status pby_audit_save(const char *option, const char *path, const char *text, pby_error *err);

/* Whether it could be written, known before the long work; path NULL can. */
PBY_CHECKED
pby_status pby_audit_can_save(const char *option, const char *path, pby_error *err);

#endif
