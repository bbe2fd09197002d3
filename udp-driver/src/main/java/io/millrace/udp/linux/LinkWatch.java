package io.millrace.udp.linux;

import io.millrace.memory.SegmentBuffer;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Watches whether the network interface of an address can carry packets, by the kernel's netlink
 * messages about links (rtnetlink(7), group RTMGRP_LINK). Owned by an endpoint, on the endpoint's
 * thread; {@link #refresh} allocates nothing unless messages were lost.
 */
final class LinkWatch {
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
  private static final int NONE = -1;

  private final @Nullable LinkSocket socket;
  private final LinkNews news;
  private final int index;
  private boolean isUp;

  /** The changes of links, over the process, at the last look at the own socket. */
  private int seenChanges;

  private LinkWatch(@Nullable LinkSocket socket, LinkNews news, int index, boolean isUp) {
    this.socket = socket;
    this.news = news;
    this.index = index;
    this.isUp = isUp;
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
      return new LinkWatch(null, LinkNews.NONE, NONE, true);
    }
    LinkSocket socket = LinkSocket.open(libc, arena);
    if (socket == null) {
      degraded.add("link of " + nic.getName() + " is not watched: netlink failed");
      return new LinkWatch(null, LinkNews.NONE, nic.getIndex(), true);
    }
    // Read the state after subscribing to changes, so no change is missed.
    return new LinkWatch(socket, LinkNews.ofProcess(), nic.getIndex(), isUp(nic));
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
    return socket == null ? NONE : socket.fd();
  }

  /** Reads the messages of the kernel, if a link of this machine has changed lately. */
  void refresh() {
    LinkSocket open = socket;
    if (open == null) {
      return;
    }
    boolean isFresh = news.isFresh(System.nanoTime());
    int changes = news.changes();
    if (!isFresh && changes == seenChanges) {
      return;
    }
    seenChanges = changes;
    long bytes = open.receive();
    while (bytes > 0) {
      read(open.message(), (int) Math.min(bytes, open.message().capacity()));
      bytes = open.receive();
    }
    if (bytes == -ENOBUFS) {
      reread();
    }
  }

  private void read(SegmentBuffer news, int bytes) {
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
    if (socket != null) {
      socket.close();
    }
  }
}
