package io.millrace.udp.linux;

import io.millrace.memory.SegmentBuffer;
import io.millrace.udp.internal.DestinationTable;
import java.lang.foreign.Arena;

/**
 * Reads the errors that the kernel keeps for a socket: ICMP answers to earlier datagrams, and local
 * refusals of too large datagrams. An unread error fails the next call on the socket, for any
 * destination. Owned by the endpoint; does not allocate.
 */
final class ErrorQueue {
  // The bound of the work caused by a flood of ICMP messages in one drain.
  private static final int MAX_ERRORS_PER_DRAIN = 64;
  private static final int CONTROL_BYTES = 256;
  private static final int HEADER = 0;
  private static final int VECTOR = 64;
  private static final int NAME = 128;
  private static final int CONTROL = NAME + Sockaddr.MAX_BYTES;
  private static final int PAYLOAD = CONTROL + CONTROL_BYTES;
  private static final int PAYLOAD_BYTES = 64;

  private final Libc libc;
  private final IpVersion version;
  private final DestinationTable destinations;
  private final DestinationAddresses addresses;
  private final PathEvents events;
  private final SegmentBuffer memory;
  private int localMtu;

  ErrorQueue(
      Libc libc,
      Arena arena,
      IpVersion version,
      DestinationTable destinations,
      DestinationAddresses addresses,
      PathEvents events) {
    this.libc = libc;
    this.version = version;
    this.destinations = destinations;
    this.addresses = addresses;
    this.events = events;
    int bytes = PAYLOAD + PAYLOAD_BYTES;
    memory = new SegmentBuffer(arena.allocate(bytes, Long.BYTES).address(), bytes);
    long base = memory.addressOffset();
    memory.setMemory(0, bytes, (byte) 0);
    memory.putLong(VECTOR + MessageLayout.IOV_BASE, base + PAYLOAD);
    memory.putLong(VECTOR + MessageLayout.IOV_LEN, PAYLOAD_BYTES);
    memory.putLong(HEADER + MessageLayout.MSG_NAME, base + NAME);
    memory.putLong(HEADER + MessageLayout.MSG_IOV, base + VECTOR);
    memory.putLong(HEADER + MessageLayout.MSG_IOVLEN, 1);
    memory.putLong(HEADER + MessageLayout.MSG_CONTROL, base + CONTROL);
  }

  /**
   * Takes the errors of a socket and records the news about destinations.
   *
   * @return the number of answers to earlier datagrams, without refusals of the last datagram
   */
  int drain(int fd) {
    int answers = 0;
    localMtu = 0;
    for (int i = 0; i < MAX_ERRORS_PER_DRAIN; i++) {
      long quotedBytes = receive(fd);
      if (quotedBytes < 0) {
        break;
      }
      answers += onError((int) Math.min(quotedBytes, PAYLOAD_BYTES)) ? 1 : 0;
    }
    return answers;
  }

  /**
   * Returns the MTU exceeded by the last refused datagram; 0 if {@link #drain} found no refusal.
   */
  int localMtu() {
    return localMtu;
  }

  private long receive(int fd) {
    memory.putInt(HEADER + MessageLayout.MSG_NAMELEN, Sockaddr.MAX_BYTES);
    memory.putLong(HEADER + MessageLayout.MSG_CONTROLLEN, CONTROL_BYTES);
    return libc.recvmsg(
        fd, memory.addressOffset(), MessageLayout.MSG_ERRQUEUE | MessageLayout.MSG_DONTWAIT);
  }

  private boolean onError(int quotedBytes) {
    int end = CONTROL + (int) memory.getLong(HEADER + MessageLayout.MSG_CONTROLLEN);
    int control = CONTROL;
    while (control + MessageLayout.CMSG_DATA <= end) {
      if (memory.getInt(control + MessageLayout.CMSG_LEVEL) == version.level
          && memory.getInt(control + MessageLayout.CMSG_TYPE) == version.receiveErrors) {
        return onExtendedError(control + MessageLayout.CMSG_DATA, quotedBytes);
      }
      control = MessageLayout.nextControl(control, memory.getLong(control));
    }
    return false;
  }

  private boolean onExtendedError(int error, int quotedBytes) {
    int errno = memory.getInt(error + MessageLayout.EE_ERRNO);
    int origin = memory.getByte(error + MessageLayout.EE_ORIGIN);
    int info = memory.getInt(error + MessageLayout.EE_INFO);
    if (origin == MessageLayout.EE_ORIGIN_LOCAL) {
      localMtu = errno == Errno.EMSGSIZE ? info : localMtu;
      return false;
    }
    if (origin != MessageLayout.EE_ORIGIN_ICMP && origin != MessageLayout.EE_ORIGIN_ICMP6) {
      return false;
    }
    for (int destination = 0; destination < destinations.limit(); destination++) {
      if (destinations.contains(destination) && addresses.isSame(destination, memory, NAME)) {
        onAnswer(destination, errno, quotedBytes);
      }
    }
    return true;
  }

  /**
   * Records an ICMP answer. Every host can send ICMP messages, so the driver does not believe sizes
   * in such messages: rule M-3. An answer about a closed port quotes the refused datagram, or its
   * beginning.
   */
  private void onAnswer(int destination, int errno, int quotedBytes) {
    if (errno == Errno.ECONNREFUSED) {
      events.onRefused(destination, memory, PAYLOAD, quotedBytes);
    } else if (Errno.isUnreachable(errno)) {
      events.onUnreachable(destination);
    }
  }
}
