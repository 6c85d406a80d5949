/* SPDX-License-Identifier: MIT */
#include "table/store/key_row.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "table/store/rows.h"

void pby_key_row_clear(pby_key_row *r)
{
    if (r->bytes != NULL)
        sodium_memzero(r->bytes, r->room);
    free(r->bytes);
    *r = (pby_key_row){.bytes = NULL};
}

void pby_key_row_begin(pby_key_row *r)
{
    r->size = r->fields = 0;
}

/* Room for so many bytes more; what was there before is wiped. */
static pby_status make_room(pby_key_row *r, size_t more, pby_error *err)
{
    const size_t wanted = r->size + more;
    if (wanted <= r->room)
        return PBY_OK;
    uint8_t *bytes = malloc(2 * wanted);
    if (bytes == NULL)
        return pby_no_memory(err);
    if (r->bytes != NULL) {
        memcpy(bytes, r->bytes, r->size);
        sodium_memzero(r->bytes, r->room);
        free(r->bytes);
    }
    r->bytes = bytes;
    r->room = 2 * wanted;
    return PBY_OK;
}

pby_status pby_key_row_add(pby_key_row *r, const uint8_t *field, size_t size, pby_error *err)
{
    const pby_status status = make_room(r, 2 * size + 3, err);
    if (status != PBY_OK)
        return status;
    if (r->fields++ > 0)
        r->bytes[r->size++] = ',';
    r->size = (size_t)(pby_put_name(r->bytes + r->size, field, size) - r->bytes);
    return PBY_OK;
}
