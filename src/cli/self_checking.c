/* SPDX-License-Identifier: MIT */
#include "cli/self_checking.h"

#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/installed.h"
#include "io/file.h"
#include "picture/html.h"

enum { PAGE_MAX = 1 << 26 };

/* src/web/page/verify.html has them. */
static const char summary_mark[] = "<!--stated-->", document_mark[] = "<!--document-->";

/* PREFIX/bin/probity has PREFIX/share; build/probity has build/web. */
static const pby_installed_place places[] = {{2, "/share/probity/web/"}, {1, "/web/"}};

static bool find(char path[PBY_INSTALLED_SIZE])
{
    return pby_installed_find(path, places, sizeof places / sizeof *places, "verify.html");
}

pby_status pby_page_ready(pby_error *err)
{
    char path[PBY_INSTALLED_SIZE];
    return find(path) ? PBY_OK
                      : pby_fail(err, PBY_FAILED,
                                 "--page: no page beside this program (share/probity/web/verify.html); "
                                 "make web makes it");
}

static void write_stated(FILE *out, const char *name, const char *claim, const char *document)
{
    fputs("<section id=\"stated\" class=\"card open\">\n<header><h2>", out);
    pby_html_text(out, name);
    fputs("</h2><span class=\"verdict\">not rechecked</span></header>\n<div><p class=\"lead\">", out);
    pby_html_text(out, claim);
    fputs("</p>\n<p>This is what the document says. Nothing of it was recomputed: that needs scripts, in a "
          "browser with WebAssembly, or the command <code>probity verify</code>.</p>\n<pre>",
          out);
    pby_html_text(out, document);
    fputs("</pre></div>\n</section>\n", out);
}

/* In base64 no byte of a document can end the element, and all of them come back. */
static bool write_document(FILE *out, const char *name, const char *document)
{
    const size_t size = strlen(document);
    const size_t room = sodium_base64_ENCODED_LEN(size, sodium_base64_VARIANT_ORIGINAL);
    char *text = malloc(room);
    if (text == NULL)
        return false;
    sodium_bin2base64(text, room, (const unsigned char *)document, size, sodium_base64_VARIANT_ORIGINAL);
    fputs("<script type=\"text/plain\" id=\"document\" data-name=\"", out);
    pby_html_text(out, name);
    fprintf(out, "\">%s</script>", text);
    free(text);
    return true;
}

static pby_status fill(char **out, const char *page, const char *name, const char *claim,
                       const char *document, pby_error *err)
{
    const char *stated = strstr(page, summary_mark);
    const char *held = stated == NULL ? NULL : strstr(stated, document_mark);
    size_t size = 0;
    if (held == NULL)
        return pby_fail(
            err, PBY_FAILED,
            "--page: the page beside this program is of another version; make web makes it again");
    FILE *file = open_memstream(out, &size);
    if (file == NULL)
        return pby_no_memory(err);
    fwrite(page, 1, (size_t)(stated - page), file);
    write_stated(file, name, claim, document);
    stated += sizeof summary_mark - 1;
    fwrite(stated, 1, (size_t)(held - stated), file);
    const bool written = write_document(file, name, document);
    fputs(held + sizeof document_mark - 1, file);
    if (fclose(file) == 0 && written)
        return PBY_OK;
    free(*out);
    *out = NULL;
    return pby_no_memory(err);
}

pby_status pby_page_of(char **out, const char *name, const char *claim, const char *document, pby_error *err)
{
    char path[PBY_INSTALLED_SIZE];
    char *page;
    size_t size;
    *out = NULL;
    if (!find(path))
        return pby_page_ready(err);
    PBY_TRY(pby_file_read(&page, &size, path, PAGE_MAX, err));
    const pby_status status = fill(out, page, name, claim, document, err);
    free(page);
    return status;
}
