package io.millrace.testkit.internal.net;

import io.millrace.crypto.DatagramHandshake;
import io.millrace.crypto.HandshakeException;
import io.millrace.crypto.HandshakeListener;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.Handshaker;
import io.millrace.handshake.DatagramPort;
import io.millrace.handshake.HandshakeLoop;
import io.millrace.handshake.SourceLimits;
import io.millrace.testkit.internal.base.SimAddress;
import io.millrace.testkit.sim.VirtualTime;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Turns the {@link HandshakeLoop} of production over a simulated network, as {@link
 * io.millrace.handshake.DatagramHandshaker} does over a socket: a turn is an event of its own. The
 * handshaker falls silent when the process of its node crashes. Thread of the simulation.
 */
public final class SimHandshaker implements Handshaker {
  private static final int MAX_RECEIVED = 1_024;
  private static final long NOT_SCHEDULED = DatagramHandshake.NO_DEADLINE;

  private final SimNetwork network;
  private final SimNic nic;
  private final int port;
  private final VirtualTime time;
  private final HandshakeLoop loop;
  private final Queue<Packet> received = new ArrayDeque<>();
  private final Socket socket = new Socket();
  private final Runnable turn = this::onTurn;
  private long timerNs = NOT_SCHEDULED;
  private boolean turnScheduled;
  private boolean running;
  private boolean ended;

  private SimHandshaker(
      SimNetwork network,
      SimAddress address,
      VirtualTime time,
      DatagramHandshake machine,
      HandshakeListener listener,
      SourceLimits limits) {
    this.network = network;
    this.time = time;
    loop = new HandshakeLoop(machine, listener, socket, limits);
    nic = network.nic(address.node(), address.nic());
    port = address.port() == 0 ? nic.freePort() : address.port();
  }

  /**
   * Begins to listen.
   *
   * @param node owner of the interfaces that may be listened on
   * @param time of the node: the reading of its clock, and events that end with the life of the
   *     node
   * @throws HandshakeException if the address is in use, unknown or not of this node
   */
  public static SimHandshaker open(
      SimNetwork network,
      int node,
      VirtualTime time,
      InetSocketAddress listen,
      DatagramHandshake machine,
      HandshakeListener listener,
      SourceLimits limits)
      throws HandshakeException {
    if (listen.isUnresolved()) {
      throw new HandshakeException("the host " + listen.getHostString() + " is unknown", null);
    }
    SimAddress address = SimAddress.of(listen);
    if (address == null || address.node() != node || isTaken(network, address)) {
      throw new HandshakeException(
          "the handshake address " + listen + " is in use or not of this node", null);
    }
    SimHandshaker opened = new SimHandshaker(network, address, time, machine, listener, limits);
    opened.nic.attach(opened.port, opened.socket);
    return opened;
  }

  private static boolean isTaken(SimNetwork network, SimAddress address) {
    return network.nic(address.node(), address.nic()).port(address.port()) != null;
  }

  @Override
  public InetSocketAddress localAddress() {
    return nic.address(port).inet();
  }

  @Override
  public int maxAdvertBytes() {
    return loop.maxAdvertBytes();
  }

  @Override
  public void connect(
      InetSocketAddress remote, byte[] localAdvert, Consumer<HandshakeOutcome> onOutcome) {
    loop.connect(remote, localAdvert, onOutcome);
  }

  private void scheduleTurn() {
    if (!turnScheduled && !ended) {
      turnScheduled = true;
      time.at(time.nowNs(), turn);
    }
  }

  /** A timer that a later timer has replaced does nothing, whatever the node's clock shows. */
  private void onTimer(long setNs) {
    if (setNs == timerNs) {
      timerNs = NOT_SCHEDULED;
      onTurn();
    }
  }

  private void onTurn() {
    turnScheduled = false;
    if (ended || running) {
      return;
    }
    running = true;
    boolean more = loop.turn();
    running = false;
    if (loop.isClosed()) {
      end();
    } else {
      if (more) {
        scheduleTurn();
      }
      scheduleTimer();
    }
  }

  private void scheduleTimer() {
    long deadlineNs = loop.nextDeadlineNs();
    boolean earlier = timerNs == NOT_SCHEDULED || deadlineNs - timerNs < 0;
    if (deadlineNs != DatagramHandshake.NO_DEADLINE && earlier) {
      timerNs = deadlineNs;
      time.at(deadlineNs, () -> onTimer(deadlineNs));
    }
  }

  /** Gives the last outcomes before the return, unless called by a callback. */
  @Override
  public void close() {
    loop.close();
    nic.detach(port, socket);
    if (!running) {
      end();
    }
  }

  private void end() {
    if (!ended) {
      ended = true;
      loop.end();
    }
  }

  /** A question whether an endpoint listens at an address. */
  private record Knock(long to, Runnable onRefused) {}

  /** The port, at both of its sides. */
  private final class Socket implements SimPort, DatagramPort {
    private final List<Knock> knocks = new ArrayList<>();

    @Override
    public @Nullable LossReason refusal(PacketView packet) {
      return received.size() == MAX_RECEIVED ? LossReason.RECEIVE_RING : null;
    }

    @Override
    public void onDatagram(Packet packet) {
      received.add(packet);
      scheduleTurn();
    }

    @Override
    public void onUnreachable(long destination, PacketView refused) {
      for (Knock knock : List.copyOf(knocks)) {
        if (knock.to() == destination) {
          time.at(time.nowNs(), knock.onRefused());
        }
      }
    }

    @Override
    public Runnable knock(InetSocketAddress remote, Runnable onRefused) {
      SimAddress to = SimAddress.of(remote);
      if (to == null) {
        return () -> {};
      }
      Knock knock = new Knock(to.key(), onRefused);
      knocks.add(knock);
      return () -> knocks.remove(knock);
    }

    @Override
    public void onTooLarge(long destination, int mtuBytes) {
      // Discards the datagrams, as if lost on the way.
    }

    @Override
    public void onDetached() {
      received.forEach(network.run()::recycle);
      received.clear();
      if (!loop.isClosed()) {
        loop.close();
        ended = true;
      }
    }

    @Override
    public boolean receive(Reception reception) {
      Packet packet = received.poll();
      if (packet == null) {
        return false;
      }
      try {
        reception.onDatagram(packet.bytes(), 0, packet.length(), packet.source().inet());
      } finally {
        network.run().recycle(packet);
      }
      return !received.isEmpty();
    }

    @Override
    public void send(DirectBuffer buffer, int offset, int length, InetSocketAddress remote) {
      SimAddress to = SimAddress.of(remote);
      if (to != null) {
        SimLink link = nic.linkTo(network.nic(to.node(), to.nic()));
        link.send(network.run().acquire(link, port, to.port()).fill(buffer, offset, length, 0));
      }
    }

    @Override
    public long nowNs() {
      return time.nowNs();
    }

    @Override
    public void wakeUp() {
      scheduleTurn();
    }

    @Override
    public void onUncaught(Throwable fault) {
      // The fault escapes from an event of its own; the caller throws only unchecked exceptions.
      time.at(time.nowNs(), () -> escape(fault));
    }

    private static void escape(Throwable fault) {
      if (fault instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) fault;
    }
  }
}
