package io.millrace.api.bulk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.transfer.BodySource;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A source deletes its file at the end of the transfer if the options say so, and only then. */
final class DeletedFileTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"true, 5, false", "true, 0, false", "false, 5, true"})
  void shouldDeleteTheFileAtTheEnd(boolean deletes, int read, boolean stays) throws Exception {
    Path file = Files.writeString(folder.resolve("export"), "flour");
    FileOptions options = deletes ? FileOptions.DEFAULT.withDeleteWhenDone() : FileOptions.DEFAULT;
    BodySource source = BulkSource.file(file, options);
    if (read > 0) {
      assertEquals(read, source.read(new byte[8], 0, 8));
    }
    assertEquals(true, Files.exists(file));
    source.close();
    source.close();
    assertEquals(stays, Files.exists(file));
  }
}
