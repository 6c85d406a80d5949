/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "certificate/envelope.h"
#include "certificate/proof.h"
#include "certificate/secret_key.h"
#include "cli/command.h"
#include "cli/driver.h"
#include "cli/options.h"
#include "io/file.h"
#include "io/spool.h"

enum {
    SHAPE,
    REPORT,
    JUNIT,
    SARIF,
    BADGE,
    RECEIPT,
    SIGN,
    AGAINST,
    TEXT,
    OBJECTS,
    COMPILER,
    FLAGS,
    ACCEPT,
    MUTATE,
    LEMMAS,
    CACHE,
    NO_CACHE,
    JOBS,
    TIMEOUT,
    QUIET,
    SHOW,
    ROOT,
    KEY,
    OPTIONS
};

static const pby_option known[OPTIONS + 1] = {
    [SHAPE] = {.name = "--shape",
               .shown = "S",
               .expected = "histogram, select, gate or local",
               .completes = "histogram select gate local",
               .help =
                   "noisy counts (histogram), noisy max (select), a count that a threshold hides (gate), or "
                   "one user's bounded value (local)"},
    [REPORT] = {.name = "--json",
                .shown = "FILE",
                .expected = "the name of a file to write",
                .completes = "file",
                .help = "the whole result; - is standard output, for every FILE but that of --receipt"},
    [JUNIT] = {.name = "--junit",
               .shown = "FILE",
               .expected = "the name of a file to write",
               .completes = "file",
               .help = "one test case for each goal"},
    [SARIF] = {.name = "--sarif",
               .shown = "FILE",
               .expected = "the name of a file to write",
               .completes = "file",
               .help = "SARIF 2.1.0: each clause that is not proved, at its line"},
    [BADGE] = {.name = "--badge",
               .shown = "FILE",
               .expected = "the name of a file to write",
               .completes = "file",
               .help = "a badge with epsilon and delta, as SVG"},
    [RECEIPT] = {.name = "--receipt",
                 .shown = "FILE",
                 .expected = "the name of a file to write",
                 .completes = "file",
                 .help =
                     "if it is proved: digests of the mechanism and its sources, tools, goals, the statement "
                     "and the spec that it proves (see probity certify --proof)"},
    [SIGN] = {.name = "--sign",
              .shown = "KEY",
              .expected = "the name of a file that probity keygen wrote",
              .completes = "file",
              .help = "signs the receipt with the secret key in that file (see probity keygen)"},
    [AGAINST] = {.name = "--against",
                 .shown = "FILE",
                 .expected = "the name of a receipt",
                 .completes = "file",
                 .help = "sources, texts and statement must be those of this receipt"},
    [TEXT] = {.name = "--text",
              .shown = "DIR",
              .expected = "the name of a folder to write",
              .completes = "folder",
              .help = "if it is proved: NAME.i for each unit, the text that was proved, and a file flags; "
                      "compile them with cc @DIR/flags -O2 -g -c DIR/NAME.i"},
    [OBJECTS] = {.name = "--objects",
                 .shown = "DIR",
                 .expected = "the name of a folder with objects",
                 .completes = "folder",
                 .help =
                     "NAME.o for each unit, as your build made it: it must be what the compiler makes of the "
                     "text"},
    [COMPILER] = {.name = "--cc",
                  .shown = "CC",
                  .expected = "the name of a compiler",
                  .help = "the compiler that made the objects (gcc)"},
    [FLAGS] = {.name = "--flags",
               .shown = "FLAGS",
               .expected = "the flags of a compiler",
               .help = "the flags that the objects were compiled with (-O2 -g)"},
    [ACCEPT] = {.name = "--accept",
                .help =
                    "records contracts and goals in prove.baseline.json and prints what changed; if the file "
                    "is there, a change that was not accepted fails"},
    [MUTATE] = {.name = "--mutate",
                .help = "then makes small changes to the mechanism, none of which may be proved"},
    [LEMMAS] = {.name = "--lemmas",
                .help = "proves the library's lemmas again; by default its own result is taken"},
    [CACHE] = {.name = "--cache",
               .shown = "DIR",
               .expected = "the name of a folder",
               .alternative = 1,
               .completes = "folder",
               .help = "where results are kept by content, for a CI to keep; DIR/.probity by default"},
    [NO_CACHE] = {.name = "--no-cache", .alternative = 1, .help = "runs every prover again"},
    [JOBS] = {.name = "--jobs",
              .shown = "N",
              .expected = "a number from 1 on",
              .help = "provers at a time (all cores)"},
    [TIMEOUT] = {.name = "--timeout",
                 .shown = "S",
                 .expected = "a number of seconds",
                 .help = "seconds for each goal and prover (20)"},
    [QUIET] = {.name = "--quiet", .help = "prints no table"},
    [SHOW] = {.name = "--show", .help = "prints the C function that is proved, and proves nothing"},
    [ROOT] = {.name = "--root", .help = "prints the folder that has acsl/, for a compiler's -I"},
    [KEY] = {.name = "--key",
             .shown = "KEY",
             .expected = "the name of a file that probity keygen wrote",
             .completes = "file",
             .help = "of sign: the secret key that signs the receipt (see probity keygen)"},
};

