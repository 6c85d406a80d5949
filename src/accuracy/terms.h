/* SPDX-License-Identifier: MIT */
/* The terms of a question about accuracy, read from text: the inputs, and for noise an error or a chance. */
#ifndef PBY_ACCURACY_TERMS_H
#define PBY_ACCURACY_TERMS_H

#include <stdbool.h>

#include "base/status.h"
#include "probity/experimental/accuracy.h"
#include "probity/report.h"

/* A rational is read only where it is asked for. */
typedef struct pby_accuracy_terms {
    pby_input_class inputs; /* its width is the one below; 1 record where none are asked about */
    mpq_t width, beta, gamma, eta;
    bool asks_n, asks_beta, asks_gamma, asks_eta;
} pby_accuracy_terms;

void pby_accuracy_terms_init(pby_accuracy_terms *t);
void pby_accuracy_terms_clear(pby_accuracy_terms *t);

/* True if noise may go too far: its accuracy has an error of counts, a chance, and no records that move. */
bool pby_accuracy_noisy_kind(pby_accuracy_kind kind);

/* Which of n and support a mechanism of this kind must be told, and which it does not read. */
PBY_CHECKED
pby_status pby_accuracy_inputs_said(const pby_accuracy_asked *asked, pby_accuracy_kind kind, pby_error *err);

/* Refused: what a mechanism of this kind does not read, and the lack of what it needs. */
PBY_CHECKED
pby_status pby_accuracy_terms_read(pby_accuracy_terms *t, const pby_accuracy_asked *asked,
                                   pby_accuracy_kind kind, pby_error *err);

/* The text that refuses beta or gamma for a mechanism that moves records. */
extern const char pby_accuracy_of_noise[];

#endif
