/* The release that a command asks for, from the permission to the receipt. */
#ifndef PBY_CLI_RELEASE_H
#define PBY_CLI_RELEASE_H

#include "release/run.h"

/* Everything is checked, charged and released; how the input was read is told on standard error unless quiet.
 */
PBY_CHECKED
pby_status pby_release_command(const pby_permission *permission, pby_pipeline *p, bool quiet, pby_error *err);

#endif
