package io.millrace.samples.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.bulk.BulkSource;
import io.millrace.samples.served.RepeatedBlock;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.LentBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FirstBytesTest {
  private static final int BYTES = 600_000;
  private static final int MOST = 65_536;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65_536, 65_537, 262_139, 262_140, 599_999, 600_000})
  void shouldEndAfterItsLengthWhetherReadOrLent(int length) throws IOException {
    byte[] expected = read(RepeatedBlock.source(length));

    assertArrayEquals(expected, read(first(length)));
    assertArrayEquals(expected, lent(first(length)));
    assertEquals(length, first(length).lengthBytes());
    assertEquals(length, expected.length);
  }

  /** A source that waits for a device is read on threads for such waits, in any wrapper. */
  @Test
  void shouldWaitForADeviceAsItsSourceDoes(@TempDir Path folder) throws IOException {
    BodySource file =
        new FirstBytes(BulkSource.file(Files.write(folder.resolve("file"), new byte[2])), 1);
    assertTrue(file.waitsForDevice());
    file.close();
    assertFalse(first(1).waitsForDevice());
  }

  private static BodySource first(int length) {
    return new FirstBytes(RepeatedBlock.source(BYTES), length);
  }

  private static byte[] read(BodySource source) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] block = new byte[MOST];
    for (int read = source.read(block, 0, MOST); read >= 0; read = source.read(block, 0, MOST)) {
      all.write(block, 0, read);
    }
    return all.toByteArray();
  }

  private static byte[] lent(BodySource source) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (LentBytes lent = source.lend(MOST); lent != null; lent = source.lend(MOST)) {
      all.write(lent.array(), lent.offset(), lent.length());
    }
    return all.toByteArray();
  }
}
