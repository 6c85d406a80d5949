#include "audit/run/feed.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "audit/run/arrow.h"
#include "base/status.h"
#include "io/file.h"

enum { PROGRESS_EVERY = 4096, LINE_FIRST = 128, LINE_MAX_SIZE = 1 << 24 };

static pby_status read_by_python(pby_feed *lines, const char *path, pby_error *err)
{
    char *command = pby_arrow_command(path);
    fclose(lines->file);
    *lines = (pby_feed){.name = path, .arrow = true};
    if (command == NULL)
        return pby_no_memory(err);
    const pby_status status = pby_child_start(&lines->child, command, err);
    lines->file = lines->child.out;
    free(command);
    return status;
}

pby_status pby_feed_open(pby_feed *lines, const char *path, pby_error *err)
{
    struct stat about;
    *lines = (pby_feed){.name = path, .file = pby_path_named(path) == NULL ? stdin : fopen(path, "r")};
    if (lines->file == NULL)
        return pby_fail(err, PBY_BAD, "%s: expected a file of outputs, but it cannot be opened: %s", path,
                        strerror(errno));
    if (fstat(fileno(lines->file), &about) != 0)
        return pby_fail(err, PBY_FAILED, "%s: %s", path, strerror(errno));
    if (S_ISDIR(about.st_mode))
        return pby_fail(err, PBY_BAD, "%s: expected a file of outputs, not a folder", path);
    if (S_ISREG(about.st_mode))
        lines->total = (uint64_t)about.st_size;
    if (pby_arrow_named(path))
        return read_by_python(lines, path, err);
    const size_t length = strlen(path);
    lines->numpy = length > 4 && strcmp(path + length - 4, ".npy") == 0;
    return PBY_OK;
}

