/* SPDX-License-Identifier: MIT */
/* Receipts of probity prove that are verified by themselves, and not in a certificate. */
#ifndef PBY_REPORT_PROOF_RECEIPT_H
#define PBY_REPORT_PROOF_RECEIPT_H

#include <stddef.h>

#include "base/status.h"
#include "probity/report.h"

/* Tells what a receipt says, for free(3): PBY_NO unless its form, digest and signature are right. It is not
 * proved again. key is the text of a public key that must have signed; NULL for any. */
PBY_CHECKED
pby_status pby_proof_receipt_verify(char **told, const char *text, size_t size, const char *key,
                                    pby_report_form form, pby_error *err);

#endif
