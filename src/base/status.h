/* SPDX-License-Identifier: MIT */
/* Setting an error. All functions return the status, so that a refusal is one statement:
 *
 *     return pby_refuse(err, "epsilon", text, "a rational such as 1/2 or 0.5");
 */
#ifndef PBY_BASE_STATUS_H
#define PBY_BASE_STATUS_H

#include "probity/status.h"

/* Returns what fails to the caller. What the function owns must then clear itself (number/scoped.h). */
#define PBY_TRY(expression)                        \
    do {                                           \
        const pby_status pby_tried = (expression); \
        if (pby_tried != PBY_OK)                   \
            return pby_tried;                      \
    } while (0)

/* Sets the text from a printf format; cut at PBY_ERROR_SIZE - 1 bytes. err may be NULL. */
pby_status pby_fail(pby_error *err, pby_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fails as pby_fail does, for another reason than the usual one of its status: PBY_REASON_ARGUMENT of
 * PBY_BAD, _VERDICT of PBY_NO, _INTERNAL of PBY_FAILED. */
pby_status pby_fail_by(pby_error *err, pby_status status, pby_reason reason, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* PBY_BAD with the one line that DESIGN asks for: NAME 'VALUE': expected EXPECTED.
 * The value is cut at 60 bytes, and bytes that do not print are written as \xNN. */
pby_status pby_refuse(pby_error *err, const char *name, const char *value, const char *expected);

/* PBY_FAILED, "out of memory". */
pby_status pby_no_memory(pby_error *err);

#endif
