/* SPDX-License-Identifier: MIT */
/* The counts of an audit: a table for each feature, and the outputs that wait for the learned score. */
#ifndef PBY_AUDIT_COUNT_TALLY_H
#define PBY_AUDIT_COUNT_TALLY_H

#include "audit/count/count_table.h"
#include "audit/count/feature.h"
#include "audit/count/learn.h"
#include "probity/audit.h"

/* The first outputs of a side, kept until the model is trained. */
enum { PBY_PILOT = 8192 };

typedef struct pby_waiting {
    char *text;
    size_t length;
    int stage;
} pby_waiting;

typedef enum pby_learning {
    PBY_WAITING,  /* outputs are collected */
    PBY_LEARNED,  /* the model scores what comes */
    PBY_UNLEARNED /* no model is worth it, or two were merged: the score's table is closed */
} pby_learning;

struct pby_audit {
    uint64_t outputs[PBY_SIDES];
    uint64_t seen[PBY_SIDES][PBY_STAGES];   /* the same by stage, */
    uint64_t scored[PBY_SIDES][PBY_STAGES]; /* and those that the learned score was given */
    pby_frequencies table[PBY_FEATURES];
    pby_waiting *pilot[PBY_SIDES];
    size_t waiting[PBY_SIDES];
    pby_learning learning;
    pby_model model;
    uint64_t missing[PBY_SIDES]; /* outputs that were asked for and did not come */
    unsigned kinds;              /* of the events that may be judged, a set of bits 1 << pby_event_kind */
};

/* The stage of the sample that an output belongs to, by its place among those of its side: one in eight
 * orders, one in eight selects, the others judge. Beyond so many outputs a choice has little to gain from
 * more of them, and it is one in 32 each. */
enum { PBY_MANY = 1 << 24 };
int pby_audit_stage(int side, uint64_t place);

/* Counts an output that was looked at before it was counted, and so may not judge: it chooses, whatever its
 * place. */
PBY_CHECKED
pby_status pby_audit_add_chooser(pby_audit *audit, pby_side side, const char *output, size_t length,
                                 pby_error *err);

/* The number of outputs of a side and a stage that a feature was given: all that were seen, or scored if it
 * is learned. */
uint64_t pby_audit_given(const pby_audit *audit, unsigned feature, int side, int stage);

#endif
