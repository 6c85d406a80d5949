/* SPDX-License-Identifier: MIT */
/* The entries of another ledger, for the copy that the transaction of a connection makes. */
#ifndef PBY_CERTIFICATE_LEDGER_SERVER_COPY_H
#define PBY_CERTIFICATE_LEDGER_SERVER_COPY_H

#include "certificate/ledger/ledger_store.h"
#include "certificate/ledger/server_link.h"

PBY_CHECKED
pby_status pby_server_copy(pby_server_link *link, pby_ledger *source, pby_error *err);

#endif
