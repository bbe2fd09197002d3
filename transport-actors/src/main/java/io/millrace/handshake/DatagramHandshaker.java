package io.millrace.handshake;

import io.millrace.crypto.DatagramHandshake;
import io.millrace.crypto.HandshakeException;
import io.millrace.crypto.HandshakeListener;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.Handshaker;
import io.millrace.memory.SegmentBuffer;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Turns a {@link HandshakeLoop} over a UDP socket with a single daemon thread, which sleeps until
 * an arrival or a deadline.
 */
public final class DatagramHandshaker implements Handshaker {
  private static final int ROOM = 2_048;
  private static final long NANOS_PER_MS = 1_000_000L;
  private static final int MOST_KNOCKS = 64;

  /** Between two turns of a flooded loop: 16,000 datagrams a second are read then, at most. */
  private static final long FLOOD_PAUSE_NS = 4 * NANOS_PER_MS;

  private final DatagramChannel channel;
  private final Selector selector;
  private final InetSocketAddress localAddress;
  private final HandshakeLoop loop;
  private final ByteBuffer received = ByteBuffer.allocateDirect(ROOM);
  private final SegmentBuffer receivedView = new SegmentBuffer(received);
  private final ByteBuffer sending = ByteBuffer.allocateDirect(ROOM);
  private final Thread thread;

  /** The latest knocks, oldest first. Handshake thread. */
  private final ArrayDeque<Knock> knocks = new ArrayDeque<>();

  private DatagramHandshaker(
      DatagramChannel channel,
      Selector selector,
      DatagramHandshake machine,
      HandshakeListener listener,
      SourceLimits limits)
      throws IOException {
    this.channel = channel;
    this.selector = selector;
    this.localAddress = (InetSocketAddress) channel.getLocalAddress();
    this.loop = new HandshakeLoop(machine, listener, new Socket(), limits);
    this.thread = new Thread(this::run, "millrace-handshake-" + localAddress.getPort());
    this.thread.setDaemon(true);
  }

  /**
   * Binds the socket and starts the thread.
   *
   * @throws HandshakeException if the address is in use, unknown or not of this host
   */
  public static DatagramHandshaker open(
      InetSocketAddress listen,
      DatagramHandshake machine,
      HandshakeListener listener,
      SourceLimits limits)
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
      DatagramHandshaker handshaker =
          new DatagramHandshaker(channel, selector, machine, listener, limits);
      handshaker.thread.start();
      return handshaker;
    } catch (IOException e) {
      HandshakeThreads.closeQuietly(channel);
      throw HandshakeException.ofAddress(listen, e);
    }
  }

  @Override
  public InetSocketAddress localAddress() {
    return localAddress;
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

  private void run() {
    try {
      while (!loop.isClosed()) {
        waitForWork();
        // Remaining work wakes the selector at once.
        var _ = loop.turn();
        if (loop.isFlooded()) {
          LockSupport.parkNanos(FLOOD_PAUSE_NS);
        }
      }
    } finally {
      loop.close();
      loop.end();
      knocks.forEach(Knock::close);
      HandshakeThreads.closeQuietly(selector);
      HandshakeThreads.closeQuietly(channel);
    }
  }

  private void waitForWork() {
    long deadlineNs = loop.nextDeadlineNs();
    try {
      if (deadlineNs == DatagramHandshake.NO_DEADLINE) {
        selector.select(this::onReady);
      } else {
        long waitNs = deadlineNs - System.nanoTime();
        if (waitNs > 0) {
          selector.select(this::onReady, TimeUnit.NANOSECONDS.toMillis(waitNs + NANOS_PER_MS - 1));
        }
      }
    } catch (IOException e) {
      loop.close();
      loop.report(new IllegalStateException("the handshake socket cannot be waited for", e));
    }
  }

  private void onReady(SelectionKey key) {
    if (key.attachment() instanceof Knock knock) {
      knock.read();
    }
  }

  /** Waits for the thread to end, a second at most, so that the address is free again. */
  @Override
  public void close() {
    loop.close();
    selector.wakeup();
    HandshakeThreads.awaitEnd(thread);
  }

  /** The port of the loop. */
  private final class Socket implements DatagramPort {
    @Override
    public boolean receive(Reception reception) {
      try {
        received.clear();
        InetSocketAddress from = (InetSocketAddress) channel.receive(received);
        if (from == null) {
          return false;
        }
        reception.onDatagram(receivedView, 0, received.position(), from);
      } catch (IOException e) {
        // An error of an earlier datagram (an unreachable port) says nothing about the other
        // datagrams.
        return true;
      }
      return true;
    }

    @Override
    public void send(DirectBuffer buffer, int offset, int length, InetSocketAddress to) {
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

    @Override
    public Runnable knock(InetSocketAddress to, Runnable onRefused) {
      if (knocks.size() == MOST_KNOCKS) {
        knocks.removeFirst().close();
      }
      Knock knock = Knock.open(selector, to, onRefused);
      if (knock == null) {
        return () -> {};
      }
      knocks.addLast(knock);
      return () -> {
        knocks.remove(knock);
        knock.close();
      };
    }

    @Override
    public long nowNs() {
      return System.nanoTime();
    }

    @Override
    public void wakeUp() {
      selector.wakeup();
    }

    @Override
    public void onUncaught(Throwable fault) {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, fault);
    }
  }

  /**
   * A meaningless byte, from a separate socket, connected to the address: the system tells such a
   * socket when the network says that nobody listens there. Peers drop the byte.
   */
  private record Knock(DatagramChannel channel, Runnable onRefused) {
    static @Nullable Knock open(Selector selector, InetSocketAddress to, Runnable onRefused) {
      DatagramChannel channel = null;
      try {
        channel = DatagramChannel.open();
        channel.connect(to).configureBlocking(false);
        Knock knock = new Knock(channel, onRefused);
        channel.register(selector, SelectionKey.OP_READ, knock);
        channel.write(ByteBuffer.allocate(1));
        return knock;
      } catch (IOException e) {
        // Without a knock the exchange ends when its time is over.
        HandshakeThreads.closeQuietly(channel);
        return null;
      }
    }

    void read() {
      try {
        channel.read(ByteBuffer.allocate(1));
      } catch (PortUnreachableException e) {
        close();
        onRefused.run();
      } catch (IOException e) {
        close();
      }
    }

    void close() {
      HandshakeThreads.closeQuietly(channel);
    }
  }
}
