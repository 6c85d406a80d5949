/* SPDX-License-Identifier: MIT */
/* Edits of a JSON document, one after the other: every member is changed, left out, doubled, and joined by
 * another. What checks documents must notice each, or the member must be one that nobody can check. */
#ifndef PBY_TESTS_EDITS_H
#define PBY_TESTS_EDITS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { PBY_EDIT_PATH = 200 };

/* Called with the edited document, which it may change, and the path of the edited member: names joined by
 * points, [] for a place of a list. `what` names the edit. */
typedef void pby_edit_try(json_t *edited, const char *path, const char *what, void *with);

/* Tries every edit; of a list its first place and its last stand for all. Returns how
 * many there were. */
size_t pby_edits(const json_t *document, pby_edit_try *try_edit, void *with);

/* Writes an edited document into the folder PROBITY_FORGED, where that is set, as kind-NUMBER.json: tests/web
 * gives them to the verifier that runs in a browser. */
void pby_edit_keep(const char *kind, const char *text);

/* True if a path is one of these, or below one; the list ends with NULL. */
bool pby_edit_within(const char *path, const char *const *paths);

#endif
