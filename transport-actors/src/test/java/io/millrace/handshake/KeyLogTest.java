package io.millrace.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.PathSecret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class KeyLogTest {
  /** The example line in docs/security.md. */
  private static final String LINE =
      "MILLRACE_PATH 8b28c8619e44f628 AES-128-GCM"
          + " 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("keys");
  }

  private static PathSecret secret() {
    byte[] bytes = new byte[PathSecret.LENGTH];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    return new PathSecret(bytes);
  }

  @Test
  void shouldAppendALineForEachSecretAndReadItAgain() throws Exception {
    Files.writeString(file, "# of another node\n");
    KeyLog log = KeyLog.open(file);
    try (PathSecret secret = secret()) {
      log.add(secret, AesKeySize.AES_128);
      KeyLog.open(file).add(secret, AesKeySize.AES_256);
    }
    assertEquals(
        List.of("# of another node", LINE, LINE.replace("128", "256")), Files.readAllLines(file));
    List<KeyLog.Entry> read = KeyLog.read(file);
    assertEquals(
        List.of(AesKeySize.AES_128, AesKeySize.AES_256),
        read.stream().map(KeyLog.Entry::keySize).toList());
    assertEquals(0x8b28c8619e44f628L, read.getLast().secret().pathId());
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void shouldBeItsOwnersOnly() throws Exception {
    var _ = KeyLog.open(file);
    assertEquals("rw-------", permissions(file));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    var _ = KeyLog.open(file);
    assertEquals("rw-------", permissions(file));

    Path target = Files.createFile(folder.resolve("target"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), target);
    assertThrows(IOException.class, () -> KeyLog.open(link));
    assertEquals(0, Files.size(target));
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void shouldNameTheLineThatIsNoneOfItsOwn() throws Exception {
    for (String wrong :
        Set.of(
            LINE.substring(1),
            LINE + " 1",
            LINE.replace("AES-128", "AES-192"),
            LINE.substring(0, LINE.length() - 2),
            LINE.replace("8b28", "8b29"))) {
      Files.writeString(file, LINE + "\n\n" + wrong + "\n");
      IOException refused = assertThrows(IOException.class, () -> KeyLog.read(file));
      assertTrue(
          String.valueOf(refused.getMessage()).startsWith(file + ", line 3 "), refused::getMessage);
    }
  }
}
