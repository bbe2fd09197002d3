/*
 * A libfabric that fails on demand, for tests.
 *
 * The library exports libfabric's bootstrap functions, forwards them to the real libfabric, and
 * replaces operation tables of the opened objects by copies with functions of its own. A preload
 * could not do so: libfabric's operations are reached through tables. FAULTS_LIBFABRIC in the
 * environment names another real library than libfabric.so.1; FAULTS_ARM holds a fault that is armed
 * from the start: kind,endpoint,destination,skip,count.
 *
 * A fault is armed for an endpoint (its number in the order of enabling, -1: each) and a
 * destination (fi_addr_t, -1: each): the matching posts skip..skip+count-1 fail; a negative count
 * means for ever. Each copy of a table is part of the record that holds the original table, so a
 * function finds its record from the object alone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_ext.h>
#include <rdma/fi_rma.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The kinds of faults; Java knows the numbers. */
enum {
	TRY_AGAIN = 0,	/* a post answers -FI_EAGAIN */
	NOT_READY = 1,	/* a post is taken, nothing is sent, an error entry FI_ENORX follows */
	SILENT = 2,	/* a post is taken, nothing is sent, no completion follows */
	NO_MEMORY = 3,	/* a registration answers -FI_ENOMEM; has no destination */
	REFUSED = 4,	/* a post answers -FI_ECONNREFUSED */
	KINDS = 5
};

#define MAX_FAULTS 64
#define MAX_LATE 65536
#define MAX_COUNTED 64
#define ANY (-1)
#define EFA_RECEIVER_NOT_READY 10

struct fault {
	int kind;
	int64_t endpoint;
	int64_t destination;
	int64_t skip;
	int64_t count;
};

/* Posts seen of one endpoint to one destination. */
struct counted {
	int64_t endpoint;
	int64_t destination;
	int64_t posts;
};

struct late {
	void *context;
	uint64_t flags;
};

struct faulty_cq {
	struct fi_ops_cq ops;
	struct fi_ops fid_ops;
	struct fi_ops_cq *real;
	struct fi_ops *real_fid;
	struct late *late;
	size_t head;
	size_t count;
	pthread_mutex_t lock;
};

struct faulty_ep {
	struct fi_ops_msg msg;
	struct fi_ops_rma rma;
	struct fi_ops_ep ops;
	struct fi_ops fid_ops;
	struct fi_ops_msg *real_msg;
	struct fi_ops_rma *real_rma;
	struct fi_ops_ep *real_ops;
	struct fi_ops *real_fid;
	struct faulty_cq *cq;
	int64_t number;
};

struct faulty_domain {
	struct fi_ops_domain ops;
	struct fi_ops_mr mr;
	struct fi_ops fid_ops;
	struct fi_ops_domain *real;
	struct fi_ops_mr *real_mr;
	struct fi_ops *real_fid;
};

struct faulty_fabric {
	struct fi_ops_fabric ops;
	struct fi_ops fid_ops;
	struct fi_ops_fabric *real;
	struct fi_ops *real_fid;
};

#define OWNER(table, type, member) ((type *) ((char *) (table) - offsetof(type, member)))

/* Copies a table, which may be longer or shorter than the header's. */
#define COPY(to, from) \
	do { \
		size_t bytes = (from)->size < sizeof(to) ? (from)->size : sizeof(to); \
		memset(&(to), 0, sizeof(to)); \
		memcpy(&(to), (from), bytes); \
		(to).size = bytes; \
	} while (0)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct fault faults[MAX_FAULTS];
static int fault_count;
static int64_t done[KINDS];
static struct counted counted[MAX_COUNTED];
static int counted_count;
static int64_t endpoints;
static int64_t retries = -1;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *library;

static void arm_from_environment(void)
{
	const char *text = getenv("FAULTS_ARM");
	long long n[5];
	if (text && sscanf(text, "%lld,%lld,%lld,%lld,%lld", n, n + 1, n + 2, n + 3, n + 4) == 5) {
		faults[fault_count++] = (struct fault) {(int) n[0], n[1], n[2], n[3], n[4]};
	}
}

static void load(void)
{
	arm_from_environment();
	const char *name = getenv("FAULTS_LIBFABRIC");
	library = dlopen(name ? name : "libfabric.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		fprintf(stderr, "faults: %s\n", dlerror());
		abort();
	}
}

