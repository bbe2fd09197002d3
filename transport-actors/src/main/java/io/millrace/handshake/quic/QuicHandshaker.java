package io.millrace.handshake.quic;

import io.millrace.crypto.HandshakeException;
import io.millrace.crypto.HandshakeFailure;
import io.millrace.crypto.HandshakeListener;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.HandshakeSettings;
import io.millrace.crypto.Handshaker;
import io.millrace.crypto.kem.PostQuantum;
import io.millrace.handshake.AdvertFrames;
import io.millrace.handshake.CertifiedExchange;
import io.millrace.handshake.KeyAgreement;
import io.millrace.handshake.SourceLimits;
import io.millrace.handshake.certificates.CertificateCredentials;
import io.millrace.wait.EndWait;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The handshake address as a QUIC server, and beside it a QUIC client on a port that the system
 * chooses. A single daemon thread, Netty's event loop, does all work and makes all callbacks; other
 * threads give the event loop commands under a lock.
 */
final class QuicHandshaker implements Handshaker {
  private static final String THREAD = "millrace-handshake";
  private static final long CLOSE_WAIT_NS = 900_000_000;

  private final QuicNode node;
  private final QuicLimits limits;
  private final EventLoopGroup group;
  private final EventLoop loop;
  private final Channel server;
  private final Channel client;
  private final InetSocketAddress localAddress;
  private final Set<QuicInitiator> attempts = new HashSet<>();
  private final Object lock = new Object();
  private boolean closed;

  private QuicHandshaker(
      QuicNode node, QuicLimits limits, EventLoopGroup group, Channel server, Channel client) {
    this.node = node;
    this.limits = limits;
    this.group = group;
    this.loop = server.eventLoop();
    this.server = server;
    this.client = client;
    this.localAddress = (InetSocketAddress) server.localAddress();
  }

  /**
   * Binds both sockets.
   *
   * @throws HandshakeException if the address is in use, unknown or not of this host
   */
  static QuicHandshaker open(
      HandshakeSettings settings,
      CertificateCredentials credentials,
      HandshakeListener listener,
      QuicLimits limits)
      throws HandshakeException {
    InetSocketAddress listen = settings.listen();
    if (listen.isUnresolved()) {
      throw new HandshakeException("the host " + listen.getHostString() + " is unknown", null);
    }
    PostQuantum policy = KeyAgreement.possible(settings.postQuantum());
    QuicTls tls =
        new QuicTls(
            credentials,
            policy,
            reload ->
                QuicNode.guarded(
                    listener,
                    () -> listener.onCredentialsReloaded(reload.used(), reload.detail())));
    QuicNode node =
        new QuicNode(
            listener,
            new CertifiedExchange(
                credentials.peerNames(), listener, settings.incarnation(), policy),
            tls,
            settings.timeoutNs());
    Admission admission =
        new Admission(limits, new SourceLimits(settings.limits(), new SecureRandom()));
    EventLoopGroup group =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory(THREAD, true), NioIoHandler.newFactory());
    boolean opened = false;
    try {
      SourceLimits cards = new SourceLimits(settings.limits(), new SecureRandom());
      Channel server = bind(group, listen, new QuicServer(node, admission, cards));
      Channel client =
          bind(group, new InetSocketAddress(listen.getAddress(), 0), QuicClient.initializer(node));
      prepare(server, tls);
      QuicHandshaker handshaker = new QuicHandshaker(node, limits, group, server, client);
      opened = true;
      return handshaker;
    } finally {
      if (!opened) {
        shutDown(group);
      }
    }
  }

  /** Names the thread, and prepares the thread for the first handshake. */
  private static void prepare(Channel server, QuicTls tls) throws HandshakeException {
    int port = ((InetSocketAddress) server.localAddress()).getPort();
    Future<?> preparing =
        server
            .eventLoop()
            .submit(
                () -> {
                  Thread.currentThread().setName(THREAD + '-' + port);
                  tls.prepare();
                  return tls;
                })
            .awaitUninterruptibly();
    Throwable cause = preparing.cause();
    if (cause instanceof HandshakeException known) {
      throw known;
    }
    if (cause != null) {
      throw new HandshakeException("Netty's QUIC cannot use this node's certificates", cause);
    }
  }

  private static Channel bind(
      EventLoopGroup group, InetSocketAddress address, ChannelHandler handler)
      throws HandshakeException {
    SocketProtocolFamily family =
        address.getAddress() instanceof Inet6Address
            ? SocketProtocolFamily.INET6
            : SocketProtocolFamily.INET;
    ChannelFuture binding =
        new Bootstrap()
            .group(group)
            .channelFactory(() -> new NioDatagramChannel(family))
            .handler(handler)
            .bind(address)
            .awaitUninterruptibly();
    Throwable cause = binding.cause();
    if (cause != null) {
      throw HandshakeException.ofAddress(address, cause);
    }
    return binding.channel();
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
    if (!isSubmitted(() -> begin(remote, advert, onOutcome))) {
      onOutcome.accept(new HandshakeOutcome.Failed("this node is closed", HandshakeFailure.CLOSED));
    }
  }

  private boolean isSubmitted(Runnable command) {
    synchronized (lock) {
      if (closed) {
        return false;
      }
      // A command accepted here runs before end, because closing submits end later.
      loop.execute(command);
    }
    return true;
  }

  private void begin(
      InetSocketAddress remote, byte[] advert, Consumer<HandshakeOutcome> onOutcome) {
    HandshakeOutcome.Failed failed = obstacle(remote);
    if (failed != null) {
      node.guarded(() -> onOutcome.accept(failed));
      return;
    }
    QuicInitiator attempt = new QuicInitiator(node, remote, advert, onOutcome, attempts::remove);
    attempts.add(attempt);
    attempt.start(client);
  }

  private HandshakeOutcome.@Nullable Failed obstacle(InetSocketAddress remote) {
    if (remote.isUnresolved()) {
      return new HandshakeOutcome.Failed(
          "the host " + remote.getHostString() + " is unknown", HandshakeFailure.NO_ANSWER);
    }
    if (attempts.size() >= limits.initiations()) {
      return new HandshakeOutcome.Failed(
          "this node has " + limits.initiations() + " handshakes under way",
          HandshakeFailure.TOO_MANY_HANDSHAKES);
    }
    return null;
  }

  /** Waits for the thread to end, a second at most, so that the address is free again. */
  @Override
  public void close() {
    synchronized (lock) {
      if (!closed) {
        closed = true;
        loop.execute(this::end);
      }
    }
    if (!loop.inEventLoop()) {
      // The end of the group by then makes no difference to the caller.
      var _ = EndWait.await(group, CLOSE_WAIT_NS);
    }
  }

  private void end() {
    List.copyOf(attempts).forEach(QuicInitiator::onClose);
    var _ = server.close();
    var _ = client.close();
    shutDown(group);
  }

  private static void shutDown(EventLoopGroup group) {
    var _ = group.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS);
  }
}
