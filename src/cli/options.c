/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "mechanism/family.h"
#include "number/integer.h"
#include "probity/enclosure.h"

enum { NAMES_MAX = 48, NAME_SIZE = 64, EXPECTED_SIZE = 512 };

/* ---- options ---------------------------------------------------------------------------------- */

/* True if some mechanism has a parameter that is called so behind two dashes. */
static bool names_parameter(const char *name)
{
    for (size_t i = 0; strncmp(name, "--", 2) == 0 && pby_families[i] != NULL; i++)
        if (pby_family_find(pby_families[i], name + 2) < PBY_PARAMETERS_MAX)
            return true;
    return false;
}

const pby_option *pby_options_common = NULL;

/* Adds a name to a list of those that a refusal shows; one that finds no room is left out. */
static void list_name(const char *names[NAMES_MAX + 2], size_t *count, char expected[EXPECTED_SIZE],
                      const char *name)
{
    const size_t at = strlen(expected);
    if (*count > NAMES_MAX)
        return;
    names[(*count)++] = name;
    if (at + strlen(name) + 3 < EXPECTED_SIZE)
        snprintf(expected + at, EXPECTED_SIZE - at, ", %s", name);
}

/* A loss in the place of a mechanism, or by the name of the answer, at a command that has another option. */
static const struct {
    const char *name, *beside, *expected;
} asked[] = {
    {"--epsilon", "--by",
     "the loss as a parameter of the SPEC, such as geometric:eps=1; probity certify SPEC --epsilon E -o FILE "
     "makes a certificate of it"},
    {"--delta", "--by",
     "no delta beside the SPEC; probity select FAMILY --epsilon E --delta D chooses the SPEC that keeps it"},
    {"--rho", "--zcdp", "--zcdp, which asks for the least rho"},
};

static bool is_listed(const char *const *names, const char *name)
{
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

static pby_status refuse_unknown(const pby_option *options, const char *argument, pby_error *err)
{
    const char *names[NAMES_MAX + 2] = {"--help"};
    char expected[EXPECTED_SIZE] = "an option such as --help", name[NAME_SIZE];
    size_t count = 1;
    for (size_t i = 0; options[i].name != NULL; i++)
        if (options[i].alternative != PBY_OPTION_RENAMED)
            list_name(names, &count, expected, options[i].name);
    for (const pby_option *common = pby_options_common; common != NULL && common->name != NULL; common++)
        list_name(names, &count, expected, common->name);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(argument, "="), argument);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        if (strcmp(asked[i].name, name) == 0 && is_listed(names, asked[i].beside))
            return pby_refuse(err, "option", argument, asked[i].expected);
    if (pby_nearest(name, names) == NULL && names_parameter(name)) {
        snprintf(expected, sizeof expected, "no option but a parameter of the SPEC: MECHANISM:%s=VALUE",
                 name + 2);
        return pby_refuse(err, "option", argument, expected);
    }
    return pby_refuse_guess(err, "option", argument, expected, name, names);
}

static pby_status refuse_renamed(const pby_option *option, pby_error *err)
{
    return pby_fail(err, PBY_BAD, "option '%s': expected %s, which is its name here", option->name,
                    option->expected);
}

/* The option that an argument names; *value is what stands behind = or behind a single letter. */
static pby_option *find(pby_option *options, const char *argument, const char **value)
{
    const bool is_long = argument[1] == '-';
    const size_t size = is_long ? strcspn(argument, "=") : 2;
    *value = argument[size] == '\0' ? NULL : argument + size + is_long;
    for (pby_option *option = options; option->name != NULL; option++)
        if (strlen(option->name) == size && memcmp(option->name, argument, size) == 0)
            return option;
    return NULL;
}

static pby_status refuse_alternative(const pby_option *options, const pby_option *option, pby_error *err)
{
    for (const pby_option *other = options; other->name != NULL; other++)
        if (other != option && other->value != NULL && other->alternative != 0 &&
            other->alternative == option->alternative) {
            char expected[EXPECTED_SIZE];
            snprintf(expected, sizeof expected, "one of %s and %s, not both", other->name, option->name);
            return pby_option_unread(option, expected, err);
        }
    return PBY_OK;
}

