package io.millrace.testkit.sim.scenario;

import io.millrace.testkit.sim.core.Draws;
import io.millrace.testkit.sim.core.VirtualTime;
import io.millrace.testkit.sim.net.DamageSettings;
import io.millrace.testkit.sim.net.DelaySettings;
import io.millrace.testkit.sim.net.LinkSettings;
import io.millrace.testkit.sim.net.LossSettings;
import io.millrace.testkit.sim.net.PolicerSettings;
import io.millrace.testkit.sim.net.RateSettings;
import io.millrace.testkit.sim.net.SimNic;
import io.millrace.testkit.sim.net.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.agrona.collections.Int2IntCounterMap;
import org.agrona.collections.Object2IntCounterMap;

/**
 * Plans faults of a run. Times are virtual ns since the start of the run, durations ns; a fault
 * ends by itself after its duration, or when the run is healed. Each planned fault has a number and
 * can be left out of a run without changing the others. Simulation thread only.
 */
public final class Faults {
  private static final double NS_PER_MS = 1e6;

  private final SimRun run;
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

  Faults(SimRun run, Plan plan) {
    this.run = run;
    this.plan = plan;
    directed = new DirectedFaults(this, plan);
    links = new LinkOverlays(run.cluster().network());
  }

  /** Faults that have happened so far. */
  public long fired() {
    return fired;
  }

  /**
   * Whether a fault that can cost a call its outcome touched one of these nodes or what passes
   * between them at {@code sinceNs} or later: clocks cannot, and of a fault that is not one of this
   * class nobody knows what it touches, and for how long.
   */
  public boolean isDisturbed(int node, int other, long sinceNs) {
    return disturbances.isBetween(node, other, sinceNs);
  }

  /**
   * Planned faults that wait for a frame that has not come yet. Those that are left out of a run do
   * not wait.
   */
  public List<PlannedEvent> unmet() {
    return directed.unmet();
  }

  /** Breaks the rule "directed faults meet their frames" if one still waits. */
  public void requireMet() {
    List<PlannedEvent> unmet = unmet();
    if (!unmet.isEmpty()) {
      run.fail("directed faults meet their frames", "never met: " + unmet);
    }
  }

  boolean isHealed() {
    return isHealed;
  }

  /** A fault happens to a datagram between these nodes. */
  void onDirected(int from, int to, Verdict verdict) {
    fired++;
    disturbances.link(from, to, endNs(verdict instanceof Verdict.Delay late ? late.delayNs() : 0));
  }

  /** Datagrams with this frame are lost; messages of a fabric for good. */
  public void drop(FrameMatch match) {
    direct(match, Verdict.DROP, " is lost");
  }

  /** Datagrams with this frame arrive twice; the hardware of a fabric hides that. */
  public void duplicate(FrameMatch match) {
    direct(match, Verdict.DUPLICATE, " comes twice");
  }

  /** Datagrams with this frame come later than they would, overtaken by others. */
  public void delay(FrameMatch match, long laterNs) {
    direct(match, Verdict.delay(laterNs), " comes " + ms(laterNs) + " late");
  }

  /** Datagrams with this frame are damaged; the hardware of a fabric sends messages again. */
  public void corrupt(FrameMatch match) {
    direct(match, Verdict.CORRUPT, " is damaged");
  }

  private void direct(FrameMatch match, Verdict verdict, String words) {
    boolean isFirst = directed.isEmpty();
    directed.add(match, verdict, words);
    if (isFirst && !directed.isEmpty()) {
      run.cluster().noteFrames();
      run.cluster().network().plan(directed);
    }
  }

  /** The process of a node is lost and, after a while, started again. */
  public void crash(long atNs, int node, long downNs) {
    schedule(
        atNs,
        downNs,
        "n" + node + " crashes and is down for " + ms(downNs),
        () -> {
          disturbances.node(node, endNs(downNs));
          run.crash(node);
        },
        () -> run.boot(node));
  }

