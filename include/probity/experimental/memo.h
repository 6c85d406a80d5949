/* SPDX-License-Identifier: MIT */
/* The client's side of RAPPOR: a memo of permanent responses, and the reports on them.
 *
 *     pby_memo *memo;
 *     pby_memo_create("me.memo", spec, "me", ledger, err)      charged for all that the spec allows, at once
 *     pby_memo_open(&memo, "me.memo", spec, "me", err)
 *     pby_memo_report(&report, memo, value, length, err)
 *     pby_memo_close(memo)
 *
 * A memo belongs to one client and lies on the client's machine: it holds the values in plain. Each value has
 * one permanent response, drawn when the value is first reported and never again. It is on the disk before
 * pby_memo_report returns, and so is the count of reports. A copy of the file that is brought back would draw
 * a second response to a value, which nobody has paid for. A chain of digests shows every other change.
 * docs/theory/rappor.md.
 *
 * A pby_memo is used by one thread at a time, and only by the process that opened it.
 */
#ifndef PROBITY_EXPERIMENTAL_MEMO_H
#define PROBITY_EXPERIMENTAL_MEMO_H

#include <stddef.h>
#include <stdint.h>

#include "probity/ledger.h"
#include "probity/spec.h"
#include "probity/status.h"

PBY_BEGIN_API

/* The most bytes of a value and of a user's name. */
enum { PBY_MEMO_VALUE_MAX = 4096, PBY_MEMO_USER_MAX = 256 };

typedef struct pby_memo pby_memo;

/* A new memo that only its owner may read, of one use of rappor, with a cohort that is drawn and no value.
 * The user, NULL for nobody, is a name that the memo is asked by. Refused when the file exists. The ledger
 * (NULL: none) is charged before there is a memo; PBY_NO, and no file, when it cannot afford it. */
PBY_CHECKED
pby_status pby_memo_create(const char *path, const pby_spec *spec, const char *user, pby_ledger *ledger,
                           pby_error *err) PBY_NONNULL(1, 2);

/* PBY_BAD for a file that is no memo, that is damaged, that others may read, of other parameters, or of
 * another user. */
PBY_CHECKED
pby_status pby_memo_open(pby_memo **out, const char *path, const pby_spec *spec, const char *user,
                         pby_error *err) PBY_NONNULL(1, 2, 3);
void pby_memo_close(pby_memo *memo);

/* A report on a value, as text for free(3): the bits as 0 and 1, and the cohort and a colon in front where
 * there are several. PBY_BAD, and nothing drawn, for a value that cannot be; PBY_NO, and nothing drawn, for a
 * new value when the memo holds as many as the spec allows, and for one that was reported as often as it
 * allows. */
PBY_CHECKED
pby_status pby_memo_report(char **out, pby_memo *memo, const char *value, size_t length, pby_error *err)
    PBY_NONNULL(1, 2, 3);

/* Reports on the values of a file, one a line; path NULL or "-" is standard input. `told` gets each report,
 * which is on the disk, and ends the work with a status that is not PBY_OK. A line that is no value is
 * refused before anything is drawn; PBY_NO at a value as pby_memo_report says, behind the reports on those
 * before it. A refusal names the line, and not what stands in it. */
typedef pby_status pby_memo_told(void *what, const char *report, pby_error *err);
PBY_CHECKED
pby_status pby_memo_report_lines(pby_memo *memo, const char *path, pby_memo_told *told, void *what,
                                 pby_error *err) PBY_NONNULL(1, 3);

/* Reports for users who report once and keep no memo: each line is the value of another, in a cohort of its
 * own. The spec is one use of rappor with reports=1 and values=1. The ledger (NULL: none) is charged once
 * everything is checked, and nothing is drawn when it cannot afford it. With a seed of PBY_SEED_SIZE bytes
 * (NULL: none) the reports are a simulation, and protect nobody. */
PBY_CHECKED
pby_status pby_memo_report_once(const pby_spec *spec, const char *path, pby_ledger *ledger,
                                const uint8_t *seed, pby_memo_told *told, void *what, pby_error *err)
    PBY_NONNULL(1, 5);

/* Its cohort, from 0, and how many values it may still take. */
PBY_CHECKED
uint64_t pby_memo_cohort(const pby_memo *memo) PBY_NONNULL(1);
PBY_CHECKED
pby_status pby_memo_left(uint64_t *out, pby_memo *memo, pby_error *err) PBY_NONNULL(1, 2);

PBY_END_API

#endif
