package io.millrace.samples.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Repetitions;
import io.millrace.testkit.internal.net.FrameNote;
import io.millrace.testkit.internal.net.PacketView;
import io.millrace.testkit.internal.net.Verdict;
import io.millrace.testkit.internal.scenario.RunResult;
import io.millrace.testkit.internal.scenario.RunSettings;
import io.millrace.testkit.internal.scenario.Scenario;
import io.millrace.testkit.internal.scenario.SimRunner;
import io.millrace.testkit.sim.Faults;
import io.millrace.testkit.sim.FrameMatch;
import io.millrace.testkit.sim.FrameType;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each message of the protocol is lost, repeated, delayed and damaged once, over datagrams and over
 * a fabric. Every call still comes to its planned end, and no rule is broken.
 */
final class FrameMatrixTest {
  private static final long SEED = 1;
  private static final long LATE_NS = 20_000_000;

  /** Frames never sent alone, so that no fault can hit such a frame alone. */
  private static final EnumSet<FrameType> NEVER_ALONE =
      EnumSet.of(FrameType.ADVERT, FrameType.ADVERT_REJECT, FrameType.HYBRID_ADVERT);

  /** Frames sent only after more packets than a window holds: {@link ChallengesTest}. */
  private static final EnumSet<FrameType> BEYOND_A_WINDOW =
      EnumSet.of(FrameType.TRANSFER_CHALLENGE, FrameType.TRANSFER_CHALLENGE_RESPONSE);

  /** Frames sent only to a peer that asks about a forgotten path: `PathRenewalTest`. */
  private static final EnumSet<FrameType> OF_THE_FORGOTTEN = EnumSet.of(FrameType.PATH_LOST);

  /** Frames sent only by nodes with several NICs: `NicsSimulationTest`. */
  private static final EnumSet<FrameType> OF_SEVERAL_NICS = EnumSet.of(FrameType.USE_RAIL);

  /** Frames sent only over a fabric, by nodes with slots: `PacketSlotsTest`. */
  private static final EnumSet<FrameType> OF_SLOTS = EnumSet.of(FrameType.PACKET_SLOTS);

  /** Frames sent only where the path's datagrams become smaller: `FamiliesSimulationTest`. */
  private static final EnumSet<FrameType> OF_SMALLER_DATAGRAMS = EnumSet.of(FrameType.FRAME_PIECE);

  private static final EnumSet<FrameType> NEVER_SENT = EnumSet.copyOf(NEVER_ALONE);

  static {
    NEVER_SENT.addAll(BEYOND_A_WINDOW);
    NEVER_SENT.addAll(OF_THE_FORGOTTEN);
    NEVER_SENT.addAll(OF_SEVERAL_NICS);
    NEVER_SENT.addAll(OF_SLOTS);
    NEVER_SENT.addAll(OF_SMALLER_DATAGRAMS);
  }

  /** The fault of a message. */
  enum Fault {
    LOST_FIRST {
      @Override
      void plan(Faults faults, FrameMatch match) {
        faults.drop(match.first());
      }
    },
    LOST_SECOND {
      @Override
      void plan(Faults faults, FrameMatch match) {
        faults.drop(match.nth(2));
      }
    },
    TWICE {
      @Override
      void plan(Faults faults, FrameMatch match) {
        faults.duplicate(match.first());
      }
    },
    LATE {
      @Override
      void plan(Faults faults, FrameMatch match) {
        faults.delay(match.first(), LATE_NS);
      }
    },
    DAMAGED {
      @Override
      void plan(Faults faults, FrameMatch match) {
        faults.corrupt(match.first());
      }
    };

    abstract void plan(Faults faults, FrameMatch match);

    /** The hardware of a fabric brings no message twice. */
    boolean isApt(FrameType frame, boolean isFabric) {
      return this != TWICE || !isFabric || isHandshake(frame);
    }
  }

  private static boolean isHandshake(FrameType frame) {
    return frame.name().startsWith("PSK_");
  }

