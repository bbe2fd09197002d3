package io.millrace.handshake.tls;

import io.millrace.crypto.HandshakeFailure;
import io.millrace.crypto.HandshakeListener;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.handshake.CertifiedExchange;
import io.millrace.wire.codec.RejectReason;
import java.net.InetSocketAddress;
import java.util.Objects;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Answers one connection of another node: judges its advert, and tells the listener. */
final class TlsResponder implements TlsRole {
  private final InetSocketAddress remote;
  private final long prefix;
  private final CertifiedExchange exchange;
  private final HandshakeListener listener;
  private @Nullable TlsConnection connection;
  private long epoch;
  private boolean ended;

  TlsResponder(
      InetSocketAddress remote,
      long prefix,
      CertifiedExchange exchange,
      HandshakeListener listener) {
    this.remote = remote;
    this.prefix = prefix;
    this.exchange = exchange;
    this.listener = listener;
  }

  void onConnection(TlsConnection accepted) {
    connection = accepted;
  }

  TlsConnection connection() {
    return Objects.requireNonNull(connection);
  }

  /** The network that it comes from. */
  long prefix() {
    return prefix;
  }

  @Override
  public boolean isInitiator() {
    return false;
  }

  @Override
  public String peer() {
    return "it";
  }

  @Override
  public void onFreshSecret() {
    epoch = listener.epoch();
  }

  @Override
  public void onSecure() {
    if (connection().applicationProtocol().isEmpty()) {
      give(
          exchange.refuse(
              RejectReason.UNSUPPORTED_VERSION,
              "it offers no protocol by ALPN, this node speaks "
                  + CertifiedExchange.APPLICATION_PROTOCOL),
          new byte[0]);
    }
  }

  @Override
  public void onFrame(byte @Nullable [] frame) {
    if (ended) {
      return;
    }
    try {
      give(
          exchange.answer(frame, connection().peerCertificate(), remote),
          frame == null ? new byte[0] : frame);
    } catch (SSLException e) {
      onFailure("it cannot be authenticated", HandshakeFailure.WRONG_CREDENTIALS);
      connection().close();
    }
  }

  private void give(CertifiedExchange.Answer answer, byte[] theirs) {
    try {
      switch (answer) {
        case CertifiedExchange.Answer.Accepted accepted -> establish(accepted, theirs);
        case CertifiedExchange.Answer.Refused refused -> refuse(refused);
      }
    } catch (SSLException e) {
      onFailure("no secret can be agreed with it", HandshakeFailure.REFUSED);
      connection().close();
      return;
    }
    connection().send(answer.frame().clone());
    connection().finish();
  }

  private void establish(CertifiedExchange.Answer.Accepted accepted, byte[] theirs)
      throws SSLException {
    byte[] context = CertifiedExchange.exporterContext(theirs, accepted.frame());
    HandshakeOutcome.Established path =
        new HandshakeOutcome.Established(
            CertifiedExchange.pathSecret(connection().export(context)),
            false,
            accepted.frame(),
            theirs,
            accepted.peer(),
            connection().roundTripNs(),
            epoch);
    ended = true;
    // First here: then fewer packets of the peer come before the path is there.
    listener.onEstablished(path);
  }

  private void refuse(CertifiedExchange.Answer.Refused refused) {
    if (refused.refusal() == null) {
      ended = true;
    } else {
      onFailure(refused.refusal(), HandshakeFailure.REFUSED);
    }
  }

  @Override
  public void onUnheard() {
    // Whoever connects and says nothing looks whether somebody listens.
    ended = true;
  }

  @Override
  public void onFailure(String reason, HandshakeFailure cause) {
    if (!ended) {
      ended = true;
      listener.onRefused(remote, reason);
    }
  }
}
