/* SPDX-License-Identifier: MIT */
/* One output of a mechanism, read from a line of text.
 *
 * A line is one or more fields separated by commas; blanks around a field do not count. A field is a
 * coordinate, but where it is no number and has numbers in it that stand apart, as in "a: 3.5" or "1 2", each
 * of them is one, and so is each word around them. A coordinate is
 *
 *   empty    nothing: suppressed
 *   number   an integer or a decimal (3, -0.25, 1e-9), or the bit pattern of a double: 0x and 16
 *            hexadecimal digits
 *   word     anything else, nan and inf and a bit pattern that is not a number included
 *
 * A number is held as the nearest double; the output as a whole is also told apart by its text.
 */
#ifndef PBY_AUDIT_COUNT_OUTCOME_H
#define PBY_AUDIT_COUNT_OUTCOME_H

#include <stddef.h>
#include <stdint.h>

enum { PBY_COORDINATES = 64 }; /* those beyond are seen only in the text as a whole */

typedef enum pby_token_kind { PBY_EMPTY, PBY_NUMBER, PBY_WORD } pby_token_kind;

typedef struct pby_token {
    pby_token_kind kind;
    const char *text; /* without blanks around it */
    size_t length;
    double value;  /* of a number */
    uint64_t hash; /* of a word */
} pby_token;

typedef struct pby_outcome {
    const char *text;
    size_t length;
    size_t coordinates; /* all of them */
    size_t count;       /* those in token */
    pby_token token[PBY_COORDINATES];
} pby_outcome;

/* The text must outlive the outcome. */
void pby_outcome_read(pby_outcome *out, const char *text, size_t length);

/* SipHash-2-4 under a key that is public and fixed: the same on every machine. */
uint64_t pby_audit_hash(const void *bytes, size_t length);

#endif
