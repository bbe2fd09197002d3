package io.millrace.handshake;

import io.millrace.crypto.DatagramHandshake;
import io.millrace.crypto.HandshakeException;
import io.millrace.crypto.HandshakeFailure;
import io.millrace.crypto.HandshakeListener;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.Handshaker;
import java.io.IOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Drives a {@link DatagramHandshake} over a UDP socket with one daemon thread, which sleeps until
 * something arrives or is due. The machine, the listener and all callbacks belong to that thread;
 * other threads only put commands on a queue, under a lock of its own.
 */
public final class DatagramHandshaker implements Handshaker {
  private static final int ROOM = 2_048;
  private static final int BATCH = 64;
  private static final long NANOS_PER_MS = 1_000_000L;
  private static final long CLOSE_WAIT_MS = 1_000;

  private final DatagramChannel channel;
  private final Selector selector;
  private final InetSocketAddress localAddress;
  private final DatagramHandshake machine;
  private final HandshakeListener listener;
  private final AddressTokens tokens = new AddressTokens();
  private final Long2ObjectHashMap<Attempt> attempts = new Long2ObjectHashMap<>();
  private final ByteBuffer received = ByteBuffer.allocateDirect(ROOM);
  private final UnsafeBuffer receivedView = new UnsafeBuffer(received);
  private final ByteBuffer sending = ByteBuffer.allocateDirect(ROOM);
  private final Queue<Runnable> commands = new ArrayDeque<>();
  private final Thread thread;
  private @Nullable InetSocketAddress source;
  private boolean closed;

  private record Attempt(long token, Consumer<HandshakeOutcome> onOutcome) {}

  private DatagramHandshaker(
      DatagramChannel channel,
      Selector selector,
      DatagramHandshake machine,
      HandshakeListener listener)
      throws IOException {
    this.channel = channel;
    this.selector = selector;
    this.localAddress = (InetSocketAddress) channel.getLocalAddress();
    this.machine = machine;
    this.listener = listener;
    this.thread = new Thread(this::run, "millrace-handshake-" + localAddress.getPort());
    this.thread.setDaemon(true);
  }

  /**
   * Binds the socket and starts the thread.
   *
   * @throws HandshakeException if the address is in use, unknown or not of this host
   */
  public static DatagramHandshaker open(
      InetSocketAddress listen, DatagramHandshake machine, HandshakeListener listener)
      throws HandshakeException {
    if (listen.isUnresolved()) {
      throw new HandshakeException("the host " + listen.getHostString() + " is unknown", null);
    }
    DatagramChannel channel = null;
    try {
      channel =
          DatagramChannel.open(
              listen.getAddress() instanceof Inet6Address
                  ? StandardProtocolFamily.INET6
                  : StandardProtocolFamily.INET);
      channel.bind(listen).configureBlocking(false);
      Selector selector = Selector.open();
      channel.register(selector, SelectionKey.OP_READ);
      DatagramHandshaker handshaker = new DatagramHandshaker(channel, selector, machine, listener);
      handshaker.thread.start();
      return handshaker;
    } catch (IOException e) {
      closeQuietly(channel);
      String problem = e instanceof BindException ? "in use or not of this host" : "unusable";
      throw new HandshakeException("the handshake address " + listen + " is " + problem, e);
    }
  }

  @Override
  public InetSocketAddress localAddress() {
    return localAddress;
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
    byte[] advert = localAdvert.clone();
    if (!submit(() -> begin(remote, advert, onOutcome))) {
      onOutcome.accept(new HandshakeOutcome.Failed("this node is closed", HandshakeFailure.CLOSED));
    }
  }

  private boolean submit(Runnable command) {
    synchronized (commands) {
      if (closed) {
        return false;
      }
      commands.add(command);
    }
    selector.wakeup();
    return true;
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
    attempts.put(machine.connect(token, advert, System.nanoTime()), new Attempt(token, onOutcome));
  }

