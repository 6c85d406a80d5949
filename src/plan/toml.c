/* SPDX-License-Identifier: MIT */
#include "plan/toml.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/scan.h"

/* The bytes from `at` to `end` are still to be read. */
struct reader {
    const char *name, *at, *end;
    unsigned line;
    pby_error *err;
};

/* A text that is being read: none is longer than what it was written as, to the end of its line. */
struct piece {
    char *bytes;
    size_t size;
};

/* More than pby_refuse shows, which knows where to cut. */
enum { SHOWN = 100 };

static pby_status refuse_at(const struct reader *r, const char *at, const char *expected)
{
    char name[PBY_ERROR_SIZE / 2], shown[SHOWN + 1];
    size_t size = 0;
    while (size < SHOWN && at + size < r->end && at[size] != '\n' && at[size] != '\r')
        size++;
    memcpy(shown, at, size);
    shown[size] = '\0';
    snprintf(name, sizeof name, "%.200s: line %u", r->name, r->line);
    return pby_refuse(r->err, name, shown, expected);
}

static pby_status refuse(const struct reader *r, const char *expected)
{
    return refuse_at(r, r->at, expected);
}

/* ---- values ------------------------------------------------------------------------------------ */

void pby_toml_free(pby_toml *value)
{
    if (value == NULL)
        return;
    for (pby_toml *inner = value->first, *next; inner != NULL; inner = next) {
        next = inner->next;
        pby_toml_free(inner);
    }
    free(value->key);
    free(value->text);
    free(value);
}

const pby_toml *pby_toml_at(const pby_toml *table, const char *key)
{
    const pby_toml *value = table->first;
    while (value != NULL && (value->key == NULL || strcmp(value->key, key) != 0))
        value = value->next;
    return value;
}

static pby_toml *find(pby_toml *table, const char *key)
{
    pby_toml *value = table->first;
    while (value != NULL && strcmp(value->key, key) != 0)
        value = value->next;
    return value;
}

/* A new value at the end of a table or list; the key, which may be NULL, is taken in any case. */
static pby_status append(pby_toml **out, const struct reader *r, pby_toml *parent, pby_toml_kind kind,
                         char *key)
{
    pby_toml *value = calloc(1, sizeof *value);
    *out = value;
    if (value == NULL) {
        free(key);
        return pby_no_memory(r->err);
    }
    value->kind = kind;
    value->key = key;
    value->line = r->line;
    if (parent->last == NULL)
        parent->first = value;
    else
        parent->last->next = value;
    parent->last = value;
    parent->count++;
    return parent->kind == PBY_TOML_TABLE && parent->count > PBY_TOML_KEYS_MAX
               ? refuse(r, "at most 1000 keys in a table")
               : PBY_OK;
}

/* ---- bytes ------------------------------------------------------------------------------------- */

static bool at_end(const struct reader *r)
{
    return r->at == r->end;
}

static bool next_is(const struct reader *r, char c)
{
    return !at_end(r) && *r->at == c;
}

static bool take(struct reader *r, char c)
{
    const bool is = next_is(r, c);
    r->at += is;
    return is;
}

static void skip_blanks(struct reader *r)
{
    while (next_is(r, ' ') || next_is(r, '\t'))
        r->at++;
}

static bool at_line_end(const struct reader *r)
{
    return at_end(r) || *r->at == '\n' || (*r->at == '\r' && r->at + 1 < r->end && r->at[1] == '\n');
}

/* Blanks, a comment, and the end of the line, of which `*ended` tells. */
static pby_status skip_rest(struct reader *r, bool *ended)
{
    skip_blanks(r);
    if (next_is(r, '#'))
        while (!at_line_end(r)) {
            if (((unsigned char)*r->at < ' ' && *r->at != '\t') || *r->at == 0x7f)
                return refuse(r, "no control characters");
            r->at++;
        }
    *ended = at_line_end(r);
    if (*ended && !at_end(r)) {
        r->at += *r->at == '\r' ? 2 : 1;
        r->line++;
    }
    return PBY_OK;
}

