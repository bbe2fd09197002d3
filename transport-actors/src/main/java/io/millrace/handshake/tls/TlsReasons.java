package io.millrace.handshake.tls;

import io.millrace.crypto.HandshakeFailure;
import io.millrace.handshake.KeyAgreement;
import io.millrace.handshake.certificates.AlertReasons;
import io.millrace.handshake.certificates.AlertReasons.Reason;
import io.millrace.wire.PeerText;
import javax.net.ssl.SSLException;

/** Says in plain words why TLS did not come about, on whichever side. Stateless, any thread. */
final class TlsReasons {
  private static final String RECEIVED = "Received fatal alert: ";

  private TlsReasons() {}

  /** The meaning of an engine's exception. */
  static Reason of(SSLException e, TlsEngines.Prepared side) {
    boolean initiator = side.engine().getUseClientMode();
    String who = initiator ? "the peer" : "it";
    String refusal = side.trust().refusal();
    if (refusal != null) {
      return new Reason(
          initiator ? "this node does not accept the peer: " + refusal : refusal,
          HandshakeFailure.WRONG_CREDENTIALS);
    }
    String message = String.valueOf(e.getMessage());
    int received = message.indexOf(RECEIVED);
    return received >= 0
        ? ofAlert(message.substring(received + RECEIVED.length()), side)
        : ofOwn(message, who, side);
  }

  private static Reason ofAlert(String alert, TlsEngines.Prepared side) {
    return AlertReasons.of(
        alert, side.own(), side.engine().getUseClientMode(), KeyAgreement.spoken(side.policy()));
  }

  private static Reason ofOwn(String message, String who, TlsEngines.Prepared side) {
    if (message.startsWith("(protocol_version)")) {
      return new Reason(who + " does not speak TLS 1.3", HandshakeFailure.UNSUPPORTED_VERSION);
    }
    if (message.startsWith("(no_application_protocol)")) {
      return new Reason(
          who + " speaks " + offered(side) + ", this node " + KeyAgreement.spoken(side.policy()),
          HandshakeFailure.UNSUPPORTED_VERSION);
    }
    if (message.contains("Empty client certificate chain")) {
      return new Reason(who + " sent no certificate", HandshakeFailure.WRONG_CREDENTIALS);
    }
    if (message.contains("Unsupported or unrecognized SSL message")
        || message.contains("plaintext connection")) {
      return new Reason(who + " does not speak TLS", HandshakeFailure.NO_ANSWER);
    }
    return new Reason(
        who + " does not do the TLS handshake right: " + PeerText.name(message),
        HandshakeFailure.NO_ANSWER);
  }

  private static String offered(TlsEngines.Prepared side) {
    return side.offered().protocols().isEmpty()
        ? "no protocol by ALPN"
        : PeerText.name(String.join(", ", side.offered().protocols()));
  }
}
