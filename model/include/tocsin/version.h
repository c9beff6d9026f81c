// SPDX-License-Identifier: Apache-2.0
/* The version of what is installed: libraries, headers, command line and packages carry this one.
 *
 *   #if TOC_VERSION < TOC_VERSION_OF(0, 2, 0)
 *   #error "this program needs Tocsin 0.2 at least"
 *   #endif
 *
 * toc_version (tocsin.h) is the version of the library that a program runs with. Before 1.0 a new MINOR may change
 * what programs see; a new PATCH changes nothing that they can see. A library that older programs cannot be run
 * with has another soname. */
#ifndef TOCSIN_VERSION_H
#define TOCSIN_VERSION_H

/* The one place: everything else, the Makefile included, reads it here. */
#define TOC_VERSION_MAJOR 0
#define TOC_VERSION_MINOR 2
#define TOC_VERSION_PATCH 0

/* A version as a number that grows, and ours as number and as text ("0.2.0"). */
#define TOC_VERSION_OF(major, minor, patch) ((major)*10000 + (minor)*100 + (patch))
#define TOC_VERSION TOC_VERSION_OF(TOC_VERSION_MAJOR, TOC_VERSION_MINOR, TOC_VERSION_PATCH)
#define TOC_VERSION_TEXT TOC_VERSION_JOIN(TOC_VERSION_MAJOR, TOC_VERSION_MINOR, TOC_VERSION_PATCH)

/* Internal to the above. */
#define TOC_VERSION_JOIN(major, minor, patch) TOC_VERSION_QUOTE(major.minor.patch)
#define TOC_VERSION_QUOTE(x) #x

#endif
