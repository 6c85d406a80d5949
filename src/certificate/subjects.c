/* SPDX-License-Identifier: MIT */
#include "certificate/subjects.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "io/digest.h"

/* The file of that name in the folder of path. */
static bool beside(char out[PATH_MAX], const char *path, const char *name)
{
    const char *slash = path == NULL ? NULL : strrchr(path, '/');
    const int length = slash == NULL ? 0 : (int)(slash + 1 - path);
    const int n = snprintf(out, PATH_MAX, "%.*s%s", length, slash == NULL ? "" : path, name);
    return n > 0 && n < PATH_MAX;
}

/* Sets *here to whether there is such a file; PBY_NO if it is another than the one that is stated. */
static pby_status compare(bool *here, const char *path, const char *name, const char *sha256, pby_error *err)
{
    char file[PATH_MAX];
    pby_digest digest;
    *here = false;
    if (!beside(file, path, name))
        return pby_refuse(err, "subject", name, "a shorter name");
    const int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT)
        return PBY_OK;
    const bool read = fd >= 0 && pby_digest_file(&digest, fd);
    if (fd >= 0)
        close(fd);
    if (!read)
        return pby_refuse(err, "subject", name, "a file that can be read");
    *here = true;
    return strcmp(digest.sha256, sha256) == 0
               ? PBY_OK
               : pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE,
                             "subject %s: its SHA-256 is %s, expected %s", name, digest.sha256, sha256);
}

static const char *hash_of(const json_t *subject)
{
    return pby_json_string(json_object_get(subject, "digest"), "sha256");
}

pby_status pby_subjects_compare(json_t **found, const json_t *statement, const char *path, pby_error *err)
{
    const json_t *subjects = json_object_get(statement, "subject");
    pby_status status = PBY_OK;
    *found = json_array();
    for (size_t i = 0; status == PBY_OK && i < json_array_size(subjects); i++) {
        const json_t *subject = json_array_get(subjects, i);
        const char *name = pby_json_string(subject, "name");
        bool here;
        status = compare(&here, path, name, hash_of(subject), err);
        if (status == PBY_OK)
            *found = pby_json_append(
                *found, json_pack("{s:s, s:s, s:b}", "name", name, "sha256", hash_of(subject), "here", here));
        if (status == PBY_OK && *found == NULL)
            status = pby_no_memory(err);
    }
    return status;
}
