package io.millrace.testkit.sim.net;

import io.millrace.crypto.DatagramHandshake;
import io.millrace.crypto.HandshakeException;
import io.millrace.crypto.HandshakeFailure;
import io.millrace.crypto.HandshakeListener;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.Handshaker;
import io.millrace.testkit.sim.core.VirtualTime;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Drives a {@link DatagramHandshake} over a simulated network, as {@link
 * io.millrace.handshake.DatagramHandshaker} does over a socket: all callbacks come in events of
 * their own, and what one throws harms no other handshake. Addresses need no table: their numbers
 * are the tokens. When the process of its node crashes it falls silent. Thread of the simulation.
 */
public final class SimHandshaker implements Handshaker {
  private static final int MAX_RECEIVED = 1_024;
  private static final long NOWHERE = -1;
  private static final long NOT_SCHEDULED = DatagramHandshake.NO_DEADLINE;

  private final SimNetwork network;
  private final SimNic nic;
  private final int port;
  private final VirtualTime time;
  private final DatagramHandshake machine;
  private final HandshakeListener listener;
  private final Long2ObjectHashMap<Consumer<HandshakeOutcome>> attempts =
      new Long2ObjectHashMap<>();
  private final Queue<Runnable> commands = new ArrayDeque<>();
  private final Queue<Packet> received = new ArrayDeque<>();
  private final Socket socket = new Socket();
  private final Runnable turn = this::onTurn;
  private final Runnable timer = this::onTimer;
  private long timerNs = NOT_SCHEDULED;
  private boolean turnScheduled;
  private boolean running;
  private boolean closed;
  private boolean ended;

  private SimHandshaker(
      SimNetwork network,
      SimAddress address,
      VirtualTime time,
      DatagramHandshake machine,
      HandshakeListener listener) {
    this.network = network;
    this.time = time;
    this.machine = machine;
    this.listener = listener;
    nic = network.nic(address.node(), address.nic());
    port = address.port() == 0 ? nic.freePort() : address.port();
  }

  /**
   * Begins to listen.
   *
   * @param node whose interfaces may be listened on
   * @param time of the node: what its clock shows, and events that end with the life of the node
   * @throws HandshakeException if the address is in use, unknown or not of this node
   */
  public static SimHandshaker open(
      SimNetwork network,
      int node,
      VirtualTime time,
      InetSocketAddress listen,
      DatagramHandshake machine,
      HandshakeListener listener)
      throws HandshakeException {
    if (listen.isUnresolved()) {
      throw new HandshakeException("the host " + listen.getHostString() + " is unknown", null);
    }
    SimAddress address = SimAddress.of(listen);
    if (address == null || address.node() != node || isTaken(network, address)) {
      throw new HandshakeException(
          "the handshake address " + listen + " is in use or not of this node", null);
    }
    SimHandshaker opened = new SimHandshaker(network, address, time, machine, listener);
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
    return machine.maxAdvertBytes();
  }

  @Override
  public void connect(
      InetSocketAddress remote, byte[] localAdvert, Consumer<HandshakeOutcome> onOutcome) {
    if (localAdvert.length > machine.maxAdvertBytes()) {
      throw new IllegalArgumentException(
          "an advert of " + localAdvert.length + " bytes is over " + machine.maxAdvertBytes());
    }
    if (closed) {
      onOutcome.accept(new HandshakeOutcome.Failed("this node is closed", HandshakeFailure.CLOSED));
      return;
    }
    byte[] advert = localAdvert.clone();
    commands.add(() -> begin(remote, advert, onOutcome));
    scheduleTurn();
  }

  private void begin(
      InetSocketAddress remote, byte[] advert, Consumer<HandshakeOutcome> onOutcome) {
    if (remote.isUnresolved()) {
      onOutcome.accept(
          new HandshakeOutcome.Failed(
              "the host " + remote.getHostString() + " is unknown", HandshakeFailure.NO_ANSWER));
      return;
    }
    SimAddress address = SimAddress.of(remote);
    long token = address == null ? NOWHERE : address.key();
    attempts.put(machine.connect(token, advert, time.nowNs()), onOutcome);
  }

