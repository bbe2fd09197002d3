package io.millrace.samples.sim;

import io.millrace.transfer.BodySource;
import java.io.IOException;

/** The bytes of a planned call; breaks off in the middle if the plan says so. */
final class PatternSource implements BodySource {
  private final Pattern pattern;
  private final PlannedCall call;
  private long at;
  private int closings;

  PatternSource(Pattern pattern, PlannedCall call) {
    this.pattern = pattern;
    this.call = call;
  }

  @Override
  public boolean waitsForDevice() {
    return call.id() % 3 == 1;
  }

  @Override
  public long lengthBytes() {
    // Half of all calls do not tell their length.
    return (call.id() & 1) == 0 ? call.bytes() : UNKNOWN_LENGTH;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    boolean isBreaking = call.fate() == PlannedCall.Fate.SOURCE_FAILS;
    if (isBreaking && at >= call.breakAt()) {
      throw new IOException("breaks off on purpose");
    }
    int count = (int) Math.min(length, (isBreaking ? call.breakAt() : call.bytes()) - at);
    if (count == 0) {
      return at == call.bytes() ? -1 : 0;
    }
    pattern.fill(call.id(), at, into, offset, count);
    at += count;
    return count;
  }

  /** Returns the number of closings. */
  int closings() {
    return closings;
  }

  @Override
  public void close() {
    closings++;
  }
}
