package io.millrace.efa;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.testkit.driver.NeedsDriver;
import java.io.File;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Peers with shared memory that leave while their messages wait, each case in its own process. */
@Timeout(60)
class SharedMemoryDeathTest {
  @TempDir File directory;

  private void assertSurvives(String... scenarios) throws Exception {
    try (ChildJvm child =
        ChildJvm.start(
            SharedMemoryDeathMain.class,
            directory,
            List.of("-XX:-CreateCoredumpOnCrash"),
            scenarios)) {
      for (String scenario : scenarios) {
        assertEquals("survived " + scenario, child.readLine());
      }
      assertEquals(0, child.exitCode());
    }
  }

  @Test
  @NeedsDriver("fabric:shm")
  void shouldSurviveSendersOfTheSameProcess() throws Exception {
    assertSurvives("released", "unresolved", "replaced", "closed");
  }

  @Test
  @Tag("soak")
  @NeedsDriver("fabric:shm")
  void shouldSurviveSenderProcessThatCloses() throws Exception {
    assertSurvives("closed process");
  }

  @Test
  @Tag("soak")
  @NeedsDriver("fabric:shm")
  void shouldSurviveSenderProcessThatDies() throws Exception {
    assertSurvives("halted process");
  }
}
