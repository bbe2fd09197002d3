package io.millrace.handshake;

import io.millrace.crypto.DatagramHandshake;
import io.millrace.crypto.HandshakeFailure;
import io.millrace.crypto.HandshakeListener;
import io.millrace.crypto.HandshakeOutcome;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Drives a {@link DatagramHandshake} over a {@link DatagramPort}, turn by turn: the same over a
 * socket and over a simulated network. The owner says when a turn is due: after {@link
 * DatagramPort#wakeUp}, after an arrival, at {@link #nextDeadlineNs}, and again when a turn says
 * so. The machine, the listener and all callbacks belong to the thread that turns the loop, and an
 * exception of a callback harms no other handshake. Other threads only put commands on a queue,
 * under a lock of the queue's own. Control plane: the loop allocates.
 */
public final class HandshakeLoop {
  /** The most datagrams that a turn takes. */
  static final int BATCH = 64;

  private static final String TOO_MANY =
      "more handshakes begin than millrace.handshake.limits allows in a second";

  private static final String NOBODY = "nobody listens there: the network refuses datagrams";

  private final DatagramHandshake machine;
  private final HandshakeListener listener;
  private final DatagramPort port;
  private final SourceLimits limits;
  private final AddressTokens tokens = new AddressTokens();
  private final Long2ObjectHashMap<Attempt> attempts = new Long2ObjectHashMap<>();
  private final CommandQueue commands = new CommandQueue();
  private final DatagramPort.Reception reception = this::onDatagram;
  private final DatagramHandshake.MessageSink sink = this::send;
  private @Nullable InetSocketAddress source;
  private int refusedInTurn;

  private record Attempt(
      long token, Consumer<HandshakeOutcome> onOutcome, Runnable stopsKnocking) {}

  /** A loop that is open, and not yet turned. */
  public HandshakeLoop(
      DatagramHandshake machine,
      HandshakeListener listener,
      DatagramPort port,
      SourceLimits limits) {
    this.machine = machine;
    this.listener = listener;
    this.port = port;
    this.limits = limits;
  }

  /**
   * Begins an exchange in a later turn. Any thread.
   *
   * @param onOutcome told once, in a turn; at once and on this thread if the loop is closed
   * @throws IllegalArgumentException if the advert is too long
   */
  public void connect(
      InetSocketAddress remote, byte[] localAdvert, Consumer<HandshakeOutcome> onOutcome) {
    byte[] advert = AdvertFrames.copyOf(localAdvert, machine.maxAdvertBytes());
    if (!isSubmitted(() -> begin(remote, advert, onOutcome))) {
      onOutcome.accept(new HandshakeOutcome.Failed("this node is closed", HandshakeFailure.CLOSED));
    }
  }

  private boolean isSubmitted(Runnable command) {
    boolean isAdded = commands.add(command);
    if (isAdded) {
      port.wakeUp();
    }
    return isAdded;
  }

  private void begin(
      InetSocketAddress remote, byte[] advert, Consumer<HandshakeOutcome> onOutcome) {
    if (remote.isUnresolved()) {
      onOutcome.accept(
          new HandshakeOutcome.Failed(
              "the host " + remote.getHostString() + " is unknown", HandshakeFailure.NO_ANSWER));
      return;
    }
    long token = tokens.acquire(remote);
    long exchange = machine.connect(token, advert, port.nowNs());
    // A failure of knocking costs the attempt only its early answer.
    attempts.put(exchange, new Attempt(token, onOutcome, () -> {}));
    Runnable stopsKnocking = port.knock(remote, () -> refuse(exchange));
    if (attempts.containsKey(exchange)) {
      attempts.put(exchange, new Attempt(token, onOutcome, stopsKnocking));
    } else {
      stopsKnocking.run();
    }
  }

  /** Nobody will answer: the exchange goes on unheard until its time is over. */
  private void refuse(long exchange) {
    Attempt attempt = attempts.remove(exchange);
    if (attempt != null) {
      attempt.stopsKnocking().run();
      tokens.release(attempt.token());
      guarded(
          () ->
              attempt
                  .onOutcome()
                  .accept(new HandshakeOutcome.Failed(NOBODY, HandshakeFailure.NO_ANSWER)));
    }
  }

  /** The longest advert, bytes. Any thread. */
  public int maxAdvertBytes() {
    return machine.maxAdvertBytes();
  }

  /** When a turn is due though nothing happens, or {@link DatagramHandshake#NO_DEADLINE}. */
  public long nextDeadlineNs() {
    return machine.nextDeadlineNs();
  }

  /**
   * Does the present work: commands, some arrivals, due deadlines, outcomes.
   *
   * @return whether more may have arrived, so that another turn is due
   */
  public boolean turn() {
    refusedInTurn = 0;
    runCommands();
    guarded(this::giveMessages);
    boolean more = true;
    for (int i = 0; i < BATCH && more; i++) {
      more = hasReceived();
    }
    guarded(this::meetDeadline);
    guarded(this::giveOutcomes);
    return more;
  }

  /**
   * Whether most datagrams of the last turn were beyond {@link SourceLimits}. The owner of the loop
   * then waits a little, so that the system drops datagrams that no turn could use.
   */
  public boolean isFlooded() {
    return refusedInTurn > BATCH / 2;
  }

  private void runCommands() {
    commands.drain(this::guarded);
  }

  private boolean hasReceived() {
    try {
      return port.receive(reception);
    } catch (RuntimeException | Error e) {
      report(e);
      return true;
    }
  }

  private void onDatagram(DirectBuffer buffer, int offset, int length, InetSocketAddress from) {
    if (machine.isFirst(buffer, offset, length)
        && !limits.tryAcquire(from.getAddress(), port.nowNs())) {
      // Of a flood the first in each turn is told, for to tell costs more than to refuse.
      if (refusedInTurn++ == 0) {
        guarded(() -> listener.onRefused(from, TOO_MANY));
      }
      return;
    }
    source = from;
    machine.onSource(from.getAddress());
    machine.onMessage(buffer, offset, length, tokens.find(from), port.nowNs());
    String refusal = machine.pollRefusal();
    if (refusal != null) {
      guarded(() -> listener.onRefused(from, refusal));
    }
    giveMessages();
    // Here, where the sender of an exchange's last message is known.
    giveOutcomes();
  }

  private void meetDeadline() {
    long nowNs = port.nowNs();
    long deadlineNs = machine.nextDeadlineNs();
    if (deadlineNs != DatagramHandshake.NO_DEADLINE && nowNs - deadlineNs >= 0) {
      machine.onDeadline(nowNs);
      giveMessages();
    }
  }

  private void giveMessages() {
    while (machine.pollMessage(sink)) {
      // polled until no message is left
    }
  }

  private void send(DirectBuffer buffer, int offset, int length, long toToken) {
    InetSocketAddress to = toToken == AddressTokens.NONE ? source : tokens.address(toToken);
    if (to != null) {
      port.send(buffer, offset, length, to);
    }
  }

  private void giveOutcomes() {
    DatagramHandshake.Ended ended = machine.pollOutcome();
    while (ended != null) {
      HandshakeOutcome outcome = ended.outcome();
      if (ended.exchangeId() != DatagramHandshake.PEERS_EXCHANGE) {
        Attempt attempt = attempts.remove(ended.exchangeId());
        if (attempt != null) {
          attempt.stopsKnocking().run();
          HandshakeOutcome proved = provedAt(tokens.address(attempt.token()), outcome);
          tokens.release(attempt.token());
          guarded(() -> attempt.onOutcome().accept(proved));
        }
      } else if (provedAt(source, outcome) instanceof HandshakeOutcome.Established path) {
        guarded(() -> listener.onEstablished(path));
      }
      ended = machine.pollOutcome();
    }
  }

  /** Both sides answered each other's fresh nonces, so each receives at its address. */
  private static HandshakeOutcome provedAt(
      @Nullable InetSocketAddress address, HandshakeOutcome outcome) {
    return outcome instanceof HandshakeOutcome.Established path && address != null
        ? path.at(address.getAddress())
        : outcome;
  }

  // A callback that throws, or a socket that fails once, must not end all other handshakes.
  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      report(e);
    }
  }

  /** Tells the listener of a fault, whatever the listener's reaction. */
  void report(Throwable fault) {
    try {
      listener.onFault(fault);
    } catch (RuntimeException | Error e) {
      port.onUncaught(e);
    }
  }

  /**
   * Takes no more commands; the turning thread calls {@link #end} instead of a turn. Any thread.
   */
  public void close() {
    commands.close();
  }

  /** Whether the loop was closed. Any thread. */
  public boolean isClosed() {
    return commands.isClosed();
  }

  /** Gives the last outcomes; to be called once, after {@link #close}, instead of further turns. */
  public void end() {
    runCommands();
    guarded(machine::onClose);
    guarded(this::giveOutcomes);
  }
}
