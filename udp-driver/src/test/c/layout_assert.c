/* Compiled with -fsyntax-only by NativeConstantsTest, which defines J_NAME for each constant NAME of the Java code. */
#define _GNU_SOURCE
#include <time.h>
#include <linux/errqueue.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <errno.h>

#define SAME(constant, value) _Static_assert((constant) == (value), #constant)

SAME(J_MMSGHDR_BYTES, sizeof(struct mmsghdr));
SAME(J_MSG_NAME, offsetof(struct mmsghdr, msg_hdr.msg_name));
SAME(J_MSG_NAMELEN, offsetof(struct mmsghdr, msg_hdr.msg_namelen));
SAME(J_MSG_IOV, offsetof(struct mmsghdr, msg_hdr.msg_iov));
SAME(J_MSG_IOVLEN, offsetof(struct mmsghdr, msg_hdr.msg_iovlen));
SAME(J_MSG_CONTROL, offsetof(struct mmsghdr, msg_hdr.msg_control));
SAME(J_MSG_CONTROLLEN, offsetof(struct mmsghdr, msg_hdr.msg_controllen));
SAME(J_MSG_FLAGS, offsetof(struct mmsghdr, msg_hdr.msg_flags));
SAME(J_MSG_LEN, offsetof(struct mmsghdr, msg_len));
SAME(8, sizeof(((struct mmsghdr *)0)->msg_hdr.msg_iovlen));
SAME(8, sizeof(((struct mmsghdr *)0)->msg_hdr.msg_controllen));

SAME(J_IOVEC_BYTES, sizeof(struct iovec));
SAME(J_IOV_BASE, offsetof(struct iovec, iov_base));
SAME(J_IOV_LEN, offsetof(struct iovec, iov_len));

SAME(J_CMSG_LEN, offsetof(struct cmsghdr, cmsg_len));
SAME(J_CMSG_LEVEL, offsetof(struct cmsghdr, cmsg_level));
SAME(J_CMSG_TYPE, offsetof(struct cmsghdr, cmsg_type));
SAME(J_CMSG_DATA, sizeof(struct cmsghdr));
SAME(J_CMSG_ALIGNMENT, sizeof(size_t));

SAME(J_EE_ERRNO, offsetof(struct sock_extended_err, ee_errno));
SAME(J_EE_ORIGIN, offsetof(struct sock_extended_err, ee_origin));
SAME(J_EE_INFO, offsetof(struct sock_extended_err, ee_info));
SAME(J_EE_ORIGIN_LOCAL, SO_EE_ORIGIN_LOCAL);
SAME(J_EE_ORIGIN_ICMP, SO_EE_ORIGIN_ICMP);
SAME(J_EE_ORIGIN_ICMP6, SO_EE_ORIGIN_ICMP6);

SAME(2, offsetof(struct sockaddr_in, sin_port));
SAME(4, offsetof(struct sockaddr_in, sin_addr));
SAME(8, offsetof(struct sockaddr_in6, sin6_addr));
SAME(24, offsetof(struct sockaddr_in6, sin6_scope_id));
SAME(16, sizeof(struct sockaddr_in));
SAME(28, sizeof(struct sockaddr_in6));
SAME(16, sizeof(struct sock_fprog));
SAME(8, offsetof(struct sock_fprog, filter));
SAME(8, sizeof(struct sock_filter));
SAME(0x20, BPF_LD | BPF_W | BPF_ABS);
SAME(0x35, BPF_JMP | BPF_JGE | BPF_K);
SAME(0x06, BPF_RET | BPF_K);
SAME(-0x1000 + 56, SKF_AD_OFF + SKF_AD_RANDOM);

SAME(J_MSG_TRUNC, MSG_TRUNC);
SAME(J_MSG_DONTWAIT, MSG_DONTWAIT);
SAME(J_MSG_ERRQUEUE, MSG_ERRQUEUE);

SAME(J_SOCK_DGRAM, SOCK_DGRAM);
SAME(J_SOCK_NONBLOCK, SOCK_NONBLOCK);
SAME(J_SOCK_CLOEXEC, SOCK_CLOEXEC);
SAME(J_SOL_SOCKET, SOL_SOCKET);
SAME(J_SO_SNDBUF, SO_SNDBUF);
SAME(J_SO_RCVBUF, SO_RCVBUF);
SAME(J_SO_ATTACH_FILTER, SO_ATTACH_FILTER);
SAME(J_SO_SNDBUFFORCE, SO_SNDBUFFORCE);
SAME(J_SO_RCVBUFFORCE, SO_RCVBUFFORCE);
SAME(J_SO_RXQ_OVFL, SO_RXQ_OVFL);
SAME(J_SOL_UDP, IPPROTO_UDP);
SAME(J_SOL_IPV6, IPPROTO_IPV6);
SAME(J_IPV6_V6ONLY, IPV6_V6ONLY);
SAME(J_PMTUDISC_PROBE, IP_PMTUDISC_PROBE);
SAME(J_PMTUDISC_PROBE, IPV6_PMTUDISC_PROBE);
#ifdef UDP_SEGMENT
SAME(J_UDP_SEGMENT, UDP_SEGMENT);
SAME(J_UDP_GRO, UDP_GRO);
#endif

SAME(J_IPV4_domain, AF_INET);
SAME(J_IPV4_level, IPPROTO_IP);
SAME(J_IPV4_trafficClass, IP_TOS);
SAME(J_IPV4_receiveTrafficClass, IP_RECVTOS);
SAME(J_IPV4_receiveErrors, IP_RECVERR);
SAME(J_IPV4_mtuDiscover, IP_MTU_DISCOVER);
SAME(J_IPV4_mtu, IP_MTU);
SAME(J_IPV6_domain, AF_INET6);
SAME(J_IPV6_level, IPPROTO_IPV6);
SAME(J_IPV6_trafficClass, IPV6_TCLASS);
SAME(J_IPV6_receiveTrafficClass, IPV6_RECVTCLASS);
SAME(J_IPV6_receiveErrors, IPV6_RECVERR);
SAME(J_IPV6_mtuDiscover, IPV6_MTU_DISCOVER);
SAME(J_IPV6_mtu, IPV6_MTU);

SAME(J_EPERM, EPERM);
SAME(J_EINTR, EINTR);
SAME(J_EIO, EIO);
SAME(J_EAGAIN, EAGAIN);
SAME(J_ENOMEM, ENOMEM);
SAME(J_EACCES, EACCES);
SAME(J_EINVAL, EINVAL);
SAME(J_EMSGSIZE, EMSGSIZE);
SAME(J_EADDRINUSE, EADDRINUSE);
SAME(J_EADDRNOTAVAIL, EADDRNOTAVAIL);
SAME(J_ENETUNREACH, ENETUNREACH);
SAME(J_ENOBUFS, ENOBUFS);
SAME(J_ECONNREFUSED, ECONNREFUSED);
SAME(J_EHOSTDOWN, EHOSTDOWN);
SAME(J_EHOSTUNREACH, EHOSTUNREACH);
