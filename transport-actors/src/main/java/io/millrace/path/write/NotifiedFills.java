package io.millrace.path.write;

import io.millrace.protocol.region.WriteToken;
import io.millrace.wire.codec.WriteNotifyEncoder;
import org.jspecify.annotations.Nullable;

/**
 * The fills named by a notification, with their tokens' state at the time of adding: the tokens go
 * on to their next fills. Worker's thread only; does not allocate.
 */
final class NotifiedFills {
  static final int MOST = 8;

  private final @Nullable WriteToken[] tokens = new WriteToken[MOST];
  private final int[] regions = new int[MOST];
  private final int[] fills = new int[MOST];
  private final long[] keys = new long[MOST];
  private final int[] lengths = new int[MOST];
  private int count;

  /** Adds the fill of a token; 0 bytes for a fill given up. */
  void add(WriteToken token, int length) {
    tokens[count] = token;
    regions[count] = token.region();
    fills[count] = token.fill();
    keys[count] = token.key();
    lengths[count] = length;
    count++;
  }

  int count() {
    return count;
  }

  boolean isFull() {
    return count == MOST;
  }

  /** Whether the token of any of these fills is still at the same fill. */
  boolean isAnyOpen() {
    for (int i = 0; i < count; i++) {
      WriteToken token = tokens[i];
      if (token != null && token.key() == keys[i] && token.fill() == fills[i]) {
        return true;
      }
    }
    return false;
  }

  void encode(WriteNotifyEncoder encoder) {
    WriteNotifyEncoder.RegionsEncoder group = encoder.regionsCount(count);
    for (int i = 0; i < count; i++) {
      group.next().region(regions[i]).fill(fills[i]).key(keys[i]).lengthBytes(lengths[i]);
    }
  }

  /** Names no fill from now on. */
  void clear() {
    for (int i = 0; i < count; i++) {
      tokens[i] = null;
    }
    count = 0;
  }
}
