package io.millrace.handshake.tls;

import io.millrace.crypto.HandshakeAvailability;
import io.millrace.crypto.HandshakeException;
import io.millrace.crypto.HandshakeListener;
import io.millrace.crypto.HandshakeProvider;
import io.millrace.crypto.HandshakeSettings;
import io.millrace.crypto.Handshaker;
import io.millrace.handshake.KeyAgreement;
import io.millrace.handshake.certificates.CertificateCredentials;
import java.security.NoSuchAlgorithmException;
import javax.net.ssl.SSLContext;

/** {@code tls}: TLS 1.3 over TCP with certificates of both sides; needs the JDK alone. */
public final class TlsProvider implements HandshakeProvider {
  private final TlsLimits limits;

  /** Called by the service loader. */
  public TlsProvider() {
    this(TlsLimits.DEFAULT);
  }

  TlsProvider(TlsLimits limits) {
    this.limits = limits;
  }

  @Override
  public String name() {
    return "tls";
  }

  @Override
  public HandshakeAvailability probe() {
    try {
      var _ = SSLContext.getInstance("TLSv1.3");
      return new HandshakeAvailability.Available();
    } catch (NoSuchAlgorithmException e) {
      return new HandshakeAvailability.Unavailable("this JDK has no TLS 1.3");
    }
  }

  @Override
  public boolean isPostQuantum() {
    return KeyAgreement.isHybridAvailable();
  }

  @Override
  public Handshaker open(HandshakeSettings settings, HandshakeListener listener)
      throws HandshakeException {
    if (!(settings.credentials() instanceof CertificateCredentials credentials)) {
      throw new HandshakeException("the handshake tls needs certificates", null);
    }
    return TlsHandshaker.open(settings, credentials, listener, limits);
  }
}
