package io.millrace.config;

/**
 * Streams of elements.
 *
 * @param windowElements elements of one flow that wait at its receiver at most
 * @param windowBytes bytes of them, beyond which none are sent
 * @param budgetBytes bytes of elements that wait at this node at most, over all flows
 * @param perPeerBytes of these, those of one peer at most
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
