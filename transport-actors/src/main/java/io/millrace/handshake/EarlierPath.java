package io.millrace.handshake;

/**
 * What a handshake has to do with a path that is there already; rules K-12 and U-3.
 *
 * @param renews the id of the path that it brings a new secret for, or 0
 * @param doubts the id of a path that the peer may have lost, or 0
 */
public record EarlierPath(long renews, long doubts) {
  /** It has to do with none. */
  public static final EarlierPath NONE = new EarlierPath(0, 0);
}
