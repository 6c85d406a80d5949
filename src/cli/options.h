/* SPDX-License-Identifier: MIT */
/* The arguments of a subcommand: options and operands.
 *
 * Options may stand anywhere. A value follows as --name=value, as --name value, or, for an option of
 * one letter, as -nvalue or -n value; it may begin with one minus sign (--epsilon -2) but not with two.
 * After -- everything is an operand; - alone is one too.
 */
#ifndef PBY_CLI_OPTIONS_H
#define PBY_CLI_OPTIONS_H

#include <stddef.h>

#include "base/option.h"
#include "base/status.h"
#include "probity/experimental/entropy.h"
#include "probity/report.h"
#include "probity/spec.h"

/* The members of a row that several subcommands have. */
#define PBY_OPTION_NEIGHBOURS                                                                                \
    .name = "--neighbours", .shown = "R", .expected = "add-remove, substitute or local",                     \
    .completes = "add-remove substitute local",                                                              \
    .help = "the neighbours: add-remove (one record more or fewer), substitute (one changed) or local (any " \
            "two values of one user); by default the first of these that the SPEC allows"

/* The options of every subcommand, which somebody else has read (cli/guard.h), for refusals that list what
 * there is. NULL: there are none. */
extern const pby_option *pby_options_common;

/* Sorts argv into the values of options, a copy of the known ones, whose list ends with one without a name,
 * and operands, which are moved to the front of argv; *operands says how many there are. Refused: an unknown
 * option (with the nearest known one), a missing or a superfluous value, an option given twice, two
 * alternatives. */
PBY_CHECKED
pby_status pby_options_parse(pby_option *options, const pby_option *known, int argc, char **argv,
                             int *operands, pby_error *err);

/* The values that several subcommands take. A value of NULL gives the fallback. */
PBY_CHECKED
pby_status pby_option_digits(unsigned *out, const char *value, unsigned long fallback, pby_error *err);
PBY_CHECKED
pby_status pby_option_neighbours(pby_neighbours *out, const char *value, const pby_spec *spec,
                                 pby_error *err);

/* A seed of 64 hexadecimal digits; it is a secret to those who use it as one, so a refusal does not show it.
 */
PBY_CHECKED
pby_status pby_option_seed(uint8_t seed[PBY_SEED_SIZE], const char *value, pby_error *err);

/* The form of a report: JSON where that option is given. */
pby_report_form pby_option_form(const pby_option *json);

/* The refusal of an option that is given and that the question does not read. */
PBY_CHECKED
pby_status pby_option_unread(const pby_option *option, const char *expected, pby_error *err);

/* Likewise the refusal of the first of so many options, by their places, that is given. */
PBY_CHECKED
pby_status pby_options_unread(const pby_option *options, const int *wrong, size_t count, const char *expected,
                              pby_error *err);

/* The one spec that a subcommand takes, out of operands that must be that one alone. */
PBY_CHECKED
pby_status pby_operand_spec(pby_spec **out, const char *command, int operands, char **argv, pby_error *err);

/* A refusal of the first operand from `most` on, if there is one. */
PBY_CHECKED
pby_status pby_operands_at_most(int most, int operands, char **argv, const char *expected, pby_error *err);

#endif
