package io.millrace.samples.bench;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PeerPairTest {
  private static final CoreMap ANYWHERE = new CoreMap(-1, -1, "test");

  @TempDir Path directory;

  @Test
  void shouldTellWhyAProcessEnded() {
    BenchPeer unknown = new FakePeer("no-such-peer", "none");
    IOException failure =
        assertThrows(
            IOException.class, () -> PeerPair.start(unknown, ANYWHERE, directory, "").close());
    assertTrue(failure.toString().contains("no such peer: no-such-peer"), failure.toString());
    assertFalse(
        ProcessHandle.current()
            .descendants()
            .anyMatch(child -> child.info().commandLine().orElse("").contains("no-such-peer")));
  }
}
