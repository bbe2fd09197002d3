package io.millrace.testkit.sim;

import java.util.List;

/**
 * Plans random faults for a run. Each kind of fault is absent from half of the seeds, so that no
 * kind always hides the failures of another kind. Simulation thread only; ns.
 */
public final class FaultSchedule {
  private static final long US = 1_000;
  private static final long MS = 1_000_000;
  private static final int MOST_OF_A_KIND = 3;
  private static final int MOST_FLAPS = 6;
  private static final long LONGEST_NS = 2_000 * MS;

  /** The draws of a single fault. */
  private final class One {
    private final Draws draws;
    private final int index;
    private int ordinal;

    private One(Draws draws, int index) {
      this.draws = draws;
      this.index = index;
    }

    private long below(long bound) {
      return draws.below(index, ordinal++, bound);
    }

    private long between(long low, long high) {
      return draws.between(index, ordinal++, low, high);
    }

    private int node() {
      return (int) below(run.nodes());
    }

    private int other(int node) {
      return (int) ((node + 1 + below(run.nodes() - 1)) % run.nodes());
    }

    private long durationNs() {
      long meanNs = between(MS, spanNs / 2);
      return Math.clamp(draws.exponentialNs(index, ordinal++, meanNs), 10 * US, LONGEST_NS);
    }
  }

  @FunctionalInterface
  private interface Kind {
    void plan(One one, long atNs);
  }

  private final SimRun run;
  private final Faults faults;
  private final long spanNs;

  /**
   * Creates a schedule without faults.
   *
   * @param spanNs time from the start of the run within which faults begin
   */
  public FaultSchedule(SimRun run, long spanNs) {
    this.run = run;
    this.faults = run.faults();
    this.spanNs = spanNs;
  }

  /** Plans crashes of nodes with restarts. */
  public FaultSchedule crashes() {
    return plan("crash", (one, atNs) -> faults.crash(atNs, one.node(), one.durationNs()));
  }

  /** Plans stops of nodes in order, with a new start later. */
  public FaultSchedule stops() {
    return plan("stop", (one, atNs) -> faults.stop(atNs, one.node(), one.durationNs()));
  }

  /** Plans pauses: nodes stand still. */
  public FaultSchedule pauses() {
    return plan("pause", (one, atNs) -> faults.pause(atNs, one.node(), one.durationNs()));
  }

  /** Plans partitions, one way and both ways, clogged links and dead interfaces. */
  public FaultSchedule partitions() {
    return plan("cut", this::cut)
        .plan("cut-both", this::cutBoth)
        .plan("clog", this::clog)
        .plan("swizzle", (one, atNs) -> faults.swizzleClog(atNs, one.durationNs()))
        .plan("nic", this::nic)
        .plan("nic-flaps", this::nicFlaps)
        .plan("nics", this::allNics);
  }

  /** Plans links with more loss, damage or delay, or a lower rate, for a while. */
  public FaultSchedule links() {
    return plan("loss", this::loss)
        .plan("damage", this::damage)
        .plan("rate", this::rate)
        .plan("delay", this::delay);
  }

  /**
   * Plans tighter limits of links for a while: shorter datagrams, or fewer bytes of each flow. A
   * fabric has no such links.
   */
  public FaultSchedule limits() {
    return isFabric() ? this : plan("mtu", this::mtu).plan("policer", this::policer);
  }

  /** Plans nodes that can register no memory for a while, on a fabric. */
  public FaultSchedule registrations() {
    return isFabric()
        ? plan(
            "registration",
            (one, atNs) -> faults.noRegistrations(atNs, one.node(), one.durationNs()))
        : this;
  }

  private boolean isFabric() {
    return run.cluster().hasFabric();
  }

  /**
   * Plans single datagrams, chosen by frame, that are lost, damaged, late or twice there. Openings
   * of transfers may be very late.
   */
  public FaultSchedule frames() {
    return plan("frame", this::frame).plan("captured", this::captured);
  }

  /**
   * Plans faults that change only the times of events: longer delays, overtaking and repetition on
   * links for a while, and clocks. No call may end otherwise because of such a fault.
   */
  public FaultSchedule timing() {
    return plan("repeat", this::repeat).plan("delay", this::delay).clocks();
  }

  /** Plans clocks that run wrong or jump. */
  public FaultSchedule clocks() {
    return plan("drift", (one, atNs) -> faults.drift(atNs, one.node(), one.between(-500, 500)))
        .plan(
            "clock",
            (one, atNs) ->
                faults.setClock(atNs, one.node(), one.between(-3_600_000, 3_600_000) * MS));
  }

  /** Plans faults of every kind. */
  public FaultSchedule all() {
    return crashes()
        .pauses()
        .partitions()
        .links()
        .clocks()
        .stops()
        .limits()
        .frames()
        .registrations();
  }

  private FaultSchedule plan(String name, Kind kind) {
    if (run.swarm().has("fault." + name) && run.nodes() > 1) {
      Draws draws = run.swarm().draws("fault." + name);
      long count = draws.between(-1, 0, 1, MOST_OF_A_KIND);
      for (int i = 0; i < count; i++) {
        One one = new One(draws, i);
        kind.plan(one, one.below(spanNs));
      }
    }
    return this;
  }

  private void cut(One one, long atNs) {
    int from = one.node();
    faults.cut(atNs, from, one.other(from), one.durationNs());
  }

  private void cutBoth(One one, long atNs) {
    int node = one.node();
    faults.cutBoth(atNs, node, one.other(node), one.durationNs());
  }

