package io.millrace.samples.bench.burst.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class QueueSampleTest {
  private static final String TC =
      "[{\"kind\":\"tbf\",\"handle\":\"8001:\",\"root\":true,\"refcnt\":3,\"options\":{\"rate\":12500000,"
          + "\"burst\":9100,\"lat\":4514},\"bytes\":350,\"packets\":5,\"drops\":7,\"overlimits\":2,"
          + "\"requeues\":0,\"backlog\":18028,\"qlen\":2}]";

  @Test
  void shouldReadTheCountersThatTcPrints() throws IOException {
    assertEquals(new QueueSample(42, 350, 5, 7, 18_028), QueueSample.parse(42, TC));
  }

  @Test
  void shouldRefuseADeviceWithoutATokenBucket() {
    assertThrows(
        IOException.class, () -> QueueSample.parse(1, "[{\"kind\":\"noqueue\",\"bytes\":1}]"));
    assertThrows(IOException.class, () -> QueueSample.parse(1, "[]"));
  }
}
