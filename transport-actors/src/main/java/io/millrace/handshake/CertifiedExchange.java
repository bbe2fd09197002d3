package io.millrace.handshake;

import io.millrace.crypto.HandshakeFailure;
import io.millrace.crypto.HandshakeHost;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.HandshakeRefusal;
import io.millrace.crypto.kem.PostQuantum;
import io.millrace.handshake.certificates.CertificateIdentity;
import io.millrace.handshake.certificates.PeerNames;
import io.millrace.wire.codec.RejectReason;
import java.net.InetSocketAddress;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The exchange between two nodes after a channel has authenticated both by their certificates, and
 * the resulting secret. The initiator sends its advert; the responder judges the advert and answers
 * by its own or by a refusal. The same over TLS and over QUIC; rules H-8 and H-9. Stateless but for
 * its settings; the caller's thread; allocates.
 */
public final class CertifiedExchange {
  /** The version of packets and frames that this release speaks. */
  public static final int PROTOCOL_VERSION = 1;

  /** The name of this version in ALPN. */
  public static final String APPLICATION_PROTOCOL = "millrace/" + PROTOCOL_VERSION;

  /** The label under which the channel exports the key material of the secret (RFC 8446, 7.5). */
  public static final String EXPORTER_LABEL = "EXPERIMENTAL millrace path";

  /** Bytes to export. */
  public static final int EXPORTED_BYTES = 32;

  private final PeerNames names;
  private final HandshakeHost host;
  private final long incarnation;
  private final PostQuantum policy;

  /**
   * The exchanges of a node.
   *
   * @param policy a policy that this JDK can follow
   */
  public CertifiedExchange(
      PeerNames names, HandshakeHost host, long incarnation, PostQuantum policy) {
    this.names = names;
    this.host = host;
    this.incarnation = incarnation;
    this.policy = policy;
  }

  /** Whether this node does post-quantum handshakes. */
  public PostQuantum policy() {
    return policy;
  }

  /** The answer of a responder. */
  public sealed interface Answer {
    /** The frame to send. */
    byte[] frame();

    /** A path exists; the frame is this node's advert. */
    record Accepted(byte[] frame, HandshakeOutcome.Peer peer) implements Answer {}

    /**
     * No path exists.
     *
     * @param refusal the reason for {@code onRefused}; null if nothing is to be told
     */
    record Refused(byte[] frame, @Nullable String refusal) implements Answer {}
  }

  /** The initiator's verdict on an answer. */
  public sealed interface Verdict {
    /** A path exists; the frame was the peer's advert. */
    record Accepted(HandshakeOutcome.Peer peer) implements Verdict {}

    /** No path exists. */
    record Failed(HandshakeOutcome.Failed outcome) implements Verdict {}
  }

  /**
   * Judges the initiator's advert.
   *
   * @param frame the received frame, or null if the bytes were no frame
   * @param peer the certificate that the initiator proved to have
   * @param from the address of the initiator at this proof
   */
  public Answer answer(
      byte @Nullable [] frame, X509Certificate peer, @Nullable InetSocketAddress from) {
    Advert remote = frame == null ? null : AdvertCodec.decode(frame);
    if (frame == null || remote == null) {
      return refuse(RejectReason.MALFORMED, "its advert cannot be understood");
    }
    if (remote.incarnation() == incarnation) {
      return refuse(RejectReason.OWN_INIT, "it is this node itself");
    }
    try {
      names.requireIdentity(peer, remote.identity());
    } catch (CertificateException e) {
      return refuse(RejectReason.WRONG_NAME, Objects.requireNonNull(e.getMessage()));
    }
    HandshakeOutcome.Peer caller = proved(remote, peer, null, from);
    String denial = host.denial(caller.proved());
    if (denial != null) {
      return refuse(RejectReason.NOT_AUTHORISED, denial);
    }
    HandshakeRefusal unwelcome = host.refusal(caller);
    if (unwelcome == HandshakeRefusal.SHUTTING_DOWN) {
      return new Answer.Refused(reject(RejectReason.SHUTTING_DOWN, "it is shutting down"), null);
    }
    // A path with a place wants its next secret.
    if (unwelcome != null && AdvertCodec.earlier(frame).renews() == 0) {
      return refuse(RejectReason.TOO_MANY_PEERS, "this node has as many peers as it allows");
    }
    byte[] own = host.advertTo(remote.identity()).clone();
    return own.length > AdvertFrames.MAX_ADVERT_BYTES
        ? refuse(RejectReason.NULL_VAL, "this node's advert is too long: advertise fewer endpoints")
        : new Answer.Accepted(own, caller);
  }

