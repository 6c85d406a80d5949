/* SPDX-License-Identifier: MIT */
/* A text is refused on one line, or it is a tree of events. Then the spec of it is read again as itself.
 *
 * Few bytes are trees by themselves. So, but for a first byte 0, behind which they are taken as they are,
 * bytes are edits of a small tree: three for a place and what to write there. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism/spec/events.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char tree[] =
    "{\"class_name\":\"ComposedDpEvent\",\"events\":[{\"class_name\":\"SelfComposedDpEvent\",\"count\":3,"
    "\"event\":{\"class_name\":\"PoissonSampledDpEvent\",\"sampling_probability\":0.1,\"event\":"
    "{\"class_name\":\"GaussianDpEvent\",\"noise_multiplier\":2}}},{\"class_name\":\"LaplaceDpEvent\","
    "\"noise_multiplier\":\"1/3\",\"module_name\":\"m\"},{\"class_name\":\"NoOpDpEvent\"}]}";

static void must(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static void check(const char *text, size_t size)
{
    pby_error err = PBY_NO_ERROR;
    pby_spec *spec, *again;
    if (pby_spec_of_events(&spec, text, size, &err) != PBY_OK) {
        must(spec == NULL && err.status == PBY_BAD, "bytes are refused, they do not break the machine");
        must(strstr(err.text, "expected ") != NULL && strchr(err.text, '\n') == NULL, "one line");
        return;
    }
    const char *canonical = pby_spec_text(spec);
    must(pby_spec_parse(&again, &canonical, 1, NULL) == PBY_OK, "what a tree becomes is a spec");
    must(strcmp(pby_spec_text(again), canonical) == 0, "a spec is read as it was written");
    pby_spec_free(again);
    pby_spec_free(spec);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || data[0] == 0) {
        check((const char *)data + (size > 0), size - (size > 0));
        return 0;
    }
    char text[sizeof tree];
    memcpy(text, tree, sizeof tree);
    for (size_t i = 1; i + 2 < size; i += 3)
        text[((size_t)data[i] << 8 | data[i + 1]) % (sizeof tree - 1)] = (char)data[i + 2];
    check(text, sizeof tree - 1);
    return 0;
}
