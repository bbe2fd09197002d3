package io.millrace.efa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.testkit.driver.NeedsDriver;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Writes with a revoked key that arrive when the memory of their region has a new owner: the new
 * owner's bytes stay, and no such write is reported as written.
 */
@Timeout(60)
class LateWriteTest {
  private static final int PASSES = 8;

  private static Random random() {
    return new Random(7);
  }

  @Test
  @NeedsDriver("fabric:sockets")
  void shouldKeepBytesOfNextWriterOverSockets() throws DriverException {
    try (LateWrites writes = new LateWrites("sockets", true, random())) {
      for (int i = 0; i < PASSES; i++) {
        writes.pass();
      }
      LateWrites.Tally tally = writes.tally();
      assertTrue(tally.refused >= PASSES && tally.failed == 0, tally.toString());
    }
  }

  @Test
  @NeedsDriver("fabric:tcp")
  void shouldKeepBytesOfNextWriterOverTcp() throws DriverException {
    try (LateWrites writes = new LateWrites("tcp", true, random())) {
      for (int i = 0; i < PASSES; i++) {
        writes.pass();
      }
      LateWrites.Tally tally = writes.tally();
      assertTrue(tally.refused + tally.failed >= PASSES, tally.toString());
    }
  }

  /** A late write never ends, and its writer's endpoint completes no write any more. */
  @Test
  @NeedsDriver("fabric:shm")
  void shouldKeepBytesOfNextWriterOverSharedMemory() throws DriverException {
    Random random = random();
    for (int i = 0; i < PASSES; i++) {
      try (LateWrites writes = new LateWrites("shm", false, random)) {
        writes.pass();
        LateWrites.Tally tally = writes.tally();
        // A check of the test itself: late writes were posted.
        assertTrue(tally.late + tally.overtaken >= 1, tally.toString());
        assertEquals(0, tally.refused + tally.failed, tally.toString());
      }
    }
  }
}
