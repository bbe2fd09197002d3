package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.drawn.Drawn;
import io.millrace.testkit.internal.drawn.FaultKind;
import io.millrace.testkit.internal.net.SimNic;
import io.millrace.testkit.internal.net.Verdict;
import io.millrace.testkit.sim.DamageSettings;
import io.millrace.testkit.sim.DelaySettings;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.Faults;
import io.millrace.testkit.sim.FrameMatch;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NicState;
import io.millrace.testkit.sim.PolicerSettings;
import io.millrace.testkit.sim.RateSettings;
import io.millrace.testkit.sim.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.agrona.collections.Int2IntCounterMap;
import org.agrona.collections.Object2IntCounterMap;

/** The faults of a run, including faults that wait for a frame. Simulation thread only. */
public final class PlannedFaults implements Faults {
  private static final double NS_PER_MS = 1e6;

  private final FullRun run;
  private final Plan plan;
  private final LinkOverlays links;
  private final List<Runnable> active = new ArrayList<>();
  private boolean isHealed;
  private long fired;
  private final Object2IntCounterMap<SimNic> deadNics = new Object2IntCounterMap<>(0);
  private final Int2IntCounterMap unregistering = new Int2IntCounterMap(0);
  private final Disturbances disturbances = new Disturbances();
  private final DirectedFaults directed;
  private int swizzles;

  PlannedFaults(FullRun run, Plan plan) {
    this.run = run;
    this.plan = plan;
    directed = new DirectedFaults(this, plan);
    links = new LinkOverlays(run.cluster().network());
  }

  @Override
  public long fired() {
    return fired;
  }

  @Override
  public boolean isDisturbed(int node, int other, long sinceNs) {
    return disturbances.isBetween(node, other, sinceNs);
  }

  /**
   * Returns the planned faults whose frame has not come yet. Faults left out of a run do not wait.
   */
  public List<PlannedEvent> unmet() {
    return directed.unmet();
  }

  @Override
  public void requireMet() {
    List<PlannedEvent> unmet = unmet();
    if (!unmet.isEmpty()) {
      run.fail("directed faults meet their frames", "never met: " + unmet);
    }
  }

  boolean isHealed() {
    return isHealed;
  }

  /** Records a fault of a datagram between these nodes. */
  void onDirected(int from, int to, Verdict verdict, FaultKind kind) {
    fired++;
    note(kind, 0);
    long laterNs =
        switch (verdict) {
          case Verdict.Delay late -> late.delayNs();
          case Verdict.Again again -> again.laterNs();
          default -> 0;
        };
    disturbances.link(from, to, endNs(laterNs));
  }

  @Override
  public void drop(FrameMatch match) {
    direct(match, Verdict.DROP, " is lost");
  }

  @Override
  public void duplicate(FrameMatch match) {
    direct(match, Verdict.DUPLICATE, " comes twice");
  }

  @Override
  public void delay(FrameMatch match, long laterNs) {
    direct(match, Verdict.delay(laterNs), " comes " + ms(laterNs) + " late");
  }

  @Override
  public void replay(FrameMatch match, long laterNs) {
    direct(match, Verdict.again(laterNs), " comes again " + ms(laterNs) + " later");
  }

  @Override
  public void withhold(FrameMatch match, long laterNs) {
    direct(match, Verdict.delay(laterNs), laterNs, " is withheld for " + ms(laterNs));
  }

  @Override
  public void corrupt(FrameMatch match) {
    direct(match, Verdict.CORRUPT, " is damaged");
  }

  private void direct(FrameMatch match, Verdict verdict, String words) {
    direct(match, verdict, 0, words);
  }

  private void direct(FrameMatch match, Verdict verdict, long withheldNs, String words) {
    boolean isFirst = directed.isEmpty();
    directed.add(match, verdict, withheldNs, words);
    if (isFirst && !directed.isEmpty()) {
      run.cluster().noteFrames();
      run.cluster().network().plan(directed);
    }
  }

  @Override
  public void crash(long atNs, int node, long downNs) {
    schedule(
        atNs,
        downNs,
        "n" + node + " crashes and is down for " + ms(downNs),
        () -> {
          note(FaultKind.CRASH, downNs);
          disturbances.node(node, endNs(downNs));
          run.crash(node);
        },
        () -> run.boot(node));
  }

  @Override
  public void stop(long atNs, int node, long downNs) {
    schedule(
        atNs,
        downNs,
        "n" + node + " is stopped in order and down for " + ms(downNs),
        () -> {
          note(FaultKind.STOP, downNs);
          disturbances.node(node, endNs(downNs));
          run.stop(node);
          disturbances.node(node, endNs(downNs));
        },
        () -> run.boot(node));
  }

