// The least that serves the routes of the benchmark: what the machine can do, not a server.
// It knows no errors, no limits, no time-outs and no headers but Content-Length. http-epoll PORT
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LOOPS = 2, INPUT = 128 << 10, OUTPUT = 1 << 20 };

struct connection {
  int fd;
  int body_left;
  int body_have;
  char *body;
};

static char document[4096], health[512];
static int document_size, health_size;
static const char done[] = "HTTP/1.1 204 No Content\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n";
static int epolls[LOOPS];

static int answer(char *to, const char *content) {
  return sprintf(
      to,
      "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
      "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
      strlen(content), content);
}

static void end(struct connection *c) {
  close(c->fd);
  free(c->body);
  free(c);
}

static void serve(struct connection *c, char *in, char *out) {
  ssize_t received = recv(c->fd, in, INPUT - 1, 0);
  if (received <= 0) {
    if (received == 0 || errno != EAGAIN) end(c);
    return;
  }
  in[received] = 0;
  char *at = in, *stop = in + received;
  int size = 0;
  while (at < stop && size < OUTPUT - 8192) {
    if (c->body_left > 0) {
      int part = stop - at < c->body_left ? (int)(stop - at) : c->body_left;
      memcpy(c->body + c->body_have, at, part);
      c->body_have += part;
      c->body_left -= part;
      at += part;
      if (c->body_left > 0) break;
      memcpy(out + size, done, sizeof done - 1);
      size += sizeof done - 1;
      continue;
    }
    char *head_end = memmem(at, stop - at, "\r\n\r\n", 4);
    if (!head_end) break;
    if (*at == 'P') {
      char *length = strcasestr(at, "content-length:");
      c->body_left = length ? atoi(length + 15) : 0;
      c->body_have = 0;
      c->body = realloc(c->body, c->body_left + 1);
    } else if (at[5] == 'h') {
      memcpy(out + size, health, health_size);
      size += health_size;
    } else {
      memcpy(out + size, document, document_size);
      size += document_size;
    }
    at = head_end + 4;
  }
  for (int sent = 0; sent < size;) {
    ssize_t count = send(c->fd, out + sent, size - sent, MSG_NOSIGNAL);
    if (count <= 0) break;
    sent += (int)count;
  }
}

static void *loop(void *argument) {
  int epoll = *(int *)argument;
  char *in = malloc(INPUT), *out = malloc(OUTPUT);
  struct epoll_event events[256];
  for (;;) {
    int count = epoll_wait(epoll, events, 256, -1);
    for (int i = 0; i < count; i++) serve(events[i].data.ptr, in, out);
  }
}

int main(int count, char **arguments) {
  char content[2049];
  int one = 1;
  memset(content, 'a', 2048);
  content[2048] = 0;
  document_size = answer(document, content);
  health_size = answer(health, "{\"status\":\"ok\"}");
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  struct sockaddr_in address = {
      .sin_family = AF_INET,
      .sin_port = htons(count > 1 ? atoi(arguments[1]) : 0),
      .sin_addr = {htonl(INADDR_LOOPBACK)}};
  if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 1024)) {
    perror("listen");
    return 1;
  }
  for (int i = 0; i < LOOPS; i++) {
    pthread_t thread;
    epolls[i] = epoll_create1(0);
    pthread_create(&thread, 0, loop, &epolls[i]);
  }
  for (int turn = 0;; turn++) {
    int fd = accept4(listener, 0, 0, SOCK_NONBLOCK);
    if (fd < 0) continue;
    struct connection *c = calloc(1, sizeof *c);
    c->fd = fd;
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP | EPOLLET, .data.ptr = c};
    epoll_ctl(epolls[turn % LOOPS], EPOLL_CTL_ADD, fd, &event);
  }
}
