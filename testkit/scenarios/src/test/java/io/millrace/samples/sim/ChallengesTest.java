package io.millrace.samples.sim;

import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.ends.PathCounters;
import io.millrace.testkit.internal.net.FrameNote;
import io.millrace.testkit.internal.net.PacketView;
import io.millrace.testkit.internal.net.Verdict;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.internal.oracle.Oracles;
import io.millrace.testkit.internal.scenario.FullRun;
import io.millrace.testkit.sim.FrameType;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.testkit.sim.SimNode;
import io.millrace.testkit.sim.SimRun;
import io.millrace.testkit.sim.junit.SimulationTest;
import io.millrace.wire.PacketHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * The first packet of a transfer is captured, and all other packets that would open the transfer
 * get lost. The captured packet arrives after more packets than a window holds. The receiver
 * challenges the sender, and the sender tells the state of the transfer.
 */
final class ChallengesTest {
  private static final Route<ByteString, ByteString> ECHO = Route.bytes("echo");
  private static final TransportSettings SETTINGS = SimTransportSettings.parse("");
  private static final int AT_ONCE = 8;
  private static final int PACKETS = 4_096 + 600;
  private static final int CALLS_BEFORE = 100;
  private static final int SMALL_BYTES = 2;
  private static final int BODY_BYTES = 200_000;
  private static final long SECOND_NS = 1_000_000_000;
  private static final long LATE_NS = 30 * SECOND_NS;
  private static final byte[] USUAL = {1};

  /** Two nodes; the first node calls the second until this number of packets has arrived there. */
  private static final class Trial {
    private final FullRun run;
    private final FrameType opening;
    private final Transport[] transports = new Transport[2];
    private final List<FrameType> trace = new ArrayList<>();
    private long captured;
    private boolean isLateAsked;
    private boolean isChallenged;
    private @Nullable FrameType losing;
    private long newest;
    private long asked;
    private long answered;
    private long served;
    private long servedLate;
    private CompletableFuture<ByteString> late = new CompletableFuture<>();