  @Override
  public void pause(long atNs, int node, long forNs) {
    schedule(
        atNs,
        0,
        "n" + node + " stands still for " + ms(forNs),
        () -> {
          note(FaultKind.PAUSE, forNs);
          disturbances.node(node, endNs(forNs));
          run.cluster().node(node).pause(forNs);
        },
        () -> {});
  }

  @Override
  public void cut(long atNs, int from, int to, long forNs) {
    schedule(
        atNs,
        forNs,
        "nothing passes from n" + from + " to n" + to + " for " + ms(forNs),
        () -> {
          note(FaultKind.CUT, forNs);
          disturbances.link(from, to, endNs(forNs));
          links.cut(from, to);
        },
        () -> links.uncut(from, to));
  }

  @Override
  public void cutBoth(long atNs, int one, int other, long forNs) {
    schedule(
        atNs,
        forNs,
        "nothing passes between n" + one + " and n" + other + " for " + ms(forNs),
        () -> {
          note(FaultKind.CUT_BOTH, forNs);
          disturbances.link(one, other, endNs(forNs));
          links.cut(one, other);
          links.cut(other, one);
        },
        () -> {
          links.uncut(one, other);
          links.uncut(other, one);
        });
  }

  @Override
  public void clog(long atNs, int from, int to, long forNs) {
    schedule(
        atNs,
        0,
        "the link from n" + from + " to n" + to + " is clogged for " + ms(forNs),
        () -> {
          note(FaultKind.CLOG, forNs);
          disturbances.link(from, to, endNs(forNs));
          run.cluster().network().link(from, to).clog(atNs + forNs);
        },
        () -> {});
  }

  @Override
  public void swizzleClog(long atNs, long forNs) {
    int swizzle = swizzles++;
    schedule(
        atNs,
        0,
        "half of the nodes are clogged one by one within " + ms(forNs),
        () -> swizzle(swizzle, atNs, forNs),
        () -> {});
  }

  private void swizzle(int swizzle, long atNs, long forNs) {
    note(FaultKind.SWIZZLE, forNs);
    Draws draws = run.simulation().draws("plan.swizzle");
    VirtualTime time = run.simulation().newTime("plan.swizzle", swizzle);
    long halfNs = forNs / 2;
    for (int node = 0; node < run.cluster().nodes().size(); node++) {
      long entity = (long) swizzle << Integer.SIZE | node;
      if (draws.below(entity, 0, 2) == 0) {
        long fromNs = atNs + draws.below(entity, 1, halfNs);
        long untilNs = atNs + halfNs + draws.below(entity, 2, halfNs);
        int clogged = node;
        time.at(fromNs, () -> clogAll(clogged, untilNs));
      }
    }
  }

  private void clogAll(int node, long untilNs) {
    for (int other = 0; other < run.cluster().nodes().size() && !isHealed; other++) {
      if (other != node) {
        disturbances.link(node, other, untilNs);
        run.cluster().network().link(node, other).clog(untilNs);
        run.cluster().network().link(other, node).clog(untilNs);
      }
    }
  }

  @Override
  public void loss(long atNs, int from, int to, LossSettings loss, long forNs) {
    change(FaultKind.LOSS, atNs, from, to, forNs, loss.toString(), link -> link.withLoss(loss));
  }

  @Override
  public void damage(long atNs, int from, int to, DamageSettings damage, long forNs) {
    if (damage.duplicatePpm() > 0 || damage.reorderPpm() > 0) {
      refuseOnFabric("brings nothing twice, and FabricSettings say what is overtaken");
    }
    change(
        FaultKind.DAMAGE,
        atNs,
        from,
        to,
        forNs,
        damage.toString(),
        link -> link.withDamage(damage));
  }

  @Override
  public void rate(long atNs, int from, int to, RateSettings rate, long forNs) {
    change(FaultKind.RATE, atNs, from, to, forNs, rate.toString(), link -> link.withRate(rate));
  }

  @Override
  public void mtu(long atNs, int from, int to, int bytes, boolean isTold, long forNs) {
    refuseOnFabric("cuts what is too long for a link itself");
    String words = "an MTU of " + bytes + (isTold ? ", with reports to senders," : "");
    change(FaultKind.MTU, atNs, from, to, forNs, words, link -> link.withMtu(bytes, isTold));
  }

  @Override
  public void policer(long atNs, int from, int to, PolicerSettings policer, long forNs) {
    refuseOnFabric("has no policers");
    change(
        FaultKind.POLICER,
        atNs,
        from,
        to,
        forNs,
        policer.toString(),
        link -> link.withPolicer(policer));
  }

  @Override
  public void delay(long atNs, int from, int to, DelaySettings delay, long forNs) {
    change(FaultKind.DELAY, atNs, from, to, forNs, delay.toString(), link -> link.withDelay(delay));
  }

