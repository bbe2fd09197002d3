package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.driver.EndpointAddress;
import io.millrace.path.network.Rail;
import io.millrace.path.network.RailPlan;
import io.millrace.path.packet.PathTerms;
import io.millrace.protocol.congestion.NewRenoSettings;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The congestion controller "auto" of paths over a fabric, over UDP, and over both. */
class ControllerByDriverTest {
  private static final long INITIAL_WINDOW_BYTES = 12_000;

  private final WorkerLab lab = new WorkerLab(new FakeEndpoint(16, 64));

  private final EndpointAddress address = new EndpointAddress("fake", new byte[] {1});

  private long windowBytes(boolean... oneSided) throws Exception {
    return windowBytes(
        IntStream.range(0, oneSided.length)
            .mapToObj(i -> new Rail(i, i, address, oneSided[i]))
            .toList());
  }

  private long windowBytes(List<Rail> rails) throws Exception {
    PathTerms terms = WorkerLab.terms(1, true, WorkerLab.WINDOW_BYTES);
    RailPlan plan = new RailPlan(rails, true, false);
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
  void shouldLeaveTheCongestionOfTwoNicsOfAFabricToTheFabric() throws Exception {
    Rail writes = new Rail(0, 0, address, true);
    Rail other = new Rail(1, 1, address, true, true);
    assertEquals(NewRenoSettings.DEFAULT_MAXIMUM_WINDOW_BYTES, windowBytes(List.of(writes, other)));
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
