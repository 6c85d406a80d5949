/* SPDX-License-Identifier: MIT */
/* Pages as a browser sees them. */
#ifndef PBY_TESTS_CLI_BROWSE_H
#define PBY_TESTS_CLI_BROWSE_H

#include <stddef.h>

/* Returns the page as a browser in a window of `width` pixels renders it; the folder is for the browser's own
 * files. The text lives until the next call. */
const char *pby_browse(const char *folder, const char *page, int width);

/* Fails the test unless each of these pages of the folder, up to a NULL, can be read on a phone of 420
 * pixels: nothing is wider than the window, and no text of a drawing is smaller than 9 pixels. A script that
 * is added to each page measures it, in a frame: a browser's own window may not be that narrow. Returns how
 * many pages were measured. */
size_t pby_readable_on_a_phone(const char *folder, const char *const *pages);

#endif