  private void change(
      FaultKind kind,
      long atNs,
      int from,
      int to,
      long forNs,
      String what,
      UnaryOperator<LinkSettings> change) {
    schedule(
        atNs,
        forNs,
        "the link from n" + from + " to n" + to + " has " + what + " for " + ms(forNs),
        () -> {
          note(kind, forNs);
          disturbances.link(from, to, endNs(forNs));
          links.change(from, to, change);
        },
        () -> links.undo(from, to, change));
  }

  @Override
  public void nicDown(long atNs, int node, NicState state, long forNs) {
    nicDown(atNs, node, 0, state, forNs);
  }

  @Override
  public void nicDown(long atNs, int node, int index, NicState state, long forNs) {
    SimNic nic = run.cluster().network().nic(node, index);
    schedule(
        atNs,
        forNs,
        "interface " + index + " of n" + node + " is " + state + " for " + ms(forNs),
        () -> {
          note(state == NicState.SILENT ? FaultKind.NIC_SILENT : FaultKind.NIC_DOWN, forNs);
          disturbances.node(node, endNs(forNs));
          deadNics.incrementAndGet(nic);
          nic.state(state);
        },
        () -> {
          if (deadNics.decrementAndGet(nic) == 0) {
            nic.state(NicState.UP);
          }
        });
  }

  @Override
  public void noRegistrations(long atNs, int node, long forNs) {
    if (!run.cluster().hasFabric()) {
      throw new IllegalArgumentException("without a fabric nobody registers memory");
    }
    run.cluster()
        .fabrics()
        .forEach(fabric -> fabric.registering(each -> unregistering.get((int) each) == 0));
    schedule(
        atNs,
        forNs,
        "n" + node + " can register no memory for " + ms(forNs),
        () -> {
          note(FaultKind.REGISTRATION, forNs);
          disturbances.node(node, endNs(forNs));
          unregistering.incrementAndGet(node);
        },
        () -> unregistering.decrementAndGet(node));
  }

  /** Refuses a fault on a fabric, where only the handshake would meet this fault. */
  private void refuseOnFabric(String why) {
    if (run.cluster().hasFabric()) {
      throw new IllegalArgumentException("a fabric " + why);
    }
  }

  @Override
  public void drift(long atNs, int node, long ppm) {
    schedule(
        atNs,
        0,
        "the clock of n" + node + " runs " + ppm + " ppm fast",
        () -> {
          note(FaultKind.DRIFT, Drawn.FOR_EVER_NS);
          run.cluster().node(node).clock().drift(ppm);
        },
        () -> {});
  }

  @Override
  public void setClock(long atNs, int node, long byNs) {
    schedule(
        atNs,
        0,
        "the wall clock of n" + node + " is set by " + ms(byNs),
        () -> {
          note(FaultKind.CLOCK, 0);
          run.cluster().node(node).clock().step(byNs);
        },
        () -> {});
  }

  @Override
  public void plan(long atNs, long forNs, String words, Runnable begin, Runnable end) {
    schedule(
        atNs,
        forNs,
        words,
        () -> {
          note(FaultKind.OWN, forNs);
          disturbances.all(forNs == 0 ? Long.MAX_VALUE : endNs(forNs));
          begin.run();
        },
        end);
  }

  private void note(FaultKind kind, long forNs) {
    run.coverage().drawn().fault(kind, run.simulation().nowNs(), forNs);
  }

  private void schedule(long atNs, long forNs, String words, Runnable begin, Runnable end) {
    plan.fault(atNs, words, time -> begin(time, forNs, begin, end));
  }

  private void begin(VirtualTime time, long forNs, Runnable begin, Runnable end) {
    if (isHealed) {
      return;
    }
    fired++;
    begin.run();
    if (forNs > 0) {
      active.add(end);
      time.at(
          time.nowNs() + forNs,
          () -> {
            if (active.remove(end)) {
              end.run();
            }
          });
    }
  }

  /** Records that a node does not come back with the other nodes. */
  void onLost(int node) {
    disturbances.node(node, Long.MAX_VALUE);
    run.cluster().network().nics(node).forEach(nic -> nic.state(NicState.SILENT));
  }

  /** Brings back the lost nodes. */
  void onRecovered() {
    disturbances.end(run.simulation().nowNs());
  }

  private long endNs(long durationNs) {
    return run.simulation().nowNs() + durationNs;
  }

  /** Ends all faults; no fault begins any more. */
  void heal() {
    isHealed = true;
    disturbances.end(run.simulation().nowNs());
    List<Runnable> ending = List.copyOf(active);
    active.clear();
    ending.forEach(Runnable::run);
  }

  private static String ms(long ns) {
    return String.format(Locale.ROOT, "%.3f ms", ns / NS_PER_MS);
  }
}
