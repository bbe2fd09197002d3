package io.millrace.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.memory.SegmentBuffer;
import org.junit.jupiter.api.Test;

/** The prefix ahead of the headers of a waiting request. */
class CausalPrefixTest {
  private final byte[] bytes = new byte[CausalPrefix.length(2)];

  private CausalPrefix read() {
    CausalPrefix prefix = new CausalPrefix();
    assertTrue(prefix.wrap(new SegmentBuffer(bytes), 0, bytes.length));
    return prefix;
  }

  private void write() {
    CausalPrefix written =
        new CausalPrefix().start(bytes, 2, 11, 12, 13).stamp(bytes, 9_000, 8_000);
    written.putDependency(0, 8_000, true);
    written.putDependency(1, 8_999, false);
  }

  @Test
  void shouldReadWhatWasWritten() {
    write();
    CausalPrefix prefix = read();
    assertEquals(bytes.length, prefix.length());
    assertEquals(2, prefix.dependencies());
    assertEquals(9_000, prefix.number());
    assertEquals(8_000, prefix.floor());
    assertEquals(11, prefix.token());
    assertEquals(12, prefix.originNode());
    assertEquals(13, prefix.originToken());
    assertEquals(8_000, prefix.dependency(0));
    assertTrue(prefix.isCascading(0));
    assertEquals(8_999, prefix.dependency(1));
    assertFalse(prefix.isCascading(1));
  }

  @Test
  void shouldRefuseWhatIsMalformed() {
    write();
    SegmentBuffer buffer = new SegmentBuffer(bytes);
    CausalPrefix prefix = new CausalPrefix();
    assertFalse(prefix.wrap(buffer, 0, bytes.length - 1), "longer than the headers");
    bytes[2] = 3;
    assertFalse(prefix.wrap(buffer, 0, bytes.length), "another count");
    bytes[2] = 2;
    bytes[0] = 1;
    assertFalse(prefix.wrap(buffer, 0, bytes.length), "shorter than its fixed part");
    byte[] many = new byte[CausalPrefix.length(CausalPrefix.MOST_DEPENDENCIES + 1)];
    new CausalPrefix().start(many, CausalPrefix.MOST_DEPENDENCIES + 1, 1, 1, 1);
    assertFalse(prefix.wrap(new SegmentBuffer(many), 0, many.length), "too many");
  }
}
