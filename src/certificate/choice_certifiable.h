/* SPDX-License-Identifier: MIT */
/* Choices that no certificate can state, told before they are searched for. */
#ifndef PBY_CERTIFICATE_CHOICE_CERTIFIABLE_H
#define PBY_CERTIFICATE_CHOICE_CERTIFIABLE_H

#include <stdbool.h>

#include "base/status.h"
#include "probity/loss.h"

/* Refuses a FAMILY, as pby_select takes it, whose choice could not be certified for that question: delta, rho
 * or mu. `counts` tells that the uses are chosen. A text that is no family is left to the search. */
PBY_CHECKED
pby_status pby_choice_certifiable(const char *family, bool counts, pby_question question, pby_error *err);

#endif
