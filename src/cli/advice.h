/* SPDX-License-Identifier: MIT */
/* What the command says where the library refuses: the library names its arguments, the command its options
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

/* The same for what an accuracy is asked at: n is --records where that is given, the width is --bucket, and
 * inputs that are not what they should be are the command's. */
void pby_advise_accuracy(pby_error *err, const char *command, bool records);

#endif
