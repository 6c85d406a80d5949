/* SPDX-License-Identifier: MIT */
#include "audit/run/sources.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"

void pby_sources_clear(pby_sources *s)
{
    free(s->row);
    *s = (pby_sources){.row = NULL};
}

pby_status pby_sources_add(pby_sources *s, const char *what, const char *name, const pby_digest *digest,
                           pby_error *err)
{
    pby_source *more = realloc(s->row, (s->count + 1) * sizeof *more);
    if (more == NULL)
        return pby_no_memory(err);
    s->row = more;
    s->row[s->count++] = (pby_source){what, name, *digest};
    return PBY_OK;
}

pby_status pby_sources_add_file(pby_sources *s, const char *what, const char *path, pby_error *err)
{
    struct stat about;
    pby_digest digest;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return PBY_OK;
    const bool known = fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && pby_digest_file(&digest, fd);
    close(fd);
    return known ? pby_sources_add(s, what, path, &digest, err) : PBY_OK;
}

pby_report_source *pby_sources_table(const pby_sources *s)
{
    pby_report_source *table = malloc((s->count + 1) * sizeof *table);
    for (size_t i = 0; table != NULL && i < s->count; i++)
        table[i] = (pby_report_source){s->row[i].what, s->row[i].name, s->row[i].digest.sha256};
    return table;
}

json_t *pby_sources_object(const pby_sources *s)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->count; i++)
        list = pby_json_append(list, json_pack("{s:s, s:s, s:s}", "what", s->row[i].what, "name",
                                               s->row[i].name, "sha256", s->row[i].digest.sha256));
    return list;
}
