/* SPDX-License-Identifier: MIT */
/* Which families of mechanisms there are, and what each takes and gives: what a program needs to offer them.
 *
 *     for (size_t i = 0; i < pby_family_count(); i++)
 *         printf("%s: %s\n", pby_family_name(pby_family_at(i)), pby_family_summary(pby_family_at(i)));
 *
 * A family is constant and lives as long as the program. All texts belong to it.
 */
#ifndef PROBITY_FAMILY_H
#define PROBITY_FAMILY_H

#include <stdbool.h>
#include <stddef.h>

#include "probity/release.h"
#include "probity/spec.h"
#include "probity/status.h"

PBY_BEGIN_API

typedef struct pby_family pby_family;

/* The number of families, and the i-th of them, or NULL if there are fewer. */
PBY_CHECKED
size_t pby_family_count(void);
PBY_CHECKED
const pby_family *pby_family_at(size_t i);

/* The family of that name, as in a spec; NULL where there is none. */
PBY_CHECKED
const pby_family *pby_family_named(const char *name) PBY_NONNULL(1);

PBY_CHECKED
const char *pby_family_name(const pby_family *family) PBY_NONNULL(1);

/* In one line. */
PBY_CHECKED
const char *pby_family_summary(const pby_family *family) PBY_NONNULL(1);

/* ---- parameters ------------------------------------------------------------------------------- */

typedef struct pby_family_parameter {
    const char *name; /* as in a spec */
    const char *role; /* what it is whatever it is called, such as epsilon, sensitivity or grid; "" where it
                       * has a meaning in its family alone. No family has two of one role */
    const char *meaning;  /* in words, with what values it takes */
    const char *fallback; /* the value where it is left out, or NULL */
    bool required; /* it may not be left out; without this and a fallback it may, and then says nothing */
} pby_family_parameter;

/* The number of the family's parameters, and one of them, in the order of the canonical text; false where
 * there is no such. */
PBY_CHECKED
size_t pby_family_parameters(const pby_family *family) PBY_NONNULL(1);
PBY_CHECKED
bool pby_family_parameter_at(pby_family_parameter *out, const pby_family *family, size_t i) PBY_NONNULL(1, 2);

/* ---- what it is about ------------------------------------------------------------------------- */

/* Returns true if the family's loss is known between such neighbours. */
PBY_CHECKED
bool pby_family_about(const pby_family *family, pby_neighbours relation) PBY_NONNULL(1);

/* The input that a mechanism reads when it releases. */
typedef enum pby_input {
    PBY_TAKES_COUNTS,  /* a histogram, one bar after the other */
    PBY_TAKES_POINTS,  /* points, which it counts itself (probity/experimental/bucketing.h) */
    PBY_TAKES_ANSWERS, /* one answer of each user, from 0 up to some number */
    PBY_TAKES_SCORES   /* candidates with their scores, of which it chooses one */
} pby_input;

/* Returns true if pby_release_new takes the family, and pby_release_table unless it takes scores; if so, what
 * it reads and what it publishes. The others are known by their loss alone, or add noise to a query
 * (pby_sampler_new). */
PBY_CHECKED
bool pby_family_releases(const pby_family *family) PBY_NONNULL(1);
PBY_CHECKED
pby_input pby_family_takes(const pby_family *family) PBY_NONNULL(1);
PBY_CHECKED
pby_release_form pby_family_form(const pby_family *family) PBY_NONNULL(1);

/* Specs of the family that are good ones, up to a NULL; at least one. */
PBY_CHECKED
const char *const *pby_family_examples(const pby_family *family) PBY_NONNULL(1);

PBY_END_API

#endif
