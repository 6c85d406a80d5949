#include "probity/key.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"

enum { OUTPUT, JSON, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [OUTPUT] = {"-o", "the name of a file to write", 0, NULL},
    [JSON] = {"--json", NULL, 0, NULL},
};

static pby_status failed(const char *path, pby_error *err)
{
    return pby_fail(err, PBY_FAILED, "%.200s: %s", path, strerror(errno));
}

/* A key is never written over another: whoever does that has lost one. */
static pby_status make_file(int *fd, const char *path, mode_t mode, pby_error *err)
{
    *fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    if (*fd >= 0)
        return PBY_OK;
    char expected[PBY_ERROR_SIZE];
    snprintf(expected, sizeof expected, "a file that is not there and can be made, but: %s", strerror(errno));
    return pby_refuse(err, "-o", path, expected);
}

static pby_status write_key(int fd, const char *path, const char *text, pby_error *err)
{
    const size_t size = strlen(text);
    const ssize_t written = write(fd, text, size);
    if (written >= 0 && (size_t)written < size)
        errno = ENOSPC;
    const pby_status status = written == (ssize_t)size && fsync(fd) == 0 ? PBY_OK : failed(path, err);
    return close(fd) == 0 || status != PBY_OK ? status : failed(path, err);
}

/* Both names are taken before a key is written, so that a pair is whole or is not there. */
static pby_status write_pair(const char *path, const char *public_path, const char *secret,
                             const char *public_key, pby_error *err)
{
    int fd, public_fd;
    pby_status status = make_file(&fd, path, 0600, err);
    if (status != PBY_OK)
        return status;
    status = make_file(&public_fd, public_path, 0644, err);
    if (status != PBY_OK) {
        close(fd);
        unlink(path);
        return status;
    }
    status = write_key(fd, path, secret, err);
    const pby_status second = write_key(public_fd, public_path, public_key, status == PBY_OK ? err : NULL);
    if (status == PBY_OK)
        status = second;
    if (status != PBY_OK) {
        unlink(path);
        unlink(public_path);
    }
    return status;
}

static pby_status print_key(const char *path, const char *public_path, const char *public_key, pby_error *err)
{
    return pby_print_json(json_pack("{s:s, s:s, s:s%}", "secret_file", path, "public_file", public_path,
                                    "public_key", public_key, strcspn(public_key, "\n")),
                          err);
}

static pby_status run(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    char secret[PBY_KEY_SIZE], public_key[PBY_KEY_SIZE];
    char *public_path = NULL;
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status == PBY_OK)
        status = pby_operands_at_most(0, operands, argv, "-o KEY and nothing more", err);
    if (status != PBY_OK)
        return status;
    if (options[OUTPUT].value == NULL)
        return pby_fail(err, PBY_BAD, "keygen: expected -o KEY");
    if (asprintf(&public_path, "%s.pub", options[OUTPUT].value) < 0)
        return pby_no_memory(err);
    status = pby_key_generate(secret, public_key, err);
    if (status == PBY_OK)
        status = write_pair(options[OUTPUT].value, public_path, secret, public_key, err);
    if (status == PBY_OK && options[JSON].value != NULL)
        status = print_key(options[OUTPUT].value, public_path, public_key, err);
    else if (status == PBY_OK)
        fputs(public_key, stdout);
    sodium_memzero(secret, sizeof secret);
    free(public_path);
    return status;
}

static const char help[] =
    "probity keygen: a key to sign certificates with\n"
    "\n"
    "usage: probity keygen -o KEY [--json]\n"
    "\n"
    "Makes a pair of Ed25519 keys. Writes the secret key to KEY, which only its owner may read, and the\n"
    "public key to KEY.pub, and prints the public key. Each is one line of text: probity-ed25519-secret:\n"
    "or probity-ed25519-public: and 64 hexadecimal digits. An existing file is never overwritten.\n"
    "\n"
    "  -o KEY   the name of the file\n"
    "  --json   prints one JSON object: public_key, and the names of both files, secret_file and\n"
    "           public_file\n"
    "\n"
    "example:\n"
    "  probity keygen -o signing\n"
    "  probity certify stlap:eps=1/2,q=40 --epsilon 1/2 --sign signing -o certificate.json\n"
    "  probity verify certificate.json --key signing.pub\n";

const pby_command pby_command_keygen = {"keygen", "a key to sign certificates with", help, run};