  private void run() {
    try {
      while (!isClosed()) {
        guarded(this::turn);
      }
    } finally {
      markClosed();
      runCommands();
      guarded(machine::onClose);
      guarded(this::giveOutcomes);
      closeQuietly(selector);
      closeQuietly(channel);
    }
  }

  private boolean isClosed() {
    synchronized (commands) {
      return closed;
    }
  }

  // A callback that throws, or a socket that fails once, must not end all other handshakes.
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
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }

  private void turn() {
    waitForWork();
    runCommands();
    giveMessages();
    boolean more = true;
    for (int i = 0; i < BATCH && more; i++) {
      more = hasReceived();
    }
    long nowNs = System.nanoTime();
    long deadlineNs = machine.nextDeadlineNs();
    if (deadlineNs != DatagramHandshake.NO_DEADLINE && nowNs - deadlineNs >= 0) {
      machine.onDeadline(nowNs);
      giveMessages();
    }
    giveOutcomes();
  }

  private void runCommands() {
    Runnable command = nextCommand();
    while (command != null) {
      guarded(command);
      command = nextCommand();
    }
  }

  private void waitForWork() {
    long deadlineNs = machine.nextDeadlineNs();
    try {
      if (deadlineNs == DatagramHandshake.NO_DEADLINE) {
        selector.select(key -> {});
      } else {
        long waitNs = deadlineNs - System.nanoTime();
        if (waitNs > 0) {
          selector.select(key -> {}, TimeUnit.NANOSECONDS.toMillis(waitNs + NANOS_PER_MS - 1));
        }
      }
    } catch (IOException e) {
      markClosed();
      throw new IllegalStateException("the handshake socket cannot be waited for", e);
    }
  }

  private @Nullable Runnable nextCommand() {
    synchronized (commands) {
      return commands.poll();
    }
  }

  private boolean hasReceived() {
    try {
      received.clear();
      InetSocketAddress from = (InetSocketAddress) channel.receive(received);
      if (from == null) {
        return false;
      }
      source = from;
      machine.onMessage(receivedView, 0, received.position(), tokens.find(from), System.nanoTime());
      giveMessages();
    } catch (IOException e) {
      // What an earlier datagram met on its way (an unreachable port) says nothing about the
      // others.
      return true;
    }
    return true;
  }

  private void giveMessages() {
    while (machine.pollMessage(this::send)) {
      // polled until there is nothing more
    }
  }

  private void send(DirectBuffer buffer, int offset, int length, long toToken) {
    InetSocketAddress to = toToken == AddressTokens.NONE ? source : tokens.address(toToken);
    if (to == null) {
      return;
    }
    sending.clear();
    buffer.getBytes(offset, sending, 0, length);
    sending.position(0).limit(length);
    try {
      channel.send(sending, to);
    } catch (IOException e) {
      // As good as lost on the way: the exchange sends again, and tells when it gives up.
      sending.clear();
    }
  }

  private void giveOutcomes() {
    DatagramHandshake.Ended ended = machine.pollOutcome();
    while (ended != null) {
      HandshakeOutcome outcome = ended.outcome();
      if (ended.exchangeId() != DatagramHandshake.PEERS_EXCHANGE) {
        Attempt attempt = attempts.remove(ended.exchangeId());
        if (attempt != null) {
          tokens.release(attempt.token());
          guarded(() -> attempt.onOutcome().accept(outcome));
        }
      } else if (outcome instanceof HandshakeOutcome.Established path) {
        guarded(() -> listener.onEstablished(path));
      }
      ended = machine.pollOutcome();
    }
  }

  /** Waits for the thread to end, a second at most, so that the address is free again. */
  @Override
  public void close() {
    markClosed();
    selector.wakeup();
    if (Thread.currentThread() == thread) {
      return;
    }
    try {
      thread.join(CLOSE_WAIT_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void markClosed() {
    synchronized (commands) {
      closed = true;
    }
  }

  private static void closeQuietly(@Nullable AutoCloseable resource) {
    try {
      if (resource != null) {
        resource.close();
      }
    } catch (Exception e) {
      // Nothing was written that closing could lose.
      return;
    }
  }
}
