/* SPDX-License-Identifier: MIT */
/* The release that a command asks for, from the permission to the receipt. */
#ifndef PBY_CLI_CMD_RELEASE_H
#define PBY_CLI_CMD_RELEASE_H

#include "cli/options.h"
#include "release/permission.h"
#include "release/run.h"

/* The option --after, where it is given: refuses a ledger (NULL: none) that lacks its digest. */
PBY_CHECKED
pby_status pby_ledger_option_after(pby_ledger *ledger, const pby_option *after, pby_error *err);

/* The option --part, where it is given: the charge is about that part of the ledger's users alone. */
PBY_CHECKED
pby_status pby_ledger_option_part(pby_ledger *ledger, const pby_option *part, pby_error *err);

/* Tells on standard error that the charge was for that part. */
void pby_tell_part(const char *part);

/* Everything is checked, charged and released; how the input was read is told on standard error unless quiet.
 */
PBY_CHECKED
pby_status pby_release_command(const pby_permission *permission, pby_pipeline *p, bool quiet, pby_error *err);

#endif
