/* SPDX-License-Identifier: MIT */
/* A session that is open (public face: probity/experimental/session.h). */
#ifndef PBY_SESSION_SESSION_H
#define PBY_SESSION_SESSION_H

#include "probity/experimental/entropy.h"
#include "probity/experimental/session.h"

/* As pby_session_create and pby_session_open, with noise from a source that the caller owns: for tests. */
PBY_CHECKED
pby_status pby_session_create_from(const char *path, const pby_spec *spec, int64_t threshold,
                                   pby_ledger *ledger, pby_entropy *source, pby_error *err);
PBY_CHECKED
pby_status pby_session_open_from(pby_session **out, const char *path, pby_entropy *source, pby_error *err);

#endif
