/* What kind of accuracy a mechanism has, and what bars may lose. */
#ifndef PBY_ACCURACY_ROW_H
#define PBY_ACCURACY_ROW_H

#include "mechanism/family.h"
#include "probity/accuracy.h"

/* The row of a mechanism, or a refusal that says that it has no accuracy. */
pby_status pby_accuracy_row_of(const pby_accuracy_row **out, const pby_mechanism *m, pby_error *err);

/* n, support and width as pby_input_class has them, or a refusal. */
pby_status pby_inputs_check(const pby_input_class *inputs, pby_error *err);

/* What bars may lose at the worst: one of at most `small` records all but `kept` of them, a larger one
 * `large`. Neither kept nor large is above small. */
typedef struct pby_bar_loss {
    uint64_t small, kept, large;
} pby_bar_loss;

/* The greatest part of its records that a histogram of the class may lose. */
void pby_drop_of(mpq_t alpha, const pby_input_class *inputs, const pby_bar_loss *loss);

#endif
