package io.millrace.path.call;

import io.millrace.config.LimitSettings;
import io.millrace.path.packet.ProtocolViolationException;
import org.jspecify.annotations.Nullable;

/**
 * The limits for bytes of headers to the peer of one path; rule T-10. Immutable, any thread.
 *
 * @param local the limits of this side, for sending and receiving
 * @param remoteBytes the most bytes of headers accepted by the peer
 */
public record HeaderLimits(LimitSettings local, int remoteBytes) {
  /** Whether headers of this length may go to the peer. */
  public boolean allows(int length) {
    return length <= remoteBytes && length <= local.headersBytes();
  }

  /** Returns why headers of this length do not go to the peer, or null if the headers may go. */
  public @Nullable String problem(int length) {
    String own = local.headersProblem(length);
    if (own != null || length <= remoteBytes) {
      return own;
    }
    return problemAtReceiver(length, remoteBytes);
  }

  /** Returns why a side with a limit of {@code mostBytes} takes no headers of this length. */
  public static String problemAtReceiver(long length, int mostBytes) {
    return length
        + " bytes of headers are more than millrace.limits.headers = "
        + mostBytes
        + " of their receiver";
  }

  /** Checks that the headers of a peer are within the limit told to the peer by this node. */
  void requireTaken(int length) {
    String problem = local.headersProblem(length);
    if (problem != null) {
      throw new ProtocolViolationException(problem);
    }
  }
}
