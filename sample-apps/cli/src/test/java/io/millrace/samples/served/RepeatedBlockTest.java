package io.millrace.samples.served;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.samples.file.MeteredSource;
import io.millrace.samples.file.MeteredTarget;
import io.millrace.samples.file.Sha256;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RepeatedBlockTest {
  private static final int LENGTH = 700_001;

  private static byte[] read(BodySource source, int piece) throws IOException {
    byte[] all = new byte[LENGTH + piece];
    int at = 0;
    for (int read = source.read(all, at, piece); read >= 0; ) {
      at += read;
      read = source.read(all, at, piece);
    }
    return Arrays.copyOf(all, at);
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 65_536, 700_001, 1_000_000})
  void shouldBeTheSameBytesHoweverTheyAreRead(int piece) throws IOException {
    BodySource source = RepeatedBlock.source(LENGTH);
    assertEquals(LENGTH, source.lengthBytes());
    assertArrayEquals(read(RepeatedBlock.source(LENGTH), LENGTH), read(source, piece));
  }

  @Test
  void shouldHaveNothingToReadWhenEmpty() throws IOException {
    assertEquals(-1, RepeatedBlock.source(0).read(new byte[8], 0, 8));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 32, 1_000, 65_536})
  void shouldAcceptTheBytesOfTheSource(int piece) throws IOException {
    byte[] all = read(RepeatedBlock.source(LENGTH), 65_536);
    BodyTarget target = RepeatedBlock.sampled();
    for (int at = 0; at < LENGTH; at += piece) {
      target.write(all, at, Math.min(piece, LENGTH - at));
    }
    target.complete();
  }

  @Test
  void shouldNoticeBytesAtTheWrongPlace() throws IOException {
    byte[] all = read(RepeatedBlock.source(LENGTH), 65_536);
    BodyTarget target = RepeatedBlock.sampled();
    target.write(all, 0, 65_536);
    IOException e = assertThrows(IOException.class, () -> target.write(all, 65_537, 65_536));
    assertEquals("byte 67554 differs from the sent byte", e.getMessage());
  }

  @Test
  void shouldMeterAndDigestWhatPasses() throws IOException {
    byte[] all = read(RepeatedBlock.source(LENGTH), 65_536);
    MeteredSource source = new MeteredSource(RepeatedBlock.source(LENGTH), Sha256.begin());
    assertArrayEquals(all, read(source, 1_000));
    assertEquals(LENGTH, source.bytes());

    var digest = Sha256.begin();
    MeteredTarget target = new MeteredTarget(RepeatedBlock.sampled(), digest);
    target.write(all, 0, LENGTH);
    target.complete();
    assertEquals(LENGTH, target.bytes());
    assertEquals(
        HexFormat.of().formatHex(Sha256.begin().digest(all)),
        HexFormat.of().formatHex(digest.digest()));
  }
}
