package io.millrace.samples.tutorial;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FirstApplicationTest {
  @Test
  void shouldDoWhatTheTutorialSays(@TempDir Path folder) throws Exception {
    Path directory = Files.createDirectory(folder.resolve("mill"));
    Path letter =
        Files.writeString(folder.resolve("letter"), "More flour, please.\n".repeat(20_000));

    List<String> told = FirstApplication.run("0123456789abcdef".repeat(4), directory, letter);

    assertEquals(
        List.of(
            "Receipt[number=1, customer=anna, sacks=3]",
            "Receipt[number=2, customer=anna, sacks=4]",
            "not sold: HANDLER_FAILED: we sell whole sacks",
            "7 sacks",
            "400000 bytes of a letter"),
        told);
    assertEquals(-1, Files.mismatch(letter, directory.resolve("anna.txt")));
  }
}
