package io.millrace.config;

/**
 * Transfers that do not fit a datagram.
 *
 * @param bufferPoolBytes sealed bytes that may wait for their acknowledgement, for the node
 * @param bufferPoolPerPeerBytes most sealed bytes for a single peer that may wait for their
 *     acknowledgement
 * @param windowBytes sealed bytes of a transfer that may wait for their acknowledgement
 * @param messageBytes most bytes of headers and payload of a unary request or response
 * @param assemblyBytes bytes of messages that may be put together at once, for the node
 * @param assemblyPerPeerBytes most bytes of a single peer's messages that may be put together at
 *     once
 * @param broadcastPoolBytes bytes of payloads for several peers that are held at once, for the node
 * @param coverBroadcasts whether packets once more seal records that were sealed for several peers
 * @param prefetchBytes most bytes of tokens that a path asks for ahead of need
 * @param registration parts of the buffer pool that are registered for one-sided writes
 * @param causality slots of transfers that other transfers may wait for
 */
@SuppressWarnings("RecordComponentNumber") // a block of the configuration
public record TransferSettings(
    long bufferPoolBytes,
    long bufferPoolPerPeerBytes,
    long windowBytes,
    int messageBytes,
    long assemblyBytes,
    long assemblyPerPeerBytes,
    long broadcastPoolBytes,
    boolean coverBroadcasts,
    long prefetchBytes,
    Registration registration,
    CausalitySettings causality) {
  /**
   * The parts of the buffer pool that an endpoint registers for one-sided writes.
   *
   * @param stretchBytes bytes that are registered at once; a multiple of 64 KiB
   * @param mostStretches parts that an endpoint keeps registered at most
   * @param mostBytes bytes of these parts at most; at least {@code stretchBytes}
   */
  public record Registration(int stretchBytes, int mostStretches, long mostBytes) {
    static Registration from(Section section) {
      int stretchBytes = section.bytes("stretch", LARGE_BLOCK_BYTES, 1 << 30);
      if (stretchBytes % LARGE_BLOCK_BYTES != 0) {
        throw new SettingsException(
            section.key("stretch"),
            "must be a multiple of 64 KiB, not " + HoconText.size(stretchBytes));
      }
      return new Registration(
          stretchBytes,
          section.integer("stretches", 1, 1 << 20),
          section.longBytes("bytes", stretchBytes, 1L << 40));
    }
  }

  /** A small block of the buffer pool. */
  public static final int SMALL_BLOCK_BYTES = 8 << 10;

  /** Any other block of the buffer pool; holds a single record. */
  public static final int LARGE_BLOCK_BYTES = 64 << 10;

  /** The most bytes that a body to a peer seals at a time. */
  public static final int PART_BYTES = 256 << 10;

  private static final int SMALL_SHARE = 8;

  /** Small blocks of the pool: an eighth of the pool's bytes. */
  public int smallBlocks() {
    return (int) (bufferPoolBytes / SMALL_SHARE / SMALL_BLOCK_BYTES);
  }

  /** Large blocks of the pool. */
  public int largeBlocks() {
    return (int) ((bufferPoolBytes - bufferPoolBytes / SMALL_SHARE) / LARGE_BLOCK_BYTES);
  }

  /**
   * Broadcasts leave half of the pool to other bodies, whose peers must not wait for a broadcast's
   * peers. Broadcasts also leave large blocks for a part of a body. A broadcast that waits for a
   * place among a peer's transfers holds all its memory, and the transfer with the place may wait
   * for memory.
   */
  public long heldForBroadcastsBytes() {
    long besideAPart = (long) largeBlocks() * LARGE_BLOCK_BYTES - PART_BYTES;
    return Math.min(broadcastPoolBytes, Math.min(bufferPoolBytes / 2, besideAPart));
  }

  static TransferSettings from(Section section, Section causality) {
    return new TransferSettings(
        section.longBytes("buffer-pool", 1 << 19, 1L << 40),
        section.longBytes("buffer-pool-per-peer", 1 << 18, 1L << 40),
        section.longBytes("window", 64 << 10, 1L << 32),
        section.bytes("message", 0, 1 << 30),
        section.longBytes("assembly", 0, 1L << 40),
        section.longBytes("assembly-per-peer", 0, 1L << 40),
        section.longBytes("broadcast-pool", 0, 1L << 30),
        section.flag("cover-broadcasts"),
        section.longBytes("prefetch", 0, 1L << 30),
        Registration.from(section.child("registration")),
        CausalitySettings.from(causality));
  }
}
