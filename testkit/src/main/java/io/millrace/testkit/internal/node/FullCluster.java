package io.millrace.testkit.internal.node;

import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.fabric.SimFabric;
import io.millrace.testkit.internal.net.SimNetwork;
import io.millrace.testkit.internal.net.SimNic;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.SimCluster;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All nodes of a run and the network between the nodes: the users' view, the observers, and the
 * tampers. The cluster ends with its simulation. Simulation thread only.
 */
public final class FullCluster implements SimCluster {
  private final Simulation simulation;
  private final SimNetwork network;
  private final List<SimFabric> fabrics = new ArrayList<>();
  private final List<FullNode> nodes = new ArrayList<>();
  private final NodeObservers observers = new NodeObservers();

  /** Creates a network without nodes; the nodes will send datagrams. */
  public FullCluster(Simulation simulation, NetworkSettings settings) {
    this(simulation, settings, null);
  }

  /**
   * Creates a network without nodes.
   *
   * @param fabricSettings behaviour of the fabric over which the workers send; null for datagrams.
   *     Handshakes are datagrams always
   */
  public FullCluster(
      Simulation simulation, NetworkSettings settings, @Nullable FabricSettings fabricSettings) {
    this.simulation = simulation;
    network =
        new SimNetwork(
            simulation.newTime("net", 0),
            link -> simulation.newTime("net.link", link),
            simulation.seed(),
            settings);
    network.observe(new PacketTrace(simulation));
    simulation.onClose(network::close);
    if (fabricSettings != null) {
      addFabric(SimFabric.FAMILY, fabricSettings);
    }
  }

  /**
   * Adds a fabric before the first node. Nodes use the first fabric, and other fabrics where their
   * settings name the fabric's family as a driver.
   */
  public SimFabric addFabric(String family, FabricSettings settings) {
    String links = fabrics.isEmpty() ? "fabric.link" : family + ".link";
    SimFabric made =
        new SimFabric(
            family,
            simulation.newTime("fabric", fabrics.size()),
            link -> simulation.newTime(links, link),
            simulation.seed(),
            network,
            settings);
    made.observe(new PacketTrace(simulation));
    made.observe(new FabricTrace(simulation));
    simulation.onClose(made::close);
    fabrics.add(made);
    return made;
  }

  /** The run. */
  public Simulation simulation() {
    return simulation;
  }

  /** The network. */
  public SimNetwork network() {
    return network;
  }

  @Override
  public boolean hasFabric() {
    return !fabrics.isEmpty();
  }

  /** All fabrics, the first one first; empty if the nodes send datagrams alone. */
  public List<SimFabric> fabrics() {
    return List.copyOf(fabrics);
  }

  /**
   * The first fabric.
   *
   * @throws IllegalStateException if the nodes send datagrams
   */
  public SimFabric fabric() {
    if (fabrics.isEmpty()) {
      throw new IllegalStateException("the nodes send datagrams");
    }
    return fabrics.getFirst();
  }

  /** Adds a node, which is down at first; nodes are numbered from 0. */
  public FullNode add(NodeSettings settings) {
    FullNode node =
        new FullNode(
            simulation,
            nodes.size(),
            settings,
            (life, time) -> new LifeNetwork(network, fabrics, life, time),
            observers);
    nodes.add(node);
    return node;
  }

  /** Adds this number of nodes of the same kind, which are down at first. */
  public void add(int count, NodeSettings settings) {
    for (int i = 0; i < count; i++) {
      add(settings);
    }
  }

  /** Adds an observer of the nodes' transports and lives; before the first node boots. */
  public void observe(NodeObserver observer) {
    observers.add(observer);
  }

  /** Adds an observer of sealing and opening; before the first node boots. */
  public void observeCiphers(CipherObserver observer) {
    observers.add(observer);
  }

  /** Adds an observer of the timers of workers; before the first node boots. */
  public void observeTimers(TimerObserver observer) {
    observers.add(observer);
  }

  /** Adds a tamper that changes sealed and opened packets from now on. */
  public void tamper(PacketTamper tamper) {
    observers.add(tamper);
  }

  /**
   * Whether a tamper changes the packets that this node seals or opens, so that the node may lie.
   */
  public boolean isLiar(int node) {
    return observers.isLiar(node);
  }

  /** Packets that are sealed from now on travel with notes of their frames. */
  public void noteFrames() {
    if (!network.notes().isWanted()) {
      network.notes().want();
      observers.add(new FrameAnnotator(network.notes()));
    }
  }

  @Override
  public FullNode node(int number) {
    return nodes.get(number);
  }

  @Override
  public List<FullNode> nodes() {
    return List.copyOf(nodes);
  }

  @Override
  public List<Integer> nics(int node) {
    return network.nics(node).stream().map(SimNic::nic).toList();
  }
}
