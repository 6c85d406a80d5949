/* SPDX-License-Identifier: MIT */
/* A public direction: a point counts as the sum of its coordinates times integers. */
#ifndef PBY_RELEASE_DIRECTION_H
#define PBY_RELEASE_DIRECTION_H

#include <stddef.h>

#include "probity/status.h"

enum { PBY_PROJECT_MAX = 62 };
typedef struct pby_project {
    const char *text; /* as it was given, and borrowed */
    size_t dimension;
    long factor[PBY_PROJECT_MAX];
} pby_project;

/* Integers separated by commas, up to 2^31 in size, not all of them 0; name is what a refusal calls them. */
PBY_CHECKED
pby_status pby_project_parse(pby_project *out, const char *name, const char *text, pby_error *err);

#endif
