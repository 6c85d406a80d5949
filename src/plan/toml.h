/* SPDX-License-Identifier: MIT */
/* A strict reader of a part of TOML: tables, lists of tables, and values that are texts, numbers, truths or
 * lists of these.
 *
 * A number keeps the digits that it was written with, so that 0.1 is one tenth. Refused, with the line: a
 * duplicate key or table, a key with dots outside of a header, tables in braces, texts of several lines,
 * dates, infinities, digits with underscores, control characters, bytes that are not UTF-8. */
#ifndef PBY_PLAN_TOML_H
#define PBY_PLAN_TOML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

enum {
    PBY_TOML_SIZE_MAX = 1 << 20, /* bytes */
    PBY_TOML_DEPTH_MAX = 8,      /* lists in lists, and names in a header */
    PBY_TOML_KEYS_MAX = 1000     /* keys of a table */
};

typedef enum pby_toml_kind {
    PBY_TOML_TABLE,
    PBY_TOML_LIST,
    PBY_TOML_TEXT,
    PBY_TOML_NUMBER, /* an integer or a decimal, as text that pby_rational_parse takes */
    PBY_TOML_TRUTH
} pby_toml_kind;

/* A value, and those inside it in the order of the file. */
typedef struct pby_toml {
    pby_toml_kind kind;
    char *key;   /* its name in the table that it is in; NULL in a list, and of the whole file */
    char *text;  /* of a text, without quotes, and of a number; no NUL byte is in it */
    bool truth;  /* of a truth */
    bool opened; /* a table that a header of its own has opened; a list whose items are headers' tables */
    size_t count;
    unsigned line; /* where it begins, from 1 */
    struct pby_toml *first, *last, *next;
} pby_toml;

/* Reads a whole file. `name` is its name in refusals: NAME: line 7 'REST OF THE LINE': expected ... */
PBY_CHECKED
pby_status pby_toml_read(pby_toml **out, const char *name, const char *bytes, size_t size, pby_error *err);

/* NULL is allowed. */
void pby_toml_free(pby_toml *value);

/* The value of a key of a table; NULL where there is none. */
const pby_toml *pby_toml_at(const pby_toml *table, const char *key);

#endif
