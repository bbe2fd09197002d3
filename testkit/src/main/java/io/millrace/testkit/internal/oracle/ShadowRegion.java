package io.millrace.testkit.internal.oracle;

import io.millrace.protocol.region.RegionState;
import org.jspecify.annotations.Nullable;

/** What a rule believes of one region: only what the engine told when it changed something. */
final class ShadowRegion {
  /** What may be done with it. */
  enum Phase {
    /** Nobody has it, or its key is void and it rests. */
    VOID,
    /** Its holder may write the fill; nothing has landed. */
    GRANTED,
    /** Bytes of the fill have landed. */
    WRITTEN,
    /** An application thread reads it; its key is good. */
    READING,
    /** An application thread reads it; its key is void. */
    READING_VOID,
    /** The application thread is done; what comes next is to be told. */
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

  /** Whether it rests for longer than the NICs repeat that write into it. */
  final boolean isRestLong;

  ShadowRegion(boolean isRestLong) {
    this.isRestLong = isRestLong;
  }

  /** Whether a chunk may land now. */
  boolean isWritable() {
    return phase == Phase.GRANTED || phase == Phase.WRITTEN || phase == Phase.TAKEN_OUT;
  }

  /**
   * Bytes that its holder may still write of the fill.
   *
   * @param announcedBytes how long the holder said that the fill is; below 0 until it did
   */
  int outstandingBytes(int announcedBytes) {
    if (phase != Phase.GRANTED && phase != Phase.WRITTEN) {
      return 0;
    }
    return announcedBytes < 0
        ? authorisedBytes - arrived.count()
        : announcedBytes - arrived.before(announcedBytes);
  }

  /** What the engine has to call it. */
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
