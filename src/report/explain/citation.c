/* SPDX-License-Identifier: MIT */
#include "report/explain/citation.h"

#include <string.h>

const pby_citation pby_citations[] = {
    {"Robust",
     "anonymous authors, Extending the Foundations of Differential Privacy: Robustness and Flexibility."},
    {"Flex", "A. Bansal, R. Chunduru, D. Data, M. Prabhakaran, Flexible Accuracy for Differential Privacy."},
    {"Survey", "S. Das, Differential Privacy: Ideas, Concepts and Advances, 21 September 2022."},
    {"Float", "O. Ben-Eliezer, D. Mikulincer, I. Zadik, Archimedes Meets Privacy: On Privately Estimating "
              "Quantiles in High Dimensions Under Minimal Assumptions, 2022, arXiv:2208.07438."},
    {"Thresh", "X. Wu, W. Wu, C. Zeng, J. F. Naughton, Suppression Strikes Back: On the Interaction of "
               "Thresholding and Differential Privacy."},
    {NULL, NULL}};

const pby_citation *pby_citation_in(const char *source)
{
    for (const pby_citation *c = pby_citations; source != NULL && c->key != NULL; c++) {
        const char *at = strstr(source, c->key);
        if (at != NULL && at[strlen(c->key)] == '/')
            return c;
    }
    return NULL;
}
