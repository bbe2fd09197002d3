package io.millrace.testkit.internal.net;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointSettings;
import io.millrace.memory.SegmentBuffer;
import io.millrace.testkit.internal.base.SimAddress;
import io.millrace.testkit.internal.driver.Node;
import io.millrace.testkit.sim.DamageSettings;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NetworkSettings;
import java.util.ArrayList;
import java.util.List;

/** A network, its time, and all observed events as lines of text. */
final class TestNetwork implements NetworkObserver, AutoCloseable {
  static final long MS = 1_000_000;
  static final long DELAY_NS = 100_000;

  final TestTime time = new TestTime();
  final SimNetwork network;
  final List<String> seen = new ArrayList<>();
  int wakes;

  TestNetwork(long seed, NetworkSettings settings) {
    network = new SimNetwork(time, seed, settings);
    network.observe(this);
  }

  static TestNetwork clean() {
    return new TestNetwork(1, NetworkSettings.clean(DELAY_NS));
  }

  /** Creates a network whose links differ from clean links by this damage and loss. */
  static TestNetwork of(long seed, DamageSettings damage, LossSettings loss) {
    LinkSettings link = LinkSettings.clean(DELAY_NS).withDamage(damage).withLoss(loss);
    return new TestNetwork(seed, NetworkSettings.clean(DELAY_NS).withLink(link));
  }

  Node open(int node) throws DriverException {
    return open(new SimAddress(node, 0, 0), 4 << 20);
  }

  Node open(SimAddress address, int receiveBufferBytes) throws DriverException {
    EndpointSettings defaults = EndpointSettings.defaults(address.inet());
    EndpointSettings settings =
        new EndpointSettings(
            address.inet(),
            receiveBufferBytes,
            defaults.sendBufferBytes(),
            defaults.maxDatagramBytes(),
            defaults.sendBuffers(),
            defaults.maxTrainPackets(),
            true,
            0,
            1,
            defaults.notReady());
    SimDriver driver = new SimDriver(network, address.node(), () -> () -> wakes++);
    return new Node(driver.open(settings));
  }

  /** Sends {@code count} datagrams one by one and polls all arrivals at the end. */
  void send(Node from, Node to, int count, int bytes) throws DriverException {
    int destination = from.resolve(to);
    for (int i = 0; i < count; i++) {
      from.post(destination, i, bytes, bytes, i);
      from.turn();
    }
    from.endpoint().release(destination);
  }

  /** Lets everything happen, then polls. */
  void settle(Node... nodes) {
    time.runAll();
    for (Node node : nodes) {
      while (node.turn() > 0) {
        time.runAll();
      }
    }
  }

  private static int hash(PacketView packet) {
    byte[] bytes = new byte[packet.length()];
    packet.bytes().getBytes(0, bytes);
    return new SegmentBuffer(bytes).hashCode();
  }

  private static String line(String what, PacketView packet, long nowNs) {
    return nowNs
        + what
        + packet.source()
        + ">"
        + packet.destination()
        + "#"
        + packet.ordinal()
        + " "
        + packet.length()
        + " "
        + hash(packet);
  }

  @Override
  public void onSent(PacketView packet, long nowNs) {
    seen.add(line(" sent ", packet, nowNs));
  }

  @Override
  public void onDelivered(PacketView packet, long nowNs) {
    seen.add(line(" delivered ", packet, nowNs));
  }

  @Override
  public void onLost(PacketView packet, LossReason reason, long nowNs) {
    seen.add(line(" lost " + reason + " ", packet, nowNs));
  }

  @Override
  public void close() {
    network.close();
  }
}
