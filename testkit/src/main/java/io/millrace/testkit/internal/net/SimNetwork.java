package io.millrace.testkit.internal.net;

import io.millrace.testkit.internal.base.SimAddress;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NicState;
import io.millrace.testkit.sim.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongHashSet;

/**
 * A network of simulated nodes: for each pair of interfaces a link in each direction, made when it
 * is first used, with the settings that hold then. Everything may change while it runs. Whatever
 * happens by chance is a function of the seed, the link and the ordinal of the datagram on it
 * ({@link io.millrace.testkit.sim.Draws}). Thread of the simulation.
 */
public final class SimNetwork implements AutoCloseable {
  private final NetworkRun run;
  private final LongFunction<VirtualTime> linkTimes;
  private final Long2ObjectHashMap<SimNic> nicsByKey = new Long2ObjectHashMap<>();
  private final List<SimNic> nics = new ArrayList<>();
  private final List<SimLink> links = new ArrayList<>();
  private final LongHashSet cutPairs = new LongHashSet();

  /** A network without nodes; they are there when they are first named. */
  public SimNetwork(VirtualTime time, long seed, NetworkSettings settings) {
    this(time, link -> time, seed, settings);
  }

  /**
   * The same, where each link has its events by itself.
   *
   * @param linkTimes asked once for each link, by its number ({@link SimLink#key()}): the same time
   */
  public SimNetwork(
      VirtualTime time, LongFunction<VirtualTime> linkTimes, long seed, NetworkSettings settings) {
    this.linkTimes = linkTimes;
    run = new NetworkRun(time, seed, settings);
  }

  /** An interface of a node. */
  public SimNic nic(int node, int nic) {
    long key = SimAddress.nicKey(node, nic);
    SimNic known = nicsByKey.get(key);
    if (known != null) {
      return known;
    }
    SimNic created = new SimNic(this, run, node, nic);
    nicsByKey.put(key, created);
    nics.add(created);
    return created;
  }

  /** The interfaces of a node that are known so far, the first one always; a copy. */
  public List<SimNic> nics(int node) {
    List<SimNic> of = new ArrayList<>(List.of(nic(node, 0)));
    nics.stream().filter(each -> each.node() == node && each.nic() != 0).forEach(of::add);
    return of;
  }

  /** The link between the first interfaces of two nodes. */
  public SimLink link(int fromNode, int toNode) {
    return link(nic(fromNode, 0), nic(toNode, 0));
  }

  /** The link between two interfaces. */
  public SimLink link(SimNic from, SimNic to) {
    return from.linkTo(to);
  }

  SimLink newLink(SimNic from, SimNic to) {
    VirtualTime time = linkTimes.apply(SimLink.key(from.key(), to.key()));
    SimLink link = new SimLink(run, time, from, to);
    if (cutPairs.contains(pair(from.node(), to.node()))) {
      link.cut();
    }
    links.add(link);
    return link;
  }

  /** Gives all links, present and future, these settings. */
  public void links(LinkSettings settings) {
    run.settings(run.settings().withLink(settings));
    for (SimLink link : links) {
      link.settings(settings);
    }
  }

  /** Nothing passes from one node to the other any more, by whichever interfaces. */
  public void cut(int fromNode, int toNode) {
    cutPairs.add(pair(fromNode, toNode));
    for (SimLink link : links) {
      if (link.sender().node() == fromNode && link.receiver().node() == toNode) {
        link.cut();
      }
    }
  }

  /** Everything passes from one node to the other again, by whichever interfaces. */
  public void heal(int fromNode, int toNode) {
    cutPairs.remove(pair(fromNode, toNode));
    for (SimLink link : links) {
      if (link.sender().node() == fromNode && link.receiver().node() == toNode) {
        link.heal();
      }
    }
  }

  /** Heals all links and interfaces; settings stay. */
  public void healAll() {
    cutPairs.clear();
    links.forEach(SimLink::heal);
    nics.forEach(nic -> nic.state(NicState.UP));
  }

  private static long pair(int fromNode, int toNode) {
    return (long) fromNode << Integer.SIZE | toNode;
  }

  /** The process of a node is gone at once, with its endpoints and what they have received. */
  public void crash(int node) {
    for (SimNic nic : nics) {
      if (nic.node() == node) {
        nic.detachAll();
      }
    }
  }

  /** Adds somebody who sees everything; they are called in the order in which they were added. */
  public void observe(NetworkObserver observer) {
    run.observers().add(observer);
  }

  /** Adds somebody who decides what happens to datagrams; asked in the order of adding. */
  public void monitor(PacketMonitor monitor) {
    run.monitors().add(monitor);
  }

  /**
   * Adds somebody whose faults were planned: asked before all monitors, of messages of a fabric
   * too, and whatever the filter of faults says, because plans are made smaller by themselves.
   */
  public void plan(PacketMonitor monitor) {
    run.plan(monitor);
  }

  /** What those want whose faults were planned, for what travels by other means. */
  public Verdict planned(PacketView packet) {
    return run.planned(packet);
  }

  /** Lets only some of the faults that the seed brings happen. */
  public void faults(FaultFilter filter) {
    run.faults().filter(filter);
  }

  /**
   * Whether a fault that the seed brings may happen to what travels on a link by other means than
   * datagrams; if so it counts among those that happened.
   *
   * @param ordinal negative, to differ from those of datagrams
   */
  public boolean fires(SimLink link, long ordinal, FaultKind kind) {
    return run.faults().fires(link.key(), ordinal, kind);
  }

  /** The faults that happened, in order; a copy. */
  public List<FiredFault> firedFaults() {
    return run.faults().fired();
  }

  /** What happened so far; the same object always. */
  public NetworkCounters counters() {
    return run.counters();
  }

  /** What senders know about packets that are sealed. */
  public PacketNotes notes() {
    return run.notes();
  }

  /** Buffers that endpoints have taken and not given back, of 64 KiB each. */
  public int buffersInUse() {
    return run.blocks().inUse();
  }

  NetworkRun run() {
    return run;
  }

  /** Frees native memory: no endpoint and no buffer may be touched any more. */
  @Override
  public void close() {
    nics.forEach(SimNic::detachAll);
    run.blocks().close();
  }
}
