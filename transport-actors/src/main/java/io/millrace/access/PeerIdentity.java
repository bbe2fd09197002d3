package io.millrace.access;

import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a peer, as proved by the handshake. A path has a single identity; a handshake
 * that renews the secret of the path replaces the identity. Immutable, any thread.
 *
 * <p>The names come from the peer's certificate, lower case, cleaned of control characters. Of the
 * {@code address} the port is never proved, and the host only if {@link #isHostProved()}.
 *
 * @param address the peer's handshake address as the peer names itself, host:port
 * @param proof how the peer was authenticated
 * @param isHostProved whether the certificate names the host of {@code address}; false for a peer
 *     whose certificate has a name of {@code millrace.handshake.tls.peer-names} instead, and for
 *     every peer of a pre-shared key
 * @param dnsNames DNS names of the certificate, a wildcard as it stands; empty without a
 *     certificate
 * @param ipAddresses IP addresses of the certificate, in numbers; empty without a certificate
 * @param commonName common name of the certificate's subject; empty without a common name
 * @param keySha256 SHA-256 of the certificate's public key (SubjectPublicKeyInfo), 64 hexadecimal
 *     digits; empty without a certificate
 */
public record PeerIdentity(
    String address,
    Proof proof,
    boolean isHostProved,
    List<String> dnsNames,
    List<String> ipAddresses,
    String commonName,
    String keySha256) {
  private static final String WILDCARD = "*.";

  /** The means of a peer's authentication. */
  public enum Proof {
    /** By a certificate of the peer's own and the private key of the certificate. */
    CERTIFICATE,
    /** By a key that all nodes share: each node can take the name of any other. */
    PRE_SHARED_KEY
  }

  /** Nothing may be null. */
  public PeerIdentity {
    Objects.requireNonNull(address, "address");
    Objects.requireNonNull(proof, "proof");
    dnsNames = List.copyOf(dnsNames);
    ipAddresses = List.copyOf(ipAddresses);
    Objects.requireNonNull(commonName, "commonName");
    Objects.requireNonNull(keySha256, "keySha256");
  }

  /** A peer that knows the pre-shared key and calls itself {@code address}. */
  public static PeerIdentity ofPreSharedKey(String address) {
    return new PeerIdentity(address, Proof.PRE_SHARED_KEY, false, List.of(), List.of(), "", "");
  }

  /**
   * Whether the certificate has this name.
   *
   * @param pattern a DNS name, without regard to case; an IP address; or {@code *.} and a domain
   *     for every name with exactly one label more
   */
  public boolean isNamed(String pattern) {
    InetAddress numbers = literal(pattern);
    if (numbers != null) {
      return ipAddresses.stream().anyMatch(each -> numbers.equals(literal(each)));
    }
    String wanted = pattern.toLowerCase(Locale.ROOT);
    return dnsNames.stream().anyMatch(name -> name.equals(wanted) || matches(wanted, name));
  }

  private static boolean matches(String pattern, String name) {
    int dot = name.indexOf('.');
    return pattern.startsWith(WILDCARD)
        && dot > 0
        && name.indexOf('*') < 0
        && name.substring(dot).equals(pattern.substring(1));
  }

  private static @Nullable InetAddress literal(String text) {
    try {
      return InetAddress.ofLiteral(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** For people and logs: the address, and the evidence for the address. */
  @Override
  public String toString() {
    if (proof == Proof.PRE_SHARED_KEY) {
      return address + " (pre-shared key)";
    }
    String first =
        !dnsNames.isEmpty()
            ? dnsNames.getFirst()
            : ipAddresses.isEmpty() ? commonName : ipAddresses.getFirst();
    return address + " (certificate of " + (first.isEmpty() ? "key " + keySha256 : first) + ")";
  }
}
