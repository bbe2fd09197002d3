package io.millrace.samples.bench;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.samples.bench.peer.BenchPeer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PeerPairTest {
  private static final CoreMap ANYWHERE = new CoreMap(-1, -1, "test");

  @TempDir Path directory;

  @Test
  void shouldTellWhyAProcessEnded() throws IOException {
    BenchPeer unknown = new FakePeer("no-such-peer", "none");
    IOException failure;
    try (PeerPair pair = PeerPair.launch(unknown, new PeerPair.Launch(ANYWHERE, directory, ""))) {
      failure = assertThrows(IOException.class, pair::connect);
    }
    assertTrue(failure.toString().contains("no such peer: no-such-peer"), failure.toString());
    assertFalse(
        ProcessHandle.current()
            .descendants()
            .anyMatch(child -> child.info().commandLine().orElse("").contains("no-such-peer")));
  }
}
