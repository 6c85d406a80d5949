#include "probity/session.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "io/file.h"
#include "release/budget.h"
#include "release/permission.h"

enum { THRESHOLD, LEDGER, JSON, OPTIONS };
enum { WINDOW = 1 << 16, BATCH = 1 << 12, NUMBER_MAX = 24 };

static const pby_option known[OPTIONS + 1] = {
    [THRESHOLD] = {"--threshold", "an integer from -2^61 to 2^61", 0, NULL},
    [LEDGER] = {"--ledger", "the name of a file that probity ledger init made", 0, NULL},
    [JSON] = {"--json", NULL, 0, NULL},
};

enum { OPEN, ASK, SHOW, CLOSE };

static const char *const actions[] = {
    [OPEN] = "open", [ASK] = "ask", [SHOW] = "show", [CLOSE] = "close", NULL};

/* A whole number of at most so many characters, and nothing beside it. */
static bool read_integer(int64_t *out, const char *text, size_t size)
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

/* ---- open ------------------------------------------------------------------------------------- */

static pby_status open_session(const char *const *texts, size_t count, const pby_option *options,
                               pby_error *err)
{
    const char *text = options[THRESHOLD].value;
    int64_t threshold;
    if (count < 2)
        return pby_fail(err, PBY_BAD,
                        "session open: expected FILE and a certificate or a SPEC such as 3*above:eps=1/3");
    if (text == NULL)
        return pby_fail(err, PBY_BAD, "session open: expected --threshold T");
    if (!read_integer(&threshold, text, strlen(text)))
        return pby_refuse(err, "--threshold", text, known[THRESHOLD].expected);
    const char *ledger = options[LEDGER].value;
    pby_permission *permission = NULL;
    pby_status status = ledger == NULL ? PBY_OK : pby_budget_apart(texts[0], ledger, err);
    if (status == PBY_OK)
        status = pby_permission_ask(&permission, texts + 1, count - 1, ledger, "--ledger", err);
    if (status == PBY_OK)
        status =
            pby_session_create(texts[0], permission->budget.spec, threshold, permission->budget.ledger, err);
    pby_permission_close(permission);
    return status;
}

/* ---- ask -------------------------------------------------------------------------------------- */

/* Lines of an input as they come: whatever has arrived is answered before more is waited for. */
struct questions {
    const char *name;
    int fd;
    char window[WINDOW];
    size_t used;
    uint64_t line; /* of the next */
    bool ended, json;
};

static pby_status refuse_line(const struct questions *q, pby_error *err)
{
    return pby_fail(err, PBY_BAD,
                    "%s, line %" PRIu64 " (not shown): expected a whole number from -2^61 to 2^61", q->name,
                    q->line);
}

static pby_status wait_for_more(struct questions *q, pby_error *err)
{
    ssize_t n;
    do
        n = read(q->fd, q->window + q->used, sizeof q->window - q->used);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return pby_fail(err, PBY_FAILED, "%s: cannot be read: %s", q->name, strerror(errno));
    q->ended = n == 0;
    q->used += (size_t)n;
    return PBY_OK;
}

/* Takes whole lines out of the window, and behind the end of the input what is left. */
static pby_status take_lines(int64_t *answers, size_t *count, struct questions *q, pby_error *err)
{
    size_t at = 0;
    pby_status status = PBY_OK;
    *count = 0;
    while (*count < BATCH && at < q->used && status == PBY_OK) {
        const char *line = q->window + at, *end = memchr(line, '\n', q->used - at);
        if (end == NULL && !q->ended && q->used - at < NUMBER_MAX + 2)
            break;
        const size_t size = end == NULL ? q->used - at : (size_t)(end - line);
        const size_t plain = size - (size > 0 && line[size - 1] == '\r');
        if (!read_integer(&answers[*count], line, plain))
            status = refuse_line(q, err);
        else
            (*count)++, q->line++, at += size + (end != NULL);
    }
    memmove(q->window, q->window + at, q->used - at);
    q->used -= at;
    sodium_memzero(q->window + q->used, at);
    return status;
}

