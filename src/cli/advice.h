/* SPDX-License-Identifier: MIT */
/* The command's words for refusals of the library: the library names its arguments, the command its options
 * and a way out. */
#ifndef PBY_CLI_ADVICE_H
#define PBY_CLI_ADVICE_H

#include <stdbool.h>

#include "cli/options.h"
#include "probity/status.h"

/* Puts the command's words in the place of the library's, where a refusal is one that it has words for. */
void pby_advise(pby_error *err);

/* Names the option where a refusal begins with the argument; whether it does. */
bool pby_advise_name(pby_error *err, const char *argument, const char *option);

/* pby_advise, and then the option whose name a refusal begins with, but for its dashes. */
void pby_advise_options(pby_error *err, const pby_option *known);

/* Names the options of a question about accuracy: n is --records where that is given, the width is --bucket,
 * and inputs of the wrong kind get the command's words. */
void pby_advise_accuracy(pby_error *err, const char *command, bool records);

#endif
