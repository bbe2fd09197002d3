package io.millrace.samples.bench.burst;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class FloorBurstNodeTest {
  private static final int CALLS = 2_000;

  @Test
  void shouldAnswerEachCallOnce() throws Exception {
    try (FloorBurstNode receiver = new FloorBurstNode(site(0));
        FloorBurstNode peers = new FloorBurstNode(site(3))) {
      List<BurstCaller> callers = receiver.callers(peers.addresses(), false);
      assertEquals(3, callers.size());
      CountDownLatch answered = new CountDownLatch(CALLS);
      byte[] request = BurstCaller.request(1_024, 64);
      for (int i = 0; i < CALLS; i++) {
        callers.get(i % 3).call(request, false, _ -> answered.countDown());
      }
      assertTrue(answered.await(10, TimeUnit.SECONDS), () -> answered.getCount() + " missing");
    }
  }

  @Test
  void shouldRefuseCallsBeyondADatagram() throws Exception {
    try (FloorBurstNode node = new FloorBurstNode(site(0))) {
      AtomicReference<BurstCaller.End> end = new AtomicReference<>();
      node.callers(node.addresses(), false)
          .getFirst()
          .call(BurstCaller.request(2_000, 4), false, end::set);
      assertEquals(BurstCaller.End.FAILED, end.get());
    }
  }

  private static BurstSite site(int endpoints) {
    return new BurstSite("127.0.0.1", endpoints, 1_500, Path.of(""), "", _ -> {});
  }
}
