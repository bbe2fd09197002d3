package io.millrace.samples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeySourceTest {
  @TempDir Path folder;

  @Test
  void shouldMakeOneKeyThatOnlyTheOwnerCanRead() throws IOException {
    Path file = folder.resolve("local").resolve("psk");

    String key = KeySource.ofCheckout(file);

    assertEquals(64, key.length());
    assertEquals(key, KeySource.ofCheckout(file));
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    try (Stream<Path> files = Files.list(folder.resolve("local"))) {
      assertEquals(List.of(file), files.toList());
    }
  }

  @Test
  void shouldGiveAllTheSameKeyWhenSeveralAreFirst() {
    Path file = folder.resolve("psk");

    List<String> keys =
        IntStream.range(0, 16)
            .parallel()
            .mapToObj(i -> KeySource.ofCheckout(file))
            .distinct()
            .toList();

    assertEquals(1, keys.size());
  }

  @Test
  void shouldNotMakeTheSameKeyTwice() {
    assertNotEquals(KeySource.random(), KeySource.random());
  }
}
