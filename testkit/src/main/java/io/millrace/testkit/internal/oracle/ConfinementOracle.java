package io.millrace.testkit.internal.oracle;

import io.millrace.loop.EventLoop;
import io.millrace.protocol.schedule.TimingWheel;
import io.millrace.testkit.internal.core.Occupant;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.CipherObserver;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.KeyInUse;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.testkit.internal.node.TimerObserver;
import io.millrace.testkit.sim.Oracle;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The state of a worker is touched in this worker's turns only. The state seen here is the worker's
 * wheel, whenever a timer is set, ended or fires, and the keys of its paths, whenever a packet is
 * sealed or opened. A caller from another lane, of the application for example, reaches a wheel or
 * a key sooner or later; earlier changes to the path's state are not seen. Records are sealed and
 * opened by code of their own node, on any of its lanes.
 */
public final class ConfinementOracle implements Oracle, TimerObserver, CipherObserver {
  private static final String NAME = "confinement";

  private final Simulation simulation;

  /** The owner of a wheel or a key: the loop that touched the object first; looked up only. */
  private final IdentityHashMap<Object, EventLoop> owners = new IdentityHashMap<>();

  private long looked;

  /** Watches the workers of a cluster before the first node boots. */
  public ConfinementOracle(FullCluster cluster) {
    simulation = cluster.simulation();
    cluster.observeTimers(this);
    cluster.observeCiphers(this);
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Returns the number of checks. */
  public long looked() {
    return looked;
  }

  @Override
  public void onWheelTouched(NodeLife life, TimingWheel wheel) {
    check(life, wheel, "the timers of a worker");
  }

  @Override
  public void onPacketSealed(PlainPacket packet) {
    check(packet.key().life(), packet.key(), "keys of a path that seals");
  }

  @Override
  public void onPacketOpened(PlainPacket packet) {
    check(packet.key().life(), packet.key(), "keys of a path that opens");
  }

  @Override
  public void onRecordSealed(KeyInUse key, long nonce) {
    requireOwnNode(key.life(), "keys of records that are sealed");
  }

  @Override
  public void onRecordOpened(KeyInUse key, long nonce) {
    requireOwnNode(key.life(), "keys of records that are opened");
  }

  private void check(NodeLife life, Object owned, String words) {
    if (!requireOwnNode(life, words)) {
      return;
    }
    EventLoop loop = SimThread.current().eventLoop();
    if (loop == null) {
      fail(life, words, "outside of the turns of workers");
      return;
    }
    EventLoop owner = owners.putIfAbsent(owned, loop);
    if (owner != null && owner != loop) {
      fail(life, words, "in the turn of another worker");
    }
  }

  private boolean requireOwnNode(NodeLife life, String words) {
    looked++;
    @Nullable Occupant running = SimThread.current().occupant();
    if (running == null || running.surroundings() != life.surroundings()) {
      fail(life, words, running == null ? "outside of all nodes" : "by another life of a node");
      return false;
    }
    return true;
  }

  private void fail(NodeLife life, String words, String where) {
    String what = Lives.text(life) + ": " + words + " are touched " + where;
    simulation.fail(NAME, what, new IllegalStateException(what));
  }
}
