package io.millrace.efa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.driver.NeedsDriver;
import java.io.File;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes with a small or full {@code /dev/shm} of their own, in a name space of mounts, which
 * only root may make.
 */
@Timeout(120)
@Tag("soak")
class SmallSharedMemoryTest {
  @TempDir File directory;

  private static List<String> withSharedMemory(String size) {
    return List.of(
        "unshare",
        "-m",
        "sh",
        "-c",
        "mount -t tmpfs -o size=" + size + " tmpfs /dev/shm && exec \"$0\" \"$@\"");
  }

  @BeforeEach
  void needRoot() throws Exception {
    Process trial =
        new ProcessBuilder("unshare", "-m", "sh", "-c", "mount -t tmpfs tmpfs /dev/shm").start();
    boolean isAllowed = trial.waitFor(10, TimeUnit.SECONDS) && trial.exitValue() == 0;
    Assumptions.assumeTrue(isAllowed, "SKIPPED: needs the right to mount in a name space");
  }

  private ChildJvm start(String size, String what) throws Exception {
    return ChildJvm.startUnder(
        withSharedMemory(size), SharedMemoryOwnerMain.class, directory, List.of(), what);
  }

  @Test
  @NeedsDriver("fabric:shm")
  void shouldRefuseWhereSharedMemoryIsSmall() throws Exception {
    for (String size : List.of("4k", "1m", "16m", "20m")) {
      try (ChildJvm child = start(size, "refused")) {
        for (int i = 0; i < 2; i++) {
          String reason = child.readLine();
          assertNotNull(reason, () -> "no answer with " + size);
          assertTrue(reason.contains("/dev/shm has"), reason);
        }
        assertEquals(0, child.exitCode());
      }
    }
  }

  @Test
  @NeedsDriver("fabric:shm")
  void shouldServeOnWhereSharedMemoryIsFull() throws Exception {
    try (ChildJvm child = start("200m", "fill")) {
      assertEquals("full", child.readLine());
      assertEquals("done", child.readLine());
      assertEquals(0, child.exitCode());
    }
  }
}
