package io.millrace.samples.cli;

import io.millrace.testkit.internal.drawn.Drawn;
import io.millrace.testkit.internal.drawn.FaultKind;
import io.millrace.testkit.internal.scenario.UnvariedSettings;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The minimum that the generators of many seeds must have drawn: several values of each setting,
 * each kind of fault, each pair of kinds, and each pattern of call. Measured with 150 seeds of
 * {@code default}: a pattern comes at least once in 60 seeds, a pair of faults at least once in 15
 * seeds. So 1,000 seeds without the pattern or pair are no chance. A fault of a single frame waits
 * for its frame, mostly in vain. A pair with such a fault comes once in 44 seeds on average and not
 * in 150 seeds at worst, so 10,000 seeds must have each such pair. Pairs of two such faults are the
 * exception: with a single seed of 200 on average, and far fewer at worst, nothing follows from a
 * missing pair.
 */
final class DrawnDemands {
  /** This number of seeds draws everything but pairs with faults of single frames. */
  static final int MANY_SEEDS = 1_000;

  /** This number of seeds draws pairs with a single fault of a single frame, too. */
  static final int MANY_FOR_FRAMES = 10_000;

  private static final Set<FaultKind> OF_FRAMES =
      EnumSet.range(FaultKind.FRAME_LOST, FaultKind.FRAME_WITHHELD);

  /**
   * REGISTRATION: memory is registered on a fabric alone. OWN: no scenario here plans such a fault.
   */
  private static final Set<FaultKind> OF_ALL =
      EnumSet.complementOf(EnumSet.of(FaultKind.REGISTRATION, FaultKind.OWN));

  private static final Set<FaultKind> OF_CRASHES = EnumSet.of(FaultKind.CRASH, FaultKind.STOP);

  private static final Set<FaultKind> OF_LOSSES =
      EnumSet.of(
          FaultKind.LOSS,
          FaultKind.DAMAGE,
          FaultKind.RATE,
          FaultKind.DELAY,
          FaultKind.MTU,
          FaultKind.POLICER,
          FaultKind.FRAME_LOST,
          FaultKind.FRAME_TWICE,
          FaultKind.FRAME_DAMAGED,
          FaultKind.FRAME_LATE,
          FaultKind.FRAME_REPLAYED,
          FaultKind.FRAME_WITHHELD);

  private static final List<String> CALLS =
      List.of(
          "unary plain",
          "unary slow",
          "unary handler-fails",
          "on-worker plain",
          "on-worker handler-fails",
          "write plain",
          "write slow",
          "write handler-fails",
          "write source-fails",
          "write target-fails",
          "write cancelled",
          "read plain",
          "read slow",
          "read handler-fails",
          "read source-fails",
          "read target-fails",
          "read cancelled",
          "call denied");

  private static final List<String> STREAMS =
      List.of(
          "stream response plain",
          "stream response slow",
          "stream response handler-fails",
          "stream response responses-fail",
          "stream response caller-cancels",
          "stream request plain",
          "stream request slow",
          "stream request handler-fails",
          "stream request requests-fail",
          "stream request handler-cancels",
          "stream bidirectional plain",
          "stream bidirectional slow",
          "stream bidirectional handler-fails",
          "stream bidirectional requests-fail",
          "stream bidirectional responses-fail",
          "stream bidirectional caller-cancels",
          "stream bidirectional handler-cancels",
          "stream denied",
          "broadcast",
          "broadcast in halves",
          "delivery denied");

  private DrawnDemands() {}

  /** Returns the kinds of faults that seeds of a scenario draw. */
  static Set<FaultKind> faults(String scenario) {
    return switch (scenario) {
      case "default", "calls" -> OF_ALL;
      case "crash" -> OF_CRASHES;
      case "loss" -> OF_LOSSES;
      default -> Set.of();
    };
  }

  /** Returns the patterns of calls that seeds of a scenario draw. */
  static List<String> patterns(String scenario) {
    List<String> patterns = new ArrayList<>();
    if (scenario.equals("default") || scenario.equals("calls")) {
      patterns.addAll(CALLS);
    }
    if (scenario.equals("default")) {
      patterns.addAll(STREAMS);
    }
    return patterns;
  }

  /**
   * Returns the demands not drawn by this number of seeds, for people; empty if nothing is missing.
   */
  static List<String> missing(String scenario, int seeds, Drawn drawn) {
    List<String> missing = new ArrayList<>();
    if (seeds < MANY_SEEDS || faults(scenario).isEmpty()) {
      return missing;
    }
    for (String setting : drawn.constant()) {
      if (!UnvariedSettings.has(setting)) {
        missing.add("another value of the setting " + setting);
      }
    }
    for (String pattern : patterns(scenario)) {
      if (!drawn.patterns().containsKey(pattern)) {
        missing.add("a call of the pattern " + pattern);
      }
    }
    Set<FaultKind> wanted = EnumSet.copyOf(faults(scenario));
    for (FaultKind kind : faults(scenario)) {
      if (drawn.faults(kind) == 0) {
        wanted.remove(kind);
        missing.add("a fault " + kind.text());
      }
    }
    wanted.forEach(first -> wanted.forEach(second -> pair(first, second, seeds, drawn, missing)));
    return missing;
  }

  private static void pair(
      FaultKind first, FaultKind second, int seeds, Drawn drawn, List<String> missing) {
    int ofFrames = (OF_FRAMES.contains(first) ? 1 : 0) + (OF_FRAMES.contains(second) ? 1 : 0);
    boolean isWanted = ofFrames == 0 || (ofFrames == 1 && seeds >= MANY_FOR_FRAMES);
    if (isWanted && drawn.pairs(first, second) == 0) {
      missing.add("a fault " + first.text() + " followed by " + second.text());
    }
  }
}
