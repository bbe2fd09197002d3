package io.millrace.handshake.tls;

import io.millrace.crypto.HandshakeFailure;
import io.millrace.crypto.HandshakeHost;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.handshake.CertifiedExchange;
import io.millrace.handshake.KeyAgreement;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A handshake that this node began: connects, again while nobody answers, sends its advert once the
 * peer is authenticated, and judges the answer. Only the answer says that the peer accepts this
 * node's certificate. On the handshaker's thread.
 */
final class TlsInitiator implements TlsRole {
  private static final String REFUSED = "connection refused";
  private static final long FIRST_RETRY_NS = 50_000_000L;
  private static final long LONGEST_RETRY_NS = 1_000_000_000L;

  private final Dialer dialer;
  private final Attempt attempt;
  private final CertifiedExchange exchange;
  private final HandshakeHost host;
  private final long deadlineNs;
  private @Nullable SocketChannel channel;
  private @Nullable SelectionKey key;
  private @Nullable TlsConnection connection;
  private @Nullable KeyAgreement agreement;
  private long retryNs = FIRST_RETRY_NS;
  private long triedNs;
  private long connectRttNs;
  private long advertNs;
  private long epoch;
  private String problem = "";
  private boolean ended;

  /** The services of the handshaker for initiators. */
  interface Dialer {
    /** {@code onReady} is run when the channel may finish to connect. */
    SelectionKey register(SocketChannel channel, Runnable onReady) throws IOException;

    /** Makes a connection of a connected channel, which begins by itself. */
    TlsConnection open(
        SocketChannel channel, SelectionKey key, TlsInitiator initiator, long deadlineNs);

    long nowNs();
  }

  /** The request of a caller. */
  record Attempt(
      InetSocketAddress remote,
      byte[] advert,
      long timeoutNs,
      Consumer<HandshakeOutcome> onOutcome) {}

  TlsInitiator(Dialer dialer, Attempt attempt, CertifiedExchange exchange, HandshakeHost host) {
    this.dialer = dialer;
    this.attempt = attempt;
    this.exchange = exchange;
    this.host = host;
    deadlineNs = dialer.nowNs() + attempt.timeoutNs();
  }

  InetSocketAddress remote() {
    return attempt.remote();
  }

  boolean isEnded() {
    return ended;
  }

  /** Tries to connect. */
  void connect() {
    triedNs = dialer.nowNs();
    try {
      SocketChannel opened = SocketChannel.open();
      channel = opened;
      opened.configureBlocking(false);
      opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
      key = dialer.register(opened, this::onConnectable);
      if (opened.connect(attempt.remote())) {
        onConnected();
      } else {
        key.interestOps(SelectionKey.OP_CONNECT);
      }
    } catch (IOException | RuntimeException e) {
      onUnreachable(e);
    }
  }

  private void onConnectable() {
    try {
      if (channel != null && connection == null && channel.finishConnect()) {
        onConnected();
      }
    } catch (IOException e) {
      onUnreachable(e);
    }
  }

  private void onConnected() {
    SocketChannel opened = channel;
    SelectionKey registered = key;
    if (opened != null && registered != null) {
      connectRttNs = dialer.nowNs() - triedNs;
      registered.interestOps(0);
      connection = dialer.open(opened, registered, this, deadlineNs);
    }
  }

  private void onUnreachable(Exception e) {
    problem = ": " + String.valueOf(e.getMessage()).toLowerCase(java.util.Locale.ROOT);
    closeChannel();
    if (e instanceof ConnectException && problem.endsWith(REFUSED)) {
      // The host is present and says that nobody listens: a waiting caller can go elsewhere.
      onFailure("nobody listens there" + problem, HandshakeFailure.NO_ANSWER);
    }
  }

  private void closeChannel() {
    SocketChannel opened = channel;
    channel = null;
    if (opened != null) {
      try {
        opened.close();
      } catch (IOException e) {
        // Nothing was written that closing could lose.
        problem = ": cannot close the socket";
      }
    }
  }