    Trial(FullRun run, FrameType opening) {
      this.run = run;
      this.opening = opening;
      run.add(Oracles.ofOwnWorkloads(run.cluster()));
      run.cluster().noteFrames();
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
            if (request.length() == USUAL.length) {
              served++;
            } else {
              servedLate++;
            }
            return CompletableFuture.completedFuture(ByteString.fromArrayUnsafe(USUAL));
          });
    }

    private Verdict verdict(PacketView packet) {
      if (!PacketHeader.isData(packet.bytes(), 0, packet.length())) {
        return Verdict.PASS;
      }
      boolean isFromCaller = packet.source().node() == 0;
      if (isFromCaller) {
        newest = Math.max(newest, PacketHeader.packetNumber(packet.bytes(), 0));
      }
      for (FrameNote note : packet.notes()) {
        if (note.frame() == losing) {
          losing = null;
          isChallenged = true;
          return Verdict.DROP;
        }
        if (note.frame() == FrameType.TRANSFER_CHALLENGE) {
          isChallenged = true;
          trace.add(note.frame());
        } else if (isFromCaller && isOfLate(note)) {
          if (!isChallenged) {
            boolean isFirst = captured == 0;
            captured = note.subject();
            return isFirst ? Verdict.delay(LATE_NS) : Verdict.DROP;
          }
          trace.add(note.frame());
        }
      }
      return Verdict.PASS;
    }

    /** Returns whether the frame tells the peer of the captured transfer. */
    private boolean isOfLate(FrameNote note) {
      if (captured == 0) {
        return asked > CALLS_BEFORE && note.frame() == opening && isLateAsked;
      }
      return note.subject() == captured
          && switch (note.frame()) {
            case INLINE_REQUEST, WRITE_NOTIFY, FLOW_RESET, TRANSFER_CHALLENGE_RESPONSE -> true;
            default -> false;
          };
    }

    void ask() {
      if (newest >= PACKETS) {
        return;
      }
      asked++;
      var _ =
          call(USUAL.length)
              .whenComplete(
                  (answer, failure) -> {
                    if (failure != null) {
                      run.fail("every call succeeds", String.valueOf(failure));
                    }
                    answered++;
                    ask();
                  });
    }

    private CompletableFuture<ByteString> call(int bytes) {
      return transports[0]
          .peer(SimCluster.handshakeAddress(1))
          .unary(ECHO, ByteString.fromArrayUnsafe(new byte[bytes]))
          .toCompletableFuture();
    }

    /** Makes a single call, so that its opening is the next. */
    void askLate(int bytes) {
      run.within(SECOND_NS, "the first calls are answered", () -> asked == answered);
      isLateAsked = true;
      late = call(bytes);
      run.within(SECOND_NS, "the opening is captured", () -> captured != 0);
    }

    void pass() {
      for (int i = 0; i < AT_ONCE; i++) {
        ask();
      }
      run.within(LATE_NS - SECOND_NS, "the window has gone on", () -> newest >= PACKETS);
    }

    PathCounters counters(int node) {
      return run.node(node).life().pools().getFirst().port(0).counters();
    }

    void require(String what, Object expected, Object found) {
      if (!expected.equals(found)) {
        run.fail("challenges", what + ": " + found + " instead of " + expected);
      }
    }

    void close() {
      require("calls served", asked, served);
      for (Transport transport : transports) {
        transport.close();
      }
      run.awaitClosed(SECOND_NS);
      run.cluster().nodes().forEach(node -> node.system().terminate());
      run.quiesce();
    }
  }

  private static Trial captured(SimRun run, FrameType opening, int bytes) {
    Trial trial = new Trial(FullRun.of(run), opening);
    for (int i = 0; i <= CALLS_BEFORE; i++) {
      trial.asked++;
      var _ = trial.call(USUAL.length).thenAccept(answer -> trial.answered++);
    }
    trial.askLate(bytes);
    trial.pass();
    trial.require("late transfers served", 0L, trial.servedLate);
    trial.require("asked", false, trial.isChallenged);
    return trial;
  }

  private static void shouldServeOnce(Trial trial) {
    trial.run.within(2 * LATE_NS, "the late transfer is answered", trial.late::isDone);
    trial.require("late transfers served", 1L, trial.servedLate);
    trial.require(
        "what went over the network",
        List.of(FrameType.TRANSFER_CHALLENGE, FrameType.TRANSFER_CHALLENGE_RESPONSE, trial.opening),
        trial.trace.subList(0, 3));
    trial.require("challenges", 1L, trial.counters(1).transfersChallenged);
    trial.require("challenges confirmed", 1L, trial.counters(1).challengesConfirmed);
    trial.close();
  }

  @SimulationTest(seeds = "1..2")
  void shouldServeALateRequestOnceItsSenderWasAsked(SimRun run) {
    shouldServeOnce(captured(run, FrameType.INLINE_REQUEST, SMALL_BYTES));
  }

  @SimulationTest(seeds = "1..2")
  void shouldServeALateBodyOnceItsSenderWasAsked(SimRun run) {
    shouldServeOnce(captured(run, FrameType.WRITE_NOTIFY, BODY_BYTES));
  }

  private static void shouldBearTheLossOf(FrameType lost, SimRun run) {
    Trial trial = captured(run, FrameType.INLINE_REQUEST, SMALL_BYTES);
    trial.losing = lost;
    trial.run.within(2 * LATE_NS, "the late transfer is answered", trial.late::isDone);
    trial.require("late transfers served", 1L, trial.servedLate);
    trial.require("lost", true, trial.losing == null);
    trial.close();
  }

  @SimulationTest(seeds = "1..1")
  void shouldServeItThoughTheChallengeIsLost(SimRun run) {
    shouldBearTheLossOf(FrameType.TRANSFER_CHALLENGE, run);
  }

  @SimulationTest(seeds = "1..1")
  void shouldServeItThoughTheResponseIsLost(SimRun run) {
    shouldBearTheLossOf(FrameType.TRANSFER_CHALLENGE_RESPONSE, run);
  }

  @SimulationTest(seeds = "1..2")
  void shouldNotServeACapturedRequestThatItsCallerGaveUp(SimRun run) {
    Trial trial = captured(run, FrameType.INLINE_REQUEST, SMALL_BYTES);
    trial.late.cancel(false);
    trial.run.within(
        2 * LATE_NS, "the replay is reset", () -> trial.counters(1).challengesReset == 1);
    run.runUntil(trial.run.simulation().nowNs() + LATE_NS);
    trial.require("late transfers served", 0L, trial.servedLate);
    trial.require(
        "what went over the network",
        List.of(FrameType.TRANSFER_CHALLENGE, FrameType.FLOW_RESET),
        trial.trace.subList(0, 2));
    trial.close();
  }
}
