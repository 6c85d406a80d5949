/* SPDX-License-Identifier: MIT */
#include "probity/key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/advice.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"

enum { OUTPUT, JSON, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [OUTPUT] = {.name = "-o",
                .shown = "KEY",
                .expected = "the name of a file to write",
                .completes = "file",
                .help = "the name of the file"},
    [JSON] = {.name = "--json",
              .help = "prints one JSON object: public_key, and the names of both files, secret_file and "
                      "public_file"},
};

static pby_status print_key(const char *path, const char *public_key, pby_error *err)
{
    char *public_path;
    if (asprintf(&public_path, "%s.pub", path) < 0)
        return pby_no_memory(err);
    const pby_status status =
        pby_print_json(json_pack("{s:s, s:s, s:s%}", "secret_file", path, "public_file", public_path,
                                 "public_key", public_key, strcspn(public_key, "\n")),
                       err);
    free(public_path);
    return status;
}

static pby_status run_keygen(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    char public_key[PBY_KEY_SIZE];
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status == PBY_OK)
        status = pby_operands_at_most(0, operands, argv, "-o KEY and nothing more", err);
    if (status != PBY_OK)
        return status;
    if (options[OUTPUT].value == NULL)
        return pby_fail(err, PBY_BAD, "keygen: expected -o KEY");
    status = pby_key_write_pair(options[OUTPUT].value, public_key, err);
    if (status == PBY_BAD)
        pby_advise_name(err, "path", "-o");
    if (status == PBY_OK && options[JSON].value != NULL)
        status = print_key(options[OUTPUT].value, public_key, err);
    else if (status == PBY_OK)
        fputs(public_key, stdout);
    return status;
}

static const char help[] =
    "probity keygen: make a key to sign certificates with\n"
    "\n"
    "usage: probity keygen -o KEY [--json]\n"
    "\n"
    "Makes a pair of Ed25519 keys. Writes the secret key to KEY, which only its owner may read, and the\n"
    "public key to KEY.pub, and prints the public key. Each is one line of text: probity-ed25519-secret:\n"
    "or probity-ed25519-public: and 64 hexadecimal digits. An existing file is never overwritten.\n"
    "\n";

static const char end[] =
    "\n"
    "example:\n"
    "  probity keygen -o signing\n"
    "  probity certify stlap:eps=1/2,q=40 --epsilon 1/2 --sign signing -o certificate.json\n"
    "  probity verify certificate.json --key signing.pub\n";

const pby_command pby_command_keygen = {"keygen",  "make a key to sign certificates with", help, known, end,
                                        run_keygen};
