/* SPDX-License-Identifier: MIT */
/* A memo that is open (public face: probity/experimental/memo.h). */
#ifndef PBY_SESSION_MEMO_H
#define PBY_SESSION_MEMO_H

#include "probity/experimental/entropy.h"
#include "probity/experimental/memo.h"

/* As pby_memo_create and pby_memo_open, with draws from a source that the caller owns: for tests. */
PBY_CHECKED
pby_status pby_memo_create_from(const char *path, const pby_spec *spec, const char *user, pby_ledger *ledger,
                                pby_entropy *source, pby_error *err);
PBY_CHECKED
pby_status pby_memo_open_from(pby_memo **out, const char *path, const pby_spec *spec, const char *user,
                              pby_entropy *source, pby_error *err);

#endif
