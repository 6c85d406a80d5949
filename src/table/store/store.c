/* SPDX-License-Identifier: MIT */
#include "table/store/store.h"

#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "io/file.h"
#include "io/source.h"

enum { FIRST_ROOM = 1 << 14, WINDOW = 1 << 18 };

/* A row as it is kept: this, the key, and as many values as there are columns, unless there are none. */
struct head {
    uint32_t key_size;
    bool none; /* nothing may be published */
};

struct pby_store {
    char **columns; /* up to a NULL; NULL before they are known */
    size_t width;
    mpq_t unit;
    bool scaled, keyed;
    size_t keys;
    char *header;
    size_t header_size;

    uint8_t *bytes; /* all of the rows, or what is not yet in the file */
    size_t size, room;
    int fd;       /* -1: all in memory */
    uint64_t end; /* bytes of all rows */

    uint64_t at; /* of the next row */
    uint8_t *window;
    size_t window_size, window_room;
    uint64_t window_at;
    int64_t *values; /* of the row, aligned */

    pby_arrow_rows *lent; /* whose keys those of the rows are; NULL: they have their own */
    size_t last;          /* the batch of it that was asked for last */
    char digits[PBY_ARROW_DIGITS];
};

static const char what[] = "a temporary file in $TMPDIR";

pby_status pby_store_new(pby_store **out, pby_error *err)
{
    pby_store *s = *out = calloc(1, sizeof *s);
    if (s == NULL)
        return pby_no_memory(err);
    mpq_init(s->unit);
    s->fd = -1;
    s->keyed = true;
    s->keys = 1;
    return PBY_OK;
}

static void wipe(uint8_t *bytes, size_t room)
{
    if (bytes != NULL)
        sodium_memzero(bytes, room);
    free(bytes);
}

void pby_store_free(pby_store *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < s->width; i++)
        free(s->columns[i]);
    free(s->columns);
    mpq_clear(s->unit);
    free(s->header);
    wipe(s->bytes, s->room);
    wipe(s->window, s->window_room);
    if (s->values != NULL)
        sodium_memzero(s->values, s->width * sizeof *s->values);
    free(s->values);
    pby_arrow_rows_free(s->lent);
    if (s->fd >= 0)
        close(s->fd);
    free(s);
}

/* ---- what the rows are -------------------------------------------------------------------------- */

pby_status pby_store_shape(pby_store *s, const char *const *columns, mpq_srcptr unit, bool keyed,
                           pby_error *err)
{
    size_t width = 0;
    if (s->columns != NULL)
        return PBY_OK;
    while (columns[width] != NULL)
        width++;
    s->columns = calloc(width + 1, sizeof *s->columns);
    s->values = calloc(width + 1, sizeof *s->values);
    if (s->columns == NULL || s->values == NULL)
        return pby_no_memory(err);
    for (; s->width < width; s->width++)
        if ((s->columns[s->width] = strdup(columns[s->width])) == NULL)
            return pby_no_memory(err);
    s->scaled = unit != NULL;
    s->keyed = keyed;
    if (unit != NULL)
        mpq_set(s->unit, unit);
    return PBY_OK;
}

pby_status pby_store_head(pby_store *s, const void *name, size_t size, pby_error *err)
{
    if (s->header != NULL)
        return PBY_OK;
    s->header = malloc(size + 1);
    if (s->header == NULL)
        return pby_no_memory(err);
    memcpy(s->header, name, size);
    s->header[size] = '\0';
    s->header_size = size;
    return PBY_OK;
}

void pby_store_split(pby_store *s, size_t keys)
{
    s->keys = keys;
}

size_t pby_store_keys(const pby_store *s)
{
    return s->keys;
}

size_t pby_store_width(const pby_store *s)
{
    return s->width;
}

const char *const *pby_store_columns(const pby_store *s)
{
    static const char *const none[] = {NULL};
    return s->columns == NULL ? none : (const char *const *)s->columns;
}

mpq_srcptr pby_store_unit(const pby_store *s)
{
    return s->scaled ? s->unit : NULL;
}

bool pby_store_keyed(const pby_store *s)
{
    return s->keyed;
}

const char *pby_store_header(const pby_store *s, size_t *size)
{
    *size = s->header_size;
    return s->header;
}

/* ---- adding ------------------------------------------------------------------------------------- */

static pby_status widen_bytes(uint8_t **bytes, size_t *room, size_t used, size_t wanted, pby_error *err)
{
    if (wanted <= *room)
        return PBY_OK;
    const size_t wider = wanted > 2 * *room ? wanted + FIRST_ROOM : 2 * *room;
    uint8_t *more = malloc(wider);
    if (more == NULL)
        return pby_no_memory(err);
    if (used > 0)
        memcpy(more, *bytes, used);
    wipe(*bytes, *room);
    *bytes = more;
    *room = wider;
    return PBY_OK;
}

void pby_store_lend(pby_store *s, pby_arrow_rows *rows)
{
    if (s->lent == NULL)
        s->lent = pby_arrow_rows_share(rows);
}

/* Writes the bytes in memory to the file. */
static pby_status flush(pby_store *s, pby_error *err)
{
    pby_status status = s->fd < 0 ? pby_file_nameless(&s->fd, err) : PBY_OK;
    if (status == PBY_OK)
        status = pby_file_write_all(s->fd, s->bytes, s->size, what, err);
    s->size = 0;
    return status;
}

