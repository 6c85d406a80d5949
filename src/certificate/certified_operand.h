/* SPDX-License-Identifier: MIT */
/* A certificate in the place of a SPEC. */
#ifndef PBY_CERTIFICATE_CERTIFIED_OPERAND_H
#define PBY_CERTIFICATE_CERTIFIED_OPERAND_H

#include "probity/certificate.h"

/* The spec of operands: SPECs, or one file that is a certificate, which is read and not recomputed.
 * *relation, where it is not NULL, is then that of the certificate, and otherwise stays as it is. */
PBY_CHECKED
pby_status pby_operand_certified(pby_spec **out, pby_neighbours *relation, int operands, char **argv,
                                 pby_error *err);

#endif
