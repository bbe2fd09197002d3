package io.millrace.testkit.internal.oracle;

import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.sim.Oracle;
import io.millrace.testkit.sim.StepOracle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Several rules as one. Made before the first node of a cluster boots. */
public final class Oracles implements StepOracle, LifeOracle {
  private final List<Oracle> all;
  private final StepOracle[] looking;

  private Oracles(List<Oracle> all) {
    this.all = all;
    looking = all.stream().flatMap(Oracles::looking).toArray(StepOracle[]::new);
  }

  /** The rules to check after each event; a group of rules gives its members. */
  private static Stream<StepOracle> looking(Oracle oracle) {
    return switch (oracle) {
      case Oracles several -> Arrays.stream(several.looking);
      case StepOracle one -> Stream.of(one);
      default -> Stream.empty();
    };
  }

  /**
   * Returns the rules that every run keeps, under all faults and for all applications.
   *
   * @param coverage receives the hits of the run
   */
  public static Oracles standard(FullCluster cluster, Coverage coverage) {
    RegionOracle regions = new RegionOracle(cluster, coverage);
    List<Oracle> rules =
        new ArrayList<>(
            List.of(
                new NonceOracle(cluster),
                new KeyPhaseOracle(cluster),
                new AmplificationOracle(cluster),
                new ReplayOracle(cluster),
                new FencingOracle(cluster, coverage),
                new SealingOracle(cluster),
                new AckOracle(cluster),
                new ReceiptOracle(cluster),
                new CreditOracle(cluster),
                new DeadLetterOracle(cluster),
                LogOracle.ofTransports(cluster),
                new FaultOracle(cluster),
                new CiphertextOracle(cluster, regions.granted()),
                regions,
                new TokenOracle(cluster, regions.granted()),
                new PathLifeOracle(cluster, regions.granted()),
                new BoundsOracle(cluster),
                new TimerOracle(cluster),
                new ConfinementOracle(cluster),
                new RecoveryTimerOracle(cluster),
                new RepetitionOracle(cluster),
                new QuiescenceOracle(cluster),
                new CoverageOracle(cluster, coverage)));
    if (cluster.hasFabric()) {
      rules.add(new LandingOracle(cluster, regions.granted(), coverage));
      rules.add(new AnnouncementOracle(cluster, regions.granted()));
    }
    return of(rules);
  }

  /**
   * Returns more rules for the workloads of this project. A correct application may break these
   * rules: it may log errors, and call so often to no avail that its workers turn for nothing else.
   */
  public static Oracles ofOwnWorkloads(FullCluster cluster) {
    return of(List.of(LogOracle.ofAll(cluster), new LoopOracle(cluster)));
  }

  /** Returns the rules for runs in which nothing goes wrong. */
  public static Oracles clean(FullCluster cluster, Coverage coverage) {
    return of(List.of(standard(cluster, coverage), new CleanNetworkOracle(cluster)));
  }

  /** These rules, in this order. */
  public static Oracles of(List<Oracle> oracles) {
    return new Oracles(List.copyOf(oracles));
  }

  /** These rules and another rule. */
  public Oracles and(Oracle oracle) {
    List<Oracle> more = new ArrayList<>(all);
    more.add(oracle);
    return of(more);
  }

  /** The rules. */
  public List<Oracle> all() {
    return all;
  }

  @Override
  public void onStep() {
    for (StepOracle oracle : looking) {
      oracle.onStep();
    }
  }

  @Override
  public void onHealed() {
    all.forEach(Oracle::onHealed);
  }

  @Override
  public @Nullable String unfinished() {
    return first(Oracle::unfinished);
  }

  @Override
  public @Nullable String unclosed() {
    return first(Oracle::unclosed);
  }

  @Override
  public @Nullable String remains(NodeLife life) {
    return first(oracle -> oracle instanceof LifeOracle asked ? asked.remains(life) : null);
  }

  private @Nullable String first(Function<Oracle, @Nullable String> question) {
    for (Oracle oracle : all) {
      String left = question.apply(oracle);
      if (left != null) {
        return left;
      }
    }
    return null;
  }

  @Override
  public void onQuiescent() {
    all.forEach(Oracle::onQuiescent);
  }

  @Override
  public String name() {
    return "all rules";
  }
}
