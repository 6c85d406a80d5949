/* SPDX-License-Identifier: MIT */
#include "audit/run/feed.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "audit/count/tally.h"
#include "audit/run/arrow.h"
#include "audit/run/input_command.h"
#include "base/status.h"
#include "io/file.h"
#include "table/row/csv_row.h"

enum { PROGRESS_EVERY = 4096, LINE_FIRST = 128, LINE_MAX_SIZE = 1 << 24 };

static pby_status read_by_python(pby_feed *lines, const char *path, const char *columns, pby_error *err)
{
    char *command = pby_arrow_command(path, columns);
    fclose(lines->file);
    *lines = (pby_feed){.name = path, .arrow = true};
    if (command == NULL)
        return pby_no_memory(err);
    const pby_status status = pby_child_start(&lines->child, command, PBY_CHILD_PATIENCE, err);
    lines->file = lines->child.out;
    free(command);
    return status;
}

pby_status pby_feed_open(pby_feed *lines, const char *path, pby_error *err)
{
    return pby_feed_open_columns(lines, path, NULL, err);
}

pby_status pby_feed_open_columns(pby_feed *lines, const char *path, const char *columns, pby_error *err)
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
        return read_by_python(lines, path, columns, err);
    const size_t length = strlen(path);
    lines->numpy = length > 4 && strcmp(path + length - 4, ".npy") == 0;
    return PBY_OK;
}

static pby_status run_command(pby_feed *lines, const char *command, unsigned patience, const char *input,
                              uint64_t n, pby_error *err)
{
    char *text = pby_input_command(command, input, n);
    if (text == NULL)
        return pby_no_memory(err);
    const pby_status status = pby_child_start_with(&lines->child, text,
                                                   patience == 0 ? PBY_CHILD_PATIENCE : patience,
                                                   lines->hushed ? lines->errors : -1, err);
    lines->file = lines->child.out;
    free(text);
    return status;
}

pby_status pby_feed_run(pby_feed *lines, const char *command, unsigned patience, const char *input,
                        uint64_t n, pby_error *err)
{
    *lines = (pby_feed){.name = input, .total = n};
    return run_command(lines, command, patience, input, n, err);
}

pby_status pby_feed_run_hushed(pby_feed *lines, const char *command, unsigned patience, const char *input,
                               uint64_t n, pby_error *err)
{
    *lines = (pby_feed){.name = input, .total = n};
    const pby_status status = pby_file_nameless(&lines->errors, err);
    lines->hushed = status == PBY_OK;
    return status == PBY_OK ? run_command(lines, command, patience, input, n, err) : status;
}

/* Copies to our standard error what a command has printed on its own so far. */
static void print_errors(int errors)
{
    char text[4096];
    ssize_t got;
    if (lseek(errors, 0, SEEK_SET) != 0)
        return;
    while ((got = read(errors, text, sizeof text)) > 0)
        fwrite(text, 1, (size_t)got, stderr);
}

pby_status pby_feed_release(pby_feed *lines, const char *spec, const char *queries, pby_neighbours neighbours,
                            const char *input, uint64_t n, pby_error *err)
{
    *lines = (pby_feed){.name = input, .total = n};
    return pby_releases_open(&lines->releases, spec, queries, neighbours, input, err);
}

static int next_byte(pby_feed *lines)
{
    return lines->child.out != NULL ? pby_child_byte(&lines->child) : getc_unlocked(lines->file);
}

