/* SPDX-License-Identifier: MIT */
/* Whatever the bytes are: they are refused on one line that names a place, or they are a histogram. Then its
 * rows come out again with their own counts, and that output, read again, is its own output: the reader and
 * the writer agree on what a row is. What is written differs from the input by leading zeros and the second
 * name of a header at the most, so it is not much longer. Chunks of one row and of many give the same bytes.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file.h"
#include "table/csv/csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

typedef struct output {
    uint8_t *bytes;
    size_t size;
} output;

static void must(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

/* The spool writes to standard output, which is lent a nameless file for the time. */
static output read_back(int fd)
{
    const off_t size = lseek(fd, 0, SEEK_END);
    output out = {malloc((size_t)size + 1), (size_t)size};
    must(out.bytes != NULL && pread(fd, out.bytes, out.size, 0) == size, "read back");
    close(fd);
    return out;
}

static void copy_rows(pby_csv *csv, pby_spool *spool, size_t max, uint64_t rows)
{
    int64_t counts[64];
    uint64_t seen = 0;
    for (size_t n;; seen += n) {
        must(pby_csv_next_chunk(csv, counts, max, &n, NULL) == PBY_OK, "a scanned input can be read");
        if (n == 0)
            break;
        must(n <= max, "a chunk is no longer than asked");
        for (size_t i = 0; i < n; i++)
            must(counts[i] >= 0, "no count is negative");
        must(pby_csv_write_chunk(csv, spool, counts, n, NULL) == PBY_OK, "a chunk can be written");
    }
    must(seen == rows, "as many rows as were scanned");
}

/* In blocks of so many bytes by two threads, unless that is 0. */
static output release(const uint8_t *bytes, size_t size, size_t max, size_t block, pby_status *status)
{
    pby_error err = PBY_NO_ERROR;
    pby_csv *csv;
    pby_spool *spool;
    uint64_t rows = 0;
    output out = {NULL, 0};
    must(pby_csv_open_memory(&csv, "input", bytes, size, &err) == PBY_OK, "memory opens");
    pby_csv_split_by(csv, block == 0 ? 0 : 2, block, 1);
    *status = pby_csv_scan(csv, &rows, &err);
    if (*status == PBY_OK) {
        int fd;
        must(rows > 0, "a histogram has a row");
        must(pby_file_nameless(&fd, NULL) == PBY_OK, "a nameless file");
        must(dup2(fd, STDOUT_FILENO) >= 0, "standard output");
        must(pby_spool_open(&spool, NULL, NULL) == PBY_OK, "a spool");
        copy_rows(csv, spool, max, rows);
        must(pby_spool_commit(spool, NULL) == PBY_OK, "a commit");
        out = read_back(fd);
    } else {
        must(*status == PBY_BAD, "bytes are refused, they do not break the machine");
        must(strstr(err.text, ": expected ") != NULL && strchr(err.text, '\n') == NULL, "one line");
    }
    pby_csv_free(csv);
    return out;
}

static void must_equal(output a, output b, const char *what)
{
    must(a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0, what);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    pby_status status;
    const output first = release(bytes, size, 64, 0, &status);
    pby_status split;
    const output in_blocks = release(bytes, size, 64, 7, &split);
    must(split == status, "blocks do not decide what is refused");
    if (status != PBY_OK)
        return 0;
    must_equal(first, in_blocks, "blocks do not matter");
    must(first.size < size + strlen("count"), "the output is longer than the input by a name at most");
    const output by_one = release(bytes, size, 1, 0, &status);
    must_equal(first, by_one, "chunks do not matter");
    const output again = release(first.bytes, first.size, 64, 0, &status);
    must(status == PBY_OK, "the output is a histogram");
    must_equal(first, again, "the output of the output is itself");
    free(first.bytes);
    free(by_one.bytes);
    free(in_blocks.bytes);
    free(again.bytes);
    return 0;
}
