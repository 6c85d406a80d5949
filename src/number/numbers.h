/* SPDX-License-Identifier: MIT */
/* Arrays of rationals. */
#ifndef PBY_NUMBER_NUMBERS_H
#define PBY_NUMBER_NUMBERS_H

#include <gmp.h>
#include <stddef.h>

#include "probity/status.h"

/* n numbers, each 0; for pby_numbers_free. */
PBY_CHECKED
pby_status pby_numbers_new(mpq_t **out, size_t n, pby_error *err);

/* Those of n texts. What is made is for pby_numbers_free even where a text is refused, by that name. */
PBY_CHECKED
pby_status pby_numbers_parse(mpq_t **out, const char *name, const char *const *texts, size_t n,
                             pby_error *err);

/* NULL is allowed. */
void pby_numbers_free(mpq_t *x, size_t n);

#endif
