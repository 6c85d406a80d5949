/* SPDX-License-Identifier: MIT */
/* Questions from a file or a pipe: whatever has arrived is answered before more is waited for. */
#include "session/session_lines.h"

#include <errno.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "probity/experimental/session.h"

enum { WINDOW = 1 << 16, BATCH = 1 << 12, NUMBER_MAX = 24 };

struct lines {
    const char *name;
    int fd;
    char window[WINDOW];
    size_t used;
    uint64_t line; /* of the next */
    bool ended;
};

bool pby_session_number(int64_t *out, const char *text, size_t size)
{
    char copy[NUMBER_MAX + 1], *end;
    if (size == 0 || size > NUMBER_MAX || strspn(text, "-0123456789") < size)
        return false;
    memcpy(copy, text, size);
    copy[size] = '\0';
    errno = 0;
    const long long value = strtoll(copy, &end, 10);
    const bool good = errno == 0 && *end == '\0' && end != copy && value >= -PBY_SESSION_ANSWER_MAX &&
                      value <= PBY_SESSION_ANSWER_MAX;
    *out = value;
    sodium_memzero(copy, sizeof copy);
    return good;
}

static pby_status refuse_line(const struct lines *l, pby_error *err)
{
    return pby_fail(err, PBY_BAD,
                    "%s, line %" PRIu64 " (not shown): expected a whole number from -2^61 to 2^61", l->name,
                    l->line);
}

static pby_status wait_for_more(struct lines *l, pby_error *err)
{
    ssize_t n;
    do
        n = read(l->fd, l->window + l->used, sizeof l->window - l->used);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return pby_fail(err, PBY_FAILED, "%s: cannot be read: %s", l->name, strerror(errno));
    l->ended = n == 0;
    l->used += (size_t)n;
    return PBY_OK;
}

/* Takes whole lines out of the window, and behind the end of the input what is left. */
static pby_status take_lines(int64_t *answers, size_t *count, struct lines *l, pby_error *err)
{
    size_t at = 0;
    pby_status status = PBY_OK;
    *count = 0;
    while (*count < BATCH && at < l->used && status == PBY_OK) {
        const char *line = l->window + at, *end = memchr(line, '\n', l->used - at);
        if (end == NULL && !l->ended && l->used - at < NUMBER_MAX + 2)
            break;
        const size_t size = end == NULL ? l->used - at : (size_t)(end - line);
        const size_t plain = size - (size > 0 && line[size - 1] == '\r');
        if (!pby_session_number(&answers[*count], line, plain))
            status = refuse_line(l, err);
        else
            (*count)++, l->line++, at += size + (end != NULL);
    }
    memmove(l->window, l->window + at, l->used - at);
    l->used -= at;
    sodium_memzero(l->window + l->used, at);
    return status;
}

/* A line that is refused is so behind the answers of those before it. */
static pby_status take_window(struct lines *l, int64_t *numbers, pby_session_taken *take, void *what,
                              pby_error *err)
{
    pby_status status;
    size_t count;
    do {
        pby_error later = PBY_NO_ERROR;
        const pby_status line = take_lines(numbers, &count, l, &later);
        status = take(what, numbers, count, err);
        if (status == PBY_OK && line != PBY_OK)
            status = pby_fail(err, line, "%s", later.text);
    } while (status == PBY_OK && count == BATCH);
    return status;
}

pby_status pby_session_read_lines(int fd, const char *name, pby_session_taken *take, void *what,
                                  pby_error *err)
{
    struct lines l = {.name = name, .fd = fd, .line = 1};
    int64_t numbers[BATCH];
    pby_status status;
    do {
        status = wait_for_more(&l, err);
        if (status == PBY_OK)
            status = take_window(&l, numbers, take, what, err);
    } while (status == PBY_OK && !l.ended);
    sodium_memzero(numbers, sizeof numbers);
    sodium_memzero(l.window, sizeof l.window);
    return status;
}

/* ---- questions ------------------------------------------------------------------------------------ */

struct questions {
    pby_session *session;
    pby_session_told *told;
    void *what;
};

/* Calls `told` for answers that are on the disk already. */
static pby_status answer(void *what, const int64_t *answers, size_t count, pby_error *err)
{
    const struct questions *q = what;
    pby_reply replies[BATCH];
    pby_status status = PBY_OK;
    for (size_t done = 0, taken; done < count && status == PBY_OK; done += taken) {
        const uint64_t before = pby_session_asked(q->session);
        status = pby_session_ask(q->session, answers + done, count - done, replies, &taken, err);
        if (status == PBY_OK)
            status = q->told(q->what, before + 1, replies, taken, err);
    }
    return status;
}

pby_status pby_session_ask_lines(pby_session *session, int fd, const char *name, pby_session_told *told,
                                 void *what, pby_error *err)
{
    struct questions q = {session, told, what};
    return pby_session_read_lines(fd, name, answer, &q, err);
}
