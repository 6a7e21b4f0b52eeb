// What Swift's Glibc module leaves out: epoll, eventfd, timerfd, accept4.
// No logic: each function is one system call with its constants filled in.
#ifndef CEPOLL_H
#define CEPOLL_H

#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

// Hidden without _GNU_SOURCE, which must not be defined here: Swift's Glibc module is built without.
extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);

static const uint32_t cepoll_in = EPOLLIN;
static const uint32_t cepoll_out = EPOLLOUT;
static const uint32_t cepoll_read_hangup = EPOLLRDHUP;
static const uint32_t cepoll_error = EPOLLERR;
static const uint32_t cepoll_hangup = EPOLLHUP;
static const uint32_t cepoll_edge = EPOLLET;

static inline int cepoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static inline int cepoll_add(int epoll, int fd, uint32_t events, uint64_t token) {
  struct epoll_event event;
  event.events = events;
  event.data.u64 = token;
  return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

static inline int cepoll_remove(int epoll, int fd) {
  return epoll_ctl(epoll, EPOLL_CTL_DEL, fd, 0);
}

// struct epoll_event is packed on x86-64, which the importer does not always see: the events are
// handed over as plain words.
static inline int cepoll_wait(
    int epoll, struct epoll_event *events, int count, int milliseconds) {
  return epoll_wait(epoll, events, count, milliseconds);
}
static inline uint32_t cepoll_events(const struct epoll_event *events, int index) {
  return events[index].events;
}
static inline uint64_t cepoll_token(const struct epoll_event *events, int index) {
  return events[index].data.u64;
}

static inline int cepoll_accept(int fd, struct sockaddr *address, socklen_t *length) {
  return accept4(fd, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

// The uid of the process that connected a Unix socket; -1 if it is not known. The fields are those of
// struct ucred, which <sys/socket.h> has only with _GNU_SOURCE.
static inline int64_t cepoll_peer_user(int fd) {
  struct { int32_t process; uint32_t user, group; } peer;
  socklen_t length = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 ? (int64_t)peer.user : -1;
}

// The counters of eventfd and timerfd: one is set, or read and so set back.
static inline void cepoll_signal(int fd) {
  uint64_t one = 1;
  (void)!write(fd, &one, sizeof one);
}

static inline void cepoll_clear(int fd) {
  uint64_t count;
  (void)!read(fd, &count, sizeof count);
}

static inline int cepoll_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

static inline int cepoll_timer(void) {
  return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
}

// Fires once, `milliseconds` from now; 0 disarms.
static inline int cepoll_timer_set(int fd, uint64_t milliseconds) {
  struct itimerspec when = {{0, 0}, {0, 0}};
  when.it_value.tv_sec = (time_t)(milliseconds / 1000);
  when.it_value.tv_nsec = (long)(milliseconds % 1000) * 1000000;
  return timerfd_settime(fd, 0, &when, 0);
}

#endif