/* Signs a receipt in its place; an envelope takes that of a statement of in-toto. */
static pby_status sign(const char *path, const char *key, pby_error *err)
{
    pby_secret_key secret;
    char *text = NULL, *out = NULL;
    json_t *root = NULL;
    size_t size;
    PBY_TRY(pby_file_read(&text, &size, path, PBY_CERTIFICATE_SIZE_MAX, err));
    pby_status status = pby_secret_key_read(&secret, "--key", key, err);
    if (status == PBY_OK)
        status = pby_json_read(&root, text, size, err);
    if (status == PBY_OK)
        status = pby_statement_is(root) ? pby_envelope_sign(&out, text, size, secret.text, err)
                                        : pby_proof_sign(&out, text, size, secret.text, err);
    json_decref(root);
    pby_secret_key_clear(&secret);
    if (status == PBY_OK)
        status = pby_spool_text(path, out, "", err);
    free(text);
    free(out);
    return status;
}

/* The driver reads the arguments again, as they were given; here they are held against what is known. */
static pby_status run_prove(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    int operands;
    char **words = calloc((size_t)argc + 1, sizeof *words);
    if (words == NULL)
        return pby_no_memory(err);
    if (argc > 0)
        memcpy(words, argv, (size_t)argc * sizeof *words);
    pby_status status = pby_options_parse(options, known, argc, words, &operands, err);
    const bool signs = status == PBY_OK && operands > 0 && strcmp(words[0], "sign") == 0;
    if (signs && (operands != 2 || options[KEY].value == NULL))
        status = pby_fail(err, PBY_BAD, "prove sign: expected a RECEIPT and --key KEY");
    else if (signs)
        status = sign(words[1], options[KEY].value, err);
    else if (status == PBY_OK && options[KEY].value != NULL)
        status = pby_option_unread(&options[KEY], "it with prove sign RECEIPT", err);
    else if (status == PBY_OK)
        status = pby_driver_become(argv, err);
    free(words);
    return status;
}

static const char help[] =
    "probity prove: prove that a mechanism in C is private\n"
    "\n"
    "usage: probity prove init NAME --shape histogram|select|gate|local\n"
    "       probity prove [DIR] [--json FILE] [--junit FILE] [--sarif FILE] [--badge FILE]\n"
    "                     [--receipt FILE [--sign KEY]] [--against FILE] [--text DIR]\n"
    "                     [--objects DIR [--cc CC] [--flags FLAGS]] [--accept] [--mutate]\n"
    "                     [--lemmas] [--cache DIR | --no-cache] [--jobs N] [--timeout S] [--quiet]\n"
    "       probity prove [DIR] --show\n"
    "       probity prove sign RECEIPT --key KEY\n"
    "       probity prove --root\n"
    "\n"
    "Reads DIR/prove.toml (the current folder if DIR is left out) and proves with Frama-C's WP that the\n"
    "mechanism named there is private: on every two neighbours, the noise of one run can be carried to\n"
    "noise of the other with the same answer, at a cost. epsilon is the cost times the noise's rate, by a\n"
    "theorem that is proved in Coq; delta, if the alignment may fail, is the chance of that. DIR is only\n"
    "read, but for DIR/.probity. Missing tools are named with their packages. Where the system offers no\n"
    "Frama-C and has mmdebstrap, the tools come from a root of Debian 12, made once in ~/.cache (2 GB).\n"
    "\n"
    "  init NAME        writes the folder NAME with a mechanism, its harness, prove.toml and a workflow\n"
    "  sign RECEIPT     signs a receipt in its place; a statement of in-toto is replaced by an envelope of\n"
    "                   DSSE that holds it, which probity verify checks\n";

static const char end[] =
    "\n"
    "Exit status: 0 proved; 1 not proved, a time-out included, or refuted; 2 a bad prove.toml, or C that\n"
    "does not parse; 3 a tool is missing.\n"
    "\n"
    "examples:\n"
    "  probity prove init visits --shape histogram\n"
    "  probity prove visits --sarif visits.sarif --receipt visits.json --sign signing\n";

const pby_command pby_command_prove = {"prove",  "prove that a mechanism in C is private", help, known, end,
                                       run_prove};