static void *real(const char *name)
{
	pthread_once(&once, load);
	void *symbol = dlsym(library, name);
	if (!symbol) {
		fprintf(stderr, "faults: %s\n", dlerror());
		abort();
	}
	return symbol;
}

/* -- the control of the tests -- */

void faults_reset(void)
{
	pthread_mutex_lock(&lock);
	fault_count = 0;
	counted_count = 0;
	retries = -1;
	memset(done, 0, sizeof(done));
	pthread_mutex_unlock(&lock);
}

/* Returns 0, or -1 without room. */
int faults_arm(int kind, int64_t endpoint, int64_t destination, int64_t skip, int64_t count)
{
	int rc = -1;
	pthread_mutex_lock(&lock);
	if (kind >= 0 && kind < KINDS && fault_count < MAX_FAULTS) {
		faults[fault_count++] = (struct fault) {kind, endpoint, destination, skip, count};
		rc = 0;
	}
	pthread_mutex_unlock(&lock);
	return rc;
}

/* Faults of a kind that took effect since the reset. */
int64_t faults_done(int kind)
{
	pthread_mutex_lock(&lock);
	int64_t result = kind >= 0 && kind < KINDS ? done[kind] : -1;
	pthread_mutex_unlock(&lock);
	return result;
}

/* Posts of an endpoint to a destination since the reset, with the failed posts. */
int64_t faults_posts(int64_t endpoint, int64_t destination)
{
	int64_t posts = 0;
	pthread_mutex_lock(&lock);
	for (int i = 0; i < counted_count; i++) {
		if (counted[i].endpoint == endpoint && counted[i].destination == destination) {
			posts = counted[i].posts;
		}
	}
	pthread_mutex_unlock(&lock);
	return posts;
}

/* Endpoints enabled so far; the newest has this number less one. */
int64_t faults_endpoints(void)
{
	pthread_mutex_lock(&lock);
	int64_t result = endpoints;
	pthread_mutex_unlock(&lock);
	return result;
}

/* The last value of FI_OPT_EFA_RNR_RETRY that an endpoint was given, or -1. */
int64_t faults_retries(void)
{
	pthread_mutex_lock(&lock);
	int64_t result = retries;
	pthread_mutex_unlock(&lock);
	return result;
}

static int matches(const struct fault *fault, int64_t endpoint, int64_t destination)
{
	return (fault->endpoint == ANY || fault->endpoint == endpoint)
		&& (fault->destination == ANY || fault->destination == destination);
}

static void count_post(int64_t endpoint, int64_t destination)
{
	for (int i = 0; i < counted_count; i++) {
		if (counted[i].endpoint == endpoint && counted[i].destination == destination) {
			counted[i].posts++;
			return;
		}
	}
	if (counted_count < MAX_COUNTED) {
		counted[counted_count++] = (struct counted) {endpoint, destination, 1};
	}
}

/* Returns the kind of the fault that strikes now, or -1. */
static int strike(int is_post, int64_t endpoint, int64_t destination)
{
	int kind = -1;
	pthread_mutex_lock(&lock);
	if (is_post) {
		count_post(endpoint, destination);
	}
	for (int i = 0; i < fault_count && kind < 0; i++) {
		struct fault *fault = &faults[i];
		if ((fault->kind != NO_MEMORY) != is_post || fault->count == 0
			|| !matches(fault, endpoint, destination)) {
			continue;
		}
		if (fault->skip > 0) {
			fault->skip--;
			continue;
		}
		fault->count -= fault->count > 0;
		kind = fault->kind;
		done[kind]++;
	}
	pthread_mutex_unlock(&lock);
	return kind;
}

/* -- completion queues -- */

static int has_late(struct faulty_cq *cq)
{
	pthread_mutex_lock(&cq->lock);
	int result = cq->count > 0;
	pthread_mutex_unlock(&cq->lock);
	return result;
}

static int add_late(struct faulty_cq *cq, void *context, uint64_t flags)
{
	int is_full;
	pthread_mutex_lock(&cq->lock);
	is_full = cq->count == MAX_LATE;
	if (!is_full) {
		cq->late[(cq->head + cq->count++) % MAX_LATE] = (struct late) {context, flags};
	}
	pthread_mutex_unlock(&cq->lock);
	return is_full ? -FI_EAGAIN : 0;
}

