package io.millrace.udp.linux;

/** Linux error numbers, and their meaning for a datagram socket. */
final class Errno {
  static final int EPERM = 1;
  static final int EINTR = 4;
  static final int EIO = 5;
  static final int EAGAIN = 11;
  static final int ENOMEM = 12;
  static final int EACCES = 13;
  static final int EINVAL = 22;
  static final int EMSGSIZE = 90;
  static final int EADDRINUSE = 98;
  static final int EADDRNOTAVAIL = 99;
  static final int ENETUNREACH = 101;
  static final int ENOBUFS = 105;
  static final int ECONNREFUSED = 111;
  static final int EHOSTDOWN = 112;
  static final int EHOSTUNREACH = 113;

  private Errno() {}

  /** Whether the socket has no room now but may have room later. */
  static boolean isNoRoom(int errno) {
    return errno == EAGAIN || errno == ENOBUFS || errno == ENOMEM;
  }

  /** Whether the destination cannot be reached or does not listen. */
  static boolean isUnreachable(int errno) {
    return errno == ECONNREFUSED
        || errno == EHOSTUNREACH
        || errno == ENETUNREACH
        || errno == EHOSTDOWN;
  }

  /** Whether the kernel refuses to cut this train, but may take the train in pieces. */
  static boolean isTrainRefused(int errno) {
    return errno == EINVAL || errno == EMSGSIZE || errno == EIO;
  }
}
