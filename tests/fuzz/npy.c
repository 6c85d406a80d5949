/* SPDX-License-Identifier: MIT */
/* The bytes of a NumPy file are refused on one line, or every number of it has a text that reads back as
 * itself. */
#include "audit/run/npy.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tests/fuzz/must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NUMBERS_MOST = 64 };

static void refused(const pby_error *err)
{
    must(err->status == PBY_BAD && strncmp(err->text, "a.npy: expected ", 16) == 0 &&
             strchr(err->text, '\n') == NULL,
         "one line by its name");
}

static void check_number(const pby_npy *npy, const uint8_t *bytes)
{
    char text[PBY_NPY_TEXT], *end;
    const int length = pby_npy_text(text, npy, bytes);
    must(length > 0 && length < PBY_NPY_TEXT && strlen(text) == (size_t)length, "a text that fits");
    if (npy->kind == 'f') {
        const double value = strtod(text, &end);
        char again[PBY_NPY_TEXT];
        snprintf(again, sizeof again, "%.17g", value);
        must(*end == '\0' && (isnan(value) || strcmp(text, again) == 0), "a float reads back as itself");
        return;
    }
    uint64_t number = text[0] == '-' ? (uint64_t)strtoll(text, &end, 10) : strtoull(text, &end, 10);
    must(*end == '\0', "an integer is one");
    for (size_t i = 0; i < npy->size; i++, number >>= 8)
        must(bytes[npy->turned ? npy->size - 1 - i : i] == (number & 255), "an integer reads back as itself");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pby_error err = PBY_NO_ERROR;
    size_t length = 0;
    pby_npy npy;
    if (size < PBY_NPY_PREFIX)
        return 0;
    if (pby_npy_prefix(&length, data, "a.npy", &err) != PBY_OK) {
        refused(&err);
        return 0;
    }
    data += PBY_NPY_PREFIX;
    size -= PBY_NPY_PREFIX;
    length = length < size ? length : size;
    char *header = malloc(length + 1); /* and no byte more */
    must(header != NULL, "memory");
    memcpy(header, data, length);
    header[length] = '\0';
    if (pby_npy_header(&npy, header, "a.npy", &err) != PBY_OK)
        refused(&err);
    else {
        must(npy.columns >= 1 && npy.size >= 1 && npy.size <= 8, "numbers of a size, in rows");
        data += length;
        size -= length;
        for (size_t i = 0; i < NUMBERS_MOST && size >= npy.size; i++, data += npy.size, size -= npy.size)
            check_number(&npy, data);
    }
    free(header);
    return 0;
}
