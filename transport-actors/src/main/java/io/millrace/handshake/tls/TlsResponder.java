package io.millrace.handshake.tls;

import io.millrace.crypto.HandshakeFailure;
import io.millrace.crypto.HandshakeListener;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.handshake.CertifiedExchange;
import io.millrace.handshake.KeyAgreement;
import io.millrace.wire.codec.RejectReason;
import java.net.InetSocketAddress;
import java.util.Objects;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Answers a connection of another node: judges the node's advert, and tells the listener. */
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

  /** The network of the connection's source. */
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
                  + KeyAgreement.spoken(exchange.policy())),
          KeyAgreement.ofResponder(null, false));
    }
  }

  @Override
  public void onFrame(byte @Nullable [] frame) {
    if (ended) {
      return;
    }
    if (KeyAgreement.isHybrid(connection().applicationProtocol())) {
      connection()
          .compute(() -> KeyAgreement.ofResponder(frame, true), this::answer, KeyAgreement::close);
    } else {
      answer(KeyAgreement.ofResponder(frame, false));
    }
  }

  private void answer(KeyAgreement agreement) {
    try {
      give(exchange.answer(agreement.remote(), connection().peerCertificate(), remote), agreement);
    } catch (SSLException e) {
      onFailure("it cannot be authenticated", HandshakeFailure.WRONG_CREDENTIALS);
      connection().close();
    }
  }

  private void give(CertifiedExchange.Answer answer, KeyAgreement agreement) {
    byte[] frame = answer.frame().clone();
    try (agreement) {
      switch (answer) {
        case CertifiedExchange.Answer.Accepted accepted -> {
          frame = agreement.responderFrame(accepted.frame());
          establish(accepted, agreement);
        }
        case CertifiedExchange.Answer.Refused refused -> refuse(refused);
      }
    } catch (SSLException e) {
      onFailure("no secret can be agreed with it", HandshakeFailure.REFUSED);
      connection().close();
      return;
    }
    connection().send(frame);
    connection().finish();
  }

  private void establish(CertifiedExchange.Answer.Accepted accepted, KeyAgreement agreement)
      throws SSLException {
    HandshakeOutcome.Established path =
        new HandshakeOutcome.Established(
            agreement.secret(connection().export(agreement.context())),
            false,
            accepted.frame(),
            Objects.requireNonNull(agreement.remote()),
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
    // A silent connection only checks whether somebody listens.
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
