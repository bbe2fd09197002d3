package io.millrace.efa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.driver.NeedsDriver;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Registrations in a process whose {@code ulimit -l} is low. The child process has no {@code
 * CAP_IPC_LOCK}, and first shows that the limit holds for the process. The library of faults locks
 * registered memory, as devices do.
 */
@Timeout(120)
class LockedMemoryTest {
  private static final int LIMIT_BYTES = 1 << 20;

  /** A command that lowers the limit, and gives up the right to exceed the limit. */
  private static List<String> limited() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("prlimit", "--memlock=" + LIMIT_BYTES + ":" + LIMIT_BYTES));
    if ("root".equals(System.getProperty("user.name"))) {
      command.addAll(List.of("setpriv", "--bounding-set", "-ipc_lock", "--inh-caps", "-ipc_lock"));
    }
    List<String> trial = new ArrayList<>(command);
    trial.add("true");
    int exitCode;
    try {
      exitCode = new ProcessBuilder(trial).inheritIO().start().waitFor();
    } catch (IOException e) {
      exitCode = -1;
    }
    if (exitCode != 0) {
      System.err.println("SKIPPED: prlimit or setpriv cannot lower the limit of locked memory");
      Assumptions.abort("no process with a low limit of locked memory can be made here");
    }
    return command;
  }

  @Test
  @NeedsDriver("fabric:sockets")
  void shouldNameTheLimitThatKeepsMemoryFromBeingRegistered() throws Exception {
    try (FaultyFabric _ = FaultyFabric.load();
        ChildJvm child =
            ChildJvm.startUnder(
                limited(),
                LockedMemoryMain.class,
                new File("").getAbsoluteFile(),
                List.of(FaultyFabric.option()),
                String.valueOf(LIMIT_BYTES))) {
      assertEquals("mlock fails", child.readLine());
      assertEquals("registered " + LIMIT_BYTES / LockedMemoryMain.REGION_BYTES, child.readLine());
      String refusal = String.valueOf(child.readLine());
      assertTrue(refusal.startsWith("OUT_OF_MEMORY registering 262144 bytes failed: "), refusal);
      assertTrue(
          refusal.endsWith("RLIMIT_MEMLOCK of this process is " + LIMIT_BYTES + " bytes"), refusal);
      assertEquals("registered again", child.readLine());
      assertEquals(0, child.exitCode());
    }
  }
}
