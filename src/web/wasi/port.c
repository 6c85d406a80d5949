/* SPDX-License-Identifier: MIT */
#include "web/wasi/port.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- processes -------------------------------------------------------------------------------- */

static int missing(void)
{
    errno = ENOSYS;
    return -1;
}

pid_t fork(void)
{
    return missing();
}

int execvp(const char *file, char *const *argv)
{
    (void)file, (void)argv;
    return missing();
}

pid_t waitpid(pid_t process, int *status, int options)
{
    (void)process, (void)status, (void)options;
    return missing();
}

int execl(const char *path, const char *first, ...)
{
    (void)path, (void)first;
    return missing();
}

int setpgid(pid_t process, pid_t group)
{
    (void)process, (void)group;
    return missing();
}

int dup2(int from, int to)
{
    (void)from, (void)to;
    return missing();
}

int kill(pid_t process, int number)
{
    (void)process, (void)number;
    return missing();
}

int pipe2(int ends[2], int flags)
{
    (void)ends, (void)flags;
    return missing();
}

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
    (void)prepare, (void)parent, (void)child;
    return 0;
}

int posix_spawnp(pid_t *restrict process, const char *restrict file,
                 const posix_spawn_file_actions_t *restrict actions,
                 const posix_spawnattr_t *restrict attributes, char *const *restrict argv,
                 char *const *restrict environment)
{
    (void)process, (void)file, (void)actions, (void)attributes, (void)argv, (void)environment;
    return ENOSYS;
}

int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions)
{
    (void)actions;
    return 0;
}

int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions)
{
    (void)actions;
    return 0;
}

int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int from, int to)
{
    (void)actions, (void)from, (void)to;
    return 0;
}

int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *restrict actions, int file,
                                     const char *restrict path, int flags, mode_t mode)
{
    (void)actions, (void)file, (void)path, (void)flags, (void)mode;
    return 0;
}

/* ---- signals, timers and limits: none strikes -------------------------------------------------- */

int sigemptyset(sigset_t *set)
{
    memset(set, 0, sizeof *set);
    return 0;
}

int sigfillset(sigset_t *set)
{
    memset(set, 255, sizeof *set);
    return 0;
}

int sigaddset(sigset_t *set, int number)
{
    (void)set, (void)number;
    return 0;
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
    (void)how, (void)set;
    return before == NULL ? 0 : sigemptyset(before);
}

int sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
    return pthread_sigmask(how, set, before);
}

int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    (void)number, (void)action;
    if (before != NULL)
        memset(before, 0, sizeof *before);
    return 0;
}

int setitimer(int which, const struct itimerval *value, struct itimerval *before)
{
    (void)which, (void)value, (void)before;
    return missing();
}

int getrlimit(int resource, struct rlimit *limit)
{
    (void)resource, (void)limit;
    return missing();
}

int setrlimit(int resource, const struct rlimit *limit)
{
    (void)resource, (void)limit;
    return missing();
}

/* ---- files ------------------------------------------------------------------------------------ */

int mkstemp(char *path)
{
    (void)path;
    return missing();
}

int mkostemp(char *path, int flags)
{
    (void)path, (void)flags;
    return missing();
}

/* ---- entropy ---------------------------------------------------------------------------------- */

ssize_t getrandom(void *out, size_t size, unsigned flags)
{
    enum { MOST = 256 }; /* that getentropy gives at once */
    (void)flags;
    const size_t given = size < MOST ? size : MOST;
    return getentropy(out, given) == 0 ? (ssize_t)given : -1;
}

/* ---- sorting ---------------------------------------------------------------------------------- */

static void swap(char *a, char *b, size_t size)
{
    while (size-- > 0) {
        const char kept = *a;
        *a++ = *b;
        *b++ = kept;
    }
}

/* Moves the member at `root` down until no child is greater: a heap sort needs no memory of its own. */
static void sift(char *a, size_t root, size_t end, size_t size,
                 int (*compare)(const void *, const void *, void *), void *data)
{
    for (size_t child; (child = 2 * root + 1) < end; root = child) {
        if (child + 1 < end && compare(a + child * size, a + (child + 1) * size, data) < 0)
            child++;
        if (compare(a + root * size, a + child * size, data) >= 0)
            return;
        swap(a + root * size, a + child * size, size);
    }
}

void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *),
             void *data)
{
    char *a = base;
    for (size_t i = count / 2; i > 0; i--)
        sift(a, i - 1, count, size, compare, data);
    for (size_t end = count; end > 1; end--) {
        swap(a, a + (end - 1) * size, size);
        sift(a, 0, end - 1, size, compare, data);
    }
}
