/* SPDX-License-Identifier: MIT */
/* A memo of RAPPOR with bytes written over some of its own, three for each: two for the place and one to
 * write there. It is refused on one line, or a report out of it has the form of one. */
#include "probity/experimental/memo.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fuzz/must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const text = "rappor:bits=8,f=1/2,values=2";
static char folder[64], path[96], journal[112];
static pby_spec *spec;
static uint8_t *original;
static size_t length;

static void clean(void)
{
    unlink(path);
    unlink(journal);
    rmdir(folder);
}

/* A memo with one value, and a report on it. */
static void begin(void)
{
    pby_memo *memo = NULL;
    char *report;
    snprintf(folder, sizeof folder, "%s",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm/fuzz-XXXXXX" : "/tmp/fuzz-XXXXXX");
    must(mkdtemp(folder) != NULL, "a folder");
    snprintf(path, sizeof path, "%s/memo", folder);
    snprintf(journal, sizeof journal, "%s/memo-journal", folder);
    atexit(clean);
    umask(077);
    must(pby_spec_parse(&spec, &text, 1, NULL) == PBY_OK, "a spec");
    must(pby_memo_create(path, spec, "me", NULL, NULL) == PBY_OK, "a memo");
    must(pby_memo_open(&memo, path, spec, "me", NULL) == PBY_OK, "that opens");
    must(pby_memo_report(&report, memo, "3", 1, NULL) == PBY_OK, "and reports");
    free(report);
    pby_memo_close(memo);
    FILE *in = fopen(path, "rb");
    original = malloc(1 << 20);
    must(in != NULL && original != NULL, "memory");
    length = fread(original, 1, 1 << 20, in);
    fclose(in);
}

static void write_memo(const uint8_t *data, size_t size)
{
    uint8_t *bytes = malloc(length);
    must(bytes != NULL, "memory");
    memcpy(bytes, original, length);
    for (size_t i = 0; i + 2 < size; i += 3)
        bytes[((size_t)data[i] << 8 | data[i + 1]) % length] = data[i + 2];
    unlink(path);
    unlink(journal);
    FILE *out = fopen(path, "wb");
    must(out != NULL && fwrite(bytes, 1, length, out) == length && fclose(out) == 0, "a file");
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pby_error err = PBY_NO_ERROR;
    pby_memo *memo = NULL;
    char *report = NULL;
    if (original == NULL)
        begin();
    write_memo(data, size);
    pby_status status = pby_memo_open(&memo, path, spec, "me", &err);
    if (status == PBY_OK)
        status = pby_memo_report(&report, memo, "3", 1, &err);
    if (status == PBY_OK)
        must(strlen(report) == 8 && strspn(report, "01") == 8, "a report of eight bits");
    else
        must(err.text[0] != '\0' && strchr(err.text, '\n') == NULL, "one line");
    free(report);
    pby_memo_close(memo);
    return 0;
}