  private void scheduleTurn() {
    if (!turnScheduled && !ended) {
      turnScheduled = true;
      time.at(time.nowNs(), turn);
    }
  }

  private void onTimer() {
    timerNs = NOT_SCHEDULED;
    onTurn();
  }

  private void onTurn() {
    turnScheduled = false;
    if (ended || running) {
      return;
    }
    running = true;
    runCommands();
    guarded(this::giveMessages);
    while (!received.isEmpty()) {
      guarded(this::takeMessage);
    }
    guarded(this::meetDeadline);
    giveOutcomes();
    running = false;
    if (closed) {
      end();
    } else {
      scheduleTimer();
    }
  }

  private void runCommands() {
    Runnable command = commands.poll();
    while (command != null) {
      guarded(command);
      command = commands.poll();
    }
  }

  private void takeMessage() {
    Packet packet = received.remove();
    try {
      long source = packet.source().key();
      machine.onMessage(packet.bytes(), 0, packet.length(), source, time.nowNs());
      giveMessages();
    } finally {
      network.run().recycle(packet);
    }
  }

  private void meetDeadline() {
    long deadlineNs = machine.nextDeadlineNs();
    if (deadlineNs != DatagramHandshake.NO_DEADLINE && time.nowNs() - deadlineNs >= 0) {
      machine.onDeadline(time.nowNs());
      giveMessages();
    }
  }

  private void scheduleTimer() {
    long deadlineNs = machine.nextDeadlineNs();
    boolean earlier = timerNs == NOT_SCHEDULED || deadlineNs - timerNs < 0;
    if (deadlineNs != DatagramHandshake.NO_DEADLINE && earlier) {
      timerNs = deadlineNs;
      time.at(deadlineNs, timer);
    }
  }

  private void giveMessages() {
    while (machine.pollMessage(this::send)) {
      // polled until there is nothing more
    }
  }

  private void send(DirectBuffer buffer, int offset, int length, long toToken) {
    if (toToken != NOWHERE) {
      SimAddress to = SimAddress.of(toToken);
      SimLink link = nic.linkTo(network.nic(to.node(), to.nic()));
      link.send(network.run().acquire(link, port, to.port()).fill(buffer, offset, length, 0));
    }
  }

  private void giveOutcomes() {
    DatagramHandshake.Ended next = machine.pollOutcome();
    while (next != null) {
      HandshakeOutcome outcome = next.outcome();
      if (next.exchangeId() != DatagramHandshake.PEERS_EXCHANGE) {
        Consumer<HandshakeOutcome> onOutcome = attempts.remove(next.exchangeId());
        if (onOutcome != null) {
          guarded(() -> onOutcome.accept(outcome));
        }
      } else if (outcome instanceof HandshakeOutcome.Established path) {
        guarded(() -> listener.onEstablished(path));
      }
      next = machine.pollOutcome();
    }
  }

  // A callback that throws must not end all other handshakes.
  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      report(e);
    }
  }

  private void report(Throwable fault) {
    try {
      listener.onFault(fault);
    } catch (RuntimeException | Error e) {
      // It escapes from an event of its own.
      time.at(
          time.nowNs(),
          () -> {
            throw e;
          });
    }
  }

  /** Gives the last outcomes before it returns, unless it is called by a callback. */
  @Override
  public void close() {
    closed = true;
    nic.detach(port, socket);
    if (!running) {
      end();
    }
  }

  private void end() {
    if (ended) {
      return;
    }
    ended = true;
    runCommands();
    guarded(machine::onClose);
    giveOutcomes();
  }

  /** The port. */
  private final class Socket implements SimPort {
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
    public void onUnreachable(long destination) {
      // Anyone can forge this: the exchange tells when it gives up.
    }

    @Override
    public void onTooLarge(long destination, int mtuBytes) {
      // As good as lost on the way.
    }

    @Override
    public void onDetached() {
      received.forEach(network.run()::recycle);
      received.clear();
      if (!closed) {
        closed = true;
        ended = true;
      }
    }
  }
}
