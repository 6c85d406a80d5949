/* SPDX-License-Identifier: MIT */
/* A text is refused or is a spec whose canonical text, where it is not too long to read, is its own. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "probity/rational.h"
#include "probity/spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_canonical(const pby_spec *spec)
{
    pby_error err;
    pby_spec *again;
    const char *canonical = pby_spec_text(spec);
    if (strlen(canonical) > PBY_RATIONAL_DIGITS_MAX)
        return;
    if (pby_spec_parse(&again, &canonical, 1, &err) != PBY_OK || strcmp(canonical, pby_spec_text(again)) != 0)
        abort();
    pby_spec_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pby_error err;
    pby_spec *spec;
    char *text = malloc(size + 1);
    if (text == NULL)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    const char *use = text;
    if (pby_spec_parse(&spec, &use, 1, &err) == PBY_OK) {
        check_canonical(spec);
        pby_spec_free(spec);
    } else if (err.status != PBY_BAD || strchr(err.text, '\n') != NULL) {
        abort();
    }
    free(text);
    return 0;
}
