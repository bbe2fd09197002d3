package io.millrace.samples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Wireshark names the frames of an opened capture, and only envelopes before the opening. */
@Tag("soak")
@Timeout(120)
class WiresharkSoakTest {
  private static final long LIMIT_SECONDS = 60;

  @TempDir private Path folder;

  @Test
  void shouldNameFramesOnceTheyAreOpened() throws Exception {
    boolean isThere =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, "tshark")));
    assumeTrue(isThere, "SKIPPED: tshark is not installed here");
    Path keyLog = folder.resolve("keys");
    Path sealed = folder.resolve("sealed");
    Path opened = folder.resolve("opened");
    CapturedPair.of(keyLog).writePcapng(sealed);

    String before = tshark(sealed);
    CommandRun run =
        CommandRun.of(
            "capture", "decrypt", sealed.toString(), opened.toString(), "--keylog", "" + keyLog);
    assertEquals(0, run.exitCode(), run.err()::toString);
    String after = tshark(opened);

    assertTrue(before.contains("bytes sealed]"), before);
    assertFalse(before.contains("InlineRequest"), before);
    assertFalse(after.contains("bytes sealed]"), after);
    for (String frame :
        List.of("InlineRequest", "InlineResponse", "Ack", "WriteNotify", "DataChunk")) {
      assertTrue(after.contains(frame), after);
    }
    assertEquals("", tshark(opened, "-Y", "_ws.malformed || millrace.malformed || _ws.lua.error"));
    String payload = HexFormat.of().formatHex(CapturedPair.PAYLOAD.getBytes(UTF_8));
    String payloads = tshark(opened, "-T", "fields", "-e", "millrace.inline_request.payload");
    assertTrue(payloads.contains(payload), payloads);
  }

  private static Path dissector() {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.isRegularFile(root.resolve("docs/wireshark/millrace.lua"))) {
      root = Optional.ofNullable(root.getParent()).orElseThrow();
    }
    return root.resolve("docs/wireshark/millrace.lua");
  }

  private String tshark(Path capture, String... more) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of("tshark", "-r", capture.toString(), "-X", "lua_script:" + dissector()));
    command.addAll(List.of(more));
    Path out = folder.resolve("out");
    Process tshark =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      assertTrue(tshark.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS), "tshark does not end");
      assertEquals(0, tshark.exitValue());
    } finally {
      tshark.destroyForcibly();
    }
    return Files.readString(out);
  }
}
