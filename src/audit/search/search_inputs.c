/* SPDX-License-Identifier: MIT */
#include "audit/search/search_inputs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printed.h"
#include "base/status.h"

/* Small enough that sums of inputs and moves never overflow. */
static const int64_t value_max = INT64_C(1) << 61;

static const char form_expected[] =
    "values:n=N,from=A,to=B[,move=all|one], counts:n=N[,from=A],to=B, records:n=N,from=A,to=B, or a file of "
    "KEY,FROM,TO";

void pby_inputs_free(pby_inputs *inputs)
{
    if (inputs == NULL)
        return;
    for (size_t i = 0; i < PBY_INPUTS_LENGTH_MAX; i++)
        free(inputs->key[i]);
    for (size_t i = 0; i < inputs->rows; i++)
        free(inputs->row[i]);
    free(inputs->row);
    free(inputs);
}

bool pby_inputs_lines(const pby_inputs *inputs)
{
    return inputs->form != PBY_INPUT_VALUES;
}

/* ---- reading ---------------------------------------------------------------------------------- */

struct fields {
    bool given[4]; /* n, from, to, move */
    int64_t n, from, to;
    bool one;
};

static bool read_integer(int64_t *out, const char *text, size_t length)
{
    char digits[32], *end;
    if (length == 0 || length >= sizeof digits || strspn(text, "-0123456789") < length)
        return false;
    memcpy(digits, text, length);
    digits[length] = '\0';
    const long long value = strtoll(digits, &end, 10);
    *out = value;
    return *end == '\0' && value >= -value_max && value <= value_max;
}

static bool read_field(struct fields *f, const char *text, size_t length)
{
    static const char *const names[] = {"n=", "from=", "to=", "move="};
    int64_t *const numbers[] = {&f->n, &f->from, &f->to};
    for (size_t i = 0; i < 4; i++) {
        const size_t size = strlen(names[i]);
        if (length < size || memcmp(text, names[i], size) != 0)
            continue;
        if (f->given[i])
            return false;
        f->given[i] = true;
        text += size;
        length -= size;
        if (i < 3)
            return read_integer(numbers[i], text, length);
        f->one = length == 3 && memcmp(text, "one", 3) == 0;
        return f->one || (length == 3 && memcmp(text, "all", 3) == 0);
    }
    return false;
}

static bool read_fields(struct fields *f, const char *text)
{
    bool good = true;
    while (good) {
        const size_t length = strcspn(text, ",");
        good = read_field(f, text, length);
        if (text[length] == '\0')
            break;
        text += length + 1;
    }
    return good && f->given[0] && f->given[2] && f->n >= 1 && f->n <= PBY_INPUTS_LENGTH_MAX &&
           f->from < f->to;
}

static pby_input_move move_of(pby_input_form form, bool one, pby_neighbours neighbours)
{
    const bool substitute = neighbours != PBY_ADD_REMOVE;
    if (form == PBY_INPUT_VALUES)
        return one ? PBY_MOVE_ONE : PBY_MOVE_ALL;
    if (form == PBY_INPUT_COUNTS)
        return substitute ? PBY_MOVE_SWAP : PBY_MOVE_ONE;
    return substitute ? PBY_MOVE_CHANGE : PBY_MOVE_DROP;
}

pby_status pby_inputs_parse(pby_inputs **out, const char *text, pby_neighbours neighbours, pby_error *err)
{
    static const char *const forms[] = {"values:", "counts:", "records:"};
    struct fields f = {.from = 0};
    *out = NULL;
    for (size_t i = 0; i < 3; i++) {
        const size_t size = strlen(forms[i]);
        if (strncmp(text, forms[i], size) != 0)
            continue;
        const pby_input_form form = (pby_input_form)i;
        if (!read_fields(&f, text + size) || (f.given[3] && form != PBY_INPUT_VALUES) ||
            (!f.given[1] && form != PBY_INPUT_COUNTS) || (form == PBY_INPUT_COUNTS && f.from < 0))
            break;
        pby_inputs *inputs = calloc(1, sizeof *inputs);
        if (inputs == NULL)
            return pby_no_memory(err);
        inputs->form = form;
        inputs->move = move_of(form, f.one, neighbours);
        inputs->count = (size_t)f.n;
        for (size_t j = 0; j < inputs->count; j++) {
            inputs->from[j] = f.from;
            inputs->to[j] = f.to;
        }
        if (inputs->move == PBY_MOVE_SWAP && f.n == 1) {
            pby_inputs_free(inputs);
            return pby_refuse(err, "inputs", text, "two bars or more for substitute neighbours");
        }
        *out = inputs;
        return PBY_OK;
    }
    return pby_refuse(err, "inputs", text, form_expected);
}

/* One line of KEY,FROM,TO; a key may hold commas. */
static bool read_range(pby_inputs *inputs, const char *line, size_t length)
{
    size_t second = length, first;
    while (second > 0 && line[second - 1] != ',')
        second--;
    first = second > 0 ? second - 1 : 0;
    while (first > 0 && line[first - 1] != ',')
        first--;
    const size_t i = inputs->count;
    if (first < 2 || i == PBY_INPUTS_LENGTH_MAX ||
        !read_integer(&inputs->from[i], line + first, second - 1 - first) ||
        !read_integer(&inputs->to[i], line + second, length - second) || inputs->from[i] < 0 ||
        inputs->from[i] > inputs->to[i])
        return false;
    inputs->key[i] = strndup(line, first - 1);
    inputs->count++;
    return inputs->key[i] != NULL;
}

