/* SPDX-License-Identifier: MIT */
/* The kind of accuracy that a mechanism has, and the records that bars may lose. */
#ifndef PBY_ACCURACY_ROW_H
#define PBY_ACCURACY_ROW_H

#include "mechanism/family.h"
#include "probity/experimental/accuracy.h"

/* The row of a mechanism, or a refusal that says that it has no accuracy. */
pby_status pby_accuracy_row_of(const pby_accuracy_row **out, const pby_mechanism *m, pby_error *err);

/* True if it is about a histogram or a query, and not about choices, reports or sessions. */
bool pby_accuracy_is_histogram(pby_accuracy_kind kind);

/* n, support and width as pby_input_class has them, or a refusal. */
pby_status pby_inputs_check(const pby_input_class *inputs, pby_error *err);

/* The records that bars may lose at the worst: a bar of at most `small` records loses all but `kept` of them,
 * a larger one `large`. Neither kept nor large is above small. */
typedef struct pby_bar_loss {
    uint64_t small, kept, large;
} pby_bar_loss;

/* The accuracy of a choice among so many candidates, and of the share of an answer among the reports of n
 * users, at a beta or at one that a gamma allows; the other is NULL. Only the release and the chance are set,
 * alpha being 0. */
pby_status pby_accuracy_of_choice(pby_noisy_accuracy *out, const pby_mechanism *m, uint64_t candidates,
                                  mpq_srcptr beta, mpq_srcptr gamma, unsigned digits, pby_error *err);
pby_status pby_accuracy_of_share(pby_noisy_accuracy *out, const pby_mechanism *m, uint64_t n, mpq_srcptr beta,
                                 mpq_srcptr gamma, unsigned digits, pby_error *err);

/* Likewise of a session, each use of which is asked so many questions at most. */
pby_status pby_accuracy_of_totals(pby_noisy_accuracy *out, const pby_mechanism *m, mpq_srcptr beta,
                                  mpq_srcptr gamma, unsigned digits, pby_error *err);
pby_status pby_accuracy_of_stream(pby_noisy_accuracy *out, const pby_spec *spec, uint64_t questions,
                                  mpq_srcptr beta, mpq_srcptr gamma, unsigned digits, pby_error *err);

/* The greatest part of its records that a histogram of the class may lose. */
void pby_drop_of(mpq_t alpha, const pby_input_class *inputs, const pby_bar_loss *loss);

#endif
