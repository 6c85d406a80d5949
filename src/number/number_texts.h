/* SPDX-License-Identifier: MIT */
/* One number in as text, one enclosure out as two decimals: what a function whose name ends in _text does
 * around the one that it is named for.
 *
 *     pby_worded w;
 *     pby_status status = pby_worded_begin(&w, "epsilon", epsilon, err);
 *     if (status == PBY_OK)
 *         status = pby_loss_delta(&w.answer, spec, relation, w.value, digits, err);
 *     return pby_worded_end(&w, delta, digits, status);
 */
#ifndef PBY_NUMBER_NUMBER_TEXTS_H
#define PBY_NUMBER_NUMBER_TEXTS_H

#include <gmp.h>

#include "probity/enclosure.h"
#include "probity/experimental/losses.h"
#include "probity/rational.h"

typedef struct pby_worded {
    mpq_t value;
    pby_enclosure answer;
} pby_worded;

/* text NULL: the value stays 0. To be ended whether this succeeds or not. */
PBY_CHECKED
pby_status pby_worded_begin(pby_worded *w, const char *name, const char *text, pby_error *err);

/* Sets *out where the status is PBY_OK, and returns it. */
PBY_CHECKED
pby_status pby_worded_end(pby_worded *w, pby_decimals *out, unsigned digits, pby_status status);

/* Texts as rationals, each of which may be NULL: then it stays what it is. value[i] is initialised. */
PBY_CHECKED
pby_status pby_worded_parse(mpq_t *value, const char *const *names, const char *const *texts, size_t count,
                            pby_error *err);

/* The value of a number, which `name` names in a refusal; out stays what it is where none is given. */
PBY_CHECKED
pby_status pby_value_read(mpq_t out, const char *name, const pby_value *number, pby_error *err);

/* Does the same and refuses none. */
PBY_CHECKED
pby_status pby_value_need(mpq_t out, const char *name, pby_value number, pby_error *err);

/* Returns true if neither text nor rational is given. */
bool pby_value_none(const pby_value *number);

#endif