static ssize_t faulty_read(struct fid_cq *cq, void *buf, size_t count)
{
	struct faulty_cq *own = OWNER(cq->ops, struct faulty_cq, ops);
	/* good completions first, as a provider does; they also drive its progress */
	ssize_t rc = own->real->read(cq, buf, count);
	return rc == -FI_EAGAIN && has_late(own) ? -FI_EAVAIL : rc;
}

static ssize_t faulty_readerr(struct fid_cq *cq, struct fi_cq_err_entry *buf, uint64_t flags)
{
	struct faulty_cq *own = OWNER(cq->ops, struct faulty_cq, ops);
	struct late late = {0};
	ssize_t rc = own->real->readerr(cq, buf, flags);
	if (rc > 0) {
		return rc;
	}
	pthread_mutex_lock(&own->lock);
	int is_there = own->count > 0;
	if (is_there) {
		late = own->late[own->head];
		own->head = (own->head + 1) % MAX_LATE;
		own->count--;
	}
	pthread_mutex_unlock(&own->lock);
	if (!is_there) {
		return rc;
	}
	/* not the whole struct: it has grown with versions, and the caller has the older */
	buf->op_context = late.context;
	buf->flags = late.flags;
	buf->err = FI_ENORX;
	buf->prov_errno = EFA_RECEIVER_NOT_READY;
	return 1;
}

static int close_cq(struct fid *fid)
{
	struct fid_cq *cq = (struct fid_cq *) fid;
	struct faulty_cq *own = OWNER(fid->ops, struct faulty_cq, fid_ops);
	fid->ops = own->real_fid;
	cq->ops = own->real;
	int rc = fid->ops->close(fid);
	if (rc) {
		fid->ops = &own->fid_ops;
		cq->ops = &own->ops;
		return rc;
	}
	free(own->late);
	free(own);
	return 0;
}

static int faulty_cq_open(struct fid_domain *domain, struct fi_cq_attr *attr, struct fid_cq **cq,
	void *context)
{
	struct faulty_domain *parent = OWNER(domain->ops, struct faulty_domain, ops);
	int rc = parent->real->cq_open(domain, attr, cq, context);
	if (rc) {
		return rc;
	}
	struct faulty_cq *own = calloc(1, sizeof(*own));
	own->late = calloc(MAX_LATE, sizeof(*own->late));
	pthread_mutex_init(&own->lock, NULL);
	own->real = (*cq)->ops;
	own->real_fid = (*cq)->fid.ops;
	COPY(own->ops, own->real);
	COPY(own->fid_ops, own->real_fid);
	own->ops.read = faulty_read;
	own->ops.readerr = faulty_readerr;
	own->fid_ops.close = close_cq;
	(*cq)->ops = &own->ops;
	(*cq)->fid.ops = &own->fid_ops;
	return 0;
}

/* -- endpoints -- */

/* Returns 1 if the post goes to the provider, else sets its answer. */
static int passes(struct faulty_ep *ep, fi_addr_t to, void *context, uint64_t flags, ssize_t *rc)
{
	switch (strike(1, ep->number, (int64_t) to)) {
	case TRY_AGAIN:
		*rc = -FI_EAGAIN;
		return 0;
	case NOT_READY:
		*rc = ep->cq ? add_late(ep->cq, context, flags) : 0;
		return 0;
	case SILENT:
		*rc = 0;
		return 0;
	case REFUSED:
		*rc = -FI_ECONNREFUSED;
		return 0;
	default:
		return 1;
	}
}

static ssize_t faulty_send(struct fid_ep *ep, const void *buf, size_t len, void *desc,
	fi_addr_t to, void *context)
{
	struct faulty_ep *own = OWNER(ep->msg, struct faulty_ep, msg);
	ssize_t rc;
	return passes(own, to, context, FI_MSG | FI_SEND, &rc)
		? own->real_msg->send(ep, buf, len, desc, to, context) : rc;
}

