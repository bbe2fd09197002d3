package io.millrace.udp.linux;

/** Offsets in the C structures of messages, in bytes. A test compares the offsets with C. */
final class MessageLayout {
  // struct mmsghdr: a struct msghdr and the bytes of the message
  static final int MMSGHDR_BYTES = 64;
  static final int MSG_NAME = 0;
  static final int MSG_NAMELEN = 8;
  static final int MSG_IOV = 16;
  static final int MSG_IOVLEN = 24;
  static final int MSG_CONTROL = 32;
  static final int MSG_CONTROLLEN = 40;
  static final int MSG_FLAGS = 48;
  static final int MSG_LEN = 56;

  // struct iovec
  static final int IOVEC_BYTES = 16;
  static final int IOV_BASE = 0;
  static final int IOV_LEN = 8;

  // struct cmsghdr
  static final int CMSG_LEN = 0;
  static final int CMSG_LEVEL = 8;
  static final int CMSG_TYPE = 12;
  static final int CMSG_DATA = 16;
  static final int CMSG_ALIGNMENT = 8;

  // struct sock_extended_err
  static final int EE_ERRNO = 0;
  static final int EE_ORIGIN = 4;
  static final int EE_INFO = 8;
  static final int EE_ORIGIN_LOCAL = 1;
  static final int EE_ORIGIN_ICMP = 2;
  static final int EE_ORIGIN_ICMP6 = 3;

  static final int MSG_TRUNC = 0x20;
  static final int MSG_DONTWAIT = 0x40;
  static final int MSG_ERRQUEUE = 0x2000;

  private MessageLayout() {}

  /**
   * Returns the offset of the control message behind a control message of {@code cmsgLen} bytes.
   */
  static int nextControl(int offset, long cmsgLen) {
    return offset + (int) (cmsgLen + CMSG_ALIGNMENT - 1 & -CMSG_ALIGNMENT);
  }
}
