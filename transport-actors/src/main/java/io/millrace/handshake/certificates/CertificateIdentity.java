package io.millrace.handshake.certificates;

import io.millrace.access.PeerIdentity;
import io.millrace.wire.PeerText;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * The identity that a certificate proves of the holder of its private key. Stateless, any thread.
 */
public final class CertificateIdentity {
  private static final String COMMON_NAME = "CN=";

  private CertificateIdentity() {}

  /**
   * The identity of a peer whose certificate was judged already.
   *
   * @param address the peer's name for itself, host:port
   * @param called the address that this node called, or null if the peer began: a peer at the
   *     address of the called host is this host
   */
  public static PeerIdentity of(
      X509Certificate certificate, String address, @Nullable InetSocketAddress called) {
    CertificateNames names = CertificateNames.of(certificate);
    String host = PeerNames.host(address);
    boolean isCalled =
        called != null
            && called.getAddress() != null
            && host.equals(called.getAddress().getHostAddress())
            && names.cover(called.getHostString());
    return new PeerIdentity(
        PeerText.name(address),
        PeerIdentity.Proof.CERTIFICATE,
        isCalled || names.cover(host),
        names.dnsNames(),
        names.ipAddresses(),
        PeerText.name(commonName(certificate.getSubjectX500Principal())),
        sha256(certificate.getPublicKey().getEncoded()));
  }

  /** The first common name, unescaped; empty without a common name of text. */
  private static String commonName(X500Principal subject) {
    String name = subject.getName(X500Principal.RFC2253);
    int at = 0;
    while (at < name.length()) {
      int end = end(name, at);
      if (name.startsWith(COMMON_NAME, at)) {
        return unescaped(name.substring(at + COMMON_NAME.length(), end));
      }
      at = end + 1;
    }
    return "";
  }

  /** The end of the part that begins here: the next comma or plus without an escape. */
  private static int end(String name, int from) {
    int at = from;
    while (at < name.length() && name.charAt(at) != ',' && name.charAt(at) != '+') {
      at += name.charAt(at) == '\\' ? 2 : 1;
    }
    return Math.min(at, name.length());
  }

  private static String unescaped(String value) {
    StringBuilder text = new StringBuilder(value.length());
    int at = 0;
    while (at < value.length()) {
      at += value.charAt(at) == '\\' && at + 1 < value.length() ? 1 : 0;
      text.append(value.charAt(at));
      at++;
    }
    return text.toString();
  }

  private static String sha256(byte[] key) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(key));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK has no SHA-256", e);
    }
  }
}
