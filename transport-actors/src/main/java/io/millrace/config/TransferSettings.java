package io.millrace.config;

/**
 * Transfers that do not fit a datagram.
 *
 * @param bufferPoolBytes sealed bytes that may wait for their acknowledgement, for the node
 * @param windowBytes sealed bytes of one transfer that may wait for their acknowledgement
 * @param messageBytes most bytes of headers and payload of a unary request or response
 * @param assemblyBytes bytes of unary messages that may be put together at once, for the node
 */
public record TransferSettings(
    long bufferPoolBytes, long windowBytes, int messageBytes, long assemblyBytes) {
  static TransferSettings from(Section section) {
    return new TransferSettings(
        section.longBytes("buffer-pool", 1 << 19, 1L << 40),
        section.longBytes("window", 64 << 10, 1L << 32),
        section.bytes("message", 0, 1 << 30),
        section.longBytes("assembly", 0, 1L << 40));
  }
}