/* Blanks, comments and line ends, between the items of a list. */
static pby_status skip_lines(struct reader *r)
{
    bool ended = true;
    while (ended && !at_end(r))
        PBY_TRY(skip_rest(r, &ended));
    return PBY_OK;
}

/* ---- texts ------------------------------------------------------------------------------------- */

static void put(struct piece *p, char c)
{
    p->bytes[p->size++] = c;
}

/* The UTF-8 of a character; 0, a surrogate and what lies beyond Unicode are refused. */
static bool put_character(struct piece *p, uint32_t c)
{
    if (c == 0 || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        return false;
    if (c < 0x80) {
        put(p, (char)c);
        return true;
    }
    const unsigned more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned char marks[] = {0, 0xc0, 0xe0, 0xf0};
    put(p, (char)(unsigned char)(marks[more] | (c >> (6 * more))));
    for (unsigned i = more; i-- > 0;)
        put(p, (char)(unsigned char)(0x80 | ((c >> (6 * i)) & 0x3f)));
    return true;
}

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static bool read_code(struct reader *r, struct piece *p, unsigned digits)
{
    uint32_t code = 0;
    for (unsigned i = 0; i < digits; i++) {
        const int value = at_end(r) ? -1 : hex(*r->at);
        if (value < 0)
            return false;
        code = code << 4 | (uint32_t)value;
        r->at++;
    }
    return put_character(p, code);
}

/* Reads the escape that follows a backslash. */
static pby_status read_escape(struct reader *r, struct piece *p)
{
    static const char names[] = "btnfr\"\\", meant[] = "\b\t\n\f\r\"\\";
    const char *begin = r->at - 1;
    const char c = at_end(r) ? '\0' : *r->at++;
    const char *found = c == '\0' ? NULL : strchr(names, c);
    const bool good = found != NULL          ? (put(p, meant[found - names]), true)
                      : c == 'u' || c == 'U' ? read_code(r, p, c == 'u' ? 4 : 8)
                                             : false;
    return good ? PBY_OK : refuse_at(r, begin, "an escape of TOML, such as \\\" or \\u00e9");
}

/* A text behind its first quote, to the same quote. */
static pby_status read_quoted(struct reader *r, char **out, char quote)
{
    const char *line_end = memchr(r->at, '\n', (size_t)(r->end - r->at));
    struct piece p = {malloc((size_t)((line_end == NULL ? r->end : line_end) - r->at) + 1), 0};
    const char *begin = r->at - 1;
    pby_status status = p.bytes == NULL ? pby_no_memory(r->err) : PBY_OK;
    while (status == PBY_OK && !next_is(r, quote)) {
        if (at_end(r) || ((unsigned char)*r->at < ' ' && *r->at != '\t') || *r->at == 0x7f)
            status = refuse_at(r, begin, "a text that ends on its line, without control characters");
        else if (quote == '"' && take(r, '\\'))
            status = read_escape(r, &p);
        else
            put(&p, *r->at++);
    }
    if (status != PBY_OK) {
        free(p.bytes);
        return status;
    }
    r->at++;
    p.bytes[p.size] = '\0';
    char *fitted = realloc(p.bytes, p.size + 1);
    *out = fitted == NULL ? p.bytes : fitted;
    return PBY_OK;
}

static bool is_bare(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

static pby_status copy_from(const struct reader *r, char **out, const char *begin)
{
    *out = strndup(begin, (size_t)(r->at - begin));
    return *out == NULL ? pby_no_memory(r->err) : PBY_OK;
}

static pby_status read_key(struct reader *r, char **out)
{
    const char *begin = r->at;
    if (take(r, '"'))
        return read_quoted(r, out, '"');
    if (take(r, '\''))
        return read_quoted(r, out, '\'');
    while (!at_end(r) && is_bare(*r->at))
        r->at++;
    return r->at == begin ? refuse(r, "a key of letters, digits, '_' and '-', or one in quotes")
                          : copy_from(r, out, begin);
}

/* ---- numbers, lists ---------------------------------------------------------------------------- */

static size_t take_digits(struct reader *r)
{
    const char *begin = r->at;
    while (!at_end(r) && *r->at >= '0' && *r->at <= '9')
        r->at++;
    return (size_t)(r->at - begin);
}

/* Moves past a number, as TOML writes it: no digits are left out, and none is a leading zero. */
static bool pass_number(struct reader *r)
{
    if (!take(r, '-'))
        take(r, '+');
    const char *first = r->at;
    const size_t whole = take_digits(r);
    if (whole == 0 || (whole > 1 && *first == '0') || (take(r, '.') && take_digits(r) == 0))
        return false;
    if (take(r, 'e') || take(r, 'E')) {
        if (!take(r, '-'))
            take(r, '+');
        return take_digits(r) > 0;
    }
    return true;
}

static const char expected_value[] = "a text in quotes, a number, true, false or a list of these";

static pby_status read_number(struct reader *r, pby_toml *value)
{
    const char *begin = r->at;
    if (!pass_number(r) || (!at_end(r) && (is_bare(*r->at) || *r->at == '.' || *r->at == ':')))
        return refuse_at(r, begin, expected_value);
    return copy_from(r, &value->text, begin);
}

static bool take_word(struct reader *r, const char *word)
{
    const size_t size = strlen(word);
    const bool is = (size_t)(r->end - r->at) >= size && memcmp(r->at, word, size) == 0 &&
                    (r->at + size == r->end || !is_bare(r->at[size]));
    r->at += is ? size : 0;
    return is;
}

static pby_status read_value(struct reader *r, pby_toml *value, unsigned depth);

/* A list behind its bracket; a comma may stand behind the last item. */
static pby_status read_list(struct reader *r, pby_toml *list, unsigned depth)
{
    if (depth >= PBY_TOML_DEPTH_MAX)
        return refuse(r, "lists at most 8 deep");
    list->kind = PBY_TOML_LIST;
    for (;;) {
        pby_toml *item;
        PBY_TRY(skip_lines(r));
        if (take(r, ']'))
            return PBY_OK;
        PBY_TRY(append(&item, r, list, PBY_TOML_TEXT, NULL));
        PBY_TRY(read_value(r, item, depth + 1));
        PBY_TRY(skip_lines(r));
        if (!take(r, ',') && !next_is(r, ']'))
            return refuse(r, "a comma, or the end of the list");
    }
}

static pby_status read_value(struct reader *r, pby_toml *value, unsigned depth)
{
    if (take(r, '"'))
        return read_quoted(r, &value->text, '"');
    if (take(r, '\''))
        return read_quoted(r, &value->text, '\'');
    if (take(r, '['))
        return read_list(r, value, depth);
    const bool truth = take_word(r, "true");
    if (truth || take_word(r, "false")) {
        value->kind = PBY_TOML_TRUTH;
        value->truth = truth;
        return PBY_OK;
    }
    value->kind = PBY_TOML_NUMBER;
    return read_number(r, value);
}

/* ---- lines ------------------------------------------------------------------------------------- */

static pby_status read_assignment(struct reader *r, pby_toml *table)
{
    char *key;
    const char *begin = r->at;
    pby_toml *value;
    PBY_TRY(read_key(r, &key));
    if (find(table, key) != NULL) {
        free(key);
        return refuse_at(r, begin, "no duplicate key");
    }
    PBY_TRY(append(&value, r, table, PBY_TOML_TEXT, key));
    skip_blanks(r);
    if (!take(r, '='))
        return refuse_at(r, begin, "KEY = VALUE");
    skip_blanks(r);
    return read_value(r, value, 0);
}

/* Moves to the table that a name of a header leads to: where that is a list of tables, to its last. A new
 * name makes a table. The key is taken. */
static pby_status step_into(struct reader *r, pby_toml **table, char *key, const char *begin)
{
    pby_toml *value = find(*table, key);
    if (value == NULL)
        return append(table, r, *table, PBY_TOML_TABLE, key);
    free(key);
    if (value->kind == PBY_TOML_LIST && value->opened)
        value = value->last;
    *table = value;
    return value->kind == PBY_TOML_TABLE ? PBY_OK : refuse_at(r, begin, "no duplicate key");
}

/* The last name of a header in brackets. */
static pby_status open_table(struct reader *r, pby_toml **table, char *key, const char *begin)
{
    pby_toml *value = find(*table, key);
    if (value == NULL)
        PBY_TRY(append(&value, r, *table, PBY_TOML_TABLE, key));
    else
        free(key);
    if (value->kind != PBY_TOML_TABLE || value->opened)
        return refuse_at(r, begin, "no duplicate table");
    value->opened = true;
    *table = value;
    return PBY_OK;
}

/* The last name of a header in double brackets: one more table of a list. */
static pby_status open_item(struct reader *r, pby_toml **table, char *key, const char *begin)
{
    pby_toml *list = find(*table, key);
    if (list == NULL) {
        PBY_TRY(append(&list, r, *table, PBY_TOML_LIST, key));
        list->opened = true;
    } else
        free(key);
    if (list->kind != PBY_TOML_LIST || !list->opened)
        return refuse_at(r, begin, "no duplicate key");
    PBY_TRY(append(table, r, list, PBY_TOML_TABLE, NULL));
    (*table)->opened = true;
    return PBY_OK;
}

/* A header behind its first bracket; *table is then what it opens. */
static pby_status read_header(struct reader *r, pby_toml *root, pby_toml **table)
{
    const char *begin = r->at - 1;
    const bool item = take(r, '[');
    *table = root;
    for (unsigned depth = 1;; depth++) {
        char *key;
        if (depth > PBY_TOML_DEPTH_MAX)
            return refuse_at(r, begin, "at most 8 names");
        skip_blanks(r);
        PBY_TRY(read_key(r, &key));
        skip_blanks(r);
        if (take(r, '.')) {
            PBY_TRY(step_into(r, table, key, begin));
            continue;
        }
        if (!take(r, ']') || (item && !take(r, ']'))) {
            free(key);
            return refuse_at(r, begin, item ? "[[NAME]]" : "[NAME]");
        }
        return item ? open_item(r, table, key, begin) : open_table(r, table, key, begin);
    }
}

static pby_status read_lines(struct reader *r, pby_toml *root)
{
    pby_toml *table = root;
    bool ended;
    for (;;) {
        PBY_TRY(skip_lines(r));
        if (at_end(r))
            return PBY_OK;
        PBY_TRY(take(r, '[') ? read_header(r, root, &table) : read_assignment(r, table));
        PBY_TRY(skip_rest(r, &ended));
        if (!ended)
            return refuse(r, "the end of the line, or a comment");
    }
}

static pby_status refuse_bytes(const struct reader *r)
{
    const size_t good = pby_scan_utf8((const uint8_t *)r->at, (size_t)(r->end - r->at));
    unsigned line = 1;
    for (size_t i = 0; i < good; i++)
        line += r->at[i] == '\n';
    return pby_fail(r->err, PBY_BAD, "%.200s: line %u: expected UTF-8", r->name, line);
}

pby_status pby_toml_read(pby_toml **out, const char *name, const char *bytes, size_t size, pby_error *err)
{
    struct reader r = {name, bytes, bytes + size, 1, err};
    *out = NULL;
    if (size > PBY_TOML_SIZE_MAX)
        return pby_fail(err, PBY_BAD, "%.200s: expected at most 1048576 bytes", name);
    if (pby_scan_utf8((const uint8_t *)bytes, size) != size)
        return refuse_bytes(&r);
    pby_toml *root = calloc(1, sizeof *root);
    if (root == NULL)
        return pby_no_memory(err);
    const pby_status status = read_lines(&r, root);
    if (status == PBY_OK)
        *out = root;
    else
        pby_toml_free(root);
    return status;
}
