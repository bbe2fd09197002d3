/*
 * The twin of TwinMain.java: the same one-sided writes by the same provider with the same settings,
 * straight through libfabric. The difference of the two is the cost of the driver.
 *
 *   twin PROVIDER one|two ROUND-TRIPS WRITES-OF-8-KIB WRITES-OF-64-KIB WRITES-OF-1-MIB
 *
 * With "one" a single thread plays both ends; with "two" another process is the far end. Prints one
 * line: p50 and p90 of a round trip (ns), the thread's processor time for a round trip (ns), and for
 * each length of a write the bytes per second and the thread's processor time for a write (ns).
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define REGION_BYTES (8UL << 20)
#define SMALL_BYTES 64
#define WINDOW 64
#define WINDOW_BYTES (4UL << 20)
#define WARM_UP 1000
#define BATCH 32
#define RECEIVES 467
#define RECEIVE_BYTES 8972
#define RECEIVE_STRIDE 9024

enum { PING = 1, PONG = 2, STOP = 3 };

struct place {
  char name[256];
  size_t name_bytes;
  uint64_t base;
  uint64_t key;
};

struct side {
  struct fi_info *info;
  struct fid_fabric *fabric;
  struct fid_domain *domain;
  struct fid_eq *eq;
  struct fid_av *av;
  struct fid_cq *cq;
  struct fid_ep *ep;
  struct fid_mr *region;
  struct fid_mr *receives;
  char *memory;
  struct place place;
  fi_addr_t peer;
  struct place peer_place;
  uint64_t flags;
  struct fi_context2 contexts[WINDOW];
  int free_contexts[WINDOW];
  int free_count;
  long posted;
  long ended;
  long pings;
  long pongs;
  int stopped;
};

static struct fi_context2 receive_contexts[2][RECEIVES];

static void check(long rc, const char *call) {
  if (rc != 0) {
    fprintf(stderr, "twin: %s: %s\n", call, fi_strerror((int)-rc));
    exit(1);
  }
}

static struct fi_info *hints(const char *provider, uint64_t transmit_flags) {
  int is_shm = strncmp(provider, "shm", 3) == 0;
  struct fi_info *hints = fi_allocinfo();
  hints->caps = FI_MSG | FI_SEND | FI_RECV | FI_RMA | FI_WRITE | FI_REMOTE_WRITE;
  hints->mode = FI_CONTEXT | FI_CONTEXT2;
  hints->tx_attr->op_flags = transmit_flags;
  hints->ep_attr->type = FI_EP_RDM;
  hints->domain_attr->threading = FI_THREAD_DOMAIN;
  hints->domain_attr->data_progress =
      strncmp(provider, "sockets", 7) == 0 ? FI_PROGRESS_MANUAL : FI_PROGRESS_UNSPEC;
  hints->domain_attr->mr_mode = FI_MR_LOCAL | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT |
                                (is_shm ? 0 : FI_MR_VIRT_ADDR);
  hints->fabric_attr->prov_name = strdup(provider);
  const char *fabric = getenv("TWIN_FABRIC");
  if (fabric != NULL) hints->fabric_attr->name = strdup(fabric);
  return hints;
}

static int ask(const char *provider, uint64_t transmit_flags, struct fi_info **info) {
  int has_device = strncmp(provider, "shm", 3) == 0 || strncmp(provider, "efa", 3) == 0;
  const char *node = getenv("TWIN_ADDRESS");
  if (node == NULL && !has_device) node = "127.0.0.1";
  uint32_t newest = FI_VERSION(1, 18);
  uint32_t version = fi_version() < newest ? fi_version() : newest;
  struct fi_info *wanted = hints(provider, transmit_flags);
  int rc = fi_getinfo(version, has_device ? NULL : node, NULL, has_device ? 0 : FI_SOURCE, wanted,
                      info);
  fi_freeinfo(wanted);
  return rc;
}

static void post_receives(struct side *side, int number) {
  char *buffers = NULL;
  check(-posix_memalign((void **)&buffers, 4096, (size_t)RECEIVES * RECEIVE_STRIDE), "memory");
  void *descriptor = NULL;
  if (side->info->domain_attr->mr_mode & FI_MR_LOCAL) {
    check(fi_mr_reg(side->domain, buffers, (size_t)RECEIVES * RECEIVE_STRIDE, FI_SEND | FI_RECV, 0,
                    2, 0, &side->receives, NULL),
          "fi_mr_reg of receives");
    descriptor = fi_mr_desc(side->receives);
  }
  size_t most = side->info->rx_attr->size < RECEIVES ? side->info->rx_attr->size : RECEIVES;
  size_t message = side->info->ep_attr->max_msg_size;
  for (size_t i = 0; i < most; i++) {
    size_t bytes = message < RECEIVE_BYTES ? message : RECEIVE_BYTES;
    if (fi_recv(side->ep, buffers + i * RECEIVE_STRIDE, bytes, descriptor, FI_ADDR_UNSPEC,
                &receive_contexts[number][i]) != 0) {
      return;
    }
  }
}

static void *idle(void *unused) {
  for (;;) pause();
  return unused;
}

/* Kernel and C library save work in a process of one thread; no process of a node has one thread. */
static void be_of_many_threads(void) {
  pthread_t thread;
  if (getenv("TWIN_ALONE") == NULL) check(pthread_create(&thread, NULL, idle, NULL), "a thread");
}

