package io.millrace.udp.linux;

import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Watches whether the network interface of an address can carry packets, by the kernel's netlink
 * messages about links (rtnetlink(7), group RTMGRP_LINK). Owned by an endpoint, on the endpoint's
 * thread; {@link #refresh} allocates nothing unless messages were lost.
 */
final class LinkWatch {
  private static final int AF_NETLINK = 16;
  private static final int SOCK_RAW = 3;
  private static final int NETLINK_ROUTE = 0;
  private static final int RTMGRP_LINK = 1;
  private static final int SOCKADDR_BYTES = 12;
  private static final int GROUPS_OFFSET = 8;
  private static final int RTM_NEWLINK = 16;
  private static final int RTM_DELLINK = 17;
  private static final int HEADER_BYTES = 16;
  private static final int TYPE_OFFSET = 4;
  private static final int INDEX_OFFSET = HEADER_BYTES + 4;
  private static final int FLAGS_OFFSET = HEADER_BYTES + 8;
  private static final int LEAST_BYTES = HEADER_BYTES + 16;

  /** IFF_UP and IFF_RUNNING: the interface is switched on, and the link is present. */
  private static final int WORKING = 0x1 | 0x40;

  private static final int ENOBUFS = 105;
  private static final int BUFFER_BYTES = 8_192;
  private static final int MSGHDR_BYTES = 56;
  private static final int IOV_OFFSET = 16;
  private static final int IOVLEN_OFFSET = 24;
  private static final int NONE = -1;

  private final Libc libc;
  private final int fd;
  private final int index;
  private final UnsafeBuffer message;
  private final UnsafeBuffer news;
  private boolean isUp;

  private LinkWatch(Libc libc, Arena arena, int fd, int index, boolean isUp) {
    this.libc = libc;
    this.fd = fd;
    this.index = index;
    this.isUp = isUp;
    int bytes = MSGHDR_BYTES + 16 + BUFFER_BYTES;
    UnsafeBuffer memory = new UnsafeBuffer(arena.allocate(bytes, Long.BYTES).address(), bytes);
    message = new UnsafeBuffer(memory, 0, MSGHDR_BYTES + 16);
    news = new UnsafeBuffer(memory, MSGHDR_BYTES + 16, BUFFER_BYTES);
    message.putLong(IOV_OFFSET, message.addressOffset() + MSGHDR_BYTES);
    message.putLong(IOVLEN_OFFSET, 1);
    message.putLong(MSGHDR_BYTES, news.addressOffset());
    message.putLong(MSGHDR_BYTES + Long.BYTES, BUFFER_BYTES);
  }

  /**
   * Watches the interface with this address. The loopback, and an address without a single
   * interface, count as always up.
   *
   * @param degraded gets the reason if links cannot be watched
   */
  static LinkWatch open(Libc libc, Arena arena, InetAddress address, List<String> degraded) {
    NetworkInterface nic = interfaceOf(address);
    if (nic == null) {
      return new LinkWatch(libc, arena, NONE, NONE, true);
    }
    int fd =
        libc.socket(
            AF_NETLINK,
            SOCK_RAW | SocketOptions.SOCK_NONBLOCK | SocketOptions.SOCK_CLOEXEC,
            NETLINK_ROUTE);
    int result = fd;
    if (fd >= 0) {
      UnsafeBuffer group =
          new UnsafeBuffer(arena.allocate(SOCKADDR_BYTES, Long.BYTES).address(), SOCKADDR_BYTES);
      group.putShort(0, (short) AF_NETLINK);
      group.putInt(GROUPS_OFFSET, RTMGRP_LINK);
      result = libc.bind(fd, group.addressOffset(), SOCKADDR_BYTES);
    }
    if (result < 0) {
      degraded.add(
          "link of " + nic.getName() + " is not watched: netlink failed with errno " + -result);
      if (fd >= 0) {
        libc.close(fd);
      }
      return new LinkWatch(libc, arena, NONE, nic.getIndex(), true);
    }
    // Read the state after subscribing to changes, so no change is missed.
    return new LinkWatch(libc, arena, fd, nic.getIndex(), isUp(nic));
  }

  private static @Nullable NetworkInterface interfaceOf(InetAddress address) {
    try {
      NetworkInterface nic =
          address.isAnyLocalAddress() ? null : NetworkInterface.getByInetAddress(address);
      return nic == null || nic.isLoopback() ? null : nic;
    } catch (SocketException e) {
      return null;
    }
  }

  private static boolean isUp(@Nullable NetworkInterface nic) {
    try {
      return nic != null && nic.isUp();
    } catch (SocketException e) {
      return false;
    }
  }

  boolean isUp() {
    return isUp;
  }

  /**
   * Returns the descriptor that is readable after a message of the kernel; negative without a
   * watched interface.
   */
  int fd() {
    return fd;
  }

  /** Reads the messages of the kernel. */
  void refresh() {
    if (fd == NONE) {
      return;
    }
    long bytes = receive();
    while (bytes > 0) {
      read((int) Math.min(bytes, BUFFER_BYTES));
      bytes = receive();
    }
    if (bytes == -ENOBUFS) {
      reread();
    }
  }

  private long receive() {
    return libc.recvmsg(fd, message.addressOffset(), 0);
  }

  private void read(int bytes) {
    int at = 0;
    while (at + LEAST_BYTES <= bytes) {
      int length = news.getInt(at);
      int type = news.getShort(at + TYPE_OFFSET);
      if (length < HEADER_BYTES) {
        return;
      }
      if (news.getInt(at + INDEX_OFFSET) == index) {
        if (type == RTM_DELLINK) {
          isUp = false;
        } else if (type == RTM_NEWLINK) {
          isUp = (news.getInt(at + FLAGS_OFFSET) & WORKING) == WORKING;
        }
      }
      at += (length + 3) & ~3;
    }
  }

  /** Reads the present state, because the kernel dropped messages. */
  private void reread() {
    try {
      isUp = isUp(NetworkInterface.getByIndex(index));
    } catch (SocketException e) {
      isUp = false;
    }
  }

  void close() {
    if (fd != NONE) {
      libc.close(fd);
    }
  }
}
