/* SPDX-License-Identifier: MIT */
/* Sessions: questions asked one after the other, each perhaps because of the answers before it.
 *
 * A session is K uses of above threshold (docs/theory/above.md). Asked is whether the true answer of a query
 * reaches a public threshold; the session says so of K answers, and of any number that do not. With K uses of
 * geometric noise beside them it also gives the noisy answer each time, from fresh noise. Then it halts.
 *
 * Or it is K uses of the sparse vector (docs/theory/sparse.md), each of which gives several positive answers
 * and may end with a number of questions: positive answers that a use has not given by then are lost.
 *
 *     pby_session *session;
 *     pby_session_create("s.json", spec, 1000, ledger, err)      charged for the whole session, at once
 *     pby_session_open(&session, "s.json", err)                  one process at a time
 *     pby_session_ask(session, answers, n, replies, &taken, err)
 *     pby_session_close(session)
 *
 * The noise of the threshold is drawn once for each use and kept in the session's file, which nobody else may
 * read. What was answered is in the file, and on the disk, before pby_session_ask returns: a process that is
 * killed loses at most an answer that nobody has seen. A copy of the file that is brought back would answer
 * with the same noise again, and is as bad as a second use that nobody paid for.
 *
 * A pby_session is used by one thread at a time, and only by the process that opened it: a child that
 * inherits one by fork(2) is refused. The file has one name, which it keeps: hard links and copies of another
 * name are refused, symbolic links are followed. Owner and mode stay as they are, whoever asks. Before each
 * answer the file is compared with what this process wrote last.
 */
#ifndef PROBITY_EXPERIMENTAL_SESSION_H
#define PROBITY_EXPERIMENTAL_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/ledger.h"
#include "probity/spec.h"
#include "probity/status.h"

PBY_BEGIN_API

typedef struct pby_session pby_session;

/* The threshold and every true answer are from -PBY_SESSION_ANSWER_MAX to PBY_SESSION_ANSWER_MAX. */
#define PBY_SESSION_ANSWER_MAX ((int64_t)1 << 61)

/* A new session: K*above, or K*above and K*geometric; or K*sparse, with a geometric for each of its tops.
 * Refused when the file exists. The file is made, then the ledger (NULL: none) is charged, then the session
 * can be asked: a crash in between costs budget, never privacy. PBY_NO, and no file, when the ledger cannot
 * afford it. */
PBY_CHECKED
pby_status pby_session_create(const char *path, const pby_spec *spec, int64_t threshold, pby_ledger *ledger,
                              pby_error *err) PBY_NONNULL(1, 2);

/* PBY_BAD for a file that is no session, is damaged or has several names; PBY_FAILED while another process
 * has it open. A draft that a killed process left beside the file is removed. */
PBY_CHECKED
pby_status pby_session_open(pby_session **out, const char *path, pby_error *err) PBY_NONNULL(1, 2);
void pby_session_close(pby_session *session);

typedef struct pby_reply {
    bool above;
    bool has_value; /* of an answer that reaches the threshold, where the session gives values */
    int64_t value;
} pby_reply;

/* Answers up to the first of n true answers that reaches the threshold, *taken of them, and brings what it
 * says to the disk. PBY_NO, and nothing answered, when the session has halted. PBY_BAD, and nothing answered,
 * when some answer is out of range. */
PBY_CHECKED
pby_status pby_session_ask(pby_session *session, const int64_t *answers, size_t n, pby_reply *replies,
                           size_t *taken, pby_error *err) PBY_NONNULL(1, 2, 4, 5);

/* Asks true answers from a descriptor, a whole number a line, until its end. Whatever has arrived is answered
 * before more is waited for; `told` gets the replies to the questions from number `first` on, which are on
 * the disk, and ends the session's work with a status that is not PBY_OK. A refusal says `name` and the
 * number of the line, and not what stands in it; the lines before it are answered. */
typedef pby_status pby_session_told(void *what, uint64_t first, const pby_reply *replies, size_t count,
                                    pby_error *err);
PBY_CHECKED
pby_status pby_session_ask_lines(pby_session *session, int fd, const char *name, pby_session_told *told,
                                 void *what, pby_error *err) PBY_NONNULL(1, 3, 4);

/* The digest of what is on the disk, 64 hexadecimal digits; it is new each time that something is answered.
 * It covers the digest before it and fresh random bytes, so that it tells nothing of the noise. "" of a
 * session of an earlier version that has answered nothing since. */
PBY_CHECKED
const char *pby_session_digest(const pby_session *session) PBY_NONNULL(1);

/* Takes the session for one that had this digest before: PBY_BAD unless it is among the last
 * PBY_SESSION_DIGESTS. An older copy that was put back, and a session that went on from such a copy, lack it.
 */
enum { PBY_SESSION_DIGESTS = 256 };
PBY_CHECKED
pby_status pby_session_after(const pby_session *session, const char *digest, pby_error *err)
    PBY_NONNULL(1, 2);

/* Ends the session: nothing is answered any more, and the noise of its threshold is gone. */
PBY_CHECKED
pby_status pby_session_end(pby_session *session, pby_error *err) PBY_NONNULL(1);

/* Returns the canonical spec of a session. */
PBY_CHECKED
const char *pby_session_spec(const pby_session *session) PBY_NONNULL(1);
PBY_CHECKED
int64_t pby_session_threshold(const pby_session *session) PBY_NONNULL(1);
/* Returns the number of positive answers that are left; 0 when it has halted or was ended. */
PBY_CHECKED
uint64_t pby_session_left(const pby_session *session) PBY_NONNULL(1);
/* Returns the number of questions that were answered. */
PBY_CHECKED
uint64_t pby_session_asked(const pby_session *session) PBY_NONNULL(1);
/* The number of positive answers; and the i-th of these, from 0: the number of its question, from 1, and the
 * reply. */
PBY_CHECKED
size_t pby_session_tops(const pby_session *session) PBY_NONNULL(1);
PBY_CHECKED
uint64_t pby_session_top(pby_reply *reply, const pby_session *session, size_t i) PBY_NONNULL(1, 2);

PBY_END_API

#endif
