package io.millrace.path.call;

import io.millrace.config.LimitSettings;
import io.millrace.path.packet.ProtocolViolationException;
import org.jspecify.annotations.Nullable;

/**
 * How many bytes of headers may go to the peer of one path; rule T-10. Immutable, any thread.
 *
 * @param local what this side sends and takes at most
 * @param remoteBytes what the peer takes at most
 */
public record HeaderLimits(LimitSettings local, int remoteBytes) {
  /** Whether headers of this length may go to the peer. */
  public boolean allows(int length) {
    return length <= remoteBytes && length <= local.headersBytes();
  }

  /** Why headers of this length do not go to the peer, or null if they may. */
  public @Nullable String problem(int length) {
    String own = local.headersProblem(length);
    if (own != null || length <= remoteBytes) {
      return own;
    }
    return problemAtReceiver(length, remoteBytes);
  }

  /** Why a side that takes {@code mostBytes} at most takes no headers of this length. */
  public static String problemAtReceiver(long length, int mostBytes) {
    return length
        + " bytes of headers are more than millrace.limits.headers = "
        + mostBytes
        + " of their receiver";
  }

  /** What a peer sends is within what this node told it. */
  void requireTaken(int length) {
    String problem = local.headersProblem(length);
    if (problem != null) {
      throw new ProtocolViolationException(problem);
    }
  }
}
