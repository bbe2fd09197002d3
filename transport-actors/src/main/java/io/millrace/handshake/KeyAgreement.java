package io.millrace.handshake;

import io.millrace.crypto.HandshakeException;
import io.millrace.crypto.Hkdf;
import io.millrace.crypto.PathSecret;
import io.millrace.crypto.kem.KeyEncapsulation;
import io.millrace.crypto.kem.PostQuantum;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The key exchange of a handshake with certificates: the frame of each side, and the derivation of
 * the path secret from the channel's export and, if both sides support it, from ML-KEM-768. Rules
 * H-10 and H-13. A side of a handshake; any thread, one at a time; allocates.
 */
public final class KeyAgreement implements AutoCloseable {
  /** The name of this version with ML-KEM-768 in ALPN. */
  public static final String HYBRID_PROTOCOL = CertifiedExchange.APPLICATION_PROTOCOL + "+mlkem768";

  private static final byte[] NO_CONTEXT = {};
  private static final byte[] NO_SALT = new byte[Hkdf.KEY_LENGTH];

  private final boolean hybrid;
  private final @Nullable KeyEncapsulation keys;
  private byte @Nullable [] ciphertext;
  private byte @Nullable [] encapsulated;
  private byte[] initiatorFrame = {};
  private byte[] responderFrame = {};
  private byte @Nullable [] remote;

  private KeyAgreement(boolean hybrid, @Nullable KeyEncapsulation keys) {
    this.hybrid = hybrid;
    this.keys = keys;
  }

  /** The names of ALPN that a node takes, the best first. */
  public static List<String> protocols(PostQuantum policy) {
    return switch (policy) {
      case OFF -> List.of(CertifiedExchange.APPLICATION_PROTOCOL);
      case ON -> List.of(HYBRID_PROTOCOL, CertifiedExchange.APPLICATION_PROTOCOL);
      case REQUIRED -> List.of(HYBRID_PROTOCOL);
    };
  }

  /** The protocols that a node speaks, as a text that explains a peer's refusal to a person. */
  public static String spoken(PostQuantum policy) {
    String setting = " (millrace.handshake.post-quantum)";
    return switch (policy) {
      case OFF -> CertifiedExchange.APPLICATION_PROTOCOL + " without ML-KEM-768" + setting;
      case ON -> CertifiedExchange.APPLICATION_PROTOCOL;
      case REQUIRED ->
          CertifiedExchange.APPLICATION_PROTOCOL + " with ML-KEM-768 and not without" + setting;
    };
  }

  /**
   * The policy that this JDK can follow.
   *
   * @throws HandshakeException if the JDK lacks a required algorithm
   */
  public static PostQuantum possible(PostQuantum policy) throws HandshakeException {
    if (policy == PostQuantum.OFF || KeyEncapsulation.isAvailable()) {
      return policy;
    }
    if (policy == PostQuantum.REQUIRED) {
      throw new HandshakeException(
          "millrace.handshake.post-quantum is required, and this JDK has no ML-KEM-768", null);
    }
    return PostQuantum.OFF;
  }

  /** Whether this JDK has ML-KEM-768. */
  public static boolean isHybridAvailable() {
    return KeyEncapsulation.isAvailable();
  }

  /** Whether both sides support ML-KEM-768, by the chosen protocol name. */
  public static boolean isHybrid(String protocol) {
    return protocol.equals(HYBRID_PROTOCOL);
  }

  /** Begins: with a fresh key pair if {@code hybrid}, which takes a moment. */
  public static KeyAgreement ofInitiator(byte[] advert, boolean hybrid) {
    KeyEncapsulation keys = hybrid ? KeyEncapsulation.generate() : null;
    KeyAgreement agreement = new KeyAgreement(hybrid, keys);
    agreement.initiatorFrame =
        keys == null ? advert : HybridAdvertFrame.encode(keys.publicKey(), advert);
    return agreement;
  }

  /** The frame that an initiator sends. */
  public byte[] initiatorFrame() {
    return initiatorFrame.clone();
  }

  /** Whether both sides do ML-KEM-768. */
  public boolean isHybrid() {
    return hybrid;
  }

