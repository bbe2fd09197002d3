package io.millrace.efa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.driver.NeedsDriver;
import java.io.File;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Endpoints that open and close again and again, in a process of their own, leave nothing. */
@Timeout(600)
@Tag("soak")
class FabricCyclesSoakTest {
  /** Mappings and threads that the JVM itself may add. */
  private static final int JVM_MAPPINGS = 30;

  private static final int JVM_THREADS = 4;

  @TempDir File directory;

  private void assertLeavesNothing(String provider, int cycles, int pairs) throws Exception {
    try (ChildJvm child =
        ChildJvm.start(
            CyclesMain.class,
            directory,
            List.of("-XX:-CreateCoredumpOnCrash"),
            provider,
            String.valueOf(cycles),
            String.valueOf(pairs))) {
      String first = Objects.requireNonNull(child.readLine(), "the process ended early");
      String last = Objects.requireNonNull(child.readLine(), "the process ended early");
      CyclesMain.Holdings before = CyclesMain.Holdings.parse(first);
      CyclesMain.Holdings after = CyclesMain.Holdings.parse(last);
      String told = "descriptors, mappings, threads, names: " + before + ", then " + after;
      assertTrue(after.descriptors() <= before.descriptors() + 4, told);
      assertTrue(after.mappings() <= before.mappings() + JVM_MAPPINGS, told);
      assertTrue(after.threads() <= before.threads() + JVM_THREADS, told);
      assertEquals(0, after.names(), told);
      assertEquals(0, child.exitCode());
    }
  }

  @Test
  @NeedsDriver("fabric:sockets")
  void shouldLeaveNothingOfThousandCyclesOfSockets() throws Exception {
    assertLeavesNothing("sockets", 1_000, 1);
  }

  @Test
  @NeedsDriver("fabric:tcp")
  void shouldLeaveNothingOfThousandCyclesOfTcp() throws Exception {
    assertLeavesNothing("tcp", 1_000, 1);
  }

  @Test
  @NeedsDriver("fabric:shm")
  void shouldLeaveNothingOfThousandCyclesOfSharedMemory() throws Exception {
    assertLeavesNothing("shm", 1_000, 1);
  }

  @Test
  @NeedsDriver("fabric:sockets")
  void shouldCloseSocketsInParallelUnderLoad() throws Exception {
    assertLeavesNothing("sockets", 50, 4);
  }

  @Test
  @NeedsDriver("fabric:tcp")
  void shouldCloseTcpInParallelUnderLoad() throws Exception {
    assertLeavesNothing("tcp", 50, 4);
  }

  @Test
  @NeedsDriver("fabric:shm")
  void shouldCloseSharedMemoryInParallelUnderLoad() throws Exception {
    assertLeavesNothing("shm", 100, 4);
  }
}
