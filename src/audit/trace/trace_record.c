/* SPDX-License-Identifier: MIT */
/* Records the runs of a C program: the functions behind the macros of probity/record.h. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit/trace/trace_read.h"
#include "probity/record.h"

/* One run. Its lines are kept until it ends: a trace has whole runs. */
static struct {
    bool begun, on, registered; /* on: there is a trace to write, and nothing has failed */
    json_t *lines, *outputs;
    size_t noise; /* draws and choices so far */
    bool replaying;
    pby_trace_run tape;
    unsigned long number;
} record;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "probity: %s: %s; this run is not recorded\n", what, why);
    record.on = false;
}

/* ---- the beginning ----------------------------------------------------------------------------- */

/* Finds the recorded run of a number in a trace. */
static pby_status find_tape(const char *path, pby_error *err)
{
    pby_trace_reader *reader = NULL;
    bool got = true;
    PBY_TRY(pby_trace_open_file(&reader, path, err));
    pby_status status = PBY_OK;
    while (status == PBY_OK && got && !record.replaying) {
        status = pby_trace_next(&record.tape, &got, reader, err);
        if (status != PBY_OK || !got)
            break;
        if (record.tape.number == record.number && record.tape.replay_of[0] == '\0' && !record.tape.probe)
            record.replaying = true;
        else
            pby_trace_run_clear(&record.tape);
    }
    pby_trace_reader_free(reader);
    if (status == PBY_OK && !record.replaying)
        status = pby_fail_by(err, PBY_BAD, PBY_REASON_INPUT, "expected a recorded run of that number");
    return status;
}

static void begin(void)
{
    pby_error err = PBY_NO_ERROR;
    const char *number = getenv("PROBITY_RUN"), *replay = getenv("PROBITY_REPLAY");
    char *end = NULL;
    if (record.begun)
        return;
    record.begun = true;
    record.on = getenv("PROBITY_TRACE") != NULL;
    if (!record.on)
        return;
    if (!record.registered && atexit(pby_record_end) == 0)
        record.registered = true;
    record.lines = json_array();
    record.outputs = json_array();
    record.number = number == NULL ? 0 : strtoul(number, &end, 10);
    if (record.lines == NULL || record.outputs == NULL)
        fail("PROBITY_TRACE", "no memory");
    else if (number != NULL && (end == number || *end != '\0' || record.number >= PBY_TRACE_NUMBERS_MAX))
        fail("PROBITY_RUN", "expected a number from 0 on");
    else if (replay != NULL && find_tape(replay, &err) != PBY_OK)
        fail("PROBITY_REPLAY", err.text);
}

/* ---- events ------------------------------------------------------------------------------------ */

static json_t *number_text(double x)
{
    char text[64];
    if (isnan(x))
        return json_string("nan");
    if (isinf(x))
        return json_string(x > 0 ? "inf" : "-inf");
    snprintf(text, sizeof text, "%a", x);
    return json_string(text);
}

static void add_line(json_t *line)
{
    if (line == NULL || json_array_append_new(record.lines, line) != 0)
        fail("PROBITY_TRACE", "no memory, or a text that is not UTF-8");
}

static double double_of(const pby_trace_number *x)
{
    return x->kind == PBY_TRACE_NAN        ? NAN
           : x->kind == PBY_TRACE_INFINITE ? mpq_sgn(x->q) * HUGE_VAL
                                           : mpq_get_d(x->q);
}

/* The value of the sum of a draw on the tape; false where the tape has other noise there. */
static bool taped_sum(double *value, size_t noise, const char *law)
{
    if (!record.replaying || noise >= record.tape.noise_count ||
        strcmp(pby_trace_law_name[record.tape.noise[noise].law], law) != 0)
        return false;
    for (size_t i = 0; i < record.tape.sums_count; i++)
        if (record.tape.sums[i].noise == noise) {
            *value = double_of(&record.tape.sums[i].value);
            return true;
        }
    return false;
}

double pby_record_add(const char *law, double scale, double centre, double noise, const char *site)
{
    double value = centre + noise;
    begin();
    if (!record.on)
        return value;
    (void)taped_sum(&value, record.noise++, law);
    add_line(json_pack("{s:I,s:s,s:s,s:s,s:[o],s:[o],s:[o]}", "call",
                       (json_int_t)json_array_size(record.lines), "site", site, "name", "PBY_ADD", "law", law,
                       "scale", number_text(scale), "centre", number_text(centre), "value",
                       number_text(value)));
    return value;
}

