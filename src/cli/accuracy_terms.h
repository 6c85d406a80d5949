/* What an accuracy is asked at, read from the options of a command: the inputs, and of noise an error or a
 * chance. */
#ifndef PBY_CLI_ACCURACY_TERMS_H
#define PBY_CLI_ACCURACY_TERMS_H

#include <stdbool.h>

#include "cli/options.h"
#include "probity/accuracy.h"

/* A rational is read only where it is asked for. */
typedef struct pby_accuracy_terms {
    pby_input_class inputs; /* its width is the one below; 1 record where none are asked about */
    mpq_t width, beta, gamma;
    bool asks_n, asks_beta, asks_gamma;
} pby_accuracy_terms;

/* --n and --records are names of one. */
typedef struct pby_accuracy_options {
    const pby_option *n, *records, *support, *width, *beta, *gamma;
} pby_accuracy_options;

void pby_accuracy_terms_init(pby_accuracy_terms *t);
void pby_accuracy_terms_clear(pby_accuracy_terms *t);

/* Whether noise may go too far: its accuracy has an error of counts, a chance, and no records that move. */
bool pby_accuracy_noisy_kind(pby_accuracy_kind kind);

/* Refused: options that a mechanism of this kind does not read, and the lack of those that it needs. */
PBY_CHECKED
pby_status pby_accuracy_terms_read(pby_accuracy_terms *t, const pby_accuracy_options *o,
                                   pby_accuracy_kind kind, const char *command, pby_error *err);

/* A rational from 0 on; left alone where the option is not given. */
PBY_CHECKED
pby_status pby_option_from_0(mpq_t q, const pby_option *option, pby_error *err);

/* An option that the question does not read. */
PBY_CHECKED
pby_status pby_option_unread(const pby_option *option, const char *expected, pby_error *err);

/* What is expected beside an option of noise, or of records that move, where the mechanism has the other. */
extern const char pby_accuracy_of_noise[], pby_accuracy_of_moves[];

#endif
