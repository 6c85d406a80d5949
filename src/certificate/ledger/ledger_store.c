/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/ledger_store.h"

#include "certificate/ledger/file_store.h"
#include "certificate/ledger/server_name.h"
#include "certificate/ledger/server_store.h"

pby_status pby_store_open(pby_ledger_store **out, const char *path, pby_error *err)
{
    return pby_server_is(path) ? pby_server_store_open(out, path, err) : pby_file_store_open(out, path, err);
}

void pby_store_close(pby_ledger_store *store)
{
    if (store != NULL)
        store->kind->close(store);
}

pby_status pby_store_create(const char *path, const char *const *texts, pby_ledger *source, pby_error *err)
{
    return pby_server_is(path) ? pby_server_store_create(path, texts, source, err)
                               : pby_file_store_create(path, texts, source, err);
}
