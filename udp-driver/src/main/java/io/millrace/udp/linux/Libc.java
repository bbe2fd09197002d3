package io.millrace.udp.linux;

/**
 * The driver's calls of the C library. Pointers are native addresses. A failed call returns its
 * error number negated (see {@link Errno}). One thread at a time; allocates nothing.
 */
interface Libc {
  /** Opens a socket and returns its descriptor. */
  int socket(int domain, int type, int protocol);

  /** Binds a socket to a socket address. */
  int bind(int fd, long address, int addressBytes);

  /** Sets the peer of a datagram socket. */
  int connect(int fd, long address, int addressBytes);

  /** Closes a descriptor. */
  int close(int fd);

  /** Sets a socket option. */
  int setsockopt(int fd, int level, int option, long value, int valueBytes);

  /** Reads a socket option; {@code valueBytes} points to an int, in and out. */
  int getsockopt(int fd, int level, int option, long value, long valueBytes);

  /** Reads the local address; {@code addressBytes} points to an int, in and out. */
  int getsockname(int fd, long address, long addressBytes);

  /** Sends messages and returns the number of sent messages. */
  int sendmmsg(int fd, long messages, int count, int flags);

  /**
   * Sends one message, without an {@code address} to the socket's peer, and returns its number of
   * bytes.
   */
  long sendto(int fd, long message, long bytes, int flags, long address, int addressBytes);

  /** Receives messages and returns their number, without waiting for a message. */
  int recvmmsg(int fd, long messages, int count, int flags);

  /** Receives one message and returns its number of bytes. */
  long recvmsg(int fd, long message, int flags);
}
