package io.millrace.config;

/**
 * Streams of elements.
 *
 * @param windowElements most elements of a flow that wait at the receiver
 * @param windowBytes most bytes of the elements of a flow that wait at the receiver
 * @param budgetBytes bytes of elements that wait at this node at most, over all flows
 * @param perPeerBytes most bytes of waiting elements of a single peer
 */
public record StreamSettings(
    int windowElements, int windowBytes, long budgetBytes, long perPeerBytes) {
  private static final int LEAST_ELEMENTS = 16;
  private static final int LEAST_BYTES = 16 << 10;

  static StreamSettings from(Section section) {
    return new StreamSettings(
        section.integer("window", LEAST_ELEMENTS, 1 << 16),
        section.bytes("window-bytes", LEAST_BYTES, 1 << 30),
        section.longBytes("budget", LEAST_BYTES, 1L << 40),
        section.longBytes("per-peer", LEAST_BYTES, 1L << 40));
  }
}