static void print_reply(uint64_t number, const pby_reply *reply, bool json)
{
    if (json && reply->has_value)
        printf("{\"question\": %" PRIu64 ", \"above\": true, \"value\": %" PRId64 "}\n", number,
               reply->value);
    else if (json)
        printf("{\"question\": %" PRIu64 ", \"above\": %s}\n", number, reply->above ? "true" : "false");
    else if (reply->has_value)
        printf("above %" PRId64 "\n", reply->value);
    else
        puts(reply->above ? "above" : "below");
}

/* What is printed is on the disk already. */
static pby_status answer(pby_session *session, const int64_t *answers, size_t count, bool json,
                         pby_error *err)
{
    pby_reply replies[BATCH];
    pby_status status = PBY_OK;
    for (size_t done = 0, taken; done < count && status == PBY_OK; done += taken) {
        const uint64_t before = pby_session_asked(session);
        status = pby_session_ask(session, answers + done, count - done, replies, &taken, err);
        for (size_t i = 0; i < taken && status == PBY_OK; i++)
            print_reply(before + i + 1, &replies[i], json);
        if (status == PBY_OK && fflush(stdout) != 0)
            status = pby_fail(err, PBY_FAILED, "standard output: %s", strerror(errno));
    }
    return status;
}

static pby_status answer_all(pby_session *session, struct questions *q, pby_error *err)
{
    int64_t answers[BATCH];
    pby_status status = PBY_OK;
    size_t count;
    do {
        status = wait_for_more(q, err);
        do {
            pby_error later = PBY_NO_ERROR;
            pby_status line = status == PBY_OK ? take_lines(answers, &count, q, &later) : status;
            if (status == PBY_OK)
                status = answer(session, answers, count, q->json, err);
            if (status == PBY_OK && line != PBY_OK)
                status = pby_fail(err, line, "%s", later.text);
        } while (status == PBY_OK && count == BATCH);
    } while (status == PBY_OK && !q->ended);
    sodium_memzero(answers, sizeof answers);
    sodium_memzero(q->window, sizeof q->window);
    return status;
}

static pby_status ask(const char *path, const char *input, bool json, pby_error *err)
{
    pby_session *session;
    struct questions q = {.name = pby_path_text(input), .fd = STDIN_FILENO, .line = 1, .json = json};
    if (pby_path_named(input) != NULL)
        q.fd = open(input, O_RDONLY | O_CLOEXEC);
    if (q.fd < 0)
        return pby_refuse(err, "INPUT", input, "a file of whole numbers, one a line");
    pby_status status = pby_session_open(&session, path, err);
    if (status == PBY_OK) {
        status = answer_all(session, &q, err);
        pby_session_close(session);
    }
    if (q.fd != STDIN_FILENO)
        close(q.fd);
    return status;
}

/* ---- show and close --------------------------------------------------------------------------- */

static pby_status print_json(const pby_session *s, pby_error *err)
{
    json_t *above = json_array();
    for (size_t i = 0; i < pby_session_tops(s); i++) {
        pby_reply reply;
        const json_int_t at = (json_int_t)pby_session_top(&reply, s, i);
        above = pby_json_append(
            above, reply.has_value ? json_pack("{s:I, s:I}", "question", at, "value", (json_int_t)reply.value)
                                   : json_pack("{s:I}", "question", at));
    }
    return pby_print_json(json_pack("{s:s, s:I, s:I, s:I, s:o}", "spec", pby_session_spec(s), "threshold",
                                    (json_int_t)pby_session_threshold(s), "asked",
                                    (json_int_t)pby_session_asked(s), "left", (json_int_t)pby_session_left(s),
                                    "above", above),
                          err);
}

static void print_text(const pby_session *s)
{
    const uint64_t left = pby_session_left(s);
    pby_print_line("mechanism", pby_session_spec(s));
    printf("%-12s%" PRId64 "\n", "threshold", pby_session_threshold(s));
    printf("%-12s%" PRIu64 " questions\n", "answered", pby_session_asked(s));
    printf("%-12s%" PRIu64 " positive answers%s\n", "left", left, left == 0 ? ": it has halted" : "");
    for (size_t i = 0; i < pby_session_tops(s); i++) {
        pby_reply reply;
        const uint64_t at = pby_session_top(&reply, s, i);
        printf("%-12squestion %" PRIu64, "above", at);
        if (reply.has_value)
            printf(", value %" PRId64, reply.value);
        putchar('\n');
    }
}

