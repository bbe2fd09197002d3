package io.millrace.udp.linux;

import io.millrace.memory.SegmentBuffer;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;

/**
 * Socket calls with plain arguments; owns the scratch memory of the calls. Calls return the results
 * of {@link Libc}. Owned by an endpoint; allocates nothing unless a method's comment says so.
 */
final class SocketCalls {
  private static final int SCRATCH_BYTES = 128;
  private static final int LENGTH_OFFSET = 64;

  private final Libc libc;
  private final SegmentBuffer scratch;

  SocketCalls(Libc libc, Arena arena) {
    this.libc = libc;
    scratch = new SegmentBuffer(arena.allocate(SCRATCH_BYTES, Long.BYTES).address(), SCRATCH_BYTES);
  }

  Libc libc() {
    return libc;
  }

  /** Opens a non-blocking datagram socket, which child processes do not inherit. */
  int open(IpVersion version) {
    int type = SocketOptions.SOCK_DGRAM | SocketOptions.SOCK_NONBLOCK | SocketOptions.SOCK_CLOEXEC;
    return libc.socket(version.domain, type, 0);
  }

  int bind(int fd, InetSocketAddress address) {
    Sockaddr.write(scratch, 0, address);
    return libc.bind(
        fd, scratch.addressOffset(), IpVersion.of(address.getAddress()).sockaddrBytes());
  }

  int connect(int fd, InetSocketAddress address) {
    Sockaddr.write(scratch, 0, address);
    return libc.connect(
        fd, scratch.addressOffset(), IpVersion.of(address.getAddress()).sockaddrBytes());
  }

  int close(int fd) {
    return libc.close(fd);
  }

  int setInt(int fd, int level, int option, int value) {
    scratch.putInt(0, value);
    return libc.setsockopt(fd, level, option, scratch.addressOffset(), Integer.BYTES);
  }

  /** Returns the option's value, which must not be negative, or an error number negated. */
  int getInt(int fd, int level, int option) {
    scratch.putInt(0, 0);
    scratch.putInt(LENGTH_OFFSET, Integer.BYTES);
    int result =
        libc.getsockopt(
            fd, level, option, scratch.addressOffset(), scratch.addressOffset() + LENGTH_OFFSET);
    return result < 0 ? result : scratch.getInt(0);
  }

  /**
   * Returns the address of a bound socket; allocates.
   *
   * @throws IllegalStateException if the socket has no address
   */
  InetSocketAddress localAddress(int fd, IpVersion version) {
    scratch.putInt(LENGTH_OFFSET, Sockaddr.MAX_BYTES);
    int result =
        libc.getsockname(fd, scratch.addressOffset(), scratch.addressOffset() + LENGTH_OFFSET);
    if (result < 0) {
      throw new IllegalStateException("a bound socket has no address: errno " + -result);
    }
    return Sockaddr.read(scratch, 0, version);
  }
}
