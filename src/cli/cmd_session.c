/* SPDX-License-Identifier: MIT */
#include "probity/experimental/reports.h"
#include "probity/experimental/session.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "base/status.h"
#include "cli/advice.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "io/file.h"
#include "release/budget.h"
#include "release/permission.h"
#include "report/report_running.h"
#include "session/running.h"
#include "session/session_lines.h"

enum { THRESHOLD, LEDGER, AFTER, JSON, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [THRESHOLD] = {.name = "--threshold",
                   .shown = "T",
                   .expected = "an integer from -2^61 to 2^61",
                   .help = "public, an integer"},
    [LEDGER] = {.name = "--ledger",
                .shown = "LEDGER",
                .expected = "the name of a file that probity ledger init made",
                .completes = "file",
                .help = "the budget that the session is charged to; refused (exit status 1) when it would "
                        "overspend"},
    [AFTER] = {.name = "--after",
               .shown = "DIGEST",
               .expected = "a digest that the session had",
               .help =
                   "refuses a session without this among its last 256 digests: an older copy that was put "
                   "back; show and ask --json print the last"},
    [JSON] = {.name = "--json", .help = "one JSON object, and with ask one a line"},
};

enum { OPEN, ASK, SHOW, CLOSE };

static const char *const actions[] = {
    [OPEN] = "open", [ASK] = "ask", [SHOW] = "show", [CLOSE] = "close", NULL};

/* ---- open ------------------------------------------------------------------------------------- */

/* threshold is NULL where none was given. */
static pby_status create(const char *path, const pby_budget *budget, const int64_t *threshold, pby_error *err)
{
    if (pby_running_meant(budget->spec))
        return threshold == NULL ? pby_running_create(path, budget->spec, budget->ledger, NULL, err)
                                 : pby_fail(err, PBY_BAD, "--threshold: expected none, for running totals");
    return threshold != NULL ? pby_session_create(path, budget->spec, *threshold, budget->ledger, err)
                             : pby_fail(err, PBY_BAD, "session open: expected --threshold T");
}

static pby_status open_session(const char *const *texts, size_t count, const pby_option *options,
                               pby_error *err)
{
    const char *text = options[THRESHOLD].value;
    int64_t threshold = 0;
    if (count < 2)
        return pby_fail(err, PBY_BAD,
                        "session open: expected FILE and a certificate or a SPEC such as 3*above:eps=1/3");
    if (text != NULL && !pby_session_number(&threshold, text, strlen(text)))
        return pby_refuse(err, "--threshold", text, known[THRESHOLD].expected);
    const char *ledger = options[LEDGER].value;
    pby_permission *permission = NULL;
    pby_status status = ledger == NULL ? PBY_OK : pby_budget_apart(texts[0], ledger, err);
    if (status == PBY_OK)
        status = pby_permission_ask(&permission, texts + 1, count - 1, ledger, "--ledger", err);
    if (status == PBY_OK)
        status = pby_budget_unit(&permission->budget, NULL, "--ledger", err);
    if (status == PBY_OK)
        status = create(texts[0], &permission->budget, text == NULL ? NULL : &threshold, err);
    pby_permission_close(permission);
    return status;
}

/* ---- ask -------------------------------------------------------------------------------------- */

/* The digest is that of the session with all answers that were told with this one. */
static void print_object(uint64_t number, const pby_reply *reply, const char *digest)
{
    printf("{\"question\": %" PRIu64 ", \"above\": %s", number, reply->above ? "true" : "false");
    if (reply->has_value)
        printf(", \"value\": %" PRId64, reply->value);
    printf(", \"digest\": \"%s\"}\n", digest);
}

static void print_reply(const pby_reply *reply)
{
    if (reply->has_value)
        printf("above %" PRId64 "\n", reply->value);
    else
        puts(reply->above ? "above" : "below");
}

struct answers {
    const pby_session *session;
    bool json;
};

