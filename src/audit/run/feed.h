/* Outputs for an audit, line by line: out of files, out of a command that prints them, or out of releases. */
#ifndef PBY_AUDIT_RUN_FEED_H
#define PBY_AUDIT_RUN_FEED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "audit/run/npy.h"
#include "audit/run/releases.h"
#include "base/observer.h"
#include "io/child.h"
#include "io/digest.h"
#include "io/spool.h"
#include "probity/audit.h"

typedef struct pby_feed {
    const char *name; /* what refusals call it */
    FILE *file;
    pby_child child; /* the command that prints what is read, if there is one */
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
} pby_feed;

/* Opens a file, or standard input for "-". A name that ends in .npy is a NumPy file, each row an output; one
 * of Arrow (audit/run/arrow.h) is read by Python. */
PBY_CHECKED
pby_status pby_feed_open(pby_feed *lines, const char *path, pby_error *err);

/* Starts CMD through /bin/sh with {input} and {n} replaced; the input is quoted for the shell. */
PBY_CHECKED
pby_status pby_feed_run(pby_feed *lines, const char *command, const char *input, uint64_t n, pby_error *err);

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

/* What is read from now on has a digest, and a copy in a file unless `keep` is NULL. The copy appears when
 * the feed is closed without a failure. */
PBY_CHECKED
pby_status pby_feed_copy(pby_feed *lines, bool digested, const char *keep, pby_error *err);

/* How many outputs of a command that has ended were asked for and did not come. */
uint64_t pby_feed_missing(const pby_feed *lines);

/* Called after every two outputs, one of each side, at most; *stop ends the counting. */
typedef pby_status pby_watch(bool *stop, pby_audit *audit, void *what, pby_error *err);

/* Counts one line of each side in turn until both have ended or the watch, which may be NULL, stops it. The
 * observer hears of outputs, or of bytes where files are read. */
PBY_CHECKED
pby_status pby_feed_count(pby_audit *audit, pby_feed lines[2], pby_watch *watch, void *what,
                          const pby_observer *observer, bool *stopped, pby_error *err);

#endif
