/* SPDX-License-Identifier: MIT */
#include "certificate/secret_key.h"

#include <sodium.h>
#include <stdlib.h>

#include "io/file.h"
#include "io/sole.h"
#include "probity/key.h"

pby_status pby_secret_key_read(pby_secret_key *key, const char *option, const char *path, pby_error *err)
{
    *key = (pby_secret_key){NULL, 0};
    if (path == NULL)
        return PBY_OK;
    PBY_TRY(pby_file_read(&key->text, &key->size, path, PBY_KEY_SIZE, err));
    const pby_status status =
        pby_key_is_secret(key->text)
            ? pby_sole_secret(option, path, err)
            : pby_refuse(err, option, path, "a secret key, the file KEY of probity keygen -o KEY");
    if (status != PBY_OK)
        pby_secret_key_clear(key);
    return status;
}

void pby_secret_key_clear(pby_secret_key *key)
{
    if (key->text != NULL)
        sodium_memzero(key->text, key->size);
    free(key->text);
    key->text = NULL;
}
