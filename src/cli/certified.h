/* SPDX-License-Identifier: MIT */
/* Certificates on the command line: one in the place of a SPEC, and one line about the loss that it states.
 */
#ifndef PBY_CLI_CERTIFIED_H
#define PBY_CLI_CERTIFIED_H

#include "probity/certificate.h"

/* "probity: certified: delta at most 0.0592348372 at epsilon 2/5, add-remove neighbours, geometric:eps=1/2",
 * with `what` in the place of "certified". The epsilon is often not the one that the reader has in mind. */
void pby_tell_certified(const char *what, const pby_certificate *certificate);

/* Replaces the text of a certificate by the signed one. path is what --sign names, or NULL: nobody signs. */
PBY_CHECKED
pby_status pby_certified_sign(char **text, const char *path, pby_error *err);

#endif