  /** A node is stopped in order and, after a while, started again. */
  public void stop(long atNs, int node, long downNs) {
    schedule(
        atNs,
        downNs,
        "n" + node + " is stopped in order and down for " + ms(downNs),
        () -> {
          disturbances.node(node, endNs(downNs));
          run.stop(node);
          disturbances.node(node, endNs(downNs));
        },
        () -> run.boot(node));
  }

  /** A node stands still. */
  public void pause(long atNs, int node, long forNs) {
    schedule(
        atNs,
        0,
        "n" + node + " stands still for " + ms(forNs),
        () -> {
          disturbances.node(node, endNs(forNs));
          run.cluster().node(node).pause(forNs);
        },
        () -> {});
  }

  /** Nothing passes from one node to the other; the other way stays open. */
  public void cut(long atNs, int from, int to, long forNs) {
    schedule(
        atNs,
        forNs,
        "nothing passes from n" + from + " to n" + to + " for " + ms(forNs),
        () -> {
          disturbances.link(from, to, endNs(forNs));
          links.cut(from, to);
        },
        () -> links.uncut(from, to));
  }

  /** Nothing passes between two nodes, either way. */
  public void cutBoth(long atNs, int one, int other, long forNs) {
    schedule(
        atNs,
        forNs,
        "nothing passes between n" + one + " and n" + other + " for " + ms(forNs),
        () -> {
          disturbances.link(one, other, endNs(forNs));
          links.cut(one, other);
          links.cut(other, one);
        },
        () -> {
          links.uncut(one, other);
          links.uncut(other, one);
        });
  }

  /** What arrives over a link is held back until the end, and then arrives at once. */
  public void clog(long atNs, int from, int to, long forNs) {
    schedule(
        atNs,
        0,
        "the link from n" + from + " to n" + to + " is clogged for " + ms(forNs),
        () -> {
          disturbances.link(from, to, endNs(forNs));
          run.cluster().network().link(from, to).clog(atNs + forNs);
        },
        () -> {});
  }

  /** A half of the nodes are clogged one by one, and unclogged in another order. */
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

  /** A link loses datagrams, in addition to what the network does anyway. */
  public void loss(long atNs, int from, int to, LossSettings loss, long forNs) {
    change(atNs, from, to, forNs, loss.toString(), link -> link.withLoss(loss));
  }

  /**
   * A link damages datagrams. On a fabric what is cut short is sent again, and wrong bits meet the
   * pieces of writes.
   *
   * @throws IllegalArgumentException on a fabric if datagrams are to come twice or late
   */
  public void damage(long atNs, int from, int to, DamageSettings damage, long forNs) {
    if (damage.duplicatePpm() > 0 || damage.reorderPpm() > 0) {
      refuseOnFabric("brings nothing twice, and FabricSettings say what is overtaken");
    }
    change(atNs, from, to, forNs, damage.toString(), link -> link.withDamage(damage));
  }

  /** A link becomes slower, or faster. On a fabric senders wait, and no queue drops anything. */
  public void rate(long atNs, int from, int to, RateSettings rate, long forNs) {
    change(atNs, from, to, forNs, rate.toString(), link -> link.withRate(rate));
  }

  /**
   * A link passes no longer datagrams.
   *
   * @param isTold the sender of a longer one is told (ICMP); otherwise it vanishes
   * @throws IllegalArgumentException on a fabric
   */
  public void mtu(long atNs, int from, int to, int bytes, boolean isTold, long forNs) {
    refuseOnFabric("cuts what is too long for a link itself");
    String words = "an MTU of " + bytes + (isTold ? ", of which senders are told," : "");
    change(atNs, from, to, forNs, words, link -> link.withMtu(bytes, isTold));
  }

  /**
   * A link drops what a flow sends above a rate.
   *
   * @throws IllegalArgumentException on a fabric
   */
  public void policer(long atNs, int from, int to, PolicerSettings policer, long forNs) {
    refuseOnFabric("has no policers");
    change(atNs, from, to, forNs, policer.toString(), link -> link.withPolicer(policer));
  }