size_t pby_record_choice(const double *p, size_t k, size_t drawn, const char *site)
{
    begin();
    if (!record.on)
        return drawn;
    const pby_trace_noise *taped =
        record.replaying && record.noise < record.tape.noise_count ? &record.tape.noise[record.noise] : NULL;
    record.noise++;
    if (taped != NULL && taped->law == PBY_TRACE_CHOICE && taped->labels_count == k)
        drawn = taped->chosen;
    json_t *chances = json_array(), *labels = json_array();
    for (size_t i = 0; i < k; i++) {
        char label[32];
        snprintf(label, sizeof label, "%zu", i);
        json_array_append_new(chances, number_text(p[i]));
        json_array_append_new(labels, json_string(label));
    }
    add_line(json_pack("{s:I,s:s,s:o,s:o,s:I}", "choice", (json_int_t)json_array_size(record.lines), "site",
                       site, "p", chances, "labels", labels, "value", (json_int_t)drawn));
    return drawn;
}

/* ---- the output -------------------------------------------------------------------------------- */

/* The event of the only sum that has this value; -1 where there is none, or several. */
static json_int_t only_sum(const json_t *value)
{
    json_int_t found = -1;
    json_t *line;
    size_t i;
    json_array_foreach(record.lines, i, line)
    {
        const json_t *values = json_object_get(line, "centre") == NULL ? NULL
                                                                       : json_object_get(line, "value");
        if (!json_equal(json_array_get(values, 0), value))
            continue;
        if (found >= 0)
            return -1;
        found = (json_int_t)i;
    }
    return found;
}

void pby_record_output(const char *path, double value)
{
    begin();
    if (!record.on)
        return;
    json_t *text = number_text(value);
    const json_int_t of = only_sum(text);
    json_t *coordinate = json_pack("{s:s,s:o}", "path", path, "value", text);
    if (coordinate != NULL && of >= 0) {
        json_object_set_new(coordinate, "of", json_integer(of));
        json_object_set_new(coordinate, "element", json_integer(0));
        json_object_set_new(coordinate, "a", json_string("1"));
        json_object_set_new(coordinate, "b", json_string("0"));
    }
    if (coordinate == NULL || json_array_append_new(record.outputs, coordinate) != 0)
        fail("PBY_OUTPUT", "no memory, or a path that is not UTF-8");
}

/* ---- the end ----------------------------------------------------------------------------------- */

/* The digest of the input, or of nothing. */
static bool digest_input(pby_digest *digest)
{
    const char *path = getenv("PROBITY_INPUT");
    if (path == NULL) {
        pby_digest_bytes(digest, "", 0);
        return true;
    }
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool read = fd >= 0 && pby_digest_file(digest, fd);
    if (fd >= 0)
        close(fd);
    return read;
}

static void print_line(FILE *out, json_t *line)
{
    if (line != NULL && json_dumpf(line, out, JSON_COMPACT) == 0)
        fputc('\n', out);
    else
        fail("PROBITY_TRACE", "no memory");
    json_decref(line);
}

static void print_run(FILE *out, const pby_digest *input)
{
    json_t *line;
    size_t i;
    print_line(out, json_pack("{s:I,s:s,s:i,s:s,s:s?}", "run", (json_int_t)record.number, "format",
                              "probity-trace", "version", 1, "input_sha256", input->sha256, "replay_of",
                              record.replaying ? record.tape.digest.sha256 : NULL));
    json_array_foreach(record.lines, i, line) print_line(out, json_incref(line));
    print_line(out, json_pack("{s:O,s:n}", "output", record.outputs, "error"));
}

/* Appends all bytes to the trace, which only its owner may read. */
static bool append(const char *path, const char *text, size_t size)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    const ssize_t written = write(fd, text, size);
    if (written >= 0 && (size_t)written != size)
        errno = ENOSPC;
    return close(fd) == 0 && written >= 0 && (size_t)written == size;
}

static void write_run(void)
{
    char *text = NULL;
    size_t size = 0;
    pby_digest input;
    if (!digest_input(&input)) {
        fail("PROBITY_INPUT", strerror(errno));
        return;
    }
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) {
        fail("PROBITY_TRACE", strerror(errno));
        return;
    }
    print_run(out, &input);
    if (fclose(out) != 0)
        fail("PROBITY_TRACE", strerror(errno));
    if (record.on && !append(getenv("PROBITY_TRACE"), text, size))
        fail("PROBITY_TRACE", strerror(errno));
    free(text);
}

void pby_record_end(void)
{
    if (record.begun && record.on)
        write_run();
    json_decref(record.lines);
    json_decref(record.outputs);
    if (record.replaying)
        pby_trace_run_clear(&record.tape);
    const bool registered = record.registered;
    memset(&record, 0, sizeof record);
    record.registered = registered;
}
