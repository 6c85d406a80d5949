/* pby_anonymity_csv, whose refusals call the columns by the caller's name for them. */
#ifndef PBY_TABLE_ANONYMITY_H
#define PBY_TABLE_ANONYMITY_H

#include "probity/anonymity.h"

PBY_CHECKED
pby_status pby_anonymity_read(pby_anonymity **out, const char *path, const char *quasi, const char *argument,
                              pby_error *err);

#endif
