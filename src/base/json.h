/* SPDX-License-Identifier: MIT */
/* JSON that is whole or not there: what has no memory is never just left out. */
#ifndef PBY_BASE_JSON_H
#define PBY_BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Reads JSON without duplicate members, for json_decref; *out is NULL where the text is none. Fails for want
 * of memory alone. */
PBY_CHECKED
pby_status pby_json_read(json_t **out, const char *text, size_t length, pby_error *err);

/* True if json_loadb gave NULL for want of memory, and not for the text. */
bool pby_json_spent(const json_error_t *why, const char *text);

/* Adds a value, which is taken, to an object. Either may be NULL, out of a call that had no memory. */
PBY_CHECKED
pby_status pby_json_set(json_t *object, const char *name, json_t *value, pby_error *err);

/* The list with the value behind it, both taken; NULL, and neither is left, when there is no memory. Either
 * may be NULL, out of a call that had none, and then so is the list: as a part of json_pack it makes that
 * NULL as well. */
json_t *pby_json_append(json_t *list, json_t *value);

/* A member that is a string; "" where it is none. */
const char *pby_json_string(const json_t *object, const char *name);

/* The name of a member that is not in the list, which ends with NULL; NULL where all are. */
const char *pby_json_unknown(const json_t *object, const char *const *known);

/* The text of a value, which is taken, with flags of json_dumpb(3); for free(3). NULL when there is no
 * memory, or the value is NULL. In place of json_dumps(3), which goes on when there is no room for the name
 * of a field. */
char *pby_json_text(json_t *value, size_t flags);

#endif
