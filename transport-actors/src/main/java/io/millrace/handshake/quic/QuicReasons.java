package io.millrace.handshake.quic;

import io.millrace.crypto.HandshakeFailure;
import io.millrace.handshake.certificates.AlertReasons;
import io.millrace.handshake.certificates.AlertReasons.Reason;
import io.netty.handler.codec.quic.QuicConnectionCloseEvent;
import org.jspecify.annotations.Nullable;

/** Says in plain words why a connection ended too early. Stateless, any thread. */
final class QuicReasons {
  private QuicReasons() {}

  /**
   * The reason of a missing path.
   *
   * @param facts the facts that TLS has told of the connection
   * @param closed the peer's close of the connection, or null without a close
   */
  static Reason of(TlsFacts facts, @Nullable QuicConnectionCloseEvent closed) {
    boolean initiator = facts.called() != null;
    String refusal = facts.refusal();
    if (refusal != null) {
      return new Reason(
          initiator ? "this node does not accept the peer: " + refusal : refusal,
          HandshakeFailure.WRONG_CREDENTIALS);
    }
    String who = initiator ? "the peer" : "it";
    if (closed != null && closed.isTlsError()) {
      return AlertReasons.of(
          alert(QuicConnectionCloseEvent.extractTlsError(closed.error())),
          facts.own(),
          initiator,
          facts.spoken());
    }
    if (closed != null) {
      return new Reason(
          who + " closed the connection during the handshake", HandshakeFailure.NO_ANSWER);
    }
    return ofOwn(facts, who);
  }

  /**
   * Netty does not tell BoringSSL's reason; the progress of TLS tells the reason, almost: a
   * responder has the exporter secret after accepting and answering the first message.
   */
  private static Reason ofOwn(TlsFacts facts, String who) {
    if (facts.called() == null && !facts.hasExported()) {
      return new Reason(
          who
              + " does not offer "
              + facts.spoken()
              + " by ALPN, or nothing else that this node's TLS accepts",
          HandshakeFailure.UNSUPPORTED_VERSION);
    }
    if (facts.called() == null && facts.peer() == null) {
      return new Reason(
          who + " showed no certificate, did not prove that it has its key, or resumed a session",
          HandshakeFailure.WRONG_CREDENTIALS);
    }
    return new Reason(
        facts.peer() == null
            ? who + " does not do the TLS handshake right"
            : who + " sent no advert in time",
        HandshakeFailure.NO_ANSWER);
  }

  /**
   * The alert's name in RFC 8446, section 6. Netty's codec says internal_error (80) of every
   * certificate that is refused for another reason than its dates or its revocation.
   */
  private static String alert(int code) {
    return switch (code) {
      case 40 -> "handshake_failure";
      case 42 -> "bad_certificate";
      case 43 -> "unsupported_certificate";
      case 44 -> "certificate_revoked";
      case 45 -> "certificate_expired";
      case 46, 80 -> "certificate_unknown";
      case 48 -> "unknown_ca";
      case 49 -> "access_denied";
      case 70 -> "protocol_version";
      case 116 -> "certificate_required";
      case 120 -> "no_application_protocol";
      default -> "alert " + code;
    };
  }
}
