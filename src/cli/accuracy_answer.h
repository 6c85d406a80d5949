/* What `probity accuracy SPEC` answers, as text and as JSON. */
#ifndef PBY_CLI_ACCURACY_ANSWER_H
#define PBY_CLI_ACCURACY_ANSWER_H

#include "cli/accuracy_terms.h"

enum { PBY_STATISTICS_MAX = PBY_STATISTIC_QUANTILE + 1 };

/* The question; eta is read only where it is asked for. */
typedef struct pby_accuracy_question {
    pby_spec *spec;
    pby_accuracy_kind kind;
    pby_accuracy_terms at;
    mpq_t eta;
    bool asks_eta, json;
    bool asks_statistics;                        /* by name; else those below that have a meaning */
    pby_statistic statistic[PBY_STATISTICS_MAX]; /* each name once */
    size_t statistics;
    unsigned digits;
} pby_accuracy_question;

/* Computes the answer and prints it. */
PBY_CHECKED
pby_status pby_accuracy_answer(const pby_accuracy_question *q, pby_error *err);

#endif