static ssize_t faulty_sendv(struct fid_ep *ep, const struct iovec *iov, void **desc, size_t count,
	fi_addr_t to, void *context)
{
	struct faulty_ep *own = OWNER(ep->msg, struct faulty_ep, msg);
	ssize_t rc;
	return passes(own, to, context, FI_MSG | FI_SEND, &rc)
		? own->real_msg->sendv(ep, iov, desc, count, to, context) : rc;
}

static ssize_t faulty_sendmsg(struct fid_ep *ep, const struct fi_msg *msg, uint64_t flags)
{
	struct faulty_ep *own = OWNER(ep->msg, struct faulty_ep, msg);
	ssize_t rc;
	return passes(own, msg->addr, msg->context, FI_MSG | FI_SEND, &rc)
		? own->real_msg->sendmsg(ep, msg, flags) : rc;
}

static ssize_t faulty_write(struct fid_ep *ep, const void *buf, size_t len, void *desc,
	fi_addr_t to, uint64_t addr, uint64_t key, void *context)
{
	struct faulty_ep *own = OWNER(ep->rma, struct faulty_ep, rma);
	ssize_t rc;
	return passes(own, to, context, FI_RMA | FI_WRITE, &rc)
		? own->real_rma->write(ep, buf, len, desc, to, addr, key, context) : rc;
}

static ssize_t faulty_writedata(struct fid_ep *ep, const void *buf, size_t len, void *desc,
	uint64_t data, fi_addr_t to, uint64_t addr, uint64_t key, void *context)
{
	struct faulty_ep *own = OWNER(ep->rma, struct faulty_ep, rma);
	ssize_t rc;
	return passes(own, to, context, FI_RMA | FI_WRITE, &rc)
		? own->real_rma->writedata(ep, buf, len, desc, data, to, addr, key, context) : rc;
}

static ssize_t faulty_writemsg(struct fid_ep *ep, const struct fi_msg_rma *msg, uint64_t flags)
{
	struct faulty_ep *own = OWNER(ep->rma, struct faulty_ep, rma);
	ssize_t rc;
	return passes(own, msg->addr, msg->context, FI_RMA | FI_WRITE, &rc)
		? own->real_rma->writemsg(ep, msg, flags) : rc;
}

static int faulty_setopt(fid_t fid, int level, int name, const void *value, size_t length)
{
	struct fid_ep *ep = (struct fid_ep *) fid;
	struct faulty_ep *own = OWNER(ep->ops, struct faulty_ep, ops);
	if (level == FI_OPT_ENDPOINT && name == FI_OPT_EFA_RNR_RETRY && length == sizeof(size_t)) {
		pthread_mutex_lock(&lock);
		retries = (int64_t) *(const size_t *) value;
		pthread_mutex_unlock(&lock);
		return 0;
	}
	return own->real_ops->setopt(fid, level, name, value, length);
}

static int faulty_bind(struct fid *fid, struct fid *to, uint64_t flags)
{
	struct faulty_ep *own = OWNER(fid->ops, struct faulty_ep, fid_ops);
	int rc = own->real_fid->bind(fid, to, flags);
	if (rc == 0 && to->fclass == FI_CLASS_CQ && (flags & FI_TRANSMIT)) {
		own->cq = OWNER(to->ops, struct faulty_cq, fid_ops);
	}
	return rc;
}

/* Providers may exchange their tables until the endpoint is enabled, so copies are made then. */
static void copy_data_path(struct fid_ep *ep, struct faulty_ep *own)
{
	own->real_msg = ep->msg;
	COPY(own->msg, own->real_msg);
	own->msg.send = faulty_send;
	own->msg.sendv = faulty_sendv;
	own->msg.sendmsg = faulty_sendmsg;
	ep->msg = &own->msg;
	if (ep->rma) {
		own->real_rma = ep->rma;
		COPY(own->rma, own->real_rma);
		own->rma.write = faulty_write;
		own->rma.writedata = faulty_writedata;
		own->rma.writemsg = faulty_writemsg;
		ep->rma = &own->rma;
	}
}

static int faulty_control(struct fid *fid, int command, void *arg)
{
	struct faulty_ep *own = OWNER(fid->ops, struct faulty_ep, fid_ops);
	int rc = own->real_fid->control(fid, command, arg);
	if (rc == 0 && command == FI_ENABLE && !own->real_msg) {
		copy_data_path((struct fid_ep *) fid, own);
		pthread_mutex_lock(&lock);
		own->number = endpoints++;
		pthread_mutex_unlock(&lock);
	}
	return rc;
}

