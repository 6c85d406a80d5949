/* Refusals of numbers. */
#ifndef PBY_SELECT_REFUSE_H
#define PBY_SELECT_REFUSE_H

#include <gmp.h>

#include "status.h"

/* pby_refuse of a value that is a rational. */
pby_status pby_refuse_number(pby_error *err, const char *name, mpq_srcptr value, const char *expected);

#endif
