#include "cli/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "status.h"

const char *pby_path_named(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0 ? NULL : path;
}

const char *pby_path_text(const char *path)
{
    return pby_path_named(path) == NULL ? "standard input" : path;
}

static pby_status read_fd(char *text, size_t *size, int fd, const char *what, size_t room, pby_error *err)
{
    *size = 0;
    while (*size < room) {
        const ssize_t got = read(fd, text + *size, room - *size);
        if (got == 0)
            break;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EISDIR)
            return pby_refuse(err, "file", what, "a file, not a folder");
        if (got < 0)
            return pby_fail(err, PBY_FAILED, "%s: %s", what, strerror(errno));
        *size += (size_t)got;
    }
    text[*size] = '\0';
    return PBY_OK;
}

pby_status pby_file_read(char **text, size_t *size, const char *path, size_t limit, pby_error *err)
{
    const int standard = pby_path_named(path) == NULL;
    *text = NULL;
    const int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        const char *reason = strerror(errno);
        char expected[PBY_ERROR_SIZE] = "a file that can be read, but: ";
        strncat(expected, reason, sizeof expected - strlen(expected) - 1);
        return pby_refuse(err, "file", path, expected);
    }
    char *buffer = malloc(limit + 2);
    const pby_status status = buffer == NULL ? pby_no_memory(err)
                                             : read_fd(buffer, size, fd, pby_path_text(path), limit + 1, err);
    if (!standard)
        close(fd);
    if (status == PBY_OK)
        *text = buffer;
    else
        free(buffer);
    return status;
}
