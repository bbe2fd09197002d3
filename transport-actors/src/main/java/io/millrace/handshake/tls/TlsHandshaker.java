package io.millrace.handshake.tls;

import io.millrace.crypto.HandshakeException;
import io.millrace.crypto.HandshakeFailure;
import io.millrace.crypto.HandshakeListener;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.HandshakeSettings;
import io.millrace.crypto.Handshaker;
import io.millrace.crypto.kem.PostQuantum;
import io.millrace.handshake.AdvertFrames;
import io.millrace.handshake.CertifiedExchange;
import io.millrace.handshake.CommandQueue;
import io.millrace.handshake.HandshakeThreads;
import io.millrace.handshake.KeyAgreement;
import io.millrace.handshake.SourceLimits;
import io.millrace.handshake.certificates.CertificateCredentials;
import io.millrace.handshake.certificates.CertificateReload;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Listens for TLS on the handshake address and calls peers. A single daemon thread waits for all
 * sockets and makes all callbacks; signatures, key exchanges and the reading of certificates run on
 * a few other threads. {@link TlsLimits} bounds the memory that strangers can occupy: without room,
 * the oldest connection gives way, because an honest connection takes milliseconds.
 */
final class TlsHandshaker implements Handshaker, TlsLoop, TlsInitiator.Dialer {
  private static final int BACKLOG = 1_024;
  private static final int ACCEPTS = 64;
  private static final int SCRATCH = 64 << 10;
  private static final long SWEEP_NS = 20_000_000L;
  private static final long SWEEP_MS = 20;

  private final ServerSocketChannel server;
  private final Selector selector;
  private final InetSocketAddress localAddress;
  private final HandshakeListener listener;
  private final TlsLimits limits;
  private final TlsEngines engines;
  private final CertifiedExchange exchange;
  private final long timeoutNs;
  private final SourceLimits rates;
  private final TaskThreads tasks;
  private final Thread thread;
  private final SelectionKey acceptKey;
  private final CommandQueue commands = new CommandQueue();
  private final Map<TlsConnection, TlsResponder> inbound = new LinkedHashMap<>();
  private final Set<TlsConnection> outbound = new LinkedHashSet<>();
  private final Set<TlsInitiator> initiations = new LinkedHashSet<>();
  private final ByteBuffer sealedScratch = ByteBuffer.allocate(SCRATCH);
  private final ByteBuffer clearScratch = ByteBuffer.allocate(SCRATCH);
  private long connections;
  private long sweptNs = System.nanoTime();

  private TlsHandshaker(
      ServerSocketChannel server,
      Selector selector,
      HandshakeSettings settings,
      CertificateCredentials credentials,
      HandshakeListener listener,
      TlsLimits limits)
      throws IOException, HandshakeException {
    this.server = server;
    this.selector = selector;
    this.listener = listener;
    this.limits = limits;
    localAddress = (InetSocketAddress) server.getLocalAddress();
    PostQuantum policy = KeyAgreement.possible(settings.postQuantum());
    engines = new TlsEngines(credentials, policy);
    exchange =
        new CertifiedExchange(credentials.peerNames(), listener, settings.incarnation(), policy);
    timeoutNs = settings.timeoutNs();
    rates = new SourceLimits(settings.limits(), new SecureRandom());
    String name = "millrace-handshake-" + localAddress.getPort();
    tasks = new TaskThreads(name, limits);
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
    acceptKey = server.register(selector, SelectionKey.OP_ACCEPT, (Runnable) this::acceptSome);
  }

  /**
   * Binds the socket and starts the thread.
   *
   * @throws HandshakeException if the address is in use, unknown or not of this host
   */
  static TlsHandshaker open(
      HandshakeSettings settings,
      CertificateCredentials credentials,
      HandshakeListener listener,
      TlsLimits limits)
      throws HandshakeException {
    InetSocketAddress listen = settings.listen();
    if (listen.isUnresolved()) {
      throw new HandshakeException("the host " + listen.getHostString() + " is unknown", null);
    }
    ServerSocketChannel server = null;
    Selector selector = null;
    try {
      server =
          ServerSocketChannel.open(
              listen.getAddress() instanceof Inet6Address
                  ? StandardProtocolFamily.INET6
                  : StandardProtocolFamily.INET);
      server.bind(listen, BACKLOG).configureBlocking(false);
      selector = Selector.open();
      TlsHandshaker handshaker =
          new TlsHandshaker(server, selector, settings, credentials, listener, limits);
      handshaker.thread.start();
      return handshaker;
    } catch (IOException e) {
      HandshakeThreads.closeQuietly(server);
      HandshakeThreads.closeQuietly(selector);
      throw HandshakeException.ofAddress(listen, e);
    }
  }

