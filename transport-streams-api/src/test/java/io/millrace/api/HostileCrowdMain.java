package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.SharedKillSwitch;
import org.apache.pekko.stream.SystemMaterializer;
import org.apache.pekko.stream.javadsl.Sink;

/**
 * Attackers of {@link HostilePeerSoakTest}: many transports of one certificate; each transport
 * attacks in all ways at once. Arguments: address of the server, the three files of the
 * certificate, number of transports. The process attacks until its input ends or has a line, and
 * prints the outcomes of its calls.
 */
final class HostileCrowdMain {
  private static final String SMALL =
      """
      millrace {
        nic { receive-buffer = 256 KiB, send-buffer = 256 KiB, send-buffers = 8 }
        limits { inline-budget = 4 MiB, inline-credit = 256 KiB, peers = 4 }
        transfers { buffer-pool = 4 MiB, buffer-pool-per-peer = 4 MiB, broadcast-pool = 1 MiB }
        regions.counts = [4, 2]
        events.log = off
      }
      """;

  private static final int FLOODS = 12;
  private static final int LARGE_BYTES = 200_000;
  private static final int MIXED = 9;
  private static final int OPENINGS = 100;
  private static final int OPENING_BYTES = 1_000;
  private static final int TOKENS = 300;
  private static final long PAUSE_NS =
      TimeUnit.MILLISECONDS.toNanos(Long.getLong("millrace.attack.pause-ms", 50));
  private static final long HOPELESS_NS = TimeUnit.SECONDS.toNanos(1);

  private final OutcomeTally plain = new OutcomeTally();
  private final OutcomeTally hostile = new OutcomeTally();
  private final OutcomeTally floods = new OutcomeTally();
  private final AtomicLong mixedUp = new AtomicLong();
  private final AtomicLong openings = new AtomicLong();
  private volatile boolean stopped;

  private HostileCrowdMain() {}

  public static void main(String[] args) throws Exception {
    new HostileCrowdMain().attack(args);
  }

  /** A single attack of one kind. */
  private interface Round {
    void run() throws InterruptedException;
  }

  private void attack(String[] args) throws Exception {
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "attackers");
    List<Transport> transports = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(args[4]); i++) {
      transports.add(
          Transport.builder(HostileServerMain.certified(args[1], args[2], args[3], SMALL))
              .system(system)
              .start());
      System.out.println("started " + i);
    }
    for (int i = 0; i < transports.size(); i++) {
      attack(transports.get(i), transports.get(i).peer(args[0]), i);
    }
    new BufferedReader(new InputStreamReader(System.in, UTF_8)).readLine();
    stopped = true;
    System.out.println("plain " + plain);
    System.out.println("hostile " + hostile);
    System.out.println("floods " + floods);
    System.out.printf(
        "tally %d %d %d %d %d %d %d %d%n",
        plain.count(CallOutcome.OK),
        plain.total(),
        floods.count(CallOutcome.OK),
        floods.total(),
        openings.get(),
        mixedUp.get(),
        floods.count(CallOutcome.OVERLOADED),
        plain.count(CallOutcome.HANDSHAKE_FAILED));
    Runtime.getRuntime().halt(0);
  }

  private void attack(Transport transport, Peer peer, int attacker) {
    AtomicLong calls = new AtomicLong();
    start(() -> breakContracts(peer, attacker, calls));
    start(() -> cancelOpenings(transport, peer));
    start(() -> takeSlots(peer));
    for (int flood = 0; flood < FLOODS; flood++) {
      start(() -> flood(peer));
    }
  }

  private void start(Round round) {
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                while (!stopped) {
                  round.run();
                  LockSupport.parkNanos(PAUSE_NS);
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  /**
   * Makes three calls: one call makes an acceptor throw, one call makes a stage call back again.
   */
  private void breakContracts(Peer peer, int attacker, AtomicLong calls)
      throws InterruptedException {
    List<Call<UnaryResponse>> open = new ArrayList<>();
    List<byte[]> payloads = new ArrayList<>();
    for (int i = 0; i < MIXED; i++) {
      TransferOptions options =
          switch (i % 3) {
            case 0 -> TransferOptions.DEFAULTS;
            case 1 -> TransferOptions.DEFAULTS.withHeader(HostileServerMain.BOOM, "1");
            default -> TransferOptions.DEFAULTS.withHeader(HostileServerMain.TWICE, "1");
          };
      byte[] payload =
          ByteBuffer.allocate(3 * Long.BYTES)
              .putLong(-1)
              .putLong(attacker)
              .putLong(calls.incrementAndGet())
              .array();
      payloads.add(payload);
      open.add(Raw.unary(peer, new UnaryRequest(HostileServerMain.LATER, payload, options)));
    }
    boolean isHopeless = true;
    for (int i = 0; i < MIXED; i++) {
      byte[] answer = (i % 3 == 0 ? plain : hostile).await(open.get(i));
      isHopeless &= answer == null;
      if (answer != null && !Arrays.equals(answer, payloads.get(i))) {
        mixedUp.incrementAndGet();
      }
    }
    if (isHopeless) {
      LockSupport.parkNanos(HOPELESS_NS);
    }
  }

  private void flood(Peer peer) throws InterruptedException {
    long othersBefore = floods.others();
    byte[] answer =
        floods.await(
            Raw.unary(peer, UnaryRequest.of(HostileServerMain.SLOW, new byte[LARGE_BYTES])));
    if (answer == null && floods.others() > othersBefore) {
      LockSupport.parkNanos(HOPELESS_NS);
    }
  }

  private void cancelOpenings(Transport transport, Peer peer) throws InterruptedException {
    TransferOptions options = TransferOptions.DEFAULTS.withToken();
    Call<UnaryResponse> first =
        Raw.unary(peer, new UnaryRequest(HostileServerMain.HOLD, new byte[1], options));
    CausalityToken token = first.token();
    for (int round = 0; round < 4 && !first.isDone(); round++) {
      SharedKillSwitch end = KillSwitches.shared("end");
      for (int i = 0; i < OPENINGS; i++) {
        UnaryRequest opening =
            new UnaryRequest(
                HostileServerMain.HOLD,
                new byte[OPENING_BYTES],
                TransferOptions.DEFAULTS.after(token));
        var _ =
            Raw.streamingResponse(peer, opening)
                .via(end.flow())
                .runWith(
                    Sink.ignore(),
                    SystemMaterializer.get(transport.pool().system()).materializer());
      }
      LockSupport.parkNanos(HOPELESS_NS);
      end.shutdown();
      openings.addAndGet(OPENINGS);
    }
    boolean wasReset = first.isDone();
    first.cancel(false);
    if (wasReset) {
      LockSupport.parkNanos(HOPELESS_NS);
    }
  }

  /**
   * Makes calls without an answer, and calls that depend on the unanswered calls, each with a
   * token.
   */
  private void takeSlots(Peer peer) {
    TransferOptions options =
        TransferOptions.DEFAULTS.withToken().withDeadline(Duration.ofSeconds(5));
    List<Call<UnaryResponse>> calls = new ArrayList<>();
    for (int i = 0; i < TOKENS; i++) {
      TransferOptions after = i == 0 ? options : options.after(calls.get(i - 1).token());
      calls.add(
          Raw.unary(peer, new UnaryRequest(HostileServerMain.HOLD, new byte[Long.BYTES], after)));
    }
    LockSupport.parkNanos(HOPELESS_NS);
    calls.forEach(call -> call.cancel(false));
  }
}
