/* SPDX-License-Identifier: MIT */
#include "probity/family.h"

#include <string.h>

#include "mechanism/family.h"

static const char *const roles[] = {
    [PBY_ROLE_NONE] = "",
    [PBY_ROLE_EPSILON] = "epsilon",
    [PBY_ROLE_DELTA] = "delta",
    [PBY_ROLE_ORDER] = "order",
    [PBY_ROLE_RHO] = "rho",
    [PBY_ROLE_XI] = "xi",
    [PBY_ROLE_SENSITIVITY] = "sensitivity",
    [PBY_ROLE_NORM] = "squared norm",
    [PBY_ROLE_DIMENSIONS] = "dimensions",
    [PBY_ROLE_EACH] = "most in one bar",
    [PBY_ROLE_MU] = "mu",
    [PBY_ROLE_NEW] = "new bars",
    [PBY_ROLE_UTILITY] = "what decides",
    [PBY_ROLE_MOVES] = "moves",
    [PBY_ROLE_VARIANCE] = "variance",
    [PBY_ROLE_SCALE] = "scale",
    [PBY_ROLE_GRID] = "grid",
    [PBY_ROLE_MOST] = "greatest error",
    [PBY_ROLE_LEAST] = "least count",
    [PBY_ROLE_LOSES] = "greatest loss",
    [PBY_ROLE_SHARE] = "share",
    [PBY_ROLE_SIZE] = "records",
    [PBY_ROLE_BARS] = "bars",
    [PBY_ROLE_WIDTH] = "width",
    [PBY_ROLE_DIMENSION] = "dimension",
    [PBY_ROLE_OUTSIDE] = "outside",
    [PBY_ROLE_ODDS] = "odds",
    [PBY_ROLE_ANSWERS] = "answers",
    [PBY_ROLE_TURNED] = "turned bits",
    [PBY_ROLE_SAMPLE] = "sampling rate",
    [PBY_ROLE_FIXED] = "size of a sample",
    [PBY_ROLE_ALLOCATE] = "steps",
    [PBY_ROLE_BATCH] = "size of a batch",
    [PBY_ROLE_AMONG] = "records in all",
    [PBY_ROLE_TABLE] = "table",
    [PBY_ROLE_RECORDS] = "records of the output",
    [PBY_ROLE_CURVE] = "curve",
    [PBY_ROLE_BASE] = "base",
    [PBY_ROLE_RATE] = "rate",
    [PBY_ROLE_THETA] = "theta",
    [PBY_ROLE_RELATION] = "neighbours",
    [PBY_ROLE_RADIUS] = "radius",
    [PBY_ROLE_DECAY] = "decay",
    [PBY_ROLE_STEPS] = "steps of a stream",
    [PBY_ROLE_BANDS] = "bands",
};

size_t pby_family_count(void)
{
    size_t n = 0;
    while (pby_families[n] != NULL)
        n++;
    return n;
}

const pby_family *pby_family_at(size_t i)
{
    return i < pby_family_count() ? pby_families[i] : NULL;
}

const pby_family *pby_family_named(const char *name)
{
    for (size_t i = 0; pby_families[i] != NULL; i++)
        if (strcmp(pby_families[i]->name, name) == 0)
            return pby_families[i];
    return NULL;
}

const char *pby_family_name(const pby_family *family)
{
    return family->name;
}

const char *pby_family_summary(const pby_family *family)
{
    return family->summary;
}

/* A default of "" stands for none. */
bool pby_family_parameter_at(pby_family_parameter *out, const pby_family *family, size_t i)
{
    *out = (pby_family_parameter){NULL, NULL, NULL, NULL, false};
    if (i >= pby_family_parameters(family))
        return false;
    const pby_parameter *p = &family->parameters[i];
    *out =
        (pby_family_parameter){.name = p->name,
                               .role = roles[p->role],
                               .meaning = p->meaning,
                               .fallback = p->fallback == NULL || p->fallback[0] == '\0' ? NULL : p->fallback,
                               .required = p->fallback == NULL};
    return true;
}

bool pby_family_about(const pby_family *family, pby_neighbours relation)
{
    return (family->relations >> relation & 1) != 0;
}

bool pby_family_releases(const pby_family *family)
{
    return family->release != NULL || family->takes == PBY_TAKES_SCORES || family->lattice != NULL ||
           family->form >= PBY_RELEASE_STATISTIC;
}

pby_input pby_family_takes(const pby_family *family)
{
    return family->takes;
}

pby_release_form pby_family_form(const pby_family *family)
{
    return family->form;
}

const char *const *pby_family_examples(const pby_family *family)
{
    return family->examples;
}
