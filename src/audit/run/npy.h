/* SPDX-License-Identifier: MIT */
/* Outputs out of a NumPy file (.npy): each row of an array of numbers is one output. */
#ifndef PBY_AUDIT_RUN_NPY_H
#define PBY_AUDIT_RUN_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"

enum { PBY_NPY_PREFIX = 10, PBY_NPY_HEADER_MAX = 65535 };

/* The contents of a header: numbers of a kind, 'b', 'i', 'u' or 'f', in rows. */
typedef struct pby_npy {
    char kind;
    bool turned; /* the bytes of a number are in the other order */
    size_t size; /* bytes of a number */
    uint64_t rows, columns;
} pby_npy;

/* The length of the header behind the first PBY_NPY_PREFIX bytes. */
PBY_CHECKED
pby_status pby_npy_prefix(size_t *length, const uint8_t prefix[PBY_NPY_PREFIX], const char *name,
                          pby_error *err);

/* Reads the header: a text of that length, with a NUL byte behind it. */
PBY_CHECKED
pby_status pby_npy_header(pby_npy *out, const char *header, const char *name, pby_error *err);

enum { PBY_NPY_TEXT = 32 };

/* One number as text, which reads back as itself; returns its length. */
int pby_npy_text(char text[PBY_NPY_TEXT], const pby_npy *npy, const uint8_t *bytes);

#endif