  /**
   * An initiator's answer has come: an advert, a refusal, or null for bytes that are no frame. With
   * {@link #isHybrid} this method takes a moment.
   *
   * @return this
   */
  public KeyAgreement onAnswer(byte @Nullable [] frame) {
    KeyEncapsulation own = keys;
    if (frame == null || own == null || AdvertFrames.decodeReject(frame) != null) {
      remote = frame;
    } else {
      HybridAdvertFrame both = HybridAdvertFrame.decode(frame);
      encapsulated = both == null ? null : own.decapsulate(both.share());
      remote = both == null || encapsulated == null ? null : both.advert();
      own.close();
    }
    responderFrame = frame == null ? NO_CONTEXT : frame;
    return this;
  }

  /** An initiator's frame has come; with {@code hybrid} a secret is made for the frame. */
  public static KeyAgreement ofResponder(byte @Nullable [] frame, boolean hybrid) {
    KeyAgreement agreement = new KeyAgreement(hybrid, null);
    agreement.initiatorFrame = frame == null ? NO_CONTEXT : frame;
    agreement.remote = hybrid && frame != null ? agreement.onHybrid(frame) : frame;
    return agreement;
  }

  private byte @Nullable [] onHybrid(byte[] frame) {
    HybridAdvertFrame both = HybridAdvertFrame.decode(frame);
    KeyEncapsulation.Encapsulated made =
        both == null ? null : KeyEncapsulation.encapsulate(both.share());
    if (both == null || made == null) {
      return null;
    }
    ciphertext = made.ciphertext();
    encapsulated = made.secret();
    return both.advert();
  }

  /** The frame of a responder that takes the peer. */
  public byte[] responderFrame(byte[] advert) {
    byte[] share = ciphertext;
    responderFrame = share == null ? advert : HybridAdvertFrame.encode(share, advert);
    return responderFrame.clone();
  }

  /** The peer's advert or refusal; null for other bytes. */
  public byte @Nullable [] remote() {
    return remote;
  }

  /** The exporter's context: the version and both frames, hence both identities and key shares. */
  public byte[] context() {
    return context(initiatorFrame, responderFrame);
  }

  /** The context of these frames. */
  public static byte[] context(byte[] initiatorFrame, byte[] responderFrame) {
    return ByteBuffer.allocate(Short.BYTES + 2 * Hkdf.KEY_LENGTH)
        .putShort((short) CertifiedExchange.PROTOCOL_VERSION)
        .put(sha256(initiatorFrame))
        .put(sha256(responderFrame))
        .array();
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK has no SHA-256", e);
    }
  }

  /** The path secret from the channel's export for {@link #context}; the export is overwritten. */
  public PathSecret secret(byte[] exported) {
    byte[] shared = encapsulated;
    if (hybrid && shared == null) {
      throw new IllegalStateException("there is no secret of ML-KEM-768");
    }
    byte[] secret = shared == null ? plain(exported) : hybrid(exported, shared, context());
    try {
      return new PathSecret(secret, hybrid);
    } finally {
      Arrays.fill(secret, (byte) 0);
      Arrays.fill(exported, (byte) 0);
      close();
    }
  }

  /** The path secret of the channel's export alone. */
  public static byte[] plain(byte[] exported) {
    return Hkdf.expandLabel(exported, "certified path", NO_CONTEXT, PathSecret.LENGTH);
  }

  /**
   * The path secret of both secrets: an attacker without either secret knows nothing of the path
   * secret.
   */
  public static byte[] hybrid(byte[] exported, byte[] encapsulated, byte[] context) {
    byte[] both = Arrays.copyOf(exported, exported.length + encapsulated.length);
    System.arraycopy(encapsulated, 0, both, exported.length, encapsulated.length);
    byte[] root = Hkdf.extract(NO_SALT, both);
    try {
      return Hkdf.expandLabel(root, "certified hybrid path", context, PathSecret.LENGTH);
    } finally {
      Arrays.fill(both, (byte) 0);
      Arrays.fill(root, (byte) 0);
    }
  }

  /** Overwrites the secrets. Idempotent. */
  @Override
  public void close() {
    byte[] shared = encapsulated;
    if (shared != null) {
      Arrays.fill(shared, (byte) 0);
      encapsulated = null;
    }
    if (keys != null) {
      keys.close();
    }
  }
}
