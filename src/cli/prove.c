#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "certificate/proof.h"
#include "cli/command.h"
#include "cli/driver.h"
#include "cli/options.h"
#include "io/file.h"
#include "io/spool.h"
#include "probity/key.h"

/* Signs a receipt in its place. */
static pby_status sign(int argc, char **argv, pby_error *err)
{
    static const pby_option known[] = {{"--key", "the name of a file that probity keygen wrote", 0, NULL},
                                       {NULL, NULL, 0, NULL}};
    pby_option options[sizeof known / sizeof *known];
    char *text = NULL, *secret = NULL, *out = NULL;
    size_t size, key_size;
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status == PBY_OK && (operands != 1 || options[0].value == NULL))
        status = pby_fail(err, PBY_BAD, "prove sign: expected a RECEIPT and --key KEY");
    if (status == PBY_OK)
        status = pby_file_read(&text, &size, argv[0], PBY_CERTIFICATE_SIZE_MAX, err);
    if (status == PBY_OK)
        status = pby_file_read(&secret, &key_size, options[0].value, PBY_KEY_SIZE, err);
    if (status == PBY_OK && !pby_key_is_secret(secret))
        status =
            pby_refuse(err, "--key", options[0].value, "a secret key, the file KEY of probity keygen -o KEY");
    if (status == PBY_OK)
        status = pby_proof_sign(&out, text, size, secret, err);
    if (status == PBY_OK)
        status = pby_spool_text(argv[0], out, "", err);
    if (secret != NULL)
        sodium_memzero(secret, key_size);
    free(secret);
    free(text);
    free(out);
    return status;
}

static pby_status run(int argc, char **argv, pby_error *err)
{
    if (argc > 0 && strcmp(argv[0], "sign") == 0)
        return sign(argc - 1, argv + 1, err);
    return pby_driver_become(argv, err);
}

static const char help[] =
    "probity prove: proves that a mechanism in C is private\n"
    "\n"
    "usage: probity prove init NAME --shape histogram|select|gate|local\n"
    "       probity prove [DIR] [--json FILE] [--junit FILE] [--sarif FILE] [--badge FILE]\n"
    "                     [--receipt FILE [--sign KEY]] [--against FILE] [--accept] [--mutate]\n"
    "                     [--lemmas] [--cache DIR | --no-cache] [--jobs N] [--timeout S] [--quiet]\n"
    "       probity prove [DIR] --show\n"
    "       probity prove sign RECEIPT --key KEY\n"
    "       probity prove --root\n"
    "\n"
    "Reads DIR/prove.toml (the current folder if DIR is left out) and proves with Frama-C's WP that the\n"
    "mechanism named there is private: on every two neighbours, the noise of one run can be carried to\n"
    "noise of the other with the same answer, at a cost. epsilon is the cost times the noise's rate, by a\n"
    "theorem that is proved in Coq; delta, if the alignment may fail, is the chance of that. DIR is only\n"
    "read, but for DIR/.probity. Nothing is installed: missing tools are named with their packages.\n"
    "\n"
    "  init NAME        writes the folder NAME with a mechanism, its harness, prove.toml and a workflow\n"
    "  --shape S        noisy counts (histogram), noisy max (select), a count that a threshold hides\n"
    "                   (gate), or one user's bounded value (local)\n"
    "  --json FILE      the whole result; - is standard output, for every FILE but that of --receipt\n"
    "  --junit FILE     one test case for each goal\n"
    "  --sarif FILE     SARIF 2.1.0: each clause that is not proved, at its line\n"
    "  --badge FILE     a badge with epsilon and delta, as SVG\n"
    "  --receipt FILE   if it is proved: digests of the sources, tools, goals and statement (see probity\n"
    "                   certify --proof)\n"
    "  --sign KEY       signs the receipt with the secret key in that file (see probity keygen)\n"
    "  --against FILE   sources and statement must be those of this receipt\n"
    "  --accept         records contracts and goals in prove.baseline.json and prints what changed; if\n"
    "                   the file is there, a change that was not accepted fails\n"
    "  --mutate         then makes small changes to the mechanism, none of which may be proved\n"
    "  --lemmas         proves the library's lemmas again; by default its own result is taken\n"
    "  --cache DIR      where results are kept by content, for a CI to keep; DIR/.probity by default\n"
    "  --no-cache       runs every prover again\n"
    "  --jobs N, --timeout S\n"
    "                   provers at a time (all cores); seconds for each goal and prover (20)\n"
    "  --quiet          prints no table\n"
    "  --show           prints the C function that is proved, and proves nothing\n"
    "  --root           prints the folder that has acsl/, for a compiler's -I\n"
    "\n"
    "Exit status: 0 proved; 1 not proved, a time-out included, or refuted; 2 a bad prove.toml, or C that\n"
    "does not parse; 3 a tool is missing.\n"
    "\n"
    "examples:\n"
    "  probity prove init visits --shape histogram\n"
    "  probity prove visits --sarif visits.sarif --receipt visits.json --sign signing\n";

const pby_command pby_command_prove = {"prove", "proves that a mechanism in C is private", help, run};
