#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/spool.h"
#include "probity/certificate.h"
#include "probity/rational.h"

enum { EPSILON, NEIGHBOURS, OUTPUT, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [EPSILON] = {"--epsilon", "a rational such as 1/2 or 0.5", 0, NULL},
    [NEIGHBOURS] = {"--neighbours", "add-remove or substitute", 0, NULL},
    [OUTPUT] = {"-o", "the name of a file to write", 0, NULL},
};

static pby_status write_whole(const char *path, const char *text, pby_error *err)
{
    pby_spool *spool;
    const int standard = path == NULL || strcmp(path, "-") == 0;
    pby_status status = pby_spool_open(&spool, standard ? NULL : path, err);
    if (status != PBY_OK)
        return status;
    status = pby_spool_write(spool, text, strlen(text), err);
    if (status == PBY_OK)
        return pby_spool_commit(spool, err);
    pby_spool_abort(spool);
    return status;
}

static pby_status certify(const pby_spec *spec, const pby_option *options, pby_error *err)
{
    pby_neighbours relation;
    char *text = NULL;
    mpq_t epsilon;
    mpq_init(epsilon);
    pby_status status = pby_option_neighbours(&relation, options[NEIGHBOURS].value, err);
    if (status == PBY_OK)
        status = pby_rational_parse(epsilon, "--epsilon", options[EPSILON].value, err);
    if (status == PBY_OK)
        status = pby_certify(&text, spec, relation, epsilon, err);
    if (status == PBY_OK)
        status = write_whole(options[OUTPUT].value, text, err);
    free(text);
    mpq_clear(epsilon);
    return status;
}

static pby_status run(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    pby_spec *spec = NULL;
    int operands;
    memcpy(options, known, sizeof options);
    pby_status status = pby_options_parse(options, argc, argv, &operands, err);
    if (status == PBY_OK)
        status = pby_operand_spec(&spec, "certify", operands, argv, err);
    if (status != PBY_OK)
        return status;
    status = options[EPSILON].value != NULL ? certify(spec, options, err)
                                            : pby_fail(err, PBY_BAD, "certify: expected --epsilon E");
    pby_spec_free(spec);
    return status;
}

static const char help[] =
    "probity certify: a certificate of a mechanism's loss\n"
    "\n"
    "usage: probity certify SPEC --epsilon E [--neighbours R] [-o FILE]\n"
    "\n"
    "Writes a JSON file that says which mechanism, which neighbours, which epsilon, and the delta that\n"
    "goes with it: two decimals of 20 digits that surround the true value. The loss is computed by two\n"
    "routes that must agree. Anyone can check the file again from nothing with probity verify.\n"
    "\n"
    "  SPEC             a mechanism, such as stlap:eps=1/2,q=40\n"
    "  --epsilon E      the epsilon to certify delta at, a rational\n"
    "  --neighbours R   add-remove (one record more or fewer; the default) or substitute (one changed)\n"
    "  -o FILE          where to write; - or nothing is standard output. FILE appears whole or not at all\n"
    "\n"
    "example:\n"
    "  probity certify stlap:eps=1/2,q=40 --epsilon 1/2 -o certificate.json\n";

const pby_command pby_command_certify = {"certify", "a certificate of a mechanism's loss", help, run};