  private static HandshakeOutcome.Peer proved(
      Advert remote,
      X509Certificate certificate,
      @Nullable InetSocketAddress called,
      @Nullable InetSocketAddress address) {
    return new HandshakeOutcome.Peer(
        remote.identity(),
        HandshakeOutcome.ProvedIdentity.ofKey(certificate.getPublicKey()),
        numbers(address),
        CertificateIdentity.of(certificate, remote.identity(), called));
  }

  private static String numbers(@Nullable InetSocketAddress address) {
    return address == null || address.getAddress() == null
        ? ""
        : address.getAddress().getHostAddress();
  }

  /** Refuses an authenticated peer for another reason than its advert. */
  public Answer refuse(RejectReason reason, String refusal) {
    return new Answer.Refused(reject(reason, refusal), refusal);
  }

  private static byte[] reject(RejectReason reason, String text) {
    return AdvertFrames.encode(new AdvertFrames.Reject(reason, text));
  }

  /**
   * Judges the responder's answer.
   *
   * @param frame the received frame, or null if the bytes were no frame
   * @param peer the proved certificate of the responder, which names the host called
   */
  public Verdict verdict(byte @Nullable [] frame, X509Certificate peer, InetSocketAddress called) {
    AdvertFrames.Reject reject = frame == null ? null : AdvertFrames.decodeReject(frame);
    if (reject != null) {
      return rejected(reject);
    }
    Advert remote = frame == null ? null : AdvertCodec.decode(frame);
    if (remote == null) {
      return failed("the peer's advert cannot be understood", HandshakeFailure.MALFORMED);
    }
    String numbers = numbers(called);
    try {
      // A peer with the certificate of the called host is at the address of this host.
      if (!PeerNames.host(remote.identity()).equals(numbers)) {
        names.requireIdentity(peer, remote.identity());
      }
    } catch (CertificateException e) {
      return failed(
          "the peer calls itself " + remote.identity() + ", and " + e.getMessage(),
          HandshakeFailure.WRONG_CREDENTIALS);
    }
    return new Verdict.Accepted(proved(remote, peer, called, called));
  }

  private static Verdict rejected(AdvertFrames.Reject reject) {
    return switch (reject.reason()) {
      case UNSUPPORTED_VERSION ->
          failed(
              "the peer speaks another version of the protocol: " + reject.text(),
              HandshakeFailure.UNSUPPORTED_VERSION);
      case WRONG_NAME, WRONG_KEY ->
          failed(
              "the peer does not accept this node's certificate for its address: " + reject.text(),
              HandshakeFailure.WRONG_CREDENTIALS);
      case NOT_AUTHORISED ->
          failed(
              "the peer does not authorise this node: " + reject.text(), HandshakeFailure.REFUSED);
      case TOO_MANY_PEERS ->
          failed("the peer has as many peers as it allows", HandshakeFailure.REFUSED);
      case SHUTTING_DOWN -> failed("the peer is shutting down", HandshakeFailure.REFUSED);
      case OWN_INIT -> failed("the address leads back to this node", HandshakeFailure.OWN_ADDRESS);
      case MALFORMED ->
          failed(
              "the peer does not understand this node's advert: " + reject.text(),
              HandshakeFailure.MALFORMED);
      case NO_COMMON_DRIVER, NULL_VAL ->
          failed("the peer refused this node: " + reject.text(), HandshakeFailure.REFUSED);
    };
  }

  private static Verdict failed(String reason, HandshakeFailure cause) {
    return new Verdict.Failed(new HandshakeOutcome.Failed(reason, cause));
  }
}
