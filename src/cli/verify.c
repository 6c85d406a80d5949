#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/file.h"
#include "cli/options.h"
#include "cli/output.h"
#include "probity/certificate.h"

enum { JSON, OPTIONS };

static const pby_option known[OPTIONS + 1] = {[JSON] = {"--json", NULL, 0, NULL}};

static void print_certificate(const pby_certificate *c)
{
    puts("the certificate holds: recomputed from the spec, outcome by outcome");
    pby_print_line("mechanism", pby_spec_text(pby_certificate_spec(c)));
    pby_print_line("neighbours", pby_neighbours_text(pby_certificate_neighbours(c)));
    pby_print_line("epsilon", pby_certificate_epsilon(c));
    pby_print_ends("delta", pby_certificate_delta_lo(c), pby_certificate_delta_hi(c), NULL);
}

static json_t *describe(const pby_certificate *c)
{
    return json_pack("{s:b, s:s, s:s, s:s, s:{s:s, s:s}}", "holds", 1, "spec",
                     pby_spec_text(pby_certificate_spec(c)), "neighbours",
                     pby_neighbours_text(pby_certificate_neighbours(c)), "epsilon",
                     pby_certificate_epsilon(c), "delta", "lo", pby_certificate_delta_lo(c), "hi",
                     pby_certificate_delta_hi(c));
}

static pby_status report(pby_status verdict, const pby_certificate *c, int json, pby_error *err)
{
    if (!json) {
        if (verdict == PBY_OK)
            print_certificate(c);
        return verdict;
    }
    if (verdict != PBY_OK && verdict != PBY_NO)
        return verdict;
    const pby_status status = pby_print_json(
        verdict == PBY_OK ? describe(c) : json_pack("{s:b, s:s}", "holds", 0, "reason", err->text), err);
    return status == PBY_OK ? verdict : status;
}

static pby_status run(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    pby_certificate *c = NULL;
    char *text = NULL;
    size_t size;
    int operands;
    memcpy(options, known, sizeof options);
    pby_status status = pby_options_parse(options, argc, argv, &operands, err);
    if (status == PBY_OK)
        status = pby_operands_at_most(1, operands, argv, "one FILE, not two", err);
    if (status == PBY_OK)
        status = pby_file_read(&text, &size, operands == 0 ? NULL : argv[0], PBY_CERTIFICATE_LIMIT, err);
    if (status != PBY_OK)
        return status;
    status = pby_verify(&c, text, size, err);
    status = report(status, c, options[JSON].value != NULL, err);
    pby_certificate_free(c);
    free(text);
    return status;
}

static const char help[] =
    "probity verify: checks a certificate again from nothing\n"
    "\n"
    "usage: probity verify [FILE] [--json]\n"
    "\n"
    "Reads the certificate, recomputes delta from the mechanism's exact law, outcome by outcome and to 40\n"
    "digits, and compares. No number in the file is trusted. It holds when its two decimals surround\n"
    "the recomputed delta, are as close to each other as 20 digits allow, and no byte of the file is\n"
    "other than it was written. If it holds, says what it says and exits with 0; if not, says why on\n"
    "standard error and exits with 1.\n"
    "\n"
    "  FILE     the certificate; - or nothing is standard input\n"
    "  --json   one JSON object: holds, and what the certificate says or the reason why it does not hold\n"
    "\n"
    "examples:\n"
    "  probity verify certificate.json\n"
    "  probity certify geometric:eps=1 --epsilon 1 | probity verify --json\n";

const pby_command pby_command_verify = {"verify", "checks a certificate again from nothing", help, run};
