/* What the command says of an input that is no histogram: the library names its arguments, the command its
 * options and a way out. */
#ifndef PBY_CLI_ADVICE_H
#define PBY_CLI_ADVICE_H

#include "probity/status.h"

/* Puts the options in the place of the arguments in a refusal of a row; any other error stays as it is. */
void pby_advise(pby_error *err);

#endif
