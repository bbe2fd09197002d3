package io.millrace.samples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CopyEndsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "data.bin,          127.0.0.1:7400:other.bin, data.bin,  127.0.0.1:7400, other.bin,  true",
    "dir/data.bin,      node-1:7400:,             dir/data.bin, node-1:7400, data.bin,   true",
    "data.bin,          node-1:7400:sub/,         data.bin,  node-1:7400,    sub/data.bin, true",
    "data.bin,          [::1]:7400:a:b,           data.bin,  [::1]:7400,     a:b,        true",
    "127.0.0.1:7400:a/b, data.bin,                data.bin,  127.0.0.1:7400, a/b,        false",
    "h:1:../etc/passwd, data.bin,                 data.bin,  h:1,            ../etc/passwd, false",
    "./a:1:b,           h:1:c,                    ./a:1:b,   h:1,            c,          true",
  })
  void shouldTellFilesFromPeers(
      String from, String to, Path file, String address, String name, boolean isUpload) {
    assertEquals(new CopyEnds(file, address, name, isUpload), CopyEnds.of(from, to));
  }

  @Test
  void shouldPutAFileIntoADirectoryUnderItsName() {
    CopyEnds ends = CopyEnds.of("h:1:a/b.bin", folder.toString());
    assertEquals(folder.resolve("b.bin"), ends.file());
  }

  @ParameterizedTest
  @CsvSource({
    "a,      b,       neither 'a' nor 'b' names a peer",
    "h:1:a,  h:2:b,   both 'h:1:a' and 'h:2:b' name a peer",
    "h:1:,   b,       the name of the peer's file is missing",
    "/,      h:1:,    '/' does not end in the name of a file",
  })
  void shouldRefuseWhatItCannotCopy(String from, String to, String sentence) {
    CommandException e = assertThrows(CommandException.class, () -> CopyEnds.of(from, to));
    assertEquals(ExitCode.BAD_ARGUMENT, e.exitCode());
    String message = String.valueOf(e.getMessage());
    assertTrue(message.startsWith(sentence), message);
  }

  @ParameterizedTest
  @CsvSource({"h:1:a/.., a/..", "h:1:a/, a/"})
  void shouldNotLeaveTheDirectoryThatWasNamed(String from, String name) {
    CommandException e =
        assertThrows(CommandException.class, () -> CopyEnds.of(from, folder.toString()));
    assertEquals("'" + name + "' does not end in the name of a file", e.getMessage());
  }
}
