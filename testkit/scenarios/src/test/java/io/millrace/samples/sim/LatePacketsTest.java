package io.millrace.samples.sim;

import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.testkit.internal.net.PacketView;
import io.millrace.testkit.internal.net.Verdict;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.internal.oracle.Oracles;
import io.millrace.testkit.internal.scenario.FullRun;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.testkit.sim.SimNode;
import io.millrace.testkit.sim.SimRun;
import io.millrace.testkit.sim.junit.SimulationTest;
import io.millrace.wire.PacketHeader;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.apache.pekko.util.ByteString;

/**
 * Packets that arrive after as many other packets as a receiver can tell apart, and copies of
 * packets. Each is dropped, a late packet even when the receiver knows nothing of the packet any
 * more.
 */
final class LatePacketsTest {
  private static final Route<ByteString, ByteString> ECHO = Route.bytes("echo");
  private static final TransportSettings SETTINGS = SimTransportSettings.parse("");
  private static final int WINDOW = 4_096;
  private static final int AT_ONCE = 8;
  private static final int PACKETS = WINDOW + 400;
  private static final long LATE_FROM = 100;
  private static final long LATE = 4;
  private static final long COPIED_FROM = 200;
  private static final long COPIED = 20;
  private static final long SECOND_NS = 1_000_000_000;
  private static final long LATE_NS = 20 * SECOND_NS;

  /** Two nodes; the first node calls the second until this number of packets has arrived there. */
  private static final class Trial {
    private final FullRun run;
    private final Transport[] transports = new Transport[2];
    private long newest;
    private long asked;
    private long served;
    private long answered;

    Trial(FullRun run) {
      this.run = run;
      run.add(Oracles.ofOwnWorkloads(run.cluster()));
      run.add(2, this::start);
      run.cluster().network().plan(this::verdict);
    }

    private void start(SimNode node) {
      Transport transport =
          Transport.builder(SimCluster.settings(node.number(), SETTINGS))
              .environment(node.environment())
              .start();
      transports[node.number()] = transport;
      transport.serve(
          ECHO,
          request -> {
            served++;
            return CompletableFuture.completedFuture(request);
          });
    }

    /** The receiver's window has forgotten whether late packets had arrived. */
    private Verdict verdict(PacketView packet) {
      DirectBuffer bytes = packet.bytes();
      if (packet.source().node() != 0 || !PacketHeader.isData(bytes, 0, packet.length())) {
        return Verdict.PASS;
      }
      long number = PacketHeader.packetNumber(bytes, 0);
      newest = Math.max(newest, number);
      if (isWithin(number, LATE_FROM, LATE)) {
        return Verdict.delay(LATE_NS);
      }
      if (isWithin(number, LATE_FROM + WINDOW, LATE)) {
        return Verdict.DROP;
      }
      return isWithin(number, COPIED_FROM, COPIED) ? Verdict.DUPLICATE : Verdict.PASS;
    }

    private static boolean isWithin(long number, long from, long count) {
      return number >= from && number < from + count;
    }

    void ask() {
      if (newest >= PACKETS) {
        return;
      }
      asked++;
      var _ =
          transports[0]
              .peer(SimCluster.handshakeAddress(1))
              .unary(ECHO, ByteString.fromArrayUnsafe(new byte[] {1}))
              .whenComplete(
                  (answer, failure) -> {
                    if (failure != null) {
                      run.fail("every call succeeds", String.valueOf(failure));
                    }
                    answered++;
                    ask();
                  });
    }

    long dropped() {
      return run.node(1).life().pools().getFirst().port(0).counters().duplicatesDropped;
    }

    void require(String what, long expected, long found) {
      if (expected != found) {
        run.fail("late packets", what + ": " + found + " instead of " + expected);
      }
    }

    void close() {
      for (Transport transport : transports) {
        transport.close();
      }
      run.awaitClosed(SECOND_NS);
      run.cluster().nodes().forEach(node -> node.system().terminate());
      run.quiesce();
    }
  }

  @SimulationTest(seeds = "1..3")
  void shouldDropWhatIsOlderThanTheWindowAndEachCopy(SimRun run) {
    Trial trial = new Trial(FullRun.of(run));
    for (int i = 0; i < AT_ONCE; i++) {
      trial.ask();
    }
    run.within(
        LATE_NS - SECOND_NS,
        "enough packets have gone",
        () -> trial.newest >= PACKETS && trial.answered == trial.asked);
    trial.require("copies dropped", COPIED, trial.dropped());

    run.runUntil(run.simulation().nowNs() + LATE_NS);
    trial.require("late packets and copies dropped", COPIED + LATE, trial.dropped());
    trial.require("calls served", trial.asked, trial.served);
    trial.close();
  }
}
