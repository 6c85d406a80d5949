/* SPDX-License-Identifier: MIT */
/* Statements about files, such as that of a release: who signed them, and whether the files are those. */
#ifndef PBY_CLI_STATEMENT_H
#define PBY_CLI_STATEMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Verifies an envelope and prints what it says. Each subject that lies in the folder of path (NULL: the
 * current one) must have the SHA-256 that is stated: PBY_NO if it has another. key is the text of a public
 * key that must have signed; NULL for any. */
PBY_CHECKED
pby_status pby_statement_verify(const char *text, size_t size, const char *path, const char *key,
                                bool as_json, pby_error *err);

#endif