  private void clog(One one, long atNs) {
    int from = one.node();
    faults.clog(atNs, from, one.other(from), one.durationNs());
  }

  private void nic(One one, long atNs) {
    NicState state = one.below(2) == 0 ? NicState.SILENT : NicState.DOWN;
    int node = one.node();
    long forNs = one.durationNs();
    List<Integer> nics = run.cluster().nics(node);
    faults.nicDown(atNs, node, nics.get((int) one.below(nics.size())), state, forNs);
  }

  /** Plans an interface that goes down and comes back several times. */
  private void nicFlaps(One one, long atNs) {
    NicState state = one.below(2) == 0 ? NicState.SILENT : NicState.DOWN;
    int node = one.node();
    List<Integer> nics = run.cluster().nics(node);
    int nic = nics.get((int) one.below(nics.size()));
    long times = one.between(2, MOST_FLAPS);
    long nextNs = atNs;
    for (int i = 0; i < times; i++) {
      long forNs = one.durationNs() / times;
      faults.nicDown(nextNs, node, nic, state, forNs);
      nextNs += forNs + one.durationNs() / times;
    }
  }

  /**
   * Plans the loss of all interfaces of a node in turn; the interfaces come back in another order.
   */
  private void allNics(One one, long atNs) {
    int node = one.node();
    long togetherNs = one.durationNs();
    for (int nic : run.cluster().nics(node)) {
      NicState state = one.below(2) == 0 ? NicState.SILENT : NicState.DOWN;
      long fromNs = one.below(togetherNs);
      faults.nicDown(atNs + fromNs, node, nic, state, togetherNs - fromNs + one.below(togetherNs));
    }
  }

  private void loss(One one, long atNs) {
    int from = one.node();
    LossSettings loss =
        one.below(2) == 0
            ? LossSettings.random((int) one.between(10_000, 600_000))
            : new LossSettings(0, (int) one.between(1_000, 50_000), (int) one.between(2, 50));
    faults.loss(atNs, from, one.other(from), loss, one.durationNs());
  }

  private void damage(One one, long atNs) {
    int from = one.node();
    DamageSettings damage =
        new DamageSettings(
            (int) one.below(300_000),
            (int) one.below(300_000),
            one.between(10 * US, 100 * MS),
            (int) one.below(100_000),
            (int) one.below(100_000));
    faults.damage(atNs, from, one.other(from), possible(damage), one.durationNs());
  }

  private void repeat(One one, long atNs) {
    int from = one.node();
    DamageSettings damage =
        new DamageSettings(
            (int) one.below(300_000),
            (int) one.below(300_000),
            one.between(10 * US, 50 * MS),
            0,
            0);
    faults.damage(atNs, from, one.other(from), possible(damage), one.durationNs());
  }

  /**
   * Leaves out repetition and overtaking on a fabric: a fabric delivers nothing twice, and
   * overtakes by itself.
   */
  private DamageSettings possible(DamageSettings drawn) {
    return isFabric()
        ? new DamageSettings(0, 0, 0, drawn.corruptPpm(), drawn.truncatePpm())
        : drawn;
  }

  private void rate(One one, long atNs) {
    int from = one.node();
    RateSettings rate =
        RateSettings.of(one.between(1_000_000, 50_000_000), (int) one.between(16_000, 500_000));
    faults.rate(atNs, from, one.other(from), rate, one.durationNs());
  }

  private void mtu(One one, long atNs) {
    int from = one.node();
    int bytes = (int) one.between(1_280, 9_000);
    faults.mtu(atNs, from, one.other(from), bytes, one.below(2) == 0, one.durationNs());
  }

  private void policer(One one, long atNs) {
    int from = one.node();
    PolicerSettings policer =
        new PolicerSettings(one.between(2_000_000, 50_000_000), one.between(32_000, 500_000));
    faults.policer(atNs, from, one.other(from), policer, one.durationNs());
  }

  /** Plans a fault for a frame; the fault happens when the frame comes. */
  private void frame(One one, long atNs) {
    int from = one.node();
    FrameType[] frames = FrameType.values();
    FrameMatch match =
        FrameMatch.of(frames[(int) one.below(frames.length)])
            .on(from, one.other(from))
            .nth((int) one.between(1, 6));
    switch ((int) one.below(4)) {
      case 0 -> faults.drop(match);
      case 1 -> faults.duplicate(match);
      case 2 -> faults.corrupt(match);
      default -> faults.delay(match, one.between(10 * US, 100 * MS));
    }
  }

  /**
   * Delays or repeats openings of transfers until the receiver can no longer tell whether the
   * transfer has come before.
   */
  private void captured(One one, long atNs) {
    int from = one.node();
    FrameMatch match =
        FrameMatch.of(one.below(2) == 0 ? FrameType.INLINE_REQUEST : FrameType.WRITE_NOTIFY)
            .on(from, one.other(from))
            .nth((int) one.between(1, 8));
    long laterNs = one.between(50 * MS, LONGEST_NS);
    if (one.below(2) == 0) {
      faults.withhold(match, laterNs);
    } else {
      faults.replay(match, laterNs);
    }
  }

  private void delay(One one, long atNs) {
    int from = one.node();
    DelaySettings delay = new DelaySettings(one.between(MS, 60 * MS), one.below(MS), 0, 0, true);
    faults.delay(atNs, from, one.other(from), delay, one.durationNs());
  }
}
