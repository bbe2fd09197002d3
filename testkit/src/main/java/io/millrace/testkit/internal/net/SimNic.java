package io.millrace.testkit.internal.net;

import io.millrace.driver.EndpointAddress;
import io.millrace.testkit.internal.base.SimAddress;
import io.millrace.testkit.sim.NicSettings;
import io.millrace.testkit.sim.NicState;
import java.util.ArrayList;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * An interface of a node: its ports, the queue of its sent datagrams, and the queue of the switch
 * port before the interface, which all senders share. An interface outlives the processes of its
 * node. Thread of the simulation.
 */
public final class SimNic {
  private static final int FIRST_FREE_PORT = 49_152;
  private static final int FREE_PORTS = 16_384;

  private final NetworkRun run;
  private final SimNetwork network;
  private final int node;
  private final int nic;
  private final RateQueue egress;
  private final RateQueue ingress;
  private final NicLane egressLane;
  private final NicLane ingressLane;
  private final Int2ObjectHashMap<SimPort> ports = new Int2ObjectHashMap<>();
  private final Long2ObjectHashMap<SimLink> links = new Long2ObjectHashMap<>();
  private NicState state = NicState.UP;
  private int taken;

  /** Whether endpoints say the address of a bridge, which leads each node to itself. */
  private boolean isBridge;

  /** Whether a port of this interface was ever open. */
  private boolean hasHost;

  SimNic(SimNetwork network, NetworkRun run, int node, int nic) {
    this.network = network;
    this.run = run;
    this.node = node;
    this.nic = nic;
    egress = new RateQueue(run.settings().nic().egress());
    ingress = new RateQueue(run.settings().nic().ingress());
    egressLane = new NicLane(egress::bytesPerSecond);
    ingressLane = new NicLane(ingress::bytesPerSecond);
  }

  /** The state of the interface. */
  public NicState state() {
    return state;
  }

  /** Takes the interface down, or up again; its endpoints stay. */
  public void state(NicState other) {
    state = other;
    new ArrayList<>(ports.values()).forEach(SimPort::onNicState);
  }

  /** Endpoints opened from now on say the address of a bridge, which leads each node to itself. */
  public void makeBridge() {
    isBridge = true;
  }

  /** The address of a port of this interface, as endpoints say it. */
  EndpointAddress endpointAddress(int port) {
    return isBridge ? address(port).bridge() : address(port).endpoint();
  }

  /** Changes the queues. */
  public void settings(NicSettings settings) {
    egress.settings(settings.egress());
    ingress.settings(settings.ingress());
  }

  /** The address of a port of this interface. */
  public SimAddress address(int port) {
    return new SimAddress(node, nic, port);
  }

  /** Number of the node that owns this interface. */
  public int node() {
    return node;
  }

  /** Number of this interface at its node, from 0 on. */
  public int nic() {
    return nic;
  }

  long key() {
    return SimAddress.nicKey(node, nic);
  }

  boolean isUp() {
    return state == NicState.UP;
  }

  boolean refuses() {
    return state == NicState.DOWN;
  }

  RateQueue egress() {
    return egress;
  }

  /**
   * The sending lane for messages and writes of a fabric: at the same rate, beside the datagrams.
   */
  public NicLane egressLane() {
    return egressLane;
  }

  /**
   * The receiving lane for messages and writes of a fabric: at the same rate, beside the datagrams.
   */
  public NicLane ingressLane() {
    return ingressLane;
  }

  SimLink linkTo(SimNic other) {
    SimLink link = links.get(other.key());
    if (link == null) {
      link = network.newLink(this, other);
      links.put(other.key(), link);
    }
    return link;
  }

  @Nullable SimPort port(int port) {
    return ports.get(port);
  }

  /** Returns a free port, each time another port, so that old datagrams meet no endpoint. */
  int freePort() {
    for (int i = 0; i < FREE_PORTS; i++) {
      int port = FIRST_FREE_PORT + taken++ % FREE_PORTS;
      if (!ports.containsKey(port)) {
        return port;
      }
    }
    throw new IllegalStateException("every port is taken");
  }

  void attach(int port, SimPort owner) {
    hasHost = true;
    ports.put(port, owner);
  }

  void detach(int port, SimPort owner) {
    if (ports.get(port) == owner) {
      ports.remove(port);
      owner.onDetached();
    }
  }

  /** Detaches all ports after a crash of the node. */
  void detachAll() {
    ArrayList<SimPort> owners = new ArrayList<>(ports.values());
    ports.clear();
    owners.forEach(SimPort::onDetached);
  }

  void onArrival(Packet packet, long nowNs) {
    if (!isUp()) {
      run.lose(packet, LossReason.NIC_DOWN);
    } else if (ingress.isUnlimited()) {
      deliver(packet);
    } else {
      long leavesNs = ingress.admit(packet, nowNs);
      if (leavesNs == RateQueue.FULL) {
        run.lose(packet, LossReason.INGRESS_QUEUE);
      } else {
        packet.schedule(Packet.Step.LEAVE_QUEUE, leavesNs);
      }
    }
  }

  void deliver(Packet packet) {
    SimPort port = ports.get(packet.destinationPort());
    if (!isUp()) {
      run.lose(packet, LossReason.NIC_DOWN);
    } else if (port == null) {
      onNobody(packet);
    } else {
      LossReason refusal = port.refusal(packet);
      if (refusal == null) {
        run.onDelivered(packet);
        port.onDatagram(packet);
      } else {
        run.lose(packet, refusal);
      }
    }
  }

  private void onNobody(Packet packet) {
    run.onLost(packet, LossReason.NO_ENDPOINT);
    // An address that never had a host sends no reports.
    if (hasHost && run.settings().reportsUnreachable()) {
      packet.way().report(packet, Packet.Step.REPORT_UNREACHABLE);
    } else {
      run.recycle(packet);
    }
  }
}
