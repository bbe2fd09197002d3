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
 * A network of simulated nodes. Each pair of interfaces has a link in each direction, made at its
 * first use, with the settings of this moment. Everything may change during the run. Each random
 * event is a function of the seed, the link and the ordinal of the datagram on this link ({@link
 * io.millrace.testkit.sim.Draws}). Thread of the simulation.
 */
public final class SimNetwork implements AutoCloseable {
  private final NetworkRun run;
  private final LongFunction<VirtualTime> linkTimes;
  private final Long2ObjectHashMap<SimNic> nicsByKey = new Long2ObjectHashMap<>();
  private final List<SimNic> nics = new ArrayList<>();
  private final List<SimLink> links = new ArrayList<>();
  private final LongHashSet cutPairs = new LongHashSet();

  /** Creates a network without nodes; nodes come into being when first named. */
  public SimNetwork(VirtualTime time, long seed, NetworkSettings settings) {
    this(time, link -> time, seed, settings);
  }

  /**
   * Creates a network where each link schedules its events by itself.
   *
   * @param linkTimes gives each link its time, once, by the link's number ({@link SimLink#key()}):
   *     the same time on all links, but events of each link's own
   */
  public SimNetwork(
      VirtualTime time, LongFunction<VirtualTime> linkTimes, long seed, NetworkSettings settings) {
    this.linkTimes = linkTimes;
    run = new NetworkRun(time, seed, settings);
  }

  /** Returns an interface of a node. */
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

  /**
   * Returns the interfaces of a node that are known so far, always including the first interface; a
   * copy.
   */
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

  /** Cuts all links from a node to another node, between all interfaces. */
  public void cut(int fromNode, int toNode) {
    cutPairs.add(pair(fromNode, toNode));
    for (SimLink link : links) {
      if (link.sender().node() == fromNode && link.receiver().node() == toNode) {
        link.cut();
      }
    }
  }

  /** Heals all links from a node to another node, between all interfaces. */
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

  /** Ends the process of a node at once, with its endpoints and their received datagrams. */
  public void crash(int node) {
    for (SimNic nic : nics) {
      if (nic.node() == node) {
        nic.detachAll();
      }
    }
  }

  /** Adds an observer of all datagrams; observers are called in the order of adding. */
  public void observe(NetworkObserver observer) {
    run.observers().add(observer);
  }

  /** Adds a monitor that decides the fate of datagrams; asked in the order of adding. */
  public void monitor(PacketMonitor monitor) {
    run.monitors().add(monitor);
  }

  /**
   * Adds a monitor of planned faults. The network asks this monitor before all other monitors, of
   * messages of a fabric too, and regardless of the filter of faults, because plans are made
   * smaller by themselves.
   */
  public void plan(PacketMonitor monitor) {
    run.plan(monitor);
  }

  /** Returns the verdict of the planned faults about traffic other than datagrams. */
  public Verdict planned(PacketView packet) {
    return run.planned(packet);
  }

  /** Sets the filter of the seed's faults. */
  public void faults(FaultFilter filter) {
    run.faults().filter(filter);
  }

  /**
   * Whether a fault of the seed may happen to traffic of a link other than datagrams; an allowed
   * fault counts as happened.
   *
   * @param ordinal negative, to differ from the ordinals of datagrams
   */
  public boolean fires(SimLink link, long ordinal, FaultKind kind) {
    return run.faults().fires(link.key(), ordinal, kind);
  }

  /** Returns the faults that happened, in order; a copy. */
  public List<FiredFault> firedFaults() {
    return run.faults().fired();
  }

  /** The counts of events so far; always the same object. */
  public NetworkCounters counters() {
    return run.counters();
  }

  /** The notes of senders about sealed packets. */
  public PacketNotes notes() {
    return run.notes();
  }

  /** Buffers in use by endpoints, of 64 KiB each. */
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
