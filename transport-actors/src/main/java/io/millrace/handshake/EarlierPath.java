package io.millrace.handshake;

/**
 * The relation of a handshake to an existing path; rules K-12 and U-3.
 *
 * @param renews the id of the path that gets a new secret, or 0
 * @param doubts the id of a path that the peer may have lost, or 0
 */
public record EarlierPath(long renews, long doubts) {
  /** The handshake has no relation to an earlier path. */
  public static final EarlierPath NONE = new EarlierPath(0, 0);
}
