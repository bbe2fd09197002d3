package io.millrace.nic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.millrace.config.TransportSettings;
import io.millrace.protocol.schedule.SendRate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NicShareTest {
  private static final int THREADS = 4;
  private static final int TURNS = 50_000;
  private static final long TURN_NS = 1_000;

  private static NicShare share(String nic) {
    return new NicShare(TransportSettings.parse("millrace.nic { " + nic + " }").nic().rates(), 1);
  }

  @Test
  void shouldGiveEachTurnToOneWorker() throws Exception {
    SendRate rate = share("send-rate = 1 Gbit/s").sendRate();
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      workers.add(Thread.ofPlatform().start(() -> takeTurns(rate)));
    }
    for (Thread worker : workers) {
      worker.join();
    }
    assertEquals(THREADS * TURNS * TURN_NS / 2, rate.take(0, TURN_NS));
  }

  /** Each turn is half as long as expected. */
  private static void takeTurns(SendRate rate) {
    for (int i = 0; i < TURNS; i++) {
      rate.take(0, TURN_NS);
      rate.settle(-TURN_NS / 2, 0);
    }
  }

  @Test
  void shouldLetNobodyWaitWithoutRate() {
    assertSame(SendRate.UNLIMITED, share("").sendRate());
  }
}
