/* SPDX-License-Identifier: MIT */
/* The compiler reads this header before every source of the WebAssembly module: it declares what Probity's
 * sources use and wasi-libc lacks. port.c defines it. A WebAssembly module has no other processes, no signals
 * and no modes of files, and each function says so by ENOSYS. */
#ifndef PBY_WEB_PORT_H
#define PBY_WEB_PORT_H

#include <fcntl.h>
#include <gmp.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <sys/types.h>
#include <unistd.h>

/* With O_RDWR the answer is EISDIR, and the caller takes a name instead. */
#ifndef O_TMPFILE
#define O_TMPFILE O_DIRECTORY
#endif
#ifndef F_DUPFD_CLOEXEC
#define F_DUPFD_CLOEXEC 1030
#endif

#ifndef SIG_SETMASK
#define SIG_BLOCK   0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#define SA_RESTART  0x10000000
struct sigaction {
    void (*sa_handler)(int);
    sigset_t sa_mask;
    int sa_flags;
};
int sigaction(int number, const struct sigaction *action, struct sigaction *before);
#endif

/* Limits on a process; the memory of a module has a limit of its own, which the linker sets. */
#ifndef RLIMIT_AS
#define RLIMIT_AS     9
#define RLIM_INFINITY (~(rlim_t)0)
typedef unsigned long long rlim_t;
struct rlimit {
    rlim_t rlim_cur;
    rlim_t rlim_max;
};
int getrlimit(int resource, struct rlimit *limit);
int setrlimit(int resource, const struct rlimit *limit);
#endif
#ifndef ITIMER_PROF
#define ITIMER_PROF 2
struct itimerval {
    struct timeval it_interval;
    struct timeval it_value;
};
int setitimer(int which, const struct itimerval *value, struct itimerval *before);
#endif

/* Random bytes of the host; no flag matters there. */
ssize_t getrandom(void *out, size_t size, unsigned flags);

void *reallocarray(void *old, size_t count, size_t size);
void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *),
             void *data);
int mkstemp(char *path);
int mkostemp(char *path, int flags);
pid_t fork(void);
int execvp(const char *file, char *const *argv);
int execl(const char *path, const char *first, ...);
int setpgid(pid_t process, pid_t group);
int dup2(int from, int to);
int kill(pid_t process, int number);
int pipe2(int ends[2], int flags);
int fchmod(int file, mode_t mode);
int sigemptyset(sigset_t *set);
int sigfillset(sigset_t *set);
int sigaddset(sigset_t *set, int number);
int sigprocmask(int how, const sigset_t *set, sigset_t *before);
int pthread_sigmask(int how, const sigset_t *set, sigset_t *before);
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void));

/* A long has 32 bits here, and no compiler warns of a result that GMP cuts to one. A source that takes such a
 * result ends the module, which then gives no answer (pby_integer_signed cuts none). */
static inline unsigned long pby_fitting_ui(mpz_srcptr x)
{
    if (mpz_cmpabs_ui(x, ULONG_MAX) > 0)
        __builtin_trap();
    return mpz_get_ui(x);
}

static inline long pby_fitting_si(mpz_srcptr x)
{
    if (!mpz_fits_slong_p(x))
        __builtin_trap();
    return mpz_get_si(x);
}

#undef mpz_get_ui
#undef mpz_get_si
#define mpz_get_ui pby_fitting_ui
#define mpz_get_si pby_fitting_si

#endif
