package io.millrace.testkit.internal.oracle;

import io.millrace.protocol.region.RegionState;
import org.jspecify.annotations.Nullable;

/** The belief of a rule about a region, based only on the engine's reports of changes. */
final class ShadowRegion {
  /** The permitted use of a region. */
  enum Phase {
    /** The region has no holder, or its key is void and the region rests. */
    VOID,
    /** The holder may write the fill; nothing has landed. */
    GRANTED,
    /** Bytes of the fill have landed. */
    WRITTEN,
    /** An application thread reads the region; the key is good. */
    READING,
    /** An application thread reads the region; the key is void. */
    READING_VOID,
    /** The application thread is done; the next state is still to be told. */
    TAKEN_OUT
  }

  Phase phase = Phase.VOID;
  @Nullable Object holder;
  long key;
  long address;
  int fill;
  int authorisedBytes;
  long checksum;
  final ArrivedBytes arrived = new ArrivedBytes();
  long voidSinceNs = Long.MIN_VALUE;

  /** Whether the region rests for longer than its writing NICs repeat. */
  final boolean isRestLong;

  ShadowRegion(boolean isRestLong) {
    this.isRestLong = isRestLong;
  }

  /** Whether a chunk may land now. */
  boolean isWritable() {
    return phase == Phase.GRANTED || phase == Phase.WRITTEN || phase == Phase.TAKEN_OUT;
  }

  /**
   * Returns the bytes of the fill that the holder may still write.
   *
   * @param announcedBytes length of the fill as the holder announced; below 0 until the
   *     announcement
   */
  int outstandingBytes(int announcedBytes) {
    if (phase != Phase.GRANTED && phase != Phase.WRITTEN) {
      return 0;
    }
    return announcedBytes < 0
        ? authorisedBytes - arrived.count()
        : announcedBytes - arrived.before(announcedBytes);
  }

  /** The state that the engine must report. */
  RegionState expected() {
    return switch (phase) {
      case VOID -> RegionState.QUARANTINED;
      case GRANTED -> RegionState.GRANTED;
      case WRITTEN -> RegionState.WRITTEN;
      case READING, TAKEN_OUT -> RegionState.CONSUMING;
      case READING_VOID -> RegionState.REVOKING;
    };
  }

  @Override
  public String toString() {
    return phase + ", fill " + fill + ", " + authorisedBytes + " bytes authorised";
  }
}
