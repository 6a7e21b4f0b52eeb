// What the kernel takes: a server that receives whatever comes and sends the bytes of its standard input, and does nothing else.
//   floor PORT < ANSWER
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static int port;
static char answer[1 << 20];
static size_t answerLength;

static int listening(void) {
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), one = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one);
  setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 1024)) exit(1);
  return listener;
}

static void watch(int epoll, int socket, unsigned how) {
  struct epoll_event event = {.events = EPOLLIN | how, .data.fd = socket};
  epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event);
}

static void acceptAll(int epoll, int listener) {
  int socket;
  while ((socket = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) watch(epoll, socket, EPOLLET);
}

// A request comes in one piece and its answer goes in one, as they do between wrk and a server on one machine.
static void answerOne(int socket) {
  static __thread char request[1 << 14];
  if (recv(socket, request, sizeof request, 0) <= 0)
    close(socket);
  else
    send(socket, answer, answerLength, MSG_NOSIGNAL);
}

static void *loop(void *unused) {
  int listener = listening(), epoll = epoll_create1(0);
  watch(epoll, listener, 0);
  struct epoll_event events[256];
  for (;;) {
    int count = epoll_wait(epoll, events, 256, -1);
    for (int index = 0; index < count; index++)
      if (events[index].data.fd == listener)
        acceptAll(epoll, listener);
      else
        answerOne(events[index].data.fd);
  }
}

int main(int count, char **arguments) {
  port = count > 1 ? atoi(arguments[1]) : 0;
  answerLength = fread(answer, 1, sizeof answer, stdin);
  pthread_t other;
  pthread_create(&other, NULL, loop, NULL);
  loop(NULL);
}
