/* SPDX-License-Identifier: MIT */
/* Outputs for an audit, line by line: out of files, out of a command that prints them, or out of releases. */
#ifndef PBY_AUDIT_RUN_FEED_H
#define PBY_AUDIT_RUN_FEED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "audit/run/heading.h"
#include "audit/run/npy.h"
#include "audit/run/releases.h"
#include "audit/run/unrepeated.h"
#include "base/observer.h"
#include "io/child.h"
#include "io/digest.h"
#include "io/spool.h"
#include "probity/audit.h"

typedef struct pby_feed {
    const char *name; /* what refusals call it */
    FILE *file;
    pby_child child; /* the command that prints what is read, if there is one */
    bool hushed;     /* its standard error is kept in a file, */
    int errors;      /* which is this */
    bool cut;        /* it printed more than was asked for */
    pby_releases *releases;
    bool arrow;        /* the child is the reader of an Arrow file, and prints all it holds */
    bool numpy, begun; /* the file is one of NumPy, by its name; its header has been read: */
    pby_npy npy;
    uint64_t row;
    char *line;
    size_t room;
    uint64_t done, total; /* bytes of a file, else outputs; a total of 0 is not known */
    bool digested;        /* whether the digest of what was read is wanted */
    pby_digesting digest;
    pby_spool *kept; /* where a copy of it goes, or NULL */
    pby_heading heading;
    char *ahead[2]; /* lines that were read to see whether the first is a header, for free(3) */
    size_t ahead_size[2], ahead_at, ahead_count;
    bool shows;      /* the next output is the one that showed a header */
    uint64_t number; /* lines that were handed out, or passed over as a header */
    char *chosen;    /* room for the columns of a line that are judged */
    size_t chosen_room;
} pby_feed;

/* Opens a file, or standard input for "-". A name that ends in .npy is a NumPy file, each row an output; one
 * of Arrow (audit/run/arrow.h) is read by Python. */
PBY_CHECKED
pby_status pby_feed_open(pby_feed *lines, const char *path, pby_error *err);

/* Opens as pby_feed_open does, but reads of an Arrow file only the columns of these names, separated by
 * commas; NULL: all. */
PBY_CHECKED
pby_status pby_feed_open_columns(pby_feed *lines, const char *path, const char *columns, pby_error *err);

/* Passes over a mark of UTF-8, and over a header, if all of one or two feeds begin with the same; chooses
 * columns by its names, NULL for all. To be called once, before the first output. */
PBY_CHECKED
pby_status pby_feed_head(pby_feed *lines, int feeds, const char *columns, pby_error *err);

/* Starts CMD through /bin/sh with {input} and {n} replaced; the input is quoted for the shell. It fails when
 * nothing comes for `patience` seconds (0: PBY_CHILD_PATIENCE). */
PBY_CHECKED
pby_status pby_feed_run(pby_feed *lines, const char *command, unsigned patience, const char *input,
                        uint64_t n, pby_error *err);

/* Starts a command as pby_feed_run does, but shows its standard error only when the feed is closed without an
 * earlier failure: of two commands that fail alike one says why. */
PBY_CHECKED
pby_status pby_feed_run_hushed(pby_feed *lines, const char *command, unsigned patience, const char *input,
                               uint64_t n, pby_error *err);

/* Releases the data of a CSV file n times by a SPEC, with a table of queries or NULL, for neighbours of a
 * kind.
 */
PBY_CHECKED
pby_status pby_feed_release(pby_feed *lines, const char *spec, const char *queries, pby_neighbours neighbours,
                            const char *input, uint64_t n, pby_error *err);

/* The next line without its newline; *text is NULL at the end, and belongs to the lines. A command that has
 * printed what was asked for and goes on is cut off. */
PBY_CHECKED
pby_status pby_feed_next(pby_feed *lines, const char **text, size_t *length, pby_error *err);

/* Closes; a command that failed is refused. One that was cut off, or is stopped early, did not fail. What was
 * kept is let go where something else has failed. */
PBY_CHECKED
pby_status pby_feed_close(pby_feed *lines, bool early, bool failed, pby_error *err);

/* Digests all that is read from now on, and copies it to a file unless `keep` is NULL. The copy appears when
 * the feed is closed without a failure. */
PBY_CHECKED
pby_status pby_feed_copy(pby_feed *lines, bool digested, const char *keep, pby_error *err);

/* The number of outputs that a command which has ended was asked for and did not give. */
uint64_t pby_feed_missing(const pby_feed *lines);

/* Called after every two outputs, one of each side, at most; *stop ends the counting. */
typedef pby_status pby_watch(bool *stop, pby_audit *audit, void *what, pby_error *err);

/* The outputs of two sides, compared line by line. */
typedef struct pby_compared {
    bool apart;              /* some line differs */
    uint64_t outputs;        /* of a side, while none did, */
    uint64_t bit[64];        /* and those whose hash has this bit */
    pby_unrepeated *columns; /* NULL: not looked at */
} pby_compared;

/* True if both sides had the same outputs in the same order, and independent ones would with a chance below
 * 2^-30: whatever the law, n outputs of which k have some property in common are drawn again with a chance of
 * at most (k/n)^k ((n-k)/n)^(n-k). Constant outputs are thus no matter of suspicion. */
bool pby_compared_same(const pby_compared *compared);

/* Counts one line of each side in turn until both have ended or the watch, which may be NULL, stops it. The
 * observer hears of outputs, or of bytes where files are read. `compared` begins as zeros, but for its
 * columns; NULL: nothing is compared. */
PBY_CHECKED
pby_status pby_feed_count(pby_audit *audit, pby_feed lines[2], pby_watch *watch, void *what,
                          pby_compared *compared, const pby_observer *observer, bool *stopped,
                          pby_error *err);

#endif