static pby_status set(const pby_option *options, pby_option *option, const char *value, pby_error *err)
{
    if (option->expected == NULL && value != NULL)
        return pby_refuse(err, option->name, value, "no value");
    if (option->expected != NULL && value == NULL) {
        char expected[EXPECTED_SIZE];
        snprintf(expected, sizeof expected, "a value after it: %s", option->expected);
        return pby_refuse(err, option->name, "", expected);
    }
    if (value == NULL)
        value = "";
    if (option->value != NULL)
        return pby_refuse(err, option->name, value, "it once, not twice");
    option->value = value;
    return refuse_alternative(options, option, err);
}

pby_status pby_options_parse(pby_option *options, const pby_option *known, int argc, char **argv,
                             int *operands, pby_error *err)
{
    bool only_operands = false;
    size_t count = 0;
    while (known[count].name != NULL)
        count++;
    memcpy(options, known, (count + 1) * sizeof *options);
    *operands = 0;
    for (int i = 0; i < argc; i++) {
        if (only_operands || argv[i][0] != '-' || argv[i][1] == '\0') {
            argv[(*operands)++] = argv[i];
            continue;
        }
        if (strcmp(argv[i], "--") == 0) {
            only_operands = true;
            continue;
        }
        const char *value;
        pby_option *option = find(options, argv[i], &value);
        if (option == NULL)
            return refuse_unknown(options, argv[i], err);
        if (option->alternative == PBY_OPTION_RENAMED)
            return refuse_renamed(option, err);
        if (option->expected != NULL && value == NULL && i + 1 < argc && strncmp(argv[i + 1], "--", 2) != 0)
            value = argv[++i];
        const pby_status status = set(options, option, value, err);
        if (status != PBY_OK)
            return status;
    }
    return PBY_OK;
}

/* ---- values ----------------------------------------------------------------------------------- */

pby_status pby_option_unread(const pby_option *option, const char *expected, pby_error *err)
{
    return option->expected == NULL ? pby_fail(err, PBY_BAD, "%s: expected %s", option->name, expected)
                                    : pby_refuse(err, option->name, option->value, expected);
}

pby_status pby_options_unread(const pby_option *options, const int *wrong, size_t count, const char *expected,
                              pby_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (options[wrong[i]].value != NULL)
            return pby_option_unread(&options[wrong[i]], expected, err);
    return PBY_OK;
}

pby_status pby_option_seed(uint8_t seed[PBY_SEED_SIZE], const char *value, pby_error *err)
{
    const char *end;
    size_t size;
    const size_t digits = strspn(value, "0123456789abcdefABCDEF"), length = strlen(value);
    if (digits != length)
        return pby_fail(err, PBY_BAD,
                        "--seed (not shown): expected %d hexadecimal digits, but byte %zu is none",
                        2 * PBY_SEED_SIZE, digits + 1);
    if (length != 2 * PBY_SEED_SIZE ||
        sodium_hex2bin(seed, PBY_SEED_SIZE, value, length, NULL, &size, &end) != 0)
        return pby_fail(err, PBY_BAD, "--seed (not shown): expected %d hexadecimal digits, not %zu",
                        2 * PBY_SEED_SIZE, length);
    return PBY_OK;
}

pby_report_form pby_option_form(const pby_option *json)
{
    return json->value != NULL ? PBY_REPORT_JSON : PBY_REPORT_LINES;
}

pby_status pby_option_digits(unsigned *out, const char *value, unsigned long fallback, pby_error *err)
{
    unsigned long digits;
    const pby_status status = pby_integer_parse(&digits, "--digits", value, 1, PBY_DIGITS_MAX, fallback, err);
    *out = (unsigned)digits;
    return status;
}

pby_status pby_option_neighbours(pby_neighbours *out, const char *value, const pby_spec *spec, pby_error *err)
{
    *out = PBY_ADD_REMOVE;
    if (value != NULL)
        return pby_neighbours_parse(out, "--neighbours", value, err);
    return spec == NULL ? PBY_OK : pby_spec_neighbours(out, spec, err);
}

pby_status pby_operands_at_most(int most, int operands, char **argv, const char *expected, pby_error *err)
{
    return operands <= most ? PBY_OK : pby_refuse(err, "argument", argv[most], expected);
}

pby_status pby_operand_spec(pby_spec **out, const char *command, int operands, char **argv, pby_error *err)
{
    if (operands == 0)
        return pby_fail(err, PBY_BAD, "%s: expected a SPEC such as stlap:eps=1/2,q=40", command);
    const pby_status status = pby_operands_at_most(1, operands, argv, "one SPEC, not two", err);
    const char *text = argv[0];
    return status == PBY_OK ? pby_spec_parse(out, &text, 1, err) : status;
}