pby_status pby_inputs_ranges(pby_inputs **out, const char *csv, size_t length, pby_neighbours neighbours,
                             pby_error *err)
{
    pby_inputs *inputs = calloc(1, sizeof *inputs);
    *out = NULL;
    if (inputs == NULL)
        return pby_no_memory(err);
    inputs->form = PBY_INPUT_COUNTS;
    inputs->move = move_of(inputs->form, false, neighbours);
    size_t number = 0;
    bool good = true, wide = false;
    for (size_t at = 0; at < length && good;) {
        const char *end = memchr(csv + at, '\n', length - at);
        size_t size = end == NULL ? length - at : (size_t)(end - csv) - at, next = at + size + 1;
        number++;
        if (size > 0 && csv[at + size - 1] == '\r')
            size--;
        good = size == 0 || read_range(inputs, csv + at, size);
        at = next;
    }
    for (size_t i = 0; i < inputs->count; i++)
        wide = wide || inputs->from[i] < inputs->to[i];
    if (good && wide && inputs->count > (inputs->move == PBY_MOVE_SWAP)) {
        *out = inputs;
        return PBY_OK;
    }
    pby_inputs_free(inputs);
    return pby_fail(
        err, PBY_BAD,
        good ? "inputs: expected lines KEY,FROM,TO with a range to move in, not %zu lines without one"
             : "inputs: line %zu: expected KEY,FROM,TO, integers from 0 on, at most 64 lines",
        number);
}

/* ---- pairs ------------------------------------------------------------------------------------ */

/* The number of a side at a place of the left input. */
static int64_t value_at(const pby_input_pair *pair, size_t i, pby_side side)
{
    return side == PBY_LEFT ? pair->left[i] : pair->left[i] + pair->more[i];
}

static bool moves_fit(const pby_input_pair *pair, pby_input_move move)
{
    size_t up = 0, down = 0, far = 0;
    for (size_t i = 0; i < pair->count; i++) {
        up += pair->more[i] > 0;
        down += pair->more[i] < 0;
        far += pair->more[i] < -1 || pair->more[i] > 1;
    }
    const bool whole = pair->gone == pair->count;
    switch (move) {
    case PBY_MOVE_ALL:
        return whole && far == 0 && up + down > 0;
    case PBY_MOVE_ONE:
        return whole && far == 0 && up + down == 1;
    case PBY_MOVE_SWAP:
        return whole && far == 0 && up == 1 && down == 1;
    case PBY_MOVE_DROP:
        return pair->gone < pair->count && up + down == 0;
    case PBY_MOVE_CHANGE:
        break;
    }
    return whole && up + down == 1;
}

bool pby_input_pair_fits(const pby_input_pair *pair, const pby_inputs *inputs)
{
    const bool shorter = inputs->form == PBY_INPUT_RECORDS && pair->count >= 1 &&
                         pair->count <= inputs->count;
    if ((!shorter && pair->count != inputs->count) || !moves_fit(pair, inputs->move))
        return false;
    for (size_t i = 0; i < pair->count; i++)
        for (int side = 0; side < 2; side++) {
            const int64_t value = value_at(pair, i, side == 0 ? PBY_LEFT : PBY_RIGHT);
            if (value < inputs->from[i] || value > inputs->to[i])
                return false;
        }
    return true;
}

bool pby_input_pair_same(const pby_input_pair *a, const pby_input_pair *b)
{
    bool same = a->count == b->count && a->gone == b->gone, turned = same;
    for (size_t i = 0; i < a->count && (same || turned); i++) {
        same = same && a->left[i] == b->left[i] && a->more[i] == b->more[i];
        turned = turned && a->left[i] + a->more[i] == b->left[i] && a->more[i] == -b->more[i];
    }
    return same || turned;
}

char *pby_input_pair_text(const pby_input_pair *pair, const pby_inputs *inputs, pby_side side)
{
    pby_printed printed;
    FILE *out = pby_printed_begin(&printed);
    if (out == NULL)
        return NULL;
    bool first = true;
    for (size_t i = 0; i < pair->count; i++) {
        const int64_t value = value_at(pair, i, side);
        if (side == PBY_RIGHT && i == pair->gone)
            continue;
        if (inputs->form == PBY_INPUT_VALUES)
            fprintf(out, "%s%" PRId64, first ? "" : ",", value);
        else if (inputs->row != NULL)
            fprintf(out, "%s\n", inputs->row[value]);
        else if (inputs->form == PBY_INPUT_RECORDS)
            fprintf(out, "%" PRId64 "\n", value);
        else if (inputs->key[i] != NULL)
            fprintf(out, "%s,%" PRId64 "\n", inputs->key[i], value);
        else
            fprintf(out, "k%zu,%" PRId64 "\n", i + 1, value);
        first = false;
    }
    return pby_printed_text(&printed);
}