static pby_status print_replies(void *what, uint64_t first, const pby_reply *replies, size_t count,
                                pby_error *err)
{
    const struct answers *a = what;
    for (size_t i = 0; i < count; i++)
        if (a->json)
            print_object(first + i, &replies[i], pby_session_digest(a->session));
        else
            print_reply(&replies[i]);
    return fflush(stdout) == 0 ? PBY_OK : pby_fail(err, PBY_FAILED, "standard output: %s", strerror(errno));
}

/* A refusal names the option. */
static pby_status by_option(pby_status status, pby_error *err)
{
    if (status == PBY_BAD)
        pby_advise_name(err, "after", "--after");
    return status;
}

static pby_status check_after(const pby_session *session, const char *digest, pby_error *err)
{
    return digest == NULL ? PBY_OK : by_option(pby_session_after(session, digest, err), err);
}

static pby_status check_totals_after(const pby_running *totals, const char *digest, pby_error *err)
{
    return digest == NULL ? PBY_OK : by_option(pby_running_after(totals, digest, err), err);
}

struct told {
    const pby_running *totals;
    bool json;
};

static pby_status print_total(const struct told *t, uint64_t step, pby_error *err)
{
    char *total;
    PBY_TRY(pby_running_text(&total, t->totals, step, err));
    if (t->json)
        printf("{\"step\": %" PRIu64 ", \"total\": %s, \"noisy\": %" PRId64 ", \"digest\": \"%s\"}\n", step,
               total, pby_running_noisy(t->totals, step), pby_running_digest(t->totals));
    else
        puts(total);
    free(total);
    return PBY_OK;
}

static pby_status print_totals(void *what, uint64_t first, uint64_t last, pby_error *err)
{
    for (uint64_t step = first; step <= last; step++)
        PBY_TRY(print_total(what, step, err));
    return fflush(stdout) == 0 ? PBY_OK : pby_fail(err, PBY_FAILED, "standard output: %s", strerror(errno));
}

static pby_status ask_totals(const char *path, int fd, const char *name, const pby_option *options,
                             pby_error *err)
{
    pby_running *totals;
    pby_status status = pby_running_open(&totals, path, NULL, err);
    if (status == PBY_OK)
        status = check_totals_after(totals, options[AFTER].value, err);
    struct told told = {totals, options[JSON].value != NULL};
    if (status == PBY_OK)
        status = pby_running_add_lines(totals, fd, name, print_totals, &told, err);
    pby_running_close(totals);
    return status;
}

static pby_status ask_stream(const char *path, int fd, const char *name, const pby_option *options,
                             pby_error *err)
{
    pby_session *session;
    pby_status status = pby_session_open(&session, path, err);
    if (status == PBY_OK)
        status = check_after(session, options[AFTER].value, err);
    struct answers answers = {session, options[JSON].value != NULL};
    if (status == PBY_OK)
        status = pby_session_ask_lines(session, fd, name, print_replies, &answers, err);
    pby_session_close(session);
    return status;
}

