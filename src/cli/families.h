/* The families as JSON. */
#ifndef PBY_CLI_FAMILIES_H
#define PBY_CLI_FAMILIES_H

#include "probity/status.h"

PBY_CHECKED
pby_status pby_families_print(pby_error *err);

#endif
