/* SPDX-License-Identifier: MIT */
/* A library to be preloaded: at its n-th operation on the files of one folder, or on standard output, the
 * process is killed, or the operation fails. What writes is half done before a kill.
 *
 *     PBY_FAULT_UNDER   the folder
 *     PBY_FAULT_AT      the operation, from 1
 *     PBY_FAULT         kill, ENOSPC or EIO; or ENOMEM: the n-th allocation of the process fails
 *     PBY_FAULT_DONE    a file that is made when the operation was come to
 *     PBY_FAULT_RANDOM  set: getrandom(2) fails, in libsodium too
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static long steps;

static int is_under(const char *path)
{
    const char *folder = getenv("PBY_FAULT_UNDER");
    return folder != NULL && path != NULL && strncmp(path, folder, strlen(folder)) == 0;
}

static int is_watched(int fd)
{
    char link[64], path[4096];
    if (fd == STDOUT_FILENO)
        return 1;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t size = readlink(link, path, sizeof path - 1);
    if (size <= 0)
        return 0;
    path[size] = '\0';
    return is_under(path);
}

/* 0: go on; 1: it is the process's last operation; -1: it fails, with errno. */
static int fault(int watched)
{
    const char *at = getenv("PBY_FAULT_AT"), *kind = getenv("PBY_FAULT"), *done = getenv("PBY_FAULT_DONE");
    if (!watched || at == NULL || kind == NULL || strcmp(kind, "ENOMEM") == 0 || ++steps != atol(at))
        return 0;
    if (done != NULL)
        (void)!mknod(done, S_IFREG | 0600, 0);
    if (strcmp(kind, "kill") == 0)
        return 1;
    errno = strcmp(kind, "EIO") == 0 ? EIO : ENOSPC;
    return -1;
}

static void die(void)
{
    kill(getpid(), SIGKILL);
}

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

#define WATCHED(watched, failure, call)     \
    do {                                    \
        const int fault_ = fault(watched);  \
        if (fault_ > 0)                     \
            die();                          \
        return fault_ < 0 ? failure : call; \
    } while (0)

/* ---- names ------------------------------------------------------------------------------------ */

static mode_t mode_of(int flags, va_list more)
{
    return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
}

#define OPEN(name)                                                                                   \
    int name(const char *path, int flags, ...)                                                       \
    {                                                                                                \
        va_list more;                                                                                \
        va_start(more, flags);                                                                       \
        const mode_t mode = mode_of(flags, more);                                                    \
        va_end(more);                                                                                \
        WATCHED(is_under(path), -1, REAL(int, #name, const char *, int, mode_t)(path, flags, mode)); \
    }
OPEN(open)
OPEN(open64)

int rename(const char *from, const char *to)
{
    WATCHED(is_under(to), -1, REAL(int, "rename", const char *, const char *)(from, to));
}

int mkdir(const char *path, mode_t mode)
{
    WATCHED(is_under(path), -1, REAL(int, "mkdir", const char *, mode_t)(path, mode));
}

/* renameat2 is called by its number where a C library has no function for it. */
long syscall(long number, ...)
{
    long a[6];
    va_list more;
    va_start(more, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(more, long);
    va_end(more);
    const int watched = number == SYS_renameat2 && is_under((const char *)a[3]);
    WATCHED(watched, -1, REAL(long, "syscall", long, ...)(number, a[0], a[1], a[2], a[3], a[4], a[5]));
}

int link(const char *from, const char *to)
{
    WATCHED(is_under(to), -1, REAL(int, "link", const char *, const char *)(from, to));
}

int linkat(int a, const char *from, int b, const char *to, int flags)
{
    WATCHED(is_under(to), -1,
            REAL(int, "linkat", int, const char *, int, const char *, int)(a, from, b, to, flags));
}

/* A file that cannot be removed stays, and the caller goes on: a removal is killed at, and does not fail. */
int unlink(const char *path)
{
    if (is_under(path) && fault(1) > 0)
        die();
    return REAL(int, "unlink", const char *)(path);
}

/* ---- descriptors ------------------------------------------------------------------------------ */

ssize_t write(int fd, const void *bytes, size_t size)
{
    ssize_t (*const real)(int, const void *, size_t) = REAL(ssize_t, "write", int, const void *, size_t);
    const int now = fault(is_watched(fd));
    if (now > 0) {
        (void)!real(fd, bytes, size / 2);
        die();
    }
    return now < 0 ? -1 : real(fd, bytes, size);
}

#define PWRITE(name, offset)                                         \
    ssize_t name(int fd, const void *bytes, size_t size, offset at)  \
    {                                                                \
        ssize_t (*const real)(int, const void *, size_t, offset) =   \
            REAL(ssize_t, #name, int, const void *, size_t, offset); \
        const int now = fault(is_watched(fd));                       \
        if (now > 0) {                                               \
            (void)!real(fd, bytes, size / 2, at);                    \
            die();                                                   \
        }                                                            \
        return now < 0 ? -1 : real(fd, bytes, size, at);             \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

int fsync(int fd)
{
    WATCHED(is_watched(fd), -1, REAL(int, "fsync", int)(fd));
}

int fdatasync(int fd)
{
    WATCHED(is_watched(fd), -1, REAL(int, "fdatasync", int)(fd));
}

int ftruncate(int fd, off_t size)
{
    WATCHED(is_watched(fd), -1, REAL(int, "ftruncate", int, off_t)(fd, size));
}

int ftruncate64(int fd, off64_t size)
{
    WATCHED(is_watched(fd), -1, REAL(int, "ftruncate64", int, off64_t)(fd, size));
}

int close(int fd)
{
    if (is_watched(fd) && fault(1) > 0)
        die();
    return REAL(int, "close", int)(fd);
}

/* ---- memory: a sanitizer has an allocator of its own ------------------------------------------- */

#ifndef PBY_SANITIZED
extern void *__libc_malloc(size_t size), *__libc_calloc(size_t n, size_t size),
    *__libc_realloc(void *old, size_t size);

static int has_no_memory(void)
{
    static long asked, at = -1;
    const char *kind, *number, *done;
    if (at < 0 && environ != NULL) {
        kind = getenv("PBY_FAULT");
        number = getenv("PBY_FAULT_AT");
        at = kind != NULL && number != NULL && strcmp(kind, "ENOMEM") == 0 ? atol(number) : 0;
    }
    if (at <= 0 || ++asked != at)
        return 0;
    done = getenv("PBY_FAULT_DONE");
    if (done != NULL)
        (void)!mknod(done, S_IFREG | 0600, 0);
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return has_no_memory() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return has_no_memory() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return has_no_memory() ? NULL : __libc_realloc(old, size);
}
#endif

/* ---- entropy ---------------------------------------------------------------------------------- */

ssize_t getrandom(void *bytes, size_t size, unsigned flags)
{
    if (getenv("PBY_FAULT_RANDOM") == NULL)
        return REAL(ssize_t, "getrandom", void *, size_t, unsigned)(bytes, size, flags);
    errno = EIO;
    return -1;
}