static char *fill_in(const char *command, const char *input, uint64_t n)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    while (out != NULL && *command != '\0') {
        if (strncmp(command, "{input}", 7) == 0) {
            pby_shell_quote(out, input);
            command += 7;
        } else if (strncmp(command, "{n}", 3) == 0) {
            fprintf(out, "%" PRIu64, n);
            command += 3;
        } else {
            fputc(*command++, out);
        }
    }
    if (out != NULL && fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

pby_status pby_feed_run(pby_feed *lines, const char *command, const char *input, uint64_t n, pby_error *err)
{
    *lines = (pby_feed){.name = input, .total = n};
    char *text = fill_in(command, input, n);
    if (text == NULL)
        return pby_no_memory(err);
    const pby_status status = pby_child_start(&lines->child, text, err);
    lines->file = lines->child.out;
    free(text);
    return status;
}

pby_status pby_feed_release(pby_feed *lines, const char *spec, const char *queries, pby_neighbours neighbours,
                            const char *input, uint64_t n, pby_error *err)
{
    *lines = (pby_feed){.name = input, .total = n};
    return pby_releases_open(&lines->releases, spec, queries, neighbours, input, err);
}

/* All that was asked for has come: the command ends now, or it is ended. */
static void cut_off(pby_feed *lines)
{
    lines->cut = getc(lines->file) != EOF;
    if (!lines->cut)
        return;
    pby_child_stop(&lines->child);
    lines->file = NULL;
}

pby_status pby_feed_copy(pby_feed *lines, bool digested, const char *keep, pby_error *err)
{
    lines->digested = digested;
    pby_digesting_begin(&lines->digest);
    return keep == NULL ? PBY_OK : pby_spool_open(&lines->kept, keep, err);
}

static pby_status copy(pby_feed *lines, const char *bytes, size_t size, pby_error *err)
{
    if (lines->digested)
        pby_digesting_add(&lines->digest, bytes, size);
    return lines->kept == NULL ? PBY_OK : pby_spool_write(lines->kept, bytes, size, err);
}

static pby_status next_release(pby_feed *lines, const char **text, size_t *length, pby_error *err)
{
    if (lines->done == lines->total)
        return PBY_OK;
    lines->done++;
    pby_status status = pby_releases_next(lines->releases, text, length, err);
    if (status == PBY_OK)
        status = copy(lines, *text, *length, err);
    return status == PBY_OK ? copy(lines, "\n", 1, err) : status;
}

/* Reads on to the end of a line or of the file; *size is 0 at the end of the file alone. */
static pby_status read_line(pby_feed *lines, size_t *size, pby_error *err)
{
    int c = 0;
    *size = 0;
    while (c != '\n' && (c = getc_unlocked(lines->file)) != EOF) {
        if (*size == LINE_MAX_SIZE)
            return pby_fail(err, PBY_BAD, "%s: expected outputs of at most %d bytes, one a line", lines->name,
                            LINE_MAX_SIZE);
        if (*size == lines->room) {
            const size_t room = lines->room == 0 ? LINE_FIRST : 2 * lines->room;
            char *more = realloc(lines->line, room);
            if (more == NULL)
                return pby_no_memory(err);
            lines->line = more;
            lines->room = room;
        }
        lines->line[(*size)++] = (char)c;
    }
    return ferror(lines->file)
               ? pby_fail(err, PBY_FAILED, "%s: cannot be read: %s", lines->name, strerror(errno))
               : PBY_OK;
}

/* ---- NumPy ------------------------------------------------------------------------------------ */

static pby_status read_bytes(pby_feed *lines, void *bytes, size_t size, pby_error *err)
{
    if (fread(bytes, 1, size, lines->file) != size)
        return ferror(lines->file)
                   ? pby_fail(err, PBY_FAILED, "%s: cannot be read: %s", lines->name, strerror(errno))
                   : pby_fail(err, PBY_BAD, "%s: expected a whole NumPy file, but it ends early",
                              lines->name);
    lines->done += size;
    return copy(lines, bytes, size, err);
}

static pby_status make_room(pby_feed *lines, size_t size, pby_error *err)
{
    if (size <= lines->room)
        return PBY_OK;
    char *more = realloc(lines->line, size);
    if (more == NULL)
        return pby_no_memory(err);
    lines->line = more;
    lines->room = size;
    return PBY_OK;
}

static pby_status begin_numpy(pby_feed *lines, pby_error *err)
{
    uint8_t prefix[PBY_NPY_PREFIX];
    size_t length = 0;
    pby_status status = read_bytes(lines, prefix, sizeof prefix, err);
    if (status == PBY_OK)
        status = pby_npy_prefix(&length, prefix, lines->name, err);
    if (status == PBY_OK)
        status = make_room(lines, length + 1, err);
    if (status == PBY_OK)
        status = read_bytes(lines, lines->line, length, err);
    if (status != PBY_OK)
        return status;
    lines->line[length] = '\0';
    lines->begun = true;
    return pby_npy_header(&lines->npy, lines->line, lines->name, err);
}

static pby_status next_row(pby_feed *lines, const char **text, size_t *length, pby_error *err)
{
    const pby_npy *npy = &lines->npy;
    pby_status status = lines->begun ? PBY_OK : begin_numpy(lines, err);
    if (status == PBY_OK && lines->row == npy->rows && getc(lines->file) != EOF)
        return pby_fail(err, PBY_BAD, "%s: expected one array in a NumPy file, but more follows it",
                        lines->name);
    if (status != PBY_OK || lines->row == npy->rows)
        return status;
    status = make_room(lines, npy->columns * (PBY_NPY_TEXT + 1), err);
    size_t at = 0;
    for (uint64_t i = 0; i < npy->columns && status == PBY_OK; i++) {
        uint8_t number[8];
        status = read_bytes(lines, number, npy->size, err);
        if (i > 0)
            lines->line[at++] = ',';
        if (status == PBY_OK)
            at += (size_t)pby_npy_text(lines->line + at, npy, number);
    }
    lines->row++;
    *text = lines->line;
    *length = at;
    return status;
}

/* ---- any -------------------------------------------------------------------------------------- */

pby_status pby_feed_next(pby_feed *lines, const char **text, size_t *length, pby_error *err)
{
    *text = NULL;
    *length = 0;
    if (lines->releases != NULL)
        return next_release(lines, text, length, err);
    if (lines->numpy)
        return next_row(lines, text, length, err);
    if (lines->file == NULL || feof(lines->file))
        return PBY_OK;
    if (lines->child.out != NULL && !lines->arrow && lines->done == lines->total) {
        cut_off(lines);
        return PBY_OK;
    }
    size_t size;
    const pby_status status = read_line(lines, &size, err);
    if (status != PBY_OK || size == 0)
        return status;
    if (memchr(lines->line, '\0', size) != NULL)
        return pby_fail(err, PBY_BAD, "%s: expected text, an output a line, but it has a zero byte",
                        lines->name);
    *length = size - (lines->line[size - 1] == '\n');
    *text = lines->line;
    lines->done += lines->child.out != NULL ? 1 : (uint64_t)size;
    return copy(lines, lines->line, size, err);
}

pby_status pby_feed_close(pby_feed *lines, bool early, bool failed, pby_error *err)
{
    int status = 0;
    if (lines->child.out != NULL && (early || failed))
        pby_child_stop(&lines->child);
    else if (lines->child.out != NULL)
        status = pby_child_end(&lines->child);
    else if (lines->file != NULL && lines->file != stdin)
        fclose(lines->file);
    free(lines->line);
    pby_releases_close(lines->releases);
    pby_spool *kept = lines->kept;
    const bool arrow = lines->arrow;
    *lines = (pby_feed){.name = lines->name};
    if (status == 0 && kept != NULL && !failed)
        return pby_spool_commit(kept, err);
    pby_spool_abort(kept);
    if (status == 0)
        return PBY_OK;
    if (arrow)
        return pby_fail(err, PBY_BAD,
                        "%s: expected an Arrow or Parquet file, and python3 with pyarrow to read it",
                        lines->name);
    return pby_fail(err, PBY_BAD, "command: expected it to succeed on %s, but it ended with status %d",
                    lines->name, WIFEXITED(status) ? WEXITSTATUS(status) : status);
}

uint64_t pby_feed_missing(const pby_feed *lines)
{
    return lines->child.out != NULL && !lines->arrow && feof(lines->file) ? lines->total - lines->done : 0;
}

static pby_status count_one(pby_audit *audit, pby_feed *lines, pby_side side, bool *ended, pby_error *err)
{
    const char *text;
    size_t length;
    pby_status status = pby_feed_next(lines, &text, &length, err);
    if (status == PBY_OK && text != NULL)
        return pby_audit_add(audit, side, text, length, err);
    *ended = true;
    return status;
}

pby_status pby_feed_count(pby_audit *audit, pby_feed lines[2], pby_watch *watch, void *what,
                          const pby_observer *observer, bool *stopped, pby_error *err)
{
    bool ended[2] = {false, false};
    pby_status status = PBY_OK;
    const bool known = lines[0].total > 0 && lines[1].total > 0;
    *stopped = false;
    for (uint64_t i = 1; status == PBY_OK && !*stopped && !(ended[0] && ended[1]); i++) {
        for (int side = 0; side < 2 && status == PBY_OK; side++)
            if (!ended[side])
                status = count_one(audit, &lines[side], side == 0 ? PBY_LEFT : PBY_RIGHT, &ended[side], err);
        if (status == PBY_OK && watch != NULL)
            status = watch(stopped, audit, what, err);
        if (known && i % PROGRESS_EVERY == 0)
            pby_observe(observer, lines[0].done + lines[1].done, lines[0].total + lines[1].total);
    }
    return status;
}
