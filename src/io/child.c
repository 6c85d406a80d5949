#include "io/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pby_status fail(int number, pby_error *err)
{
    return pby_fail(err, PBY_FAILED, "command: /bin/sh cannot be started: %s", strerror(number));
}

/* A program with its standard output at the end of a pipe, and its standard error in a file. */
static int spawn(pid_t *pid, const char *command, int to, int errors)
{
    static char shell[] = "sh", flag[] = "-c";
    char *text = strdup(command);
    posix_spawn_file_actions_t actions;
    if (text == NULL)
        return ENOMEM;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed == 0) {
        char *const arguments[] = {shell, flag, text, NULL};
        failed = posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
        if (failed == 0 && errors >= 0)
            failed = posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
        if (failed == 0)
            failed = posix_spawn(pid, "/bin/sh", &actions, NULL, arguments, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    free(text);
    return failed;
}

pby_status pby_child_start(pby_child *child, const char *command, pby_error *err)
{
    return pby_child_start_with(child, command, -1, err);
}

pby_status pby_child_start_with(pby_child *child, const char *command, int errors, pby_error *err)
{
    int ends[2];
    *child = (pby_child){.out = NULL};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return fail(errno, err);
    int failed = spawn(&child->pid, command, ends[1], errors);
    close(ends[1]);
    if (failed == 0) {
        child->out = fdopen(ends[0], "r");
        if (child->out != NULL)
            return PBY_OK;
        failed = errno;
        kill(child->pid, SIGKILL);
        waitpid(child->pid, NULL, 0);
    }
    close(ends[0]);
    return fail(failed, err);
}

int pby_child_end(pby_child *child)
{
    int status = 0;
    fclose(child->out);
    child->out = NULL;
    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

void pby_child_stop(pby_child *child)
{
    kill(child->pid, SIGKILL);
    pby_child_end(child);
}

void pby_shell_quote(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text != '\0'; text++)
        if (*text == '\'')
            fputs("'\\''", out);
        else
            fputc(*text, out);
    fputc('\'', out);
}

void pby_shell_argument(FILE *out, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+%@";
    if (text[0] != '\0' && strspn(text, plain) == strlen(text))
        fputs(text, out);
    else
        pby_shell_quote(out, text);
}