  /** Tries again, or gives up, while no connection exists. */
  void onTime(long nowNs) {
    if (ended || connection != null) {
      return;
    }
    if (nowNs - deadlineNs >= 0) {
      onFailure(
          "no answer within "
              + TimeUnit.NANOSECONDS.toMillis(attempt.timeoutNs())
              + " ms"
              + (problem.isEmpty() ? ": nothing listens there" : problem),
          HandshakeFailure.NO_ANSWER);
      closeChannel();
    } else if (channel == null && nowNs - triedNs >= retryNs) {
      retryNs = Math.min(2 * retryNs, LONGEST_RETRY_NS);
      connect();
    }
  }

  /** The node is closed. */
  void close() {
    onFailure("this node was closed during the handshake", HandshakeFailure.CLOSED);
    if (connection == null) {
      closeChannel();
    } else {
      connection.close();
    }
  }

  @Override
  public boolean isInitiator() {
    return true;
  }

  @Override
  public String peer() {
    return "the peer";
  }

  @Override
  public void onFreshSecret() {
    epoch = host.epoch();
  }

  @Override
  public void onSecure() {
    TlsConnection secure = connection;
    if (secure == null || ended) {
      return;
    }
    String protocol = secure.applicationProtocol();
    if (!KeyAgreement.protocols(exchange.policy()).contains(protocol)) {
      onFailure(
          "the peer chose no protocol by ALPN, this node speaks "
              + KeyAgreement.spoken(exchange.policy()),
          HandshakeFailure.UNSUPPORTED_VERSION);
      secure.finish();
    } else if (KeyAgreement.isHybrid(protocol)) {
      secure.compute(
          () -> KeyAgreement.ofInitiator(attempt.advert(), true),
          begun -> ask(secure, begun),
          KeyAgreement::close);
    } else {
      ask(secure, KeyAgreement.ofInitiator(attempt.advert(), false));
    }
  }

  private void ask(TlsConnection secure, KeyAgreement begun) {
    agreement = begun;
    advertNs = dialer.nowNs();
    secure.send(begun.initiatorFrame());
  }

  @Override
  public void onFrame(byte @Nullable [] frame) {
    TlsConnection secure = connection;
    KeyAgreement begun = agreement;
    if (ended || secure == null) {
      return;
    }
    // Now the agreement belongs to the answer: nobody else closes the agreement while in use.
    agreement = null;
    long adverts = dialer.nowNs() - advertNs;
    if (begun == null) {
      onFailure("the peer answers what it was not asked", HandshakeFailure.MALFORMED);
      secure.finish();
    } else if (begun.isHybrid()) {
      secure.compute(
          () -> begun.onAnswer(frame),
          done -> conclude(secure, done, adverts),
          KeyAgreement::close);
    } else {
      conclude(secure, begun.onAnswer(frame), adverts);
    }
  }

  private void conclude(TlsConnection secure, KeyAgreement done, long adverts) {
    byte[] frame = done.remote();
    try (done) {
      X509Certificate peer = secure.peerCertificate();
      switch (exchange.verdict(frame, peer, attempt.remote())) {
        case CertifiedExchange.Verdict.Failed failed -> end(failed.outcome());
        case CertifiedExchange.Verdict.Accepted accepted -> {
          byte[] theirs = frame == null ? new byte[0] : frame;
          end(
              new HandshakeOutcome.Established(
                  done.secret(secure.export(done.context())),
                  true,
                  attempt.advert(),
                  theirs,
                  accepted.peer(),
                  Math.min(connectRttNs, adverts),
                  epoch));
        }
      }
    } catch (SSLException e) {
      onFailure("no secret can be agreed with the peer", HandshakeFailure.REFUSED);
    }
    secure.finish();
  }

  /** The peer has no room at the moment, or is about to end: this node calls the peer again. */
  @Override
  public void onUnheard() {
    connection = null;
    channel = null;
    problem = ": the peer closes each connection at once";
  }

  @Override
  public void onFailure(String reason, HandshakeFailure cause) {
    end(new HandshakeOutcome.Failed(reason, cause));
  }

  private void end(HandshakeOutcome outcome) {
    if (!ended) {
      ended = true;
      if (agreement != null) {
        agreement.close();
      }
      attempt.onOutcome().accept(outcome);
    }
  }
}
