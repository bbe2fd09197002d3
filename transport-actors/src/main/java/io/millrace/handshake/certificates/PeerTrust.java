package io.millrace.handshake.certificates;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Judges the peer of a handshake: the peer's chain, and, if this node began, whether the peer is
 * the called host. Keeps the reason of a refusal. Any thread; for a single handshake.
 */
public final class PeerTrust extends X509ExtendedTrustManager {
  private final ChainCheck check;
  private final PeerNames names;
  private final @Nullable InetSocketAddress called;
  private volatile @Nullable String refusal;

  /**
   * The judge of a handshake.
   *
   * @param called the host that this node called, or null if the peer called
   */
  public PeerTrust(ChainCheck check, PeerNames names, @Nullable InetSocketAddress called) {
    this.check = check;
    this.names = names;
    this.called = called;
  }

  /** The reason of the peer's refusal, beginning with the fault; null for an accepted peer. */
  public @Nullable String refusal() {
    return refusal;
  }

  private void require(X509Certificate[] chain, ChainCheck.Use use) throws CertificateException {
    try {
      check.require(List.of(chain), use);
      if (called != null) {
        names.requireCalled(chain[0], called);
      }
    } catch (CertificateException e) {
      refusal = e.getMessage();
      throw e;
    } catch (RuntimeException e) {
      refusal = "its certificate cannot be judged";
      throw new CertificateException(refusal, e);
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    require(chain, ChainCheck.Use.CLIENT);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    require(chain, ChainCheck.Use.CLIENT);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    require(chain, ChainCheck.Use.CLIENT);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    require(chain, ChainCheck.Use.SERVER);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    require(chain, ChainCheck.Use.SERVER);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    require(chain, ChainCheck.Use.SERVER);
  }

  /** Empty: strangers are not told the authorities that this node trusts. */
  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
