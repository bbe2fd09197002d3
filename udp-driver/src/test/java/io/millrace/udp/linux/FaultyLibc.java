package io.millrace.udp.linux;

import io.millrace.memory.SegmentBuffer;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/** The real C library, except for calls that a test makes fail. */
final class FaultyLibc implements Libc {
  static final int ENOPROTOOPT = 92;
  static final int EMFILE = 24;

  private final Libc real = new FfmLibc();
  private final Deque<Integer> sendResults = new ArrayDeque<>();
  private final Set<Long> refusedOptions = new HashSet<>();
  private int everySendResult;
  private int trainError;
  private int sends;
  private final Deque<ForgedError> errors = new ArrayDeque<>();
  private int mtu;
  private int sockets = Integer.MAX_VALUE;

  /** An IPv4 entry of the error queue: its origin, the address concerned, and the error. */
  record ForgedError(int origin, int errno, int info, InetSocketAddress about) {
    private void write(long message) {
      SegmentBuffer header = new SegmentBuffer(message, MessageLayout.MMSGHDR_BYTES);
      long name = header.getLong(MessageLayout.MSG_NAME);
      Sockaddr.write(new SegmentBuffer(name, Sockaddr.MAX_BYTES), 0, about);
      int length = MessageLayout.CMSG_DATA + MessageLayout.EE_INFO + Integer.BYTES;
      SegmentBuffer control = new SegmentBuffer(header.getLong(MessageLayout.MSG_CONTROL), length);
      control.putLong(MessageLayout.CMSG_LEN, length);
      control.putInt(MessageLayout.CMSG_LEVEL, IpVersion.IPV4.level);
      control.putInt(MessageLayout.CMSG_TYPE, IpVersion.IPV4.receiveErrors);
      control.putInt(MessageLayout.CMSG_DATA + MessageLayout.EE_ERRNO, errno);
      control.putByte(MessageLayout.CMSG_DATA + MessageLayout.EE_ORIGIN, (byte) origin);
      control.putInt(MessageLayout.CMSG_DATA + MessageLayout.EE_INFO, info);
      header.putLong(MessageLayout.MSG_CONTROLLEN, length);
    }
  }

  /** Puts an error into the error queue of every socket, ahead of the real ones. */
  FaultyLibc forge(ForgedError error) {
    errors.add(error);
    return this;
  }

  /**
   * Sets the result of the next sending call: a negated error number is returned, a positive number
   * limits the sent messages.
   */
  FaultyLibc nextSend(int result) {
    sendResults.add(result);
    return this;
  }

  /** Sets the result of every sending call from now on; 0 for the real call. */
  void everySend(int result) {
    everySendResult = result;
  }

  /** Makes sending calls with a train as first message fail with this error number. */
  FaultyLibc refuseTrains(int errno) {
    trainError = errno;
    return this;
  }

  /** Makes a socket option fail for setting and reading. */
  FaultyLibc refuse(int level, int option) {
    refusedOptions.add(key(level, option));
    return this;
  }

  /** Limits the number of sockets that can be opened. */
  FaultyLibc haveSockets(int count) {
    sockets = count;
    return this;
  }

  /** Sets the MTU that routes report. */
  FaultyLibc claimMtu(int claimedMtu) {
    mtu = claimedMtu;
    return this;
  }

  /** Returns the number of sending calls so far. */
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
  public long sendto(int fd, long message, long bytes, int flags, long address, int addressBytes) {
    sends++;
    if (everySendResult != 0) {
      return everySendResult;
    }
    Integer result = sendResults.poll();
    if (result != null && result < 0) {
      return result;
    }
    return real.sendto(fd, message, bytes, flags, address, addressBytes);
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
    return sockets-- > 0 ? real.socket(domain, type, protocol) : -EMFILE;
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
    ForgedError forged = (flags & MessageLayout.MSG_ERRQUEUE) == 0 ? null : errors.poll();
    if (forged != null) {
      forged.write(message);
      return 0;
    }
    return real.recvmsg(fd, message, flags);
  }
}
