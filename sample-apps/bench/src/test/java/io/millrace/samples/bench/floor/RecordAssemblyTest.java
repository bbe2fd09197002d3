package io.millrace.samples.bench.floor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.memory.SegmentBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that arrive in stretches of any length. */
final class RecordAssemblyTest {
  private static final int RECORDS = 3;

  private final RecordAssembly assembly = new RecordAssembly();
  private final SegmentBuffer stream = stream();

  private static SegmentBuffer stream() {
    FloorCipher cipher = new FloorCipher();
    SegmentBuffer stream = new SegmentBuffer(new byte[RECORDS * FloorCipher.SEALED_BYTES]);
    byte[] sealed = new byte[FloorCipher.SEALED_BYTES];
    for (int record = 0; record < RECORDS; record++) {
      cipher.seal(record, sealed);
      stream.putBytes(record * FloorCipher.SEALED_BYTES, sealed);
    }
    return stream;
  }

  private void take(int from, int until, int stretch) {
    for (int at = from; at < until; at += stretch) {
      assembly.take(at, stream, at, Math.min(stretch, until - at));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1_392, 8_964, 65_552, 70_000, 196_656})
  void shouldOpenEveryRecord(int stretch) {
    take(0, stream.capacity(), stretch);
    assertEquals(RECORDS, assembly.opened());
    assertEquals(0, assembly.bad());
  }

  @Test
  void shouldNotOpenARecordThatIsNotWhole() {
    take(0, FloorCipher.SEALED_BYTES + 1_000, 1_000);
    take(FloorCipher.SEALED_BYTES + 2_000, stream.capacity(), 1_000);
    assertEquals(2, assembly.opened());
    assertEquals(0, assembly.bad());
  }

  @Test
  void shouldCountARecordWithAFlippedBit() {
    stream.putByte(70_000, (byte) (stream.getByte(70_000) ^ 1));
    take(0, stream.capacity(), 1_392);
    assertEquals(2, assembly.opened());
    assertEquals(1, assembly.bad());
  }

  @Test
  void shouldForgetOnReset() {
    take(0, stream.capacity(), 8_964);
    assembly.reset();
    assertEquals(0, assembly.opened());
    assertEquals(0, assembly.openNs());
  }
}
