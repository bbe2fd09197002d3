package io.millrace.udp.linux;

import io.millrace.memory.SegmentBuffer;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/**
 * A socket with the kernel's messages about links (rtnetlink(7), group RTMGRP_LINK). One thread at
 * a time; {@link #receive} allocates nothing.
 */
final class LinkSocket {
  private static final int AF_NETLINK = 16;
  private static final int SOCK_RAW = 3;
  private static final int NETLINK_ROUTE = 0;
  private static final int RTMGRP_LINK = 1;
  private static final int SOCKADDR_BYTES = 12;
  private static final int GROUPS_OFFSET = 8;
  private static final int MESSAGE_BYTES = 8_192;
  private static final int MSGHDR_BYTES = 56;
  private static final int IOV_BYTES = 16;
  private static final int IOV_OFFSET = 16;
  private static final int IOVLEN_OFFSET = 24;

  private final Libc libc;
  private final int fd;
  private final SegmentBuffer header;
  private final SegmentBuffer message;

  private LinkSocket(Libc libc, Arena arena, int fd) {
    this.libc = libc;
    this.fd = fd;
    int headerBytes = MSGHDR_BYTES + IOV_BYTES;
    int bytes = headerBytes + MESSAGE_BYTES;
    SegmentBuffer memory = new SegmentBuffer(arena.allocate(bytes, Long.BYTES).address(), bytes);
    header = new SegmentBuffer(memory, 0, headerBytes);
    message = new SegmentBuffer(memory, headerBytes, MESSAGE_BYTES);
    header.putLong(IOV_OFFSET, header.addressOffset() + MSGHDR_BYTES);
    header.putLong(IOVLEN_OFFSET, 1);
    header.putLong(MSGHDR_BYTES, message.addressOffset());
    header.putLong(MSGHDR_BYTES + Long.BYTES, MESSAGE_BYTES);
  }

  /** Subscribes to the messages; null if the system refuses. */
  static @Nullable LinkSocket open(Libc libc, Arena arena) {
    int type = SOCK_RAW | SocketOptions.SOCK_NONBLOCK | SocketOptions.SOCK_CLOEXEC;
    int fd = libc.socket(AF_NETLINK, type, NETLINK_ROUTE);
    if (fd < 0) {
      return null;
    }
    SegmentBuffer group =
        new SegmentBuffer(arena.allocate(SOCKADDR_BYTES, Long.BYTES).address(), SOCKADDR_BYTES);
    group.putShort(0, (short) AF_NETLINK);
    group.putInt(GROUPS_OFFSET, RTMGRP_LINK);
    if (libc.bind(fd, group.addressOffset(), SOCKADDR_BYTES) < 0) {
      libc.close(fd);
      return null;
    }
    return new LinkSocket(libc, arena, fd);
  }

  /** Returns the descriptor that is readable after a message of the kernel. */
  int fd() {
    return fd;
  }

  /** Takes the next datagram of messages; returns its length, or an error number negated. */
  long receive() {
    return libc.recvmsg(fd, header.addressOffset(), 0);
  }

  /** The datagram received last. */
  SegmentBuffer message() {
    return message;
  }

  void close() {
    libc.close(fd);
  }
}
