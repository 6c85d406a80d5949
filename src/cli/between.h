/* `probity accuracy --between`: how far one histogram or law is from another. */
#ifndef PBY_CLI_BETWEEN_H
#define PBY_CLI_BETWEEN_H

#include <stdbool.h>

#include "probity/accuracy.h"

typedef struct pby_between_asked {
    const char *a, *b;       /* files of points */
    const char *gamma, *eta; /* as given; NULL if not */
    bool average, json;
} pby_between_asked;

PBY_CHECKED
pby_status pby_between_run(const pby_between_asked *asked, pby_error *err);

#endif
