/* SPDX-License-Identifier: MIT */
#include "io/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

static pby_status fail(int number, pby_error *err)
{
    return pby_fail(err, PBY_FAILED, "command: /bin/sh cannot be started: %s", strerror(number));
}

/* ---- the watcher ------------------------------------------------------------------------------ */

/* Between this process and the shell stands a watcher. It holds one end of a pipe whose other end is here, so
 * it learns of the end of this process however that comes, SIGKILL included, and ends the shell's process
 * group; and it does so when the shell ends, so that nothing that was started stays behind. It is a copy of a
 * process that may have threads, and calls only what a handler of signals may. */

enum { LIFE = 3 };

static void wake(int number)
{
    (void)number;
}

_Noreturn static void become_shell(const char *command, int out, int errors, const sigset_t *mask)
{
    (void)setpgid(0, 0);
    (void)sigprocmask(SIG_SETMASK, mask, NULL);
    if (dup2(out, STDOUT_FILENO) >= 0 && (errors < 0 || dup2(errors, STDERR_FILENO) >= 0))
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

/* Waits for the end of the shell, or of who has the other end of the pipe. Whatever group of processes the
 * shell leads is ended with it. */
_Noreturn static void watch(pid_t shell)
{
    sigset_t none;
    int status = 0;
    sigemptyset(&none);
    while (waitpid(shell, &status, WNOHANG) == 0) {
        fd_set life;
        FD_ZERO(&life);
        FD_SET(LIFE, &life);
        if (pselect(LIFE + 1, &life, NULL, NULL, NULL, &none) > 0) {
            (void)kill(-shell, SIGKILL);
            (void)kill(shell, SIGKILL);
            while (waitpid(shell, &status, 0) < 0 && errno == EINTR)
                ;
            break;
        }
    }
    (void)kill(-shell, SIGKILL);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/* Only the end of the shell is heard of: what a terminal or the like tells this program is not the watcher's
 * business. Files that are open here are closed, and their locks not held by two. */
_Noreturn static void become_watcher(const char *command, int out, int errors, int life)
{
    sigset_t all, before;
    struct sigaction action = {.sa_handler = wake};
    sigfillset(&all);
    sigemptyset(&action.sa_mask);
    (void)sigprocmask(SIG_SETMASK, &all, &before);
    (void)setpgid(0, 0);
    if (sigaction(SIGCHLD, &action, NULL) != 0)
        _exit(127);
    const pid_t shell = fork();
    if (shell == 0)
        become_shell(command, out, errors, &before);
    if (shell < 0 || dup2(life, LIFE) != LIFE)
        _exit(127);
    (void)setpgid(shell, shell);
    for (int fd = 0; fd < LIFE; fd++)
        close(fd);
#ifdef SYS_close_range /* glibc has a function of that name from 2.34 on, and a wheel is for 2.28 */
    (void)syscall(SYS_close_range, LIFE + 1, ~0U, 0);
#else
    close(out);
    if (life != LIFE)
        close(life);
#endif
    watch(shell);
}

/* ---- its parent ------------------------------------------------------------------------------- */

static int spawn(pby_child *child, const char *command, int out, int errors, int life)
{
    child->pid = fork();
    if (child->pid == 0)
        become_watcher(command, out, errors, life);
    return child->pid < 0 ? errno : 0;
}

/* Bytes are taken as they come, so that it is known when none do. */
static FILE *reader(int fd)
{
    const int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 ? fdopen(fd, "r") : NULL;
}

pby_status pby_child_start(pby_child *child, const char *command, unsigned patience, pby_error *err)
{
    return pby_child_start_with(child, command, patience, -1, err);
}

pby_status pby_child_start_with(pby_child *child, const char *command, unsigned patience, int errors,
                                pby_error *err)
{
    int ends[2], life[2];
    *child = (pby_child){.patience = patience};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return fail(errno, err);
    if (pipe2(life, O_CLOEXEC) != 0) {
        const int failed = errno;
        close(ends[0]);
        close(ends[1]);
        return fail(failed, err);
    }
    int failed = spawn(child, command, ends[1], errors, life[0]);
    close(ends[1]);
    close(life[0]);
    child->life = life[1];
    if (failed == 0) {
        child->out = reader(ends[0]);
        if (child->out != NULL)
            return PBY_OK;
        failed = errno;
    }
    close(ends[0]);
    close(life[1]);
    while (child->pid > 0 && waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return fail(failed, err);
}

static uint64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* A poll of at most a minute at a time: its argument is an int. */
bool pby_child_wait(pby_child *child)
{
    enum { MINUTE = 60000 };
    const uint64_t end = milliseconds() + (uint64_t)child->patience * 1000;
    for (;;) {
        const uint64_t now = milliseconds();
        if (now >= end)
            return false;
        struct pollfd ready = {.fd = fileno(child->out), .events = POLLIN};
        if (poll(&ready, 1, end - now > MINUTE ? MINUTE : (int)(end - now)) > 0)
            return true;
    }
}

int pby_child_byte(pby_child *child)
{
    for (;;) {
        errno = 0;
        const int c = getc_unlocked(child->out);
        if (c != EOF || !ferror(child->out) || (errno != EAGAIN && errno != EINTR))
            return c;
        clearerr(child->out);
        if (!pby_child_wait(child)) {
            child->silent = true;
            return EOF;
        }
    }
}

static int collect(pby_child *child)
{
    int status = 0;
    if (child->life >= 0)
        close(child->life);
    child->life = -1;
    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* A child that has closed its output gets `patience` seconds to end. */
int pby_child_end(pby_child *child)
{
    enum { NAP = 1000000, NAPS_A_SECOND = 1000 };
    const struct timespec nap = {.tv_nsec = NAP};
    int status = 0;
    fclose(child->out);
    child->out = NULL;
    for (uint64_t naps = 0; naps < (uint64_t)child->patience * NAPS_A_SECOND; naps++) {
        if (waitpid(child->pid, &status, WNOHANG) == child->pid) {
            close(child->life);
            child->life = -1;
            return status;
        }
        nanosleep(&nap, NULL);
    }
    child->silent = true;
    return collect(child);
}

/* The command ends before its pipe is closed: one that ignores SIGPIPE would complain about each write. */
void pby_child_stop(pby_child *child)
{
    (void)collect(child);
    fclose(child->out);
    child->out = NULL;
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