  private static Stream<Arguments> cells() {
    return Stream.of(false, true).flatMap(FrameMatrixTest::cells);
  }

  private static Stream<Arguments> cells(boolean isFabric) {
    String net = isFabric ? "fabric" : "datagrams";
    return EnumSet.complementOf(NEVER_SENT).stream()
        .flatMap(
            frame ->
                Stream.of(Fault.values())
                    .filter(fault -> fault.isApt(frame, isFabric))
                    .map(fault -> Arguments.of(net, frame, fault)));
  }

  private static RunResult run(long seed, Scenario scenario) throws Exception {
    return new SimRunner(scenario, 1).run(RunSettings.of(seed));
  }

  /**
   * The commit tier plays every fault of every message on one network, and on both networks some
   * faults of every message; the soak plays every cell.
   */
  private static Stream<Arguments> played() {
    return Stream.of(false, true).flatMap(FrameMatrixTest::played);
  }

  private static Stream<Arguments> played(boolean isFabric) {
    return cells(isFabric)
        .filter(cell -> Repetitions.factor() > 1 || isPlayedOften(cell.get(), isFabric));
  }

  private static boolean isPlayedOften(Object[] cell, boolean isFabric) {
    FrameType frame = (FrameType) cell[1];
    Fault fault = (Fault) cell[2];
    boolean isEven = (frame.ordinal() + fault.ordinal()) % 2 == 0;
    return isEven == isFabric || !fault.isApt(frame, !isFabric);
  }

  @ParameterizedTest(name = "{1} {2} over {0}")
  @MethodSource("played")
  void shouldBringEveryCallToItsEnd(String net, FrameType frame, Fault fault) throws Exception {
    RunResult result =
        run(
            SEED,
            new MixedTransfers(
                net.equals("fabric"), faults -> fault.plan(faults, FrameMatch.of(frame))));
    assertNull(result.violation(), () -> result.happened().toString());
    assertEquals(List.of(), result.unmet());
    assertTrue(result.counts().faults() > 0);
  }

  /** A new message must be sent here twice, or be listed with a reason. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldSendEveryMessageButThese(boolean isFabric) throws Exception {
    Map<FrameType, Integer> sent = new EnumMap<>(FrameType.class);
    Scenario scenario =
        run ->
            new MixedTransfers(
                    isFabric,
                    faults -> {
                      run.cluster().noteFrames();
                      run.cluster().network().plan(packet -> count(packet, sent));
                    })
                .run(run);
    RunResult result = run(SEED, scenario);
    assertNull(result.violation());
    EnumSet<FrameType> rare = EnumSet.noneOf(FrameType.class);
    for (FrameType type : FrameType.values()) {
      if (sent.getOrDefault(type, 0) < 2) {
        rare.add(type);
      }
    }
    assertEquals(NEVER_SENT, rare, sent::toString);
    NEVER_SENT.forEach(type -> assertEquals(0, sent.getOrDefault(type, 0), type::toString));
  }

  private static Verdict count(PacketView packet, Map<FrameType, Integer> sent) {
    for (FrameNote note : packet.notes()) {
      sent.merge(note.frame(), 1, Integer::sum);
    }
    return Verdict.PASS;
  }

  @Test
  void shouldHaveACellForEveryMessage() {
    assertEquals(28 * 5 + 23 * 4 + 5 * 5, cells().count());
  }

  @Test
  void shouldPlayEveryFaultOfEveryMessage() {
    Set<List<Object>> played = new HashSet<>();
    played().forEach(cell -> played.add(List.of(cell.get()[1], cell.get()[2])));
    assertEquals(28 * 5, played.size());
    for (String net : List.of("datagrams", "fabric")) {
      assertEquals(
          28,
          played()
              .filter(cell -> cell.get()[0].equals(net))
              .map(cell -> cell.get()[1])
              .distinct()
              .count());
    }
  }
}
