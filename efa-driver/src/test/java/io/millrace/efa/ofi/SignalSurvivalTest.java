package io.millrace.efa.ofi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.efa.ChildJvm;
import io.millrace.testkit.driver.NeedsDriver;
import java.io.File;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Neither loading libfabric nor opening endpoints takes the JVM's signal handlers away. Each case
 * runs in a process of its own, because the loss of a handler ends the process.
 */
@Timeout(120)
class SignalSurvivalTest {
  @TempDir File directory;

  @Test
  @NeedsDriver("fabric:sockets")
  void shouldKeepHandlersThoughLoadingTheLibraryReplacesThem() throws Exception {
    assertSurvives("sockets");
  }

  @Test
  @NeedsDriver("fabric:shm")
  void shouldKeepHandlersThoughOpeningSharedMemoryReplacesThem() throws Exception {
    assertSurvives("shm");
  }

  private void assertSurvives(String provider) throws IOException, InterruptedException {
    try (ChildJvm child =
        ChildJvm.start(
            SignalMain.class, directory, List.of("-XX:-CreateCoredumpOnCrash"), provider)) {
      assertEquals("handlers kept", child.readLine());
      assertEquals("IPATH_NO_BACKTRACE=1", child.readLine());
      assertEquals("survived 3", child.readLine());
      assertEquals(0, child.exitCode());
    }
  }
}