static pby_status show(const char *path, bool close, bool json, pby_error *err)
{
    pby_session *session;
    pby_status status = pby_session_open(&session, path, err);
    if (status != PBY_OK)
        return status;
    if (close)
        status = pby_session_end(session, err);
    if (status == PBY_OK && json)
        status = print_json(session, err);
    else if (status == PBY_OK && !close)
        print_text(session);
    pby_session_close(session);
    return status;
}

/* ---- all of it -------------------------------------------------------------------------------- */

static pby_status check_operands(size_t action, int operands, char **argv, pby_error *err)
{
    if (action == OPEN)
        return operands < 3 ? PBY_OK
                            : pby_operands_at_most(2 + pby_permission_count(operands - 2, argv + 2), operands,
                                                   argv, "one certificate or SPEC..., nothing more", err);
    return pby_operands_at_most(action == ASK ? 3 : 2, operands, argv,
                                action == ASK ? "one FILE and one INPUT" : "one FILE, not two", err);
}

static pby_status check_options(size_t action, const pby_option *options, pby_error *err)
{
    for (size_t i = 0; i < JSON; i++)
        if (action != OPEN && options[i].value != NULL)
            return pby_refuse(err, options[i].name, options[i].value, "it with session open alone");
    return PBY_OK;
}

static pby_status run(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    int operands;
    size_t action = 0;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status == PBY_OK && operands < 2)
        status = pby_fail(err, PBY_BAD, "session: expected open, ask, show or close, and a FILE");
    if (status == PBY_OK)
        status = pby_name_find(&action, actions, "session", argv[0], err);
    if (status == PBY_OK)
        status = check_operands(action, operands, argv, err);
    if (status == PBY_OK)
        status = check_options(action, options, err);
    if (status != PBY_OK)
        return status;
    const bool json = options[JSON].value != NULL;
    if (action == OPEN) {
        status = open_session((const char *const *)argv + 1, (size_t)operands - 1, options, err);
        return status == PBY_OK && json ? show(argv[1], false, true, err) : status;
    }
    return action == ASK ? ask(argv[1], operands > 2 ? argv[2] : NULL, json, err)
                         : show(argv[1], action == CLOSE, json, err);
}

static const char help[] =
    "probity session: questions one after the other, answered until enough were large\n"
    "\n"
    "usage: probity session open FILE CERTIFICATE|SPEC... --threshold T [--ledger LEDGER] [--json]\n"
    "       probity session ask FILE [INPUT] [--json]\n"
    "       probity session show FILE [--json]\n"
    "       probity session close FILE [--json]\n"
    "\n"
    "The sparse vector: asked is whether the answer of a query reaches T, which has noise of its own. K\n"
    "answers that do are K uses of above:eps=E; answers that do not cost nothing, and each question may\n"
    "depend on the answers before it. After K the session halts. Its whole cost is charged when it is\n"
    "opened.\n"
    "\n"
    "  open      makes FILE, which holds the secret noise of the threshold: keep it, and restore no copy.\n"
    "            A SPEC is K*above:eps=E[,sensitivity=D]; K*geometric:eps=E behind it gives a noisy value\n"
    "            too, from fresh noise, each time an answer is above. K*sparse:sigma2=S,tops=C,questions=N:\n"
    "            K stages, each of which ends with C answers above or with N questions\n"
    "  ask       reads the true answers, whole numbers, one a line, from INPUT or standard input, and\n"
    "            prints below, above, or above VALUE for each. What is printed is on record first:\n"
    "            whatever is killed, no noise is drawn twice. Exit status 1 when the session has halted\n"
    "  show      what was asked and answered\n"
    "  close     ends the session, and forgets its noise\n"
    "  --threshold T    public, an integer\n"
    "  --ledger LEDGER  the budget that the session is charged to; refused (exit status 1) when it would\n"
    "                   overspend\n"
    "  --json           one JSON object, and with ask one a line\n"
    "\n"
    "No query may move by more than D between neighbours, whatever was answered before: no program can\n"
    "check that.\n"
    "\n"
    "examples:\n"
    "  probity session open s.json 3*above:eps=1/3 --threshold 1000 --ledger ledger.db\n"
    "  echo 812 | probity session ask s.json\n"
    "  probity session show s.json\n";

const pby_command pby_command_session = {
    .name = "session",
    .summary = "questions one after the other, until enough were large",
    .help = help,
    .run = run,
};
