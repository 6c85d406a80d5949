/* SPDX-License-Identifier: MIT */
/* Specs out of texts, for tests. A text that is refused fails the running test. */
#ifndef PBY_TESTS_SPEC_H
#define PBY_TESTS_SPEC_H

#include "probity/spec.h"

/* The spec of one text. */
pby_spec *spec_of(const char *text);

/* The spec of two texts, the second behind the first; of one where that is NULL. */
pby_spec *spec_of_both(const char *first, const char *second);

#endif
