package io.millrace.samples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordFileTest {
  @TempDir Path folder;

  @Test
  void shouldCutTextIntoLinesWithTheirEnds() throws IOException {
    RecordFile file = file("one\n\ntwo\r\nlast".getBytes(UTF_8));

    assertTrue(file.isText());
    assertEquals(List.of("one\n", "\n", "two\r\n", "last"), texts(file));
  }

  @Test
  void shouldCutALongLine() throws IOException {
    RecordFile file = file(("x".repeat(1_000) + "y\nz").getBytes(UTF_8));

    assertEquals(List.of("x".repeat(1_000), "y\n", "z"), texts(file));
  }

  @Test
  void shouldCutOtherBytesIntoBlocksThatAreTheFile() throws IOException {
    byte[] bytes = new byte[2_500];
    new Random(7).nextBytes(bytes);
    bytes[0] = 0;
    RecordFile file = file(bytes);

    assertFalse(file.isText());
    List<byte[]> records = records(file);
    assertEquals(
        List.of(1_000, 1_000, 500), records.stream().map(record -> record.length).toList());
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (byte[] record : records) {
      joined.write(record);
    }
    assertArrayEquals(bytes, joined.toByteArray());
  }

  @Test
  void shouldEndWithTheFile() throws IOException {
    try (var records = file(new byte[] {1}).records()) {
      assertArrayEquals(new byte[] {1}, records.next());
      assertFalse(records.hasNext());
      assertThrows(NoSuchElementException.class, records::next);
    }
  }

  private RecordFile file(byte[] bytes) throws IOException {
    return RecordFile.open(Files.write(folder.resolve("input"), bytes));
  }

  private static List<byte[]> records(RecordFile file) throws IOException {
    List<byte[]> all = new ArrayList<>();
    try (var records = file.records()) {
      records.forEachRemaining(all::add);
    }
    return all;
  }

  private static List<String> texts(RecordFile file) throws IOException {
    return records(file).stream().map(record -> new String(record, UTF_8)).toList();
  }
}
