package io.millrace.samples.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.samples.bench.peer.PeerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PeerProcessTest {
  @TempDir Path directory;

  @Test
  void shouldNameTheProcessThatFailedAndWhatItWasDoing() throws Exception {
    String script =
        "echo '@bench progress 3 opening its nodes: 3 of 75'; echo 'no room left' >&2; exit 1";
    try (PeerProcess process =
        PeerProcess.start("burst-tcp-2", List.of("sh", "-c", script), directory)) {
      IOException failure = assertThrows(IOException.class, () -> process.await("ready", 30));
      assertEquals(
          "burst-tcp-2 ended, while opening its nodes: 3 of 75\nno room left",
          failure.getMessage());
      assertEquals(3, process.progress().done());
    }
  }
}
