/* SPDX-License-Identifier: MIT */
/* An accuracy as texts. */
#ifndef PBY_ACCURACY_ACCURACY_TEXTS_H
#define PBY_ACCURACY_ACCURACY_TEXTS_H

#include "probity/experimental/accuracy.h"

/* To be cleared when it succeeds. */
PBY_CHECKED
pby_status pby_accuracy_words_set(pby_accuracy_words *out, const pby_accuracy *a, pby_error *err);

#endif