/* All that was asked for has come: the command ends now, or it is ended. */
static void cut_off(pby_feed *lines)
{
    lines->cut = next_byte(lines) != EOF;
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
    while (c != '\n' && (c = next_byte(lines)) != EOF) {
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
    if (lines->child.silent)
        return pby_input_command_silent(lines->name, lines->child.patience, err);
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

/* The next line as it stands. */
static pby_status next_line(pby_feed *lines, const char **text, size_t *length, pby_error *err)
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

/* The columns of a line that are judged. */
static pby_status choose_columns(pby_feed *lines, const char **text, size_t *length, pby_error *err)
{
    const size_t size = *length - (*length > 0 && (*text)[*length - 1] == '\r');
    if (size + 1 > lines->chosen_room) {
        char *more = realloc(lines->chosen, size + 1);
        if (more == NULL)
            return pby_no_memory(err);
        lines->chosen = more;
        lines->chosen_room = size + 1;
    }
    if (!pby_heading_choose(lines->chosen, length, &lines->heading, *text, size))
        return pby_fail_by(err, PBY_BAD, PBY_REASON_INPUT,
                           "%s, line %" PRIu64 ": expected %zu columns, as the first line names", lines->name,
                           lines->number, lines->heading.width);
    *text = lines->chosen;
    return PBY_OK;
}

pby_status pby_feed_next(pby_feed *lines, const char **text, size_t *length, pby_error *err)
{
    pby_status status = PBY_OK;
    if (lines->ahead_at < lines->ahead_count) {
        *text = lines->ahead[lines->ahead_at];
        *length = lines->ahead_size[lines->ahead_at++];
    } else
        status = next_line(lines, text, length, err);
    lines->number += status == PBY_OK && *text != NULL;
    return status == PBY_OK && *text != NULL && lines->heading.chosen > 0
               ? choose_columns(lines, text, length, err)
               : status;
}

/* ---- the header ------------------------------------------------------------------------------- */

/* Returns true if a header may be looked for. Nothing is read ahead of a command that is asked for one
 * output: the second line would not be its own. */
static bool may_have_header(const pby_feed *lines)
{
    return lines->releases == NULL && !lines->numpy && !lines->arrow &&
           !(lines->child.out != NULL && lines->total < 2);
}

static pby_status read_ahead(pby_feed *lines, pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t i = 0; i < 2 && status == PBY_OK; i++) {
        const char *text;
        size_t length;
        status = next_line(lines, &text, &length, err);
        if (status != PBY_OK || text == NULL)
            break;
        const size_t mark = i == 0 ? pby_csv_row_mark((const uint8_t *)text, (const uint8_t *)text + length)
                                   : 0;
        if ((lines->ahead[i] = malloc(length + 1)) == NULL)
            return pby_no_memory(err);
        lines->ahead_size[i] = length - mark;
        memcpy(lines->ahead[i], text + mark, length - mark);
        lines->ahead_count++;
    }
    return status;
}

/* Without a carriage return behind it. */
static size_t first_size(const pby_feed *lines)
{
    const size_t length = lines->ahead_size[0];
    return length - (length > 0 && lines->ahead[0][length - 1] == '\r');
}

static bool is_header(const pby_feed *lines, int feeds)
{
    const char *const first = lines[0].ahead[0];
    const size_t length = first_size(&lines[0]), width = pby_heading_fields(first, length);
    if (!pby_heading_names(first, length))
        return false;
    for (int i = 0; i < feeds; i++)
        if (lines[i].ahead_count < 2 || first_size(&lines[i]) != length ||
            memcmp(first, lines[i].ahead[0], length) != 0 ||
            !pby_heading_numbers(lines[i].ahead[1], lines[i].ahead_size[1], width))
            return false;
    return true;
}

/* The header is no output of a command. */
static pby_status take_header(pby_feed *lines, const char *columns, pby_error *err)
{
    const size_t length = first_size(lines);
    if (!pby_heading_names(lines->ahead[0], length))
        return pby_fail(err, PBY_BAD,
                        "columns: expected %s to name its columns in the first line, such as run,answer",
                        lines->name);
    lines->ahead_at = lines->number = 1;
    lines->done -= lines->child.out != NULL;
    lines->shows = columns == NULL;
    return pby_heading_read(&lines->heading, lines->ahead[0], length, columns, err);
}

/* Refuses columns of feeds that have no names; *text says whether all of them are text. */
static pby_status check_feeds(bool *text, const pby_feed *lines, int feeds, const char *columns,
                              pby_error *err)
{
    *text = true;
    for (int i = 0; i < feeds; i++) {
        if (!may_have_header(&lines[i]) && !lines[i].arrow && columns != NULL)
            return pby_refuse(err, "columns", columns, "outputs in CSV or Parquet, whose columns have names");
        *text = *text && may_have_header(&lines[i]);
    }
    return PBY_OK;
}

pby_status pby_feed_head(pby_feed *lines, int feeds, const char *columns, pby_error *err)
{
    bool text;
    pby_status status = check_feeds(&text, lines, feeds, columns, err);
    if (status != PBY_OK || !text)
        return status;
    for (int i = 0; i < feeds && status == PBY_OK; i++)
        status = read_ahead(&lines[i], err);
    for (int i = 0; i < feeds && status == PBY_OK; i++)
        if (lines[i].ahead_count == 0)
            return PBY_OK;
    if (status != PBY_OK || (columns == NULL && !is_header(lines, feeds)))
        return status;
    for (int i = 0; i < feeds && status == PBY_OK; i++)
        status = take_header(&lines[i], columns, err);
    return status;
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
    if (lines->hushed && !failed)
        print_errors(lines->errors);
    if (lines->hushed)
        close(lines->errors);
    free(lines->line);
    free(lines->chosen);
    free(lines->ahead[0]);
    free(lines->ahead[1]);
    pby_heading_clear(&lines->heading);
    pby_releases_close(lines->releases);
    pby_spool *kept = lines->kept;
    const bool arrow = lines->arrow, silent = lines->child.silent;
    const unsigned patience = lines->child.patience;
    *lines = (pby_feed){.name = lines->name};
    if (status == 0 && kept != NULL && !failed)
        return pby_spool_commit(kept, err);
    pby_spool_abort(kept);
    if (status == 0)
        return PBY_OK;
    if (silent)
        return pby_input_command_silent(lines->name, patience, err);
    if (arrow && WIFEXITED(status) && WEXITSTATUS(status) == PBY_ARROW_TOO_LARGE)
        return pby_fail_by(
            err, PBY_FAILED, PBY_REASON_IO,
            "%s: decompressed it takes more than 1 GiB, and more than a thousand times its size",
            lines->name);
    if (arrow)
        return pby_fail(err, PBY_BAD,
                        "%s: expected an Arrow or Parquet file, and python3 with pyarrow to read it",
                        lines->name);
    return pby_input_command_failed(lines->name, status, err);
}

uint64_t pby_feed_missing(const pby_feed *lines)
{
    return lines->child.out != NULL && !lines->arrow && feof(lines->file) ? lines->total - lines->done : 0;
}

/* ---- counting --------------------------------------------------------------------------------- */

/* One line of a side; *text is NULL at its end. */
static pby_status count_one(const char **text, size_t *length, pby_audit *audit, pby_feed *lines,
                            pby_side side, pby_error *err)
{
    const pby_status status = pby_feed_next(lines, text, length, err);
    const bool shows = lines->shows;
    lines->shows = false;
    if (status != PBY_OK || *text == NULL)
        return status;
    return shows ? pby_audit_add_chooser(audit, side, *text, *length, err)
                 : pby_audit_add(audit, side, *text, *length, err);
}

static void compare(pby_compared *c, const char *const text[2], const size_t length[2])
{
    for (int side = 0; side < 2 && c->columns != NULL; side++)
        if (text[side] != NULL)
            pby_unrepeated_add(c->columns, side, text[side], length[side]);
    if (text[0] == NULL && text[1] == NULL)
        return;
    c->apart = c->apart || text[0] == NULL || text[1] == NULL || length[0] != length[1] ||
               memcmp(text[0], text[1], length[0]) != 0;
    if (c->apart)
        return;
    const uint64_t hash = pby_audit_hash(text[0], length[0]);
    c->outputs++;
    for (int i = 0; i < 64; i++)
        c->bit[i] += hash >> i & 1;
}

bool pby_compared_same(const pby_compared *c)
{
    enum { CHANCE_BITS = 30 };
    const double n = (double)c->outputs;
    for (int i = 0; i < 64 && !c->apart; i++) {
        const double k = (double)c->bit[i];
        if (k > 0 && k < n && k * log2(n / k) + (n - k) * log2(n / (n - k)) > CHANCE_BITS)
            return true;
    }
    return false;
}

pby_status pby_feed_count(pby_audit *audit, pby_feed lines[2], pby_watch *watch, void *what,
                          pby_compared *compared, const pby_observer *observer, bool *stopped, pby_error *err)
{
    bool ended[2] = {false, false};
    pby_status status = PBY_OK;
    const bool known = lines[0].total > 0 && lines[1].total > 0;
    *stopped = false;
    for (uint64_t i = 1; status == PBY_OK && !*stopped && !(ended[0] && ended[1]); i++) {
        const char *text[2] = {NULL, NULL};
        size_t length[2] = {0, 0};
        for (int side = 0; side < 2 && status == PBY_OK; side++)
            if (!ended[side]) {
                status = count_one(&text[side], &length[side], audit, &lines[side],
                                   side == 0 ? PBY_LEFT : PBY_RIGHT, err);
                ended[side] = text[side] == NULL;
            }
        if (status == PBY_OK && compared != NULL)
            compare(compared, text, length);
        if (status == PBY_OK && watch != NULL)
            status = watch(stopped, audit, what, err);
        if (known && i % PROGRESS_EVERY == 0)
            pby_observe(observer, lines[0].done + lines[1].done, lines[0].total + lines[1].total);
    }
    return status;
}