/* Room for more bytes, which may send those before to the file. */
static pby_status make_room(pby_store *s, size_t more, pby_error *err)
{
    const size_t most = s->fd < 0 ? PBY_KEPT_MAX : WINDOW;
    const pby_status status = s->size > 0 && s->size + more > most ? flush(s, err) : PBY_OK;
    return status == PBY_OK ? widen_bytes(&s->bytes, &s->room, s->size, s->size + more, err) : status;
}

pby_status pby_store_add_lent(pby_store *s, const int64_t *values, size_t rows, pby_error *err)
{
    const size_t more = rows * sizeof *values;
    const pby_status status = make_room(s, more, err);
    if (status != PBY_OK || more == 0)
        return status;
    memcpy(s->bytes + s->size, values, more);
    s->size += more;
    s->end += more;
    return PBY_OK;
}

pby_status pby_store_add(pby_store *s, const uint8_t *key, size_t size, const int64_t *values, pby_error *err)
{
    struct head head;
    memset(&head, 0, sizeof head); /* its padding goes to the file */
    head.key_size = (uint32_t)size;
    head.none = values == NULL;
    const size_t numbers = values == NULL ? 0 : s->width * sizeof *values;
    const size_t before = s->lent != NULL ? 0 : sizeof head + size;
    const size_t more = before + numbers;
    const pby_status status = make_room(s, more, err);
    if (status != PBY_OK)
        return status;
    uint8_t *to = s->bytes + s->size;
    if (before > 0)
        to = (uint8_t *)mempcpy(to, &head, sizeof head);
    if (before > sizeof head)
        to = (uint8_t *)mempcpy(to, key, size);
    if (numbers > 0)
        memcpy(to, values, numbers);
    s->size += more;
    s->end += more;
    return PBY_OK;
}

/* ---- reading ------------------------------------------------------------------------------------ */

void pby_store_rewind(pby_store *s)
{
    s->at = 0;
}

static pby_status fill_store(pby_store *s, size_t size, pby_error *err)
{
    const size_t wanted = size > WINDOW ? size : WINDOW;
    const pby_status status = widen_bytes(&s->window, &s->window_room, 0, wanted, err);
    if (status != PBY_OK)
        return status;
    s->window_at = s->at;
    s->window_size = 0;
    while (s->window_size < size) {
        const ssize_t n = pread(s->fd, s->window + s->window_size, wanted - s->window_size,
                                (off_t)(s->window_at + s->window_size));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "%s: %s", what,
                               n < 0 ? strerror(errno) : "it was cut off");
        s->window_size += (size_t)n;
    }
    return PBY_OK;
}

/* The next `size` bytes, from the next row on. */
static pby_status look(pby_store *s, size_t size, const uint8_t **bytes, pby_error *err)
{
    if (s->fd < 0) {
        *bytes = s->bytes + s->at;
        return PBY_OK;
    }
    const bool there = s->at >= s->window_at && s->window_size >= size &&
                       s->at - s->window_at <= s->window_size - size;
    const pby_status status = there ? PBY_OK : fill_store(s, size, err);
    *bytes = s->window + (s->at - s->window_at);
    return status;
}

pby_arrow_rows *pby_store_lent(const pby_store *s)
{
    return s->lent;
}

pby_status pby_store_take_lent(pby_store *s, int64_t *values, size_t rows, pby_error *err)
{
    const uint8_t *bytes;
    const size_t size = rows * sizeof *values;
    pby_status status = s->fd >= 0 && s->size > 0 ? flush(s, err) : PBY_OK;
    if (status == PBY_OK)
        status = look(s, size, &bytes, err);
    if (status != PBY_OK)
        return status;
    memcpy(values, bytes, size);
    s->at += size;
    return PBY_OK;
}

/* A row whose key is lent: its values alone. */
static pby_status next_lent(pby_store *s, const uint8_t **key, size_t *size, const int64_t **values,
                            pby_error *err)
{
    const size_t numbers = s->width * sizeof *s->values;
    const uint8_t *bytes;
    const pby_status status = look(s, numbers, &bytes, err);
    if (status != PBY_OK)
        return status;
    memcpy(s->values, bytes, numbers);
    *values = s->values;
    (void)pby_arrow_rows_key(s->lent, &s->last, (size_t)(s->at / numbers), key, size, s->digits);
    s->at += numbers;
    return PBY_OK;
}

pby_status pby_store_next(pby_store *s, bool *found, const uint8_t **key, size_t *size,
                          const int64_t **values, pby_error *err)
{
    struct head head;
    const uint8_t *bytes;
    *found = false;
    pby_status status = s->fd >= 0 && s->size > 0 ? flush(s, err) : PBY_OK;
    if (status != PBY_OK || s->at == s->end)
        return status;
    if (s->lent != NULL) {
        status = next_lent(s, key, size, values, err);
        *found = status == PBY_OK;
        return status;
    }
    status = look(s, sizeof head, &bytes, err);
    if (status != PBY_OK)
        return status;
    memcpy(&head, bytes, sizeof head);
    const size_t numbers = head.none ? 0 : s->width * sizeof *s->values;
    const size_t all = sizeof head + head.key_size + numbers;
    status = look(s, all, &bytes, err);
    if (status != PBY_OK)
        return status;
    if (numbers > 0)
        memcpy(s->values, bytes + sizeof head + head.key_size, numbers);
    *key = bytes + sizeof head;
    *size = head.key_size;
    *values = head.none ? NULL : s->values;
    *found = true;
    s->at += all;
    return PBY_OK;
}
