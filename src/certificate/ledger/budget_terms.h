/* SPDX-License-Identifier: MIT */
/* Terms of a budget that stand behind its accounting, as in
 * zcdp;every=30d;from=2026-11-18T00:00:00Z;parts=region: periods, each of which has the budget anew, and
 * parts of the users, of which each user is in one. docs/theory/filters.md says what they promise. */
#ifndef PBY_CERTIFICATE_LEDGER_BUDGET_TERMS_H
#define PBY_CERTIFICATE_LEDGER_BUDGET_TERMS_H

#include "base/status.h"
#include "certificate/ledger/ledger_store.h"

typedef struct pby_budget_terms {
    long long every; /* a period in seconds; 0: there are none */
    long long from;  /* when one began, in seconds since 1970 */
    char *parts;     /* what tells the parts apart, such as region; NULL: there are none. For free(3) */
} pby_budget_terms;

/* Sets *mode to the accounting that the text begins with, for free(3), and *out to the terms behind it. */
PBY_CHECKED
pby_status pby_terms_read(char **mode, pby_budget_terms *out, const char *text, pby_error *err);

/* The whole text, for free(3). every is a text such as 30d, 12h or 2w and from a date or a time in UTC; each
 * may be NULL, and from is then the present day. */
PBY_CHECKED
pby_status pby_terms_write(char **text, const char *mode, const char *every, const char *from,
                           const char *parts, pby_error *err);

/* The period of a time such as 2026-11-18T12:00:00Z, 0 where there are none. */
PBY_CHECKED
pby_status pby_terms_period(long long *out, const pby_budget_terms *terms, const char *at, pby_error *err);

/* The time at which a period begins. */
void pby_terms_begin(char at[PBY_STORE_TIME], const pby_budget_terms *terms, long long period);

/* Refuses what names no part: 1 to 200 bytes of UTF-8 without control characters. */
PBY_CHECKED
pby_status pby_terms_part_check(const char *argument, const char *name, pby_error *err);

/* A spec with the part that it is about behind it, as an entry keeps both; for free(3), NULL without memory.
 */
char *pby_terms_join(const char *spec, const char *part);

/* The length of the spec in such a text; *part is the name behind it, "" where there is none. */
size_t pby_terms_split(const char **part, const char *text);

#endif