  @Override
  public InetSocketAddress localAddress() {
    return localAddress;
  }

  @Override
  public int maxAdvertBytes() {
    return AdvertFrames.MAX_ADVERT_BYTES;
  }

  @Override
  public void connect(
      InetSocketAddress remote, byte[] localAdvert, Consumer<HandshakeOutcome> onOutcome) {
    byte[] advert = AdvertFrames.copyOf(localAdvert, maxAdvertBytes());
    TlsInitiator.Attempt attempt = new TlsInitiator.Attempt(remote, advert, timeoutNs, onOutcome);
    if (!isSubmitted(() -> initiate(attempt))) {
      onOutcome.accept(new HandshakeOutcome.Failed("this node is closed", HandshakeFailure.CLOSED));
    }
  }

  private boolean isSubmitted(Runnable command) {
    boolean isAdded = commands.add(command);
    if (isAdded) {
      selector.wakeup();
    }
    return isAdded;
  }

  private void initiate(TlsInitiator.Attempt attempt) {
    TlsInitiator initiator = new TlsInitiator(this, attempt, exchange, listener);
    if (commands.isClosed()) {
      initiator.close();
    } else if (attempt.remote().isUnresolved()) {
      initiator.onFailure(
          "the host " + attempt.remote().getHostString() + " is unknown",
          HandshakeFailure.NO_ANSWER);
    } else if (initiations.size() >= limits.initiations()) {
      initiator.onFailure(TlsRole.TOO_BUSY, HandshakeFailure.TOO_MANY_HANDSHAKES);
    } else {
      initiations.add(initiator);
      initiator.connect();
    }
  }

  private void run() {
    try {
      while (!commands.isClosed()) {
        turn();
      }
    } finally {
      // Whatever ended the loop, nobody waits any more for this thread's work.
      commands.close();
      end();
    }
  }

  private void turn() {
    try {
      boolean busy = !inbound.isEmpty() || !outbound.isEmpty() || !initiations.isEmpty();
      boolean resting = acceptKey.isValid() && acceptKey.interestOps() == 0;
      selector.select(this::onReady, busy || resting ? SWEEP_MS : 0);
    } catch (IOException e) {
      close();
      report(new IllegalStateException("the handshake sockets cannot be waited for", e));
    }
    commands.drain(this::guarded);
    long nowNs = nowNs();
    if (nowNs - sweptNs >= SWEEP_NS) {
      sweptNs = nowNs;
      guarded(() -> sweep(nowNs));
    }
  }

  private void onReady(SelectionKey key) {
    if (key.isValid() && key.attachment() instanceof Runnable work) {
      guarded(work);
    }
  }

  private void acceptSome() {
    try {
      for (int i = 0; i < ACCEPTS; i++) {
        SocketChannel channel = server.accept();
        if (channel == null) {
          return;
        }
        accept(channel);
      }
    } catch (IOException e) {
      // No file descriptor is left, for example: after a rest a descriptor may be free.
      acceptKey.interestOps(0);
    }
  }

  private void accept(SocketChannel channel) {
    try {
      InetSocketAddress remote = (InetSocketAddress) channel.getRemoteAddress();
      long prefix = SourceLimits.prefixOf(remote.getAddress());
      if (!rates.tryAcquire(remote.getAddress(), nowNs())) {
        HandshakeThreads.closeQuietly(channel);
        listener.onRefused(remote, "too many connections come in a second");
        return;
      }
      makeRoom(prefix);
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      SelectionKey key = channel.register(selector, 0);
      TlsResponder responder = new TlsResponder(remote, prefix, exchange, listener);
      TlsConnection connection =
          new TlsConnection(this, channel, key, responder, nowNs() + timeoutNs);
      responder.onConnection(connection);
      inbound.put(connection, responder);
      begin(connection, key, responder, null);
    } catch (IOException e) {
      // The connection has gone already.
      HandshakeThreads.closeQuietly(channel);
    }
  }

  private void makeRoom(long prefix) {
    long ofPrefix = 0;
    TlsConnection oldest = null;
    TlsConnection oldestOfPrefix = null;
    for (Map.Entry<TlsConnection, TlsResponder> each : inbound.entrySet()) {
      oldest = oldest == null ? each.getKey() : oldest;
      if (each.getValue().prefix() == prefix) {
        oldestOfPrefix = oldestOfPrefix == null ? each.getKey() : oldestOfPrefix;
        ofPrefix++;
      }
    }
    if (oldestOfPrefix != null && ofPrefix >= limits.inboundPerPrefix()) {
      evict(oldestOfPrefix);
    } else if (oldest != null && inbound.size() >= limits.inbound()) {
      evict(oldest);
    }
  }