static void open_side(struct side *side, const char *provider, int number) {
  struct fi_info *completing = NULL;
  side->flags = FI_COMPLETION;
  if (ask(provider, FI_DELIVERY_COMPLETE, &completing) == 0) {
    side->flags |= FI_DELIVERY_COMPLETE;
    fi_freeinfo(completing);
  }
  check(ask(provider, 0, &side->info), "fi_getinfo");
  check(fi_fabric(side->info->fabric_attr, &side->fabric, NULL), "fi_fabric");
  struct fi_eq_attr eq = {.wait_obj = FI_WAIT_NONE};
  check(fi_eq_open(side->fabric, &eq, &side->eq, NULL), "fi_eq_open");
  check(fi_domain(side->fabric, side->info, &side->domain, NULL), "fi_domain");
  struct fi_av_attr av = {.type = FI_AV_TABLE, .count = 256};
  check(fi_av_open(side->domain, &av, &side->av, NULL), "fi_av_open");
  struct fi_cq_attr cq = {.size = 2 * (side->info->tx_attr->size + RECEIVES),
                          .format = FI_CQ_FORMAT_DATA,
                          .wait_obj = FI_WAIT_NONE};
  check(fi_cq_open(side->domain, &cq, &side->cq, NULL), "fi_cq_open");
  check(fi_endpoint(side->domain, side->info, &side->ep, NULL), "fi_endpoint");
  check(fi_ep_bind(side->ep, &side->av->fid, 0), "fi_ep_bind");
  check(fi_ep_bind(side->ep, &side->cq->fid, FI_TRANSMIT | FI_RECV), "fi_ep_bind");
  check(fi_ep_bind(side->ep, &side->eq->fid, 0), "fi_ep_bind");
  check(fi_enable(side->ep), "fi_enable");
  check(-posix_memalign((void **)&side->memory, 2UL << 20, REGION_BYTES), "memory");
  memset(side->memory, 1, REGION_BYTES);
  check(fi_mr_reg(side->domain, side->memory, REGION_BYTES, FI_WRITE | FI_REMOTE_WRITE, 0, 1, 0,
                  &side->region, NULL),
        "fi_mr_reg");
  side->place.name_bytes = sizeof side->place.name;
  check(fi_getname(&side->ep->fid, side->place.name, &side->place.name_bytes), "fi_getname");
  side->place.base =
      side->info->domain_attr->mr_mode & FI_MR_VIRT_ADDR ? (uint64_t)side->memory : 0;
  side->place.key = fi_mr_key(side->region);
  for (int i = 0; i < WINDOW; i++) side->free_contexts[side->free_count++] = i;
  post_receives(side, number);
}