  /** Datagrams of a link travel longer, or shorter. */
  public void delay(long atNs, int from, int to, DelaySettings delay, long forNs) {
    change(atNs, from, to, forNs, delay.toString(), link -> link.withDelay(delay));
  }

  private void change(
      long atNs, int from, int to, long forNs, String what, UnaryOperator<LinkSettings> change) {
    schedule(
        atNs,
        forNs,
        "the link from n" + from + " to n" + to + " has " + what + " for " + ms(forNs),
        () -> {
          disturbances.link(from, to, endNs(forNs));
          links.change(from, to, change);
        },
        () -> links.undo(from, to, change));
  }

  /** The first interface of a node dies, and lives again. */
  public void nicDown(long atNs, int node, SimNic.State state, long forNs) {
    nicDown(atNs, node, 0, state, forNs);
  }

  /**
   * An interface of a node dies, and lives again; its others go on.
   *
   * @param index of the interface, from 0 on
   */
  public void nicDown(long atNs, int node, int index, SimNic.State state, long forNs) {
    SimNic nic = run.cluster().network().nic(node, index);
    schedule(
        atNs,
        forNs,
        "interface " + index + " of n" + node + " is " + state + " for " + ms(forNs),
        () -> {
          disturbances.node(node, endNs(forNs));
          deadNics.incrementAndGet(nic);
          nic.state(state);
        },
        () -> {
          if (deadNics.decrementAndGet(nic) == 0) {
            nic.state(SimNic.State.UP);
          }
        });
  }

  /**
   * The system lets a node register no memory; what is registered stays.
   *
   * @throws IllegalArgumentException if nodes send datagrams
   */
  public void noRegistrations(long atNs, int node, long forNs) {
    if (!run.cluster().hasFabric()) {
      throw new IllegalArgumentException("without a fabric nobody registers memory");
    }
    run.cluster().fabric().registering(each -> unregistering.get((int) each) == 0);
    schedule(
        atNs,
        forNs,
        "n" + node + " can register no memory for " + ms(forNs),
        () -> {
          disturbances.node(node, endNs(forNs));
          unregistering.incrementAndGet(node);
        },
        () -> unregistering.decrementAndGet(node));
  }

  /** Only the handshake would meet it. */
  private void refuseOnFabric(String why) {
    if (run.cluster().hasFabric()) {
      throw new IllegalArgumentException("a fabric " + why);
    }
  }

  /** The clock of a node runs faster, or slower where negative, until the end of the run. */
  public void drift(long atNs, int node, long ppm) {
    schedule(
        atNs,
        0,
        "the clock of n" + node + " runs " + ppm + " ppm fast",
        () -> run.cluster().node(node).clock().drift(ppm),
        () -> {});
  }

  /** An operator sets the wall clock of a node. */
  public void setClock(long atNs, int node, long byNs) {
    schedule(
        atNs,
        0,
        "the wall clock of n" + node + " is set by " + ms(byNs),
        () -> run.cluster().node(node).clock().step(byNs),
        () -> {});
  }

  /**
   * Any other fault.
   *
   * @param words what it is, for people
   * @param begin runs at {@code atNs}
   * @param end runs once, after {@code forNs} or when the run is healed; where that is 0, never
   */
  public void plan(long atNs, long forNs, String words, Runnable begin, Runnable end) {
    schedule(
        atNs,
        forNs,
        words,
        () -> {
          disturbances.all(forNs == 0 ? Long.MAX_VALUE : endNs(forNs));
          begin.run();
        },
        end);
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

  /** A node does not come back with the others. */
  void onLost(int node) {
    disturbances.node(node, Long.MAX_VALUE);
    run.cluster().network().nics(node).forEach(nic -> nic.state(SimNic.State.SILENT));
  }

  /** Those that were lost come back. */
  void onRecovered() {
    disturbances.end(run.simulation().nowNs());
  }

  private long endNs(long durationNs) {
    return run.simulation().nowNs() + durationNs;
  }

  /** Ends all faults; none begins any more. */
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