  private void evict(TlsConnection victim) {
    TlsResponder responder = inbound.get(victim);
    // First: an exception of the listener must not keep the connection open.
    victim.close();
    if (responder != null) {
      responder.onFailure(
          "it was too slow: newer connections needed the room", HandshakeFailure.REFUSED);
    }
  }

  private void begin(
      TlsConnection connection,
      SelectionKey key,
      TlsRole role,
      @Nullable InetSocketAddress called) {
    key.attach((Runnable) connection::pump);
    AtomicReference<TlsEngines.@Nullable Prepared> prepared = new AtomicReference<>();
    List<CertificateReload> reloads = new ArrayList<>();
    boolean taken =
        execute(
            connection.age(),
            () -> {
              if (connection.isClosed()) {
                return;
              }
              try {
                prepared.set(engines.prepare(called, reloads::add));
              } catch (GeneralSecurityException e) {
                throw new IllegalStateException("this JDK's TLS cannot be used", e);
              }
            },
            () -> {
              reloads.forEach(each -> listener.onCredentialsReloaded(each.used(), each.detail()));
              TlsEngines.Prepared side = prepared.get();
              if (connection.isClosed()) {
                return;
              }
              if (side == null) {
                role.onFailure("this node's TLS failed", HandshakeFailure.REFUSED);
                connection.close();
              } else {
                connection.begin(side);
              }
            });
    if (!taken) {
      role.onFailure(TlsRole.TOO_BUSY, HandshakeFailure.TOO_MANY_HANDSHAKES);
      connection.close();
    }
  }

  @Override
  public SelectionKey register(SocketChannel channel, Runnable onReady) throws IOException {
    return channel.register(selector, 0, onReady);
  }

  @Override
  public TlsConnection open(
      SocketChannel channel, SelectionKey key, TlsInitiator initiator, long deadlineNs) {
    TlsConnection connection = new TlsConnection(this, channel, key, initiator, deadlineNs);
    outbound.add(connection);
    begin(connection, key, initiator, initiator.remote());
    return connection;
  }

  private void sweep(long nowNs) {
    List<TlsConnection> overdue = new ArrayList<>();
    inbound.keySet().forEach(each -> addIfOverdue(each, nowNs, overdue));
    outbound.forEach(each -> addIfOverdue(each, nowNs, overdue));
    overdue.forEach(each -> guarded(each::onOverdue));
    List.copyOf(initiations).forEach(each -> guarded(() -> each.onTime(nowNs)));
    initiations.removeIf(TlsInitiator::isEnded);
    if (acceptKey.isValid()) {
      acceptKey.interestOps(SelectionKey.OP_ACCEPT);
    }
  }

  private static void addIfOverdue(TlsConnection each, long nowNs, List<TlsConnection> overdue) {
    if (each.isOverdue(nowNs)) {
      overdue.add(each);
    }
  }

  @Override
  public TlsLimits limits() {
    return limits;
  }

  @Override
  public long nowNs() {
    return System.nanoTime();
  }

  @Override
  public ByteBuffer sealedScratch() {
    return sealedScratch.clear();
  }

  @Override
  public ByteBuffer clearScratch() {
    return clearScratch.clear();
  }

  @Override
  public boolean execute(long age, Runnable task, Runnable then) {
    return tasks.execute(
        age,
        () -> {
          try {
            task.run();
          } catch (RuntimeException | Error e) {
            var _ = isSubmitted(() -> report(e));
          } finally {
            // A closed handshaker has nothing to go on with.
            var _ = isSubmitted(then);
          }
        });
  }

  @Override
  public long nextAge() {
    return ++connections;
  }

  @Override
  public void onClosed(TlsConnection connection) {
    inbound.remove(connection);
    outbound.remove(connection);
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
      Objects.requireNonNull(thread.getUncaughtExceptionHandler()).uncaughtException(thread, e);
    }
  }

  private void end() {
    HandshakeThreads.closeQuietly(server);
    commands.drain(this::guarded);
    List.copyOf(initiations).forEach(each -> guarded(each::close));
    List.copyOf(inbound.keySet()).forEach(each -> guarded(each::close));
    List.copyOf(outbound).forEach(each -> guarded(each::close));
    tasks.close();
    HandshakeThreads.closeQuietly(selector);
  }

  /** Waits for the thread to end, a second at most, so that the address is free again. */
  @Override
  public void close() {
    commands.close();
    selector.wakeup();
    HandshakeThreads.awaitEnd(thread);
  }
}
