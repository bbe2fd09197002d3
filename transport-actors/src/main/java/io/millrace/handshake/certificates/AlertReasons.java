package io.millrace.handshake.certificates;

import io.millrace.crypto.HandshakeFailure;
import io.millrace.wire.PeerText;
import java.security.cert.CertificateException;

/** Says in plain words why a peer ended TLS, by the alert of the peer. Stateless, any thread. */
public final class AlertReasons {
  private AlertReasons() {}

  /**
   * The reason of a missing path.
   *
   * @param text for an initiator, a sentence about "the peer"; for a responder, a sentence about
   *     "it"
   */
  public record Reason(String text, HandshakeFailure cause) {}

  /**
   * The meaning of the peer's alert.
   *
   * @param alert the alert's name in RFC 8446, for example {@code bad_certificate}
   * @param own the certificates that this node has shown
   * @param initiator whether this node began
   * @param protocol the protocol of this node in ALPN
   */
  public static Reason of(String alert, NodeCertificates own, boolean initiator, String protocol) {
    String who = initiator ? "the peer" : "it";
    return switch (alert) {
      case "bad_certificate",
          "unsupported_certificate",
          "certificate_revoked",
          "certificate_expired",
          "certificate_unknown",
          "unknown_ca",
          "access_denied",
          "certificate_required" ->
          new Reason(
              who
                  + " does not accept this node's certificate ("
                  + alert.replace('_', ' ')
                  + "): "
                  + own.description()
                  + ownFault(own, initiator),
              HandshakeFailure.WRONG_CREDENTIALS);
      case "protocol_version" ->
          new Reason(who + " does not speak TLS 1.3", HandshakeFailure.UNSUPPORTED_VERSION);
      case "no_application_protocol" ->
          new Reason(
              who + " speaks another version of the protocol, this node " + protocol,
              HandshakeFailure.UNSUPPORTED_VERSION);
      default ->
          new Reason(
              who + " ended the TLS handshake (" + PeerText.name(alert).replace('_', ' ') + ")",
              HandshakeFailure.REFUSED);
    };
  }

  /** The fault that this node itself finds with its certificate, if any. */
  private static String ownFault(NodeCertificates own, boolean initiator) {
    try {
      own.check().require(own.chain(), initiator ? ChainCheck.Use.CLIENT : ChainCheck.Use.SERVER);
      return "";
    } catch (CertificateException e) {
      return "; by this node's own files, " + e.getMessage();
    }
  }
}
