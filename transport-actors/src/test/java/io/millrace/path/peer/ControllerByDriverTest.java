package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.driver.EndpointAddress;
import io.millrace.path.network.Rail;
import io.millrace.path.network.RailPlan;
import io.millrace.path.packet.PathTerms;
import io.millrace.protocol.congestion.NewRenoSettings;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The congestion controller "auto" of paths over a fabric, over UDP, and over both. */
class ControllerByDriverTest {
  private static final long INITIAL_WINDOW_BYTES = 12_000;

  private final WorkerLab lab = new WorkerLab(new FakeEndpoint(16, 64));

  private long windowBytes(boolean... oneSided) throws Exception {
    PathTerms terms = WorkerLab.terms(1, true, WorkerLab.WINDOW_BYTES);
    EndpointAddress address = new EndpointAddress("fake", new byte[] {1});
    RailPlan plan =
        new RailPlan(
            IntStream.range(0, oneSided.length)
                .mapToObj(i -> new Rail(i, i, address, oneSided[i]))
                .toList(),
            true,
            false);
    return lab.open(
            lab.link(1),
            new PathTerms(
                terms.peer(),
                terms.secret(),
                true,
                terms.workers(),
                plan,
                terms.sendLimitBytes(),
                terms.receiveWindow(),
                terms.agreement(),
                terms.handshake()))
        .recovery()
        .windowBytes();
  }

  @Test
  void shouldLeaveTheCongestionOfAFabricToTheFabric() throws Exception {
    assertEquals(NewRenoSettings.DEFAULT_MAXIMUM_WINDOW_BYTES, windowBytes(true, true));
  }

  @Test
  void shouldControlAPathThatMayMoveToUdp() throws Exception {
    assertEquals(INITIAL_WINDOW_BYTES, windowBytes(true, false));
  }

  @Test
  void shouldControlAPathOverUdp() throws Exception {
    assertEquals(INITIAL_WINDOW_BYTES, windowBytes(false));
  }
}
