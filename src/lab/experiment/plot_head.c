/* SPDX-License-Identifier: MIT */
#include "lab/experiment/plot_head.h"

void pby_plot_head(FILE *out, int width, int height, const char *label)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
            "role=\"img\" aria-label=\"%s\">\n",
            width, height, width, height, label);
    fputs("<style>text{font:13px sans-serif;fill:#222}.grid{stroke:#ddd}.frame{fill:none;stroke:#888}"
          ".title{font-size:15px;font-weight:bold}</style>\n"
          "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
          out);
}
