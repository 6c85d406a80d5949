/* SPDX-License-Identifier: MIT */
/* A file of TOML is refused by its line, or its values have their kinds, and no key occurs twice. */
#include "plan/toml.h"

#include <stdint.h>
#include <string.h>

#include "number/scoped.h"
#include "probity/rational.h"
#include "tests/fuzz/must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A number that is short enough is a rational. */
static void look_at_number(const char *text)
{
    PBY_MPQ(q);
    pby_error err = PBY_NO_ERROR;
    const pby_status status = pby_rational_parse(q, "number", text, &err);
    must(status == PBY_OK || (status == PBY_BAD && strpbrk(text, "eE") != NULL) ||
             strlen(text) > PBY_RATIONAL_DIGITS_MAX,
         "a number is a rational");
}

static void look(const pby_toml *value, unsigned depth)
{
    size_t count = 0;
    must(depth <= 2 * PBY_TOML_DEPTH_MAX + 2, "a depth");
    must((value->kind == PBY_TOML_TEXT || value->kind == PBY_TOML_NUMBER) == (value->text != NULL), "a text");
    if (value->kind == PBY_TOML_NUMBER)
        look_at_number(value->text);
    for (const pby_toml *inner = value->first; inner != NULL; inner = inner->next, count++) {
        must((value->kind == PBY_TOML_TABLE) == (inner->key != NULL), "a key");
        must(inner->key == NULL || pby_toml_at(value, inner->key) == inner, "no duplicate key");
        look(inner, depth + 1);
    }
    must(count == value->count, "a count");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pby_error err = PBY_NO_ERROR;
    pby_toml *root;
    if (pby_toml_read(&root, "file", (const char *)data, size, &err) == PBY_OK)
        look(root, 0);
    else
        must(root == NULL && err.status == PBY_BAD && strchr(err.text, '\n') == NULL &&
                 strncmp(err.text, "file: ", 6) == 0,
             "one line");
    pby_toml_free(root);
    return 0;
}
