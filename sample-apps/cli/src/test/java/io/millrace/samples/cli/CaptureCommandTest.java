package io.millrace.samples.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Packets of real nodes are in clear for an owner of either node's key log. */
@Timeout(120)
class CaptureCommandTest {
  @TempDir static Path folder;
  private static CapturedPair pair;
  private static Path keyLog;

  private final Path in = folder.resolve("in");
  private final Path out = folder.resolve("out");

  @BeforeAll
  static void talk() throws Exception {
    keyLog = folder.resolve("keys");
    pair = CapturedPair.of(keyLog);
  }

  private CommandRun decrypt(Path log) {
    return CommandRun.of(
        List.of(
            "capture",
            "decrypt",
            in.toString(),
            out.toString(),
            "--keylog",
            log.toString(),
            "--json"));
  }

  private static boolean isReadable(Path file) throws IOException {
    return Files.readString(file, ISO_8859_1).contains(CapturedPair.PAYLOAD);
  }

  private void assertAllOpened() throws IOException {
    JsonNode report = decrypt(keyLog).json();
    assertEquals(pair.packets(), report.path("opened").asInt(), report::toString);
    assertEquals(0, report.path("without_secret").asInt());
    assertEquals(0, report.path("not_authentic").asInt());
    assertEquals(Files.size(in), Files.size(out));
    assertFalse(isReadable(in));
    assertTrue(isReadable(out));
  }

  @Test
  void shouldOpenEveryPacketOfAPcap() throws Exception {
    pair.writePcap(in);
    assertAllOpened();
  }

  @Test
  void shouldOpenEveryPacketOfAPcapng() throws Exception {
    pair.writePcapng(in);
    assertAllOpened();
  }

  @Test
  void shouldLeaveAllAsItIsWithoutTheSecret() throws Exception {
    pair.writePcap(in);
    JsonNode report = decrypt(Files.writeString(folder.resolve("none"), "# none\n")).json();
    assertEquals(0, report.path("opened").asInt());
    assertEquals(pair.packets(), report.path("without_secret").asInt(), report::toString);
    assertArrayEquals(Files.readAllBytes(in), Files.readAllBytes(out));
  }

  @Test
  void shouldRefuseWhatIsNoCaptureOrNoKeyLog() throws Exception {
    Files.writeString(in, "these are no packets");
    CommandRun run = decrypt(keyLog);
    assertEquals(1, run.exitCode());
    assertTrue(run.err().getFirst().endsWith("is neither pcap nor pcapng"), run.err()::toString);
    pair.writePcap(in);
    run = decrypt(Files.writeString(folder.resolve("broken"), "MILLRACE_PATH 12\n"));
    assertEquals(1, run.exitCode());
    assertTrue(
        run.err().getFirst().endsWith("line 1 is not a line of a key log"), run.err()::toString);
  }
}