static int close_ep(struct fid *fid)
{
	struct fid_ep *ep = (struct fid_ep *) fid;
	struct faulty_ep *own = OWNER(fid->ops, struct faulty_ep, fid_ops);
	fid->ops = own->real_fid;
	ep->ops = own->real_ops;
	if (own->real_msg) {
		ep->msg = own->real_msg;
		ep->rma = own->real_rma;
	}
	int rc = fid->ops->close(fid);
	if (rc) {
		fid->ops = &own->fid_ops;
		ep->ops = &own->ops;
		if (own->real_msg) {
			ep->msg = &own->msg;
			ep->rma = own->real_rma ? &own->rma : NULL;
		}
		return rc;
	}
	free(own);
	return 0;
}

static int faulty_endpoint(struct fid_domain *domain, struct fi_info *info, struct fid_ep **ep,
	void *context)
{
	struct faulty_domain *parent = OWNER(domain->ops, struct faulty_domain, ops);
	int rc = parent->real->endpoint(domain, info, ep, context);
	if (rc) {
		return rc;
	}
	struct faulty_ep *own = calloc(1, sizeof(*own));
	own->number = -1;
	own->real_fid = (*ep)->fid.ops;
	own->real_ops = (*ep)->ops;
	COPY(own->fid_ops, own->real_fid);
	COPY(own->ops, own->real_ops);
	own->fid_ops.bind = faulty_bind;
	own->fid_ops.control = faulty_control;
	own->fid_ops.close = close_ep;
	own->ops.setopt = faulty_setopt;
	(*ep)->fid.ops = &own->fid_ops;
	(*ep)->ops = &own->ops;
	return 0;
}

/* -- domains and fabrics -- */

/* Locks memory as a device does: the software providers lock nothing. */
static int pins;

struct pinned_mr {
	struct fi_ops fid_ops;
	struct fi_ops *real_fid;
	const void *address;
	size_t length;
};

void faults_pin(int on)
{
	pins = on;
}

static int close_pinned(struct fid *fid)
{
	struct pinned_mr *own = OWNER(fid->ops, struct pinned_mr, fid_ops);
	fid->ops = own->real_fid;
	int rc = fid->ops->close(fid);
	if (rc) {
		fid->ops = &own->fid_ops;
		return rc;
	}
	munlock(own->address, own->length);
	free(own);
	return 0;
}

static int pin(struct fi_ops_mr *real_mr, struct fid *fid, const void *buf, size_t len,
	uint64_t access, uint64_t key, struct fid_mr **mr, void *context)
{
	if (mlock(buf, len)) {
		return -errno;
	}
	int rc = real_mr->reg(fid, buf, len, access, 0, key, 0, mr, context);
	if (rc) {
		munlock(buf, len);
		return rc;
	}
	struct pinned_mr *own = calloc(1, sizeof(*own));
	own->real_fid = (*mr)->fid.ops;
	own->address = buf;
	own->length = len;
	COPY(own->fid_ops, own->real_fid);
	own->fid_ops.close = close_pinned;
	(*mr)->fid.ops = &own->fid_ops;
	return 0;
}

static int faulty_reg(struct fid *fid, const void *buf, size_t len, uint64_t access,
	uint64_t offset, uint64_t key, uint64_t flags, struct fid_mr **mr, void *context)
{
	struct fid_domain *domain = (struct fid_domain *) fid;
	struct faulty_domain *own = OWNER(domain->mr, struct faulty_domain, mr);
	if (strike(0, ANY, ANY) == NO_MEMORY) {
		return -FI_ENOMEM;
	}
	return pins
		? pin(own->real_mr, fid, buf, len, access, key, mr, context)
		: own->real_mr->reg(fid, buf, len, access, offset, key, flags, mr, context);
}

static int faulty_regattr(struct fid *fid, const struct fi_mr_attr *attr, uint64_t flags,
	struct fid_mr **mr)
{
	struct fid_domain *domain = (struct fid_domain *) fid;
	struct faulty_domain *own = OWNER(domain->mr, struct faulty_domain, mr);
	return strike(0, ANY, ANY) == NO_MEMORY
		? -FI_ENOMEM : own->real_mr->regattr(fid, attr, flags, mr);
}