/* An endpoint of shared memory that is not closed leaves its file. */
static void close_side(struct side *side) {
  fi_close(&side->region->fid);
  fi_close(&side->ep->fid);
  fi_close(&side->cq->fid);
  fi_close(&side->eq->fid);
  fi_close(&side->av->fid);
  if (side->receives != NULL) fi_close(&side->receives->fid);
  fi_close(&side->domain->fid);
  fi_close(&side->fabric->fid);
}

static void meet(struct side *side, const struct place *peer) {
  side->peer_place = *peer;
  if (fi_av_insert(side->av, peer->name, 1, &side->peer, 0, NULL) != 1) {
    fprintf(stderr, "twin: fi_av_insert\n");
    exit(1);
  }
}

static void on_entry(struct side *side, const struct fi_cq_data_entry *entry) {
  char *context = entry->op_context;
  char *first = (char *)side->contexts;
  if (context >= first && context < first + sizeof side->contexts) {
    side->ended++;
    side->free_contexts[side->free_count++] = (int)((context - first) / sizeof side->contexts[0]);
  } else if (entry->flags & FI_REMOTE_CQ_DATA) {
    side->pings += entry->data == PING;
    side->pongs += entry->data == PONG;
    side->stopped |= entry->data == STOP;
  }
}

static void poll_side(struct side *side) {
  struct fi_cq_data_entry entries[BATCH];
  ssize_t count = fi_cq_read(side->cq, entries, BATCH);
  for (ssize_t i = 0; i < count; i++) on_entry(side, &entries[i]);
  if (count < 0 && count != -FI_EAGAIN) {
    fprintf(stderr, "twin: a write failed: %zd\n", count);
    exit(1);
  }
}

static int post(struct side *side, size_t offset, size_t bytes, uint64_t immediate) {
  if (side->free_count == 0) return 0;
  int slot = side->free_contexts[side->free_count - 1];
  void *descriptor = fi_mr_desc(side->region);
  struct iovec local = {.iov_base = side->memory + offset, .iov_len = bytes};
  struct fi_rma_iov remote = {
      .addr = side->peer_place.base + offset, .len = bytes, .key = side->peer_place.key};
  struct fi_msg_rma message = {.msg_iov = &local,
                               .desc = &descriptor,
                               .iov_count = 1,
                               .addr = side->peer,
                               .rma_iov = &remote,
                               .rma_iov_count = 1,
                               .context = &side->contexts[slot],
                               .data = immediate};
  ssize_t rc = fi_writemsg(side->ep, &message, side->flags | (immediate ? FI_REMOTE_CQ_DATA : 0));
  if (rc == -FI_EAGAIN) return 0;
  check(rc, "fi_writemsg");
  side->free_count--;
  side->posted++;
  return 1;
}

/* Gives the far end a turn, where this thread plays the far end: each ping is answered. */
static void serve(struct side *far) {
  if (far == NULL) return;
  poll_side(far);
  if (far->pings > 0 && post(far, 0, SMALL_BYTES, PONG)) far->pings--;
}

static void turn(struct side *near, struct side *far) {
  poll_side(near);
  serve(far);
}

