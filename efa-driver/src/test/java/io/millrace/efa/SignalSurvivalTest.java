package io.millrace.efa;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Neither loading libfabric nor opening endpoints takes the JVM's signal handlers away. */
@Timeout(120)
class SignalSurvivalTest {
  @TempDir File directory;

  @Test
  @NeedsProvider("sockets")
  void shouldSurviveNullPointersAfterLoadingTheLibrary() throws Exception {
    assertSurvives("sockets");
  }

  @Test
  @NeedsProvider("shm")
  void shouldSurviveNullPointersAfterOpeningSharedMemory() throws Exception {
    assertSurvives("shm");
  }

  private void assertSurvives(String provider) throws IOException, InterruptedException {
    try (ChildJvm child =
        ChildJvm.start(
            SignalMain.class, directory, List.of("-XX:-CreateCoredumpOnCrash"), provider)) {
      assertEquals("survived 3 with 0", child.readLine());
      assertEquals(0, child.exitCode());
    }
  }
}
