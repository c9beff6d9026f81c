// SPDX-License-Identifier: Apache-2.0
// What the ways out of the process have in common: how they are written, how they fail, their sockets' buffers.
#define _GNU_SOURCE
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "frames.h"
#include "internal.h"

enum { QUEUE_BYTES = 4 << 20 };

toc_status toc_i_uplink_open(const char *spec, uplink **u, char *why) {
  size_t n = strcspn(spec, ",");
  *u = NULL;
  if (n == 6 && !memcmp(spec, "frames", n)) return toc_i_frames_open(spec, u, why);
  if (n == 3 && !memcmp(spec, "udp", n)) return toc_i_udp_open(spec, u, why);
  return SAY(TOC_E_ARG, "link '%.60s': only frames,... and udp,... are known", spec);
}

static void known(const link_key of[LINK_KEYS], char *text, size_t n) {
  *text = 0;
  for (unsigned i = 0; i < LINK_KEYS && of[i].key; i++) {
    bool last = i + 1 == LINK_KEYS || !of[i + 1].key;
    snprintf(text + strlen(text), n - strlen(text), "%s%s=", !i ? "" : last ? " or " : ", ", of[i].key);
  }
}

toc_status toc_i_link_parse(const char *spec, char *text, link_key of[LINK_KEYS], char *why) {
  char *save, *word, all[60];
  if (strlen(spec) >= LINK_SPEC) return SAY(TOC_E_ARG, "link: longer than %d characters", LINK_SPEC - 1);
  (void)strtok_r(strcpy(text, spec), ",", &save);
  while ((word = strtok_r(NULL, ",", &save)) != NULL) {
    char *value = strchr(word, '=');
    const char **at = NULL;
    if (value) {
      *value++ = 0;
      for (unsigned i = 0; i < LINK_KEYS && of[i].key; i++)
        if (!strcmp(word, of[i].key)) at = &of[i].value;
    }
    known(of, all, sizeof all);
    if (!at || *at || !*value) return SAY(TOC_E_ARG, "link: '%.40s' is not %s with a value, once", word, all);
    *at = value;
  }
  return TOC_OK;
}

toc_status toc_i_link_rate(const char *value, unsigned *rate, char *why) {
  if (!value) return TOC_OK;
  if (value[strspn(value, "0123456789")] || strlen(value) > 6 || !strtoul(value, NULL, 10))
    return SAY(TOC_E_ARG, "link: bad rate '%.20s'; it is Mbit/s, 1 to 999999", value);
  *rate = (unsigned)strtoul(value, NULL, 10);
  return TOC_OK;
}

void toc_i_link_buffers(int fd) { /* less than asked for is no failure */
  int bytes = QUEUE_BYTES;
  if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes))
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  if (setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &bytes, sizeof bytes))
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}

/* A colon behind the address, and not in it. */
static const char *port_in(const char *text) {
  const char *colon = strrchr(text, ':'), *end = strchr(text, ']');
  return colon && colon > end ? colon : NULL;
}

toc_status toc_i_link_resolve(const char *text, unsigned implied, struct addrinfo **a, char *why) {
  char hostname[64] = "", number[8] = "";
  const char *colon = port_in(text), *port = colon ? colon + 1 : number;
  struct addrinfo hint = {
      .ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV};
  size_t n = colon ? (size_t)(colon - text) : strlen(text);
  bool bracket = n > 2 && text[0] == '[' && text[n - 1] == ']';
  if (implied && !colon) snprintf(number, sizeof number, "%u", implied & 0xffff);
  bool good = *port && strlen(port) <= 5 && !port[strspn(port, "0123456789")];
  long v = good ? strtol(port, NULL, 10) : -1;
  bool bare = implied && !bracket && memchr(text, ':', n); /* of IPv6: where its port begins would be a guess */
  if (n && n < sizeof hostname && !bare) memcpy(hostname, text + bracket, n - 2 * bracket);
  if (!*hostname || v < !implied || v > 65535 || getaddrinfo(hostname, port, &hint, a))
    return implied
               ? SAY(TOC_E_ARG, "link: bad address '%.60s'; it is IP or IP:PORT with numbers, [IP]:PORT of IPv6", text)
               : SAY(TOC_E_ARG, "link: bad address '%.60s'; it is IP:PORT with numbers, or unix:PATH", text);
  return TOC_OK;
}

toc_status toc_i_link_refused(const char *what, const char *text, char *why) {
  int e = errno;
  if (e == EADDRINUSE) return SAY(TOC_E_IN_USE, "link: the address %.60s is in use", text);
  if (e == EADDRNOTAVAIL && *what == 'l') return SAY(TOC_E_ARG, "link: the address %.60s is not this machine's", text);
  return SAY(TOC_E_IO, "link: %s %.60s: %s", what, text, strerror(e));
}
