/* SPDX-License-Identifier: MIT */
#include "cli/statement.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "certificate/envelope.h"
#include "cli/output.h"
#include "io/digest.h"
#include "io/file.h"

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

/* The subjects, and which of them are here. */
static pby_status compare_all(json_t **found, const json_t *statement, const char *path, pby_error *err)
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

static void print_text(const char *type, const char *signer, const json_t *found, bool required)
{
    printf("the statement is signed by %s%s\n", signer, required ? "" : " (give --key to require a key)");
    printf("predicate   %s\n", type);
    for (size_t i = 0; i < json_array_size(found); i++) {
        const json_t *subject = json_array_get(found, i);
        printf("subject     %s  %s%s\n", pby_json_string(subject, "sha256"), pby_json_string(subject, "name"),
               json_is_true(json_object_get(subject, "here")) ? "" : " (not here)");
    }
    printf("checked     the signature, and the bytes of the files that are here; not what the statement "
           "says of them\n");
}

static pby_status report(const json_t *statement, const char *signer, json_t *found, bool required,
                         bool as_json, pby_error *err)
{
    const char *type = pby_json_string(statement, "predicateType");
    if (as_json)
        return pby_print_json(json_pack("{s:b, s:s, s:s, s:O}", "holds", 1, "signer", signer,
                                        "predicate_type", type, "subjects", found),
                              err);
    print_text(type, signer, found, required);
    return PBY_OK;
}

pby_status pby_statement_verify(const char *text, size_t size, const char *path, const char *key,
                                bool as_json, pby_error *err)
{
    char signer[PBY_SIGNER_SIZE];
    json_t *statement, *found = NULL;
    pby_status status = pby_envelope_open(&statement, signer, text, size, err);
    if (status == PBY_OK && key != NULL)
        status = pby_envelope_signed_by(signer, key, err);
    if (status == PBY_OK)
        status = compare_all(&found, statement, pby_path_named(path), err);
    if (status == PBY_OK)
        status = report(statement, signer, found, key != NULL, as_json, err);
    json_decref(found);
    json_decref(statement);
    return status;
}