static int close_domain(struct fid *fid)
{
	struct fid_domain *domain = (struct fid_domain *) fid;
	struct faulty_domain *own = OWNER(fid->ops, struct faulty_domain, fid_ops);
	fid->ops = own->real_fid;
	domain->ops = own->real;
	domain->mr = own->real_mr;
	int rc = fid->ops->close(fid);
	if (rc) {
		fid->ops = &own->fid_ops;
		domain->ops = &own->ops;
		domain->mr = &own->mr;
		return rc;
	}
	free(own);
	return 0;
}

static int faulty_domain_open(struct fid_fabric *fabric, struct fi_info *info,
	struct fid_domain **domain, void *context)
{
	struct faulty_fabric *parent = OWNER(fabric->ops, struct faulty_fabric, ops);
	int rc = parent->real->domain(fabric, info, domain, context);
	if (rc) {
		return rc;
	}
	struct faulty_domain *own = calloc(1, sizeof(*own));
	own->real = (*domain)->ops;
	own->real_mr = (*domain)->mr;
	own->real_fid = (*domain)->fid.ops;
	COPY(own->ops, own->real);
	COPY(own->mr, own->real_mr);
	COPY(own->fid_ops, own->real_fid);
	own->ops.cq_open = faulty_cq_open;
	own->ops.endpoint = faulty_endpoint;
	own->mr.reg = faulty_reg;
	own->mr.regattr = faulty_regattr;
	own->fid_ops.close = close_domain;
	(*domain)->ops = &own->ops;
	(*domain)->mr = &own->mr;
	(*domain)->fid.ops = &own->fid_ops;
	return 0;
}

static int close_fabric(struct fid *fid)
{
	struct fid_fabric *fabric = (struct fid_fabric *) fid;
	struct faulty_fabric *own = OWNER(fid->ops, struct faulty_fabric, fid_ops);
	fid->ops = own->real_fid;
	fabric->ops = own->real;
	int rc = fid->ops->close(fid);
	if (rc) {
		fid->ops = &own->fid_ops;
		fabric->ops = &own->ops;
		return rc;
	}
	free(own);
	return 0;
}

/* -- libfabric's exported functions -- */

int fi_fabric(struct fi_fabric_attr *attr, struct fid_fabric **fabric, void *context)
{
	int (*call)(struct fi_fabric_attr *, struct fid_fabric **, void *) = real("fi_fabric");
	int rc = call(attr, fabric, context);
	if (rc) {
		return rc;
	}
	struct faulty_fabric *own = calloc(1, sizeof(*own));
	own->real = (*fabric)->ops;
	own->real_fid = (*fabric)->fid.ops;
	COPY(own->ops, own->real);
	COPY(own->fid_ops, own->real_fid);
	own->ops.domain = faulty_domain_open;
	own->fid_ops.close = close_fabric;
	(*fabric)->ops = &own->ops;
	(*fabric)->fid.ops = &own->fid_ops;
	return 0;
}

int fi_getinfo(uint32_t version, const char *node, const char *service, uint64_t flags,
	const struct fi_info *hints, struct fi_info **info)
{
	int (*call)(uint32_t, const char *, const char *, uint64_t, const struct fi_info *,
		struct fi_info **) = real("fi_getinfo");
	return call(version, node, service, flags, hints, info);
}

void fi_freeinfo(struct fi_info *info)
{
	void (*call)(struct fi_info *) = real("fi_freeinfo");
	call(info);
}

struct fi_info *fi_dupinfo(const struct fi_info *info)
{
	struct fi_info *(*call)(const struct fi_info *) = real("fi_dupinfo");
	return call(info);
}

uint32_t fi_version(void)
{
	uint32_t (*call)(void) = real("fi_version");
	return call();
}

const char *fi_strerror(int number)
{
	const char *(*call)(int) = real("fi_strerror");
	return call(number);
}

char *fi_tostr(const void *data, enum fi_type type)
{
	char *(*call)(const void *, enum fi_type) = real("fi_tostr");
	return call(data, type);
}
