/* What the command says where the library refuses: the library names its arguments, the command its options
 * and a way out. */
#ifndef PBY_CLI_ADVICE_H
#define PBY_CLI_ADVICE_H

#include "cli/options.h"
#include "probity/status.h"

/* Puts the command's words in the place of the library's, where a refusal is one that it has words for. */
void pby_advise(pby_error *err);

/* The same for a refusal that begins with the name of an argument which is that of an option. */
void pby_advise_options(pby_error *err, const pby_option *known);

#endif
