/* SPDX-License-Identifier: MIT */
/* The examples of all families, one after the other. */
#ifndef PBY_TESTS_MECHANISM_EXAMPLES_H
#define PBY_TESTS_MECHANISM_EXAMPLES_H

#include "mechanism/family.h"

/* for (const char *spec = each of them) */
#define PBY_EACH_EXAMPLE(spec)                                                         \
    for (const pby_family *const *family_ = pby_families; *family_ != NULL; family_++) \
        for (const char *const *at_ = (*family_)->examples, *spec = *at_; spec != NULL; spec = *++at_)

#endif
