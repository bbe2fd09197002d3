package io.millrace.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;

import io.millrace.buffer.BlockClass;
import io.millrace.buffer.BufferRegistry;
import io.millrace.buffer.BufferSettings;
import io.millrace.buffer.TransferBuffer;
import io.millrace.path.peer.FakeEndpoint;
import io.millrace.path.peer.WorkerLab;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RestWatchTest {
  private final FakeEndpoint endpoint = new FakeEndpoint(4, 4);
  private final WorkerLab lab = new WorkerLab(endpoint);
  private final BufferRegistry buffers =
      new BufferRegistry(new BufferSettings(List.of(new BlockClass(8_192, 2)), 8_192, true));
  private final RestWatch rest = new RestWatch(lab.endpoints, buffers);
  private long nowNs;

  /** Lets a period pass. */
  private void pass() {
    nowNs += RestWatch.PERIOD_NS;
    rest.onIdleTurn(nowNs);
  }

  private void move(long bytes) {
    endpoint.counters().bytesSent += bytes;
    rest.onIdleTurn(nowNs);
  }

  private TransferBuffer block() {
    return Objects.requireNonNull(buffers.tryAllocate(1, "test"));
  }

  @Test
  void shouldSetNoTimerForProbes() {
    move(RestWatch.TRAFFIC_BYTES - 1);

    assertEquals(Long.MAX_VALUE, rest.nextDeadlineNs());
    assertEquals(0, endpoint.givenBack);
  }

  @Test
  void shouldGiveBackOnceAfterAPeriodWithoutTrafficAndThenBeStill() {
    move(RestWatch.TRAFFIC_BYTES);
    pass();
    assertEquals(1, endpoint.givenBack);
    assertEquals(Long.MAX_VALUE, rest.nextDeadlineNs());
    pass();
    assertEquals(1, endpoint.givenBack);

    move(RestWatch.TRAFFIC_BYTES);
    pass();
    assertEquals(2, endpoint.givenBack);
  }

  @Test
  void shouldKeepBuffersOfAWorkerThatHasTraffic() {
    move(RestWatch.TRAFFIC_BYTES);
    for (int period = 0; period < 3; period++) {
      endpoint.counters().bytesReceived += RestWatch.TRAFFIC_BYTES;
      pass();
    }
    assertEquals(0, endpoint.givenBack);
  }

  @Test
  void shouldStayUntilTheBlocksThatCameBackLateAreGivenBackToo() {
    move(RestWatch.TRAFFIC_BYTES);
    TransferBuffer late = block();
    byte[] array = late.segment(0).byteArray();
    late.release();
    pass();
    assertEquals(nowNs + RestWatch.PERIOD_NS, rest.nextDeadlineNs());
    pass();
    assertEquals(Long.MAX_VALUE, rest.nextDeadlineNs());
    assertNotSame(array, block().segment(0).byteArray());
  }
}
