package io.millrace.config;

/**
 * Transfers that do not fit a datagram.
 *
 * @param bufferPoolBytes sealed bytes that may wait for their acknowledgement, for the node
 * @param bufferPoolPerPeerBytes of these, those for one peer at most
 * @param windowBytes sealed bytes of one transfer that may wait for their acknowledgement
 * @param messageBytes most bytes of headers and payload of a unary request or response
 * @param assemblyBytes bytes of messages that may be put together at once, for the node
 * @param assemblyPerPeerBytes of these, those of one peer at most
 * @param broadcastPoolBytes bytes of payloads for several peers that are held at once, for the node
 * @param coverBroadcasts whether packets seal what was sealed for several peers once more
 * @param prefetchBytes most bytes of tokens that a path asks for ahead of need
 */
public record TransferSettings(
    long bufferPoolBytes,
    long bufferPoolPerPeerBytes,
    long windowBytes,
    int messageBytes,
    long assemblyBytes,
    long assemblyPerPeerBytes,
    long broadcastPoolBytes,
    boolean coverBroadcasts,
    long prefetchBytes) {
  /** Broadcasts leave half of the pool to other bodies, whose peers must not wait for theirs. */
  public long heldForBroadcastsBytes() {
    return Math.min(broadcastPoolBytes, bufferPoolBytes / 2);
  }

  static TransferSettings from(Section section) {
    return new TransferSettings(
        section.longBytes("buffer-pool", 1 << 19, 1L << 40),
        section.longBytes("buffer-pool-per-peer", 1 << 18, 1L << 40),
        section.longBytes("window", 64 << 10, 1L << 32),
        section.bytes("message", 0, 1 << 30),
        section.longBytes("assembly", 0, 1L << 40),
        section.longBytes("assembly-per-peer", 0, 1L << 40),
        section.longBytes("broadcast-pool", 0, 1L << 30),
        section.flag("cover-broadcasts"),
        section.longBytes("prefetch", 0, 1L << 30));
  }
}
