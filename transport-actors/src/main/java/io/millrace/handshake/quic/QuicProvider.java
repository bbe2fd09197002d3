package io.millrace.handshake.quic;

import io.millrace.crypto.HandshakeAvailability;
import io.millrace.crypto.HandshakeException;
import io.millrace.crypto.HandshakeListener;
import io.millrace.crypto.HandshakeProvider;
import io.millrace.crypto.HandshakeSettings;
import io.millrace.crypto.Handshaker;
import io.millrace.handshake.KeyAgreement;
import io.millrace.handshake.certificates.CertificateCredentials;

/**
 * {@code quic}: QUIC and TLS 1.3 with certificates on the UDP port of the handshake address. Works
 * where Netty's QUIC codec and the codec's native library for this platform are on the class path;
 * loads no part of Netty before the first question.
 */
public final class QuicProvider implements HandshakeProvider {
  private static final String CODEC = "io.netty.handler.codec.quic.Quic";

  private final ClassLoader loader;

  /** Called by the service loader. */
  public QuicProvider() {
    this(QuicProvider.class.getClassLoader());
  }

  /** As if {@code loader} had loaded this class; for tests. */
  QuicProvider(ClassLoader loader) {
    this.loader = loader;
  }

  @Override
  public String name() {
    return "quic";
  }

  @Override
  public HandshakeAvailability probe() {
    try {
      Class.forName(CODEC, false, loader);
      return QuicNatives.probe();
    } catch (ClassNotFoundException | LinkageError e) {
      return new HandshakeAvailability.Unavailable(
          "Netty's QUIC is not on the class path: the handshake quic needs"
              + " io.netty:netty-codec-classes-quic and io.netty:netty-codec-native-quic with the"
              + " classifier of this platform, for example linux-x86_64");
    }
  }

  @Override
  public boolean isPostQuantum() {
    return KeyAgreement.isHybridAvailable();
  }

  @Override
  public Handshaker open(HandshakeSettings settings, HandshakeListener listener)
      throws HandshakeException {
    if (probe() instanceof HandshakeAvailability.Unavailable unavailable) {
      throw new HandshakeException(unavailable.reason(), null);
    }
    if (!(settings.credentials() instanceof CertificateCredentials credentials)) {
      throw new HandshakeException("the handshake quic needs certificates", null);
    }
    return QuicHandshaker.open(settings, credentials, listener, QuicLimits.DEFAULT);
  }
}