static long nanos(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

static void round_trip(struct side *near, struct side *far) {
  long before = near->pongs;
  while (!post(near, 0, SMALL_BYTES, PING)) turn(near, far);
  while (near->pongs == before) turn(near, far);
}

static int order(const void *left, const void *right) {
  long difference = *(const long *)left - *(const long *)right;
  return difference < 0 ? -1 : difference > 0;
}

static void round_trips(struct side *near, struct side *far, int count) {
  long *times = calloc((size_t)count, sizeof(long));
  for (int i = 0; i < WARM_UP; i++) round_trip(near, far);
  long cpu = nanos(CLOCK_THREAD_CPUTIME_ID);
  for (int i = 0; i < count; i++) {
    long start = nanos(CLOCK_MONOTONIC);
    round_trip(near, far);
    times[i] = nanos(CLOCK_MONOTONIC) - start;
  }
  cpu = nanos(CLOCK_THREAD_CPUTIME_ID) - cpu;
  qsort(times, (size_t)count, sizeof(long), order);
  printf("%ld %ld %ld", times[count / 2], times[count / 10 * 9], cpu / count);
  free(times);
}

static void writes(struct side *near, struct side *far, size_t bytes, int count) {
  long window = WINDOW_BYTES / bytes < WINDOW ? (long)(WINDOW_BYTES / bytes) : WINDOW;
  long slots = (long)(REGION_BYTES / bytes);
  while (near->ended < near->posted) turn(near, far);
  long start = nanos(CLOCK_MONOTONIC);
  long cpu = nanos(CLOCK_THREAD_CPUTIME_ID);
  for (int i = 0; i < count; i++) {
    while (near->posted - near->ended >= window ||
           !post(near, (size_t)(i % slots) * bytes, bytes, 0)) {
      turn(near, far);
    }
  }
  while (near->ended < near->posted) turn(near, far);
  cpu = nanos(CLOCK_THREAD_CPUTIME_ID) - cpu;
  double seconds = (double)(nanos(CLOCK_MONOTONIC) - start) / 1e9;
  printf(" %.0f %ld", (double)count * (double)bytes / seconds, cpu / count);
}

static void measure(struct side *near, struct side *far, char **counts) {
  static const size_t lengths[] = {8 << 10, 64 << 10, 1 << 20};
  round_trips(near, far, atoi(counts[0]));
  for (int i = 0; i < 3; i++) writes(near, far, lengths[i], atoi(counts[i + 1]));
  printf("\n");
}

static struct side near_side, far_side;

static void exchange(struct side *side, int channel) {
  struct place peer;
  if (write(channel, &side->place, sizeof peer) != sizeof peer ||
      recv(channel, &peer, sizeof peer, MSG_WAITALL) != sizeof peer) {
    fprintf(stderr, "twin: the other process is gone\n");
    exit(1);
  }
  meet(side, &peer);
}

static int two_processes(const char *provider, char **counts) {
  int channels[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, channels) != 0) {
    perror("twin: socketpair");
    exit(1);
  }
  pid_t child = fork();
  if (child < 0) {
    perror("twin: fork");
    exit(1);
  }
  if (child == 0) {
    close(channels[0]);
    be_of_many_threads();
    open_side(&far_side, provider, 1);
    exchange(&far_side, channels[1]);
    while (!far_side.stopped) serve(&far_side);
    close_side(&far_side);
    _exit(0);
  }
  close(channels[1]);
  be_of_many_threads();
  open_side(&near_side, provider, 0);
  exchange(&near_side, channels[0]);
  measure(&near_side, NULL, counts);
  while (!post(&near_side, 0, SMALL_BYTES, STOP)) poll_side(&near_side);
  while (waitpid(child, NULL, WNOHANG) == 0) poll_side(&near_side);
  close_side(&near_side);
  return 0;
}

int main(int count, char **arguments) {
  if (count != 7) {
    fprintf(stderr, "usage: twin PROVIDER one|two ROUND-TRIPS WRITES WRITES WRITES\n");
    return 2;
  }
  if (strcmp(arguments[2], "two") == 0) return two_processes(arguments[1], arguments + 3);
  be_of_many_threads();
  open_side(&near_side, arguments[1], 0);
  open_side(&far_side, arguments[1], 1);
  meet(&near_side, &far_side.place);
  meet(&far_side, &near_side.place);
  measure(&near_side, &far_side, arguments + 3);
  close_side(&near_side);
  close_side(&far_side);
  return 0;
}