static pby_status ask_session(const char *path, const char *input, const pby_option *options, pby_error *err)
{
    const int fd = pby_path_named(input) != NULL ? open(input, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    if (fd < 0)
        return pby_refuse(err, "INPUT", input, "a file of whole numbers, one a line");
    const char *name = pby_path_text(input);
    const pby_status status = pby_running_is(path) ? ask_totals(path, fd, name, options, err)
                                                   : ask_stream(path, fd, name, options, err);
    if (fd != STDIN_FILENO)
        close(fd);
    return status;
}

/* ---- show and close --------------------------------------------------------------------------- */

static pby_status show_totals(const char *path, bool close, const pby_option *options, pby_error *err)
{
    const pby_option *json = &options[JSON];
    pby_running *totals;
    char *text = NULL;
    pby_status status = pby_running_open(&totals, path, NULL, err);
    if (status == PBY_OK)
        status = check_totals_after(totals, options[AFTER].value, err);
    if (status == PBY_OK && close)
        status = pby_running_end(totals, err);
    if (status == PBY_OK && (!close || json->value != NULL))
        status = pby_report_running(&text, totals, pby_option_form(json), err);
    pby_running_close(totals);
    return text == NULL ? status : pby_print_report(text, status);
}

static pby_status show(const char *path, bool close, const pby_option *options, pby_error *err)
{
    const pby_option *json = &options[JSON];
    pby_session *session;
    char *text = NULL;
    if (pby_running_is(path))
        return show_totals(path, close, options, err);
    pby_status status = pby_session_open(&session, path, err);
    if (status == PBY_OK)
        status = check_after(session, options[AFTER].value, err);
    if (status == PBY_OK && close)
        status = pby_session_end(session, err);
    if (status == PBY_OK && (!close || json->value != NULL))
        status = pby_report_session(&text, session, pby_option_form(json), err);
    pby_session_close(session);
    return text == NULL ? status : pby_print_report(text, status);
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
    for (size_t i = 0; i < AFTER; i++)
        if (action != OPEN && options[i].value != NULL)
            return pby_refuse(err, options[i].name, options[i].value, "it with session open alone");
    if (action != ASK && action != SHOW && options[AFTER].value != NULL)
        return pby_refuse(err, "--after", options[AFTER].value, "it with session ask or show");
    return PBY_OK;
}

static pby_status run_session(int argc, char **argv, pby_error *err)
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
    if (action == OPEN) {
        status = open_session((const char *const *)argv + 1, (size_t)operands - 1, options, err);
        return status == PBY_OK && options[JSON].value != NULL ? show(argv[1], false, options, err) : status;
    }
    return action == ASK ? ask_session(argv[1], operands > 2 ? argv[2] : NULL, options, err)
                         : show(argv[1], action == CLOSE, options, err);
}

static const char help[] =
    "probity session: answer a stream of queries, or publish its running totals\n"
    "\n"
    "usage: probity session open FILE CERTIFICATE|SPEC... [--threshold T] [--ledger LEDGER] [--json]\n"
    "       probity session ask FILE [INPUT] [--after DIGEST] [--json]\n"
    "       probity session show FILE [--after DIGEST] [--json]\n"
    "       probity session close FILE [--json]\n"
    "\n"
    "The sparse vector: asked is whether the answer of a query reaches T, which has noise of its own. K\n"
    "answers that do are K uses of above:eps=E; answers that do not cost nothing, and each question may\n"
    "depend on the answers before it. After K the session halts. Its whole cost is charged when it is\n"
    "opened.\n"
    "\n"
    "Running totals: of matrix:...,grid=G, without --threshold, each number is the count of a step, such\n"
    "as a day, and printed is the total so far, with noise. The counts that later steps still read are in\n"
    "FILE.\n"
    "\n"
    "  open             makes FILE, which holds the secret noise of the threshold: keep it under its\n"
    "                   name, and restore no copy; hard links are refused. A SPEC is\n"
    "                   K*above:eps=E[,sensitivity=D]; K*geometric:eps=E behind it gives a noisy value\n"
    "                   too, from fresh noise, each time an answer is above.\n"
    "                   K*sparse:sigma2=S,tops=C,questions=N are K stages, each of which ends with C\n"
    "                   answers above or with N questions\n"
    "  ask              reads the true answers, whole numbers, one a line, from INPUT or standard input,\n"
    "                   and prints below, above, or above VALUE for each. What is printed is on record\n"
    "                   first: whatever is killed, no noise is drawn twice. Exit status 1 when the\n"
    "                   session has halted\n"
    "  show             what was asked and answered\n"
    "  close            ends the session, and forgets its noise\n";

static const char end[] =
    "\n"
    "No query may move by more than D between neighbours, whatever was answered before: no program can\n"
    "check that.\n"
    "\n"
    "examples:\n"
    "  probity session open s.json 3*above:eps=1/3 --threshold 1000 --ledger ledger.db\n"
    "  echo 812 | probity session ask s.json\n"
    "  probity session show s.json\n"
    "  probity session open t.json matrix:sigma2=100,steps=365,bands=sqrt,grid=1/64 --ledger ledger.db\n"
    "  echo 812 | probity session ask t.json\n";

const pby_command pby_command_session = {
    .name = "session",
    .summary = "answer a stream of queries, or publish its running totals",
    .help = help,
    .options = known,
    .end = end,
    .run = run_session,
};
