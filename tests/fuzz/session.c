/* SPDX-License-Identifier: MIT */
/* The file of a session is refused on one line, or it answers within what it says. Few bytes have their own
 * digest, so a text that is JSON is written as a session writes its state, digest and all. */
#include "probity/experimental/session.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/session_file.h"
#include "tests/fuzz/must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[64], path[96];

static void open_and_ask(void)
{
    static const int64_t answers[] = {-PBY_SESSION_ANSWER_MAX, 0, 7, PBY_SESSION_ANSWER_MAX};
    enum { ANSWERS = sizeof answers / sizeof *answers };
    pby_error err = PBY_NO_ERROR;
    pby_session *session = NULL;
    pby_reply reply[ANSWERS];
    size_t taken = 0;
    pby_status status = pby_session_open(&session, path, &err);
    if (status == PBY_OK)
        status = pby_session_ask(session, answers, ANSWERS, reply, &taken, &err);
    must(taken <= ANSWERS, "no more replies than questions");
    if (status != PBY_OK)
        must(err.text[0] != '\0' && strchr(err.text, '\n') == NULL, "one line");
    pby_session_close(session);
}

static void write_bytes(const uint8_t *data, size_t size)
{
    unlink(path);
    umask(077);
    FILE *out = fopen(path, "wb");
    must(out != NULL && fwrite(data, 1, size, out) == size && fclose(out) == 0, "a file");
}

static void clean(void)
{
    unlink(path);
    rmdir(folder);
}

static void begin(void)
{
    snprintf(folder, sizeof folder, "%s",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm/fuzz-XXXXXX" : "/tmp/fuzz-XXXXXX");
    must(mkdtemp(folder) != NULL, "a folder");
    snprintf(path, sizeof path, "%s/session", folder);
    atexit(clean);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (path[0] == '\0')
        begin();
    write_bytes(data, size);
    open_and_ask();
    unlink(path);
    json_t *state = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(state)) {
        pby_session_file file;
        if (pby_session_file_make(&file, path, state, NULL) == PBY_OK) {
            pby_session_file_close(&file);
            open_and_ask();
        }
        unlink(path);
    }
    json_decref(state);
    return 0;
}
