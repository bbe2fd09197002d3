package io.millrace.efa.ofi;

/**
 * Error numbers of libfabric. Numbers from 256 on are libfabric's own and the same on every system.
 * The smaller numbers are the host's, so constants differ between Linux and macOS. All numbers are
 * positive; calls return the numbers negated.
 */
public final class FabricErrno {
  private static final boolean MAC = System.getProperty("os.name", "").startsWith("Mac");

  /** Operation not permitted: the process may lock no memory at all, for example. */
  public static final int FI_EPERM = 1;

  /** No such file or directory: the sockets provider's answer when no peer listens any more. */
  public static final int FI_ENOENT = 2;

  /** Try again: poll first. */
  public static final int FI_EAGAIN = MAC ? 35 : 11;

  /** Out of memory, or more memory than the process may lock. */
  public static final int FI_ENOMEM = 12;

  /** Permission denied: the key or the bounds were not valid at the target. */
  public static final int FI_EACCES = 13;

  /** Device or resource busy: a dependent object is still open. */
  public static final int FI_EBUSY = 16;

  /** Invalid argument; from the EFA device together with a provider error of its own. */
  public static final int FI_EINVAL = 22;

  /** Broken pipe; libfabric has no name of its own for this error. */
  public static final int EPIPE = 32;

  /** Function not implemented: the library is older than the version asked for. */
  public static final int FI_ENOSYS = MAC ? 78 : 38;

  /** No data: no provider matches the hints. */
  public static final int FI_ENODATA = MAC ? 96 : 61;

  /** Operation not supported. */
  public static final int FI_EOPNOTSUPP = MAC ? 102 : 95;

  /** Address in use. */
  public static final int FI_EADDRINUSE = MAC ? 48 : 98;

  /** Address not available. */
  public static final int FI_EADDRNOTAVAIL = MAC ? 49 : 99;

  /** Network unreachable. */
  public static final int FI_ENETUNREACH = MAC ? 51 : 101;

  /** Connection aborted. */
  public static final int FI_ECONNABORTED = MAC ? 53 : 103;

  /** Connection reset. */
  public static final int FI_ECONNRESET = MAC ? 54 : 104;

  /** Not connected. */
  public static final int FI_ENOTCONN = MAC ? 57 : 107;

  /** Shut down. */
  public static final int FI_ESHUTDOWN = MAC ? 58 : 108;

  /** Timed out. */
  public static final int FI_ETIMEDOUT = MAC ? 60 : 110;

  /** Connection refused. */
  public static final int FI_ECONNREFUSED = MAC ? 61 : 111;

  /** Host down. */
  public static final int FI_EHOSTDOWN = MAC ? 64 : 112;

  /** Host unreachable. */
  public static final int FI_EHOSTUNREACH = MAC ? 65 : 113;

  /** Cancelled: the connection under the operation went away. */
  public static final int FI_ECANCELED = MAC ? 89 : 125;

  /** Key rejected. */
  public static final int FI_EKEYREJECTED = 129;

  /** An error entry waits in the queue. */
  public static final int FI_EAVAIL = 259;

  /** A message was longer than its posted buffer. */
  public static final int FI_ETRUNC = 265;

  /** The key is not known, or is taken. */
  public static final int FI_ENOKEY = 266;

  /** A queue has overrun: completions are lost. */
  public static final int FI_EOVERRUN = 268;

  /** Receiver not ready: the target has no receive buffer. */
  public static final int FI_ENORX = 269;

  private FabricErrno() {}
}
