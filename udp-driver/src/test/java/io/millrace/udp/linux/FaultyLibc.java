package io.millrace.udp.linux;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/** The real C library, except for what a test lets fail. */
final class FaultyLibc implements Libc {
  static final int ENOPROTOOPT = 92;

  private final Libc real = new FfmLibc();
  private final Deque<Integer> sendResults = new ArrayDeque<>();
  private final Set<Long> refusedOptions = new HashSet<>();
  private int everySendResult;
  private int trainError;
  private int sends;
  private int mtu;

  /**
   * What the next sending call does: an error number negated is returned, a positive number limits
   * the messages that are sent.
   */
  FaultyLibc nextSend(int result) {
    sendResults.add(result);
    return this;
  }

  /** What every sending call returns from now on; 0 for what the real one does. */
  void everySend(int result) {
    everySendResult = result;
  }

  /** Lets sending calls whose first message is a train fail with this error number. */
  FaultyLibc refuseTrains(int errno) {
    trainError = errno;
    return this;
  }

  /** Lets a socket option be neither set nor read. */
  FaultyLibc refuse(int level, int option) {
    refusedOptions.add(key(level, option));
    return this;
  }

  /** The MTU that routes claim to have. */
  FaultyLibc claimMtu(int claimedMtu) {
    mtu = claimedMtu;
    return this;
  }

  /** Sending calls so far. */
  int sends() {
    return sends;
  }

  private static long key(int level, int option) {
    return (long) level << 32 | option;
  }

  @Override
  public int sendmmsg(int fd, long messages, int count, int flags) {
    sends++;
    if (everySendResult != 0) {
      return everySendResult;
    }
    if (trainError != 0 && Memory.readLong(messages + MessageLayout.MSG_CONTROLLEN) != 0) {
      return -trainError;
    }
    Integer result = sendResults.poll();
    if (result != null && result < 0) {
      return result;
    }
    return real.sendmmsg(fd, messages, result == null ? count : Math.min(result, count), flags);
  }

  @Override
  public int setsockopt(int fd, int level, int option, long value, int valueBytes) {
    return refusedOptions.contains(key(level, option))
        ? -ENOPROTOOPT
        : real.setsockopt(fd, level, option, value, valueBytes);
  }

  @Override
  public int getsockopt(int fd, int level, int option, long value, long valueBytes) {
    if (refusedOptions.contains(key(level, option))) {
      return -ENOPROTOOPT;
    }
    if (mtu != 0 && level == IpVersion.IPV6.level && option == IpVersion.IPV6.mtu) {
      Memory.writeInt(value, mtu);
      return 0;
    }
    return real.getsockopt(fd, level, option, value, valueBytes);
  }

  @Override
  public int socket(int domain, int type, int protocol) {
    return real.socket(domain, type, protocol);
  }

  @Override
  public int bind(int fd, long address, int addressBytes) {
    return real.bind(fd, address, addressBytes);
  }

  @Override
  public int connect(int fd, long address, int addressBytes) {
    return real.connect(fd, address, addressBytes);
  }

  @Override
  public int close(int fd) {
    return real.close(fd);
  }

  @Override
  public int getsockname(int fd, long address, long addressBytes) {
    return real.getsockname(fd, address, addressBytes);
  }

  @Override
  public int recvmmsg(int fd, long messages, int count, int flags) {
    return real.recvmmsg(fd, messages, count, flags);
  }

  @Override
  public long recvmsg(int fd, long message, int flags) {
    return real.recvmsg(fd, message, flags);
  }
}
