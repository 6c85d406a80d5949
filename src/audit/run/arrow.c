/* SPDX-License-Identifier: MIT */
#include "audit/run/arrow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/run/heading.h"
#include "base/printed.h"
#include "io/child.h"

/* Numbers as Python writes them, which read back as themselves; lists and columns with commas between their
 * parts; nothing for what is null.
 *
 * A few bytes can stand for many GiB, and no header says so: a long text in a dictionary is copied into every
 * row. So the process has a bound on its memory before it reads anything, and what the headers do say is held
 * against it first; all rows together may take 1 GiB, or a thousand times the size of the file. */
static const char script[] =
    "import os, resource, sys\n"
    "most = 1 << 30\n"
    "hard = resource.getrlimit(resource.RLIMIT_DATA)[1]\n"
    "if hard < 0 or hard > most: resource.setrlimit(resource.RLIMIT_DATA, (most, hard))\n"
    "os.environ['ARROW_DEFAULT_MEMORY_POOL'] = 'system'\n"
    "import pyarrow, pyarrow.ipc\n"
    "path, chosen = sys.argv[1], sys.argv[2:]\n"
    "def text(x):\n"
    "    if x is None: return ''\n"
    "    if isinstance(x, bool): return str(int(x))\n"
    "    if isinstance(x, dict): x = list(x.values())\n"
    "    return ','.join(map(text, x)) if isinstance(x, list) else str(x)\n"
    "def batches():\n"
    "    if path.endswith('.parquet'):\n"
    "        from pyarrow import parquet\n"
    "        whole = parquet.ParquetFile(path)\n"
    "        groups = whole.metadata\n"
    "        if any(groups.row_group(i).total_byte_size > most for i in range(groups.num_row_groups)):\n"
    "            raise MemoryError\n"
    "        yield from whole.iter_batches(batch_size=4096, use_threads=False)\n"
    "        return\n"
    "    try:\n"
    "        whole = pyarrow.ipc.open_file(pyarrow.memory_map(path))\n"
    "    except pyarrow.ArrowInvalid:\n"
    "        yield from pyarrow.ipc.open_stream(pyarrow.memory_map(path))\n"
    "        return\n"
    "    for i in range(whole.num_record_batches):\n"
    "        yield whole.get_batch(i)\n"
    "try:\n"
    "    room = max(most, 1000 * os.path.getsize(path))\n"
    "    for batch in batches():\n"
    "        room -= batch.nbytes\n"
    "        if room < 0: sys.exit(3)\n"
    "        if chosen: batch = batch.select(chosen)\n"
    "        for row in zip(*(column.to_pylist() for column in batch.columns)):\n"
    "            line = ','.join(map(text, row))\n"
    "            if '\\n' in line: sys.exit(1)\n"
    "            print(line)\n"
    "except MemoryError:\n"
    "    sys.exit(3)\n";

bool pby_arrow_named(const char *path)
{
    static const char *const ends[] = {".arrow", ".feather", ".parquet"};
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (length > strlen(ends[i]) && strcmp(path + length - strlen(ends[i]), ends[i]) == 0)
            return true;
    return false;
}

/* The names of columns, each a word of the shell. */
static void put_columns(FILE *out, const char *columns)
{
    const char *at = columns, *field;
    size_t size;
    while (columns != NULL && pby_heading_field(&field, &size, &at, columns + strlen(columns))) {
        char *name = strndup(field, size);
        fputc(' ', out);
        pby_shell_quote(out, name == NULL ? "" : name);
        free(name);
    }
}

char *pby_arrow_command(const char *path, const char *columns)
{
    pby_printed printed;
    FILE *out = pby_printed_begin(&printed);
    if (out == NULL)
        return NULL;
    fputs("exec ${PYTHON:-python3} -c ", out);
    pby_shell_quote(out, script);
    fputc(' ', out);
    pby_shell_quote(out, path);
    put_columns(out, columns);
    fputs(" 2>/dev/null", out);
    return pby_printed_text(&printed);
}
