package io.millrace.samples.bench.burst;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Calls over TCP in the clear, by a single thread with a selector. A caller opens its connection
 * with the first call, or a new connection for each call.
 */
final class TcpBurstNode implements BurstNode {
  private static final int BACKLOG = 65_535;
  private static final int READ_BYTES = 256 << 10;

  private final boolean isOnePerCall;
  private final Selector selector;
  private final List<String> addresses = new ArrayList<>();
  private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final ByteBuffer incoming = ByteBuffer.allocateDirect(READ_BYTES);

  TcpBurstNode(BurstSite site, boolean isOnePerCall) throws IOException {
    this.isOnePerCall = isOnePerCall;
    selector = Selector.open();
    for (int i = 0; i < site.nodes(); i++) {
      ServerSocketChannel server = ServerSocketChannel.open();
      server.configureBlocking(false);
      server.bind(new InetSocketAddress(site.host(), 0), BACKLOG);
      server.register(selector, SelectionKey.OP_ACCEPT);
      InetSocketAddress bound = (InetSocketAddress) server.getLocalAddress();
      addresses.add(site.host() + ":" + bound.getPort());
    }
    Thread.ofPlatform().daemon().name("burst-tcp").start(this::select);
  }

  @Override
  public List<String> addresses() {
    return addresses;
  }

  @Override
  public List<BurstCaller> callers(List<String> targets, boolean isForProbes) {
    List<BurstCaller> callers = new ArrayList<>();
    for (String target : targets) {
      int colon = target.lastIndexOf(':');
      Caller caller =
          new Caller(
              new InetSocketAddress(
                  target.substring(0, colon), Integer.parseInt(target.substring(colon + 1))),
              isOnePerCall && !isForProbes);
      callers.add(
          (request, isProbe, ending) -> {
            tasks.add(() -> caller.call(request, ending));
            selector.wakeup();
          });
    }
    return callers;
  }

  @Override
  public void close() throws IOException {
    selector.close();
  }

  private void select() {
    try {
      while (selector.isOpen()) {
        selector.select(this::onReady);
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
          task.run();
        }
      }
    } catch (IOException e) {
      System.err.println("burst: the selector failed: " + e.getMessage());
    }
  }

  private void onReady(SelectionKey key) {
    if (key.isAcceptable()) {
      accept((ServerSocketChannel) key.channel());
    } else {
      ((TcpConnection) key.attachment()).onReady(incoming);
    }
  }

  private void accept(ServerSocketChannel server) {
    try {
      for (SocketChannel channel = server.accept(); channel != null; channel = server.accept()) {
        attach(channel, SelectionKey.OP_READ, false);
      }
    } catch (IOException e) {
      System.err.println("burst: a connection was not accepted: " + e.getMessage());
    }
  }

  private TcpConnection attach(SocketChannel channel, int interest, boolean isForOneCall)
      throws IOException {
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    SelectionKey key = channel.register(selector, interest);
    TcpConnection connection = new TcpConnection(channel, key, isForOneCall);
    key.attach(connection);
    return connection;
  }

  /** A caller of one target; on the selector's thread. */
  private final class Caller {
    private final InetSocketAddress target;
    private final boolean isForOneCall;
    private @Nullable TcpConnection kept;

    Caller(InetSocketAddress target, boolean isForOneCall) {
      this.target = target;
      this.isForOneCall = isForOneCall;
    }

    void call(byte[] request, BurstCaller.Ending ending) {
      try {
        TcpConnection connection = kept == null || isForOneCall ? connect() : kept;
        kept = connection;
        connection.call(request, ending);
      } catch (IOException e) {
        BurstCaller.fail(ending, "no connection: " + e.getMessage());
      }
    }

    private TcpConnection connect() throws IOException {
      SocketChannel channel = SocketChannel.open();
      channel.configureBlocking(false);
      int interest = channel.connect(target) ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT;
      return attach(channel, interest, isForOneCall);
    }
  }
}
