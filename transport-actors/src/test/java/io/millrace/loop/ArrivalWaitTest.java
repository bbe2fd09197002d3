package io.millrace.loop;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class ArrivalWaitTest {
  /** The number of a closed descriptor goes to the next opened descriptor. */
  @Test
  void shouldLeaveTheDescriptorAloneOnceItIsClosed() {
    ArrivalWait ended = Objects.requireNonNull(ArrivalWait.open());
    ended.wakeUp();
    ended.close();
    try (ArrivalWait next = Objects.requireNonNull(ArrivalWait.open());
        ArrivalWait watch = Objects.requireNonNull(ArrivalWait.open())) {
      int[] descriptors = {next.eventFd()};
      ended.wakeUp();
      assertFalse(watch.await(descriptors, 0), "woken by another");
      ended.close();
      next.wakeUp();
      assertTrue(watch.await(descriptors, 0), "closed by another");
    }
  }
}
