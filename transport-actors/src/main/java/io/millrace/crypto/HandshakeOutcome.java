package io.millrace.crypto;

import io.millrace.access.PeerIdentity;
import java.net.InetAddress;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.util.HexFormat;

/** The outcome of a handshake. */
public sealed interface HandshakeOutcome {
  /**
   * The identity by which limits count a peer. A peer cannot choose this identity, unlike its name
   * for itself. Equal if and only if the same key, or with a pre-shared key the same address, was
   * proved. Immutable, any thread.
   *
   * @param text {@code key:} and the SHA-256 of the certificate's public key in hex, {@code
   *     address:} and an IPv4 address or the first half of an IPv6 address, or nothing
   */
  record ProvedIdentity(String text) {
    /** The part of an IPv6 address that a host chooses freely. */
    private static final int INTERFACE_BYTES = 8;

    private static final String KEY = "key:";

    /** Nothing was proved: all such peers count as a single peer. */
    public static final ProvedIdentity NONE = new ProvedIdentity("");

    /** The holder of the private key of this public key of a certificate. */
    public static ProvedIdentity ofKey(PublicKey key) {
      try {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
        return new ProvedIdentity(KEY + HexFormat.of().formatHex(hash));
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("this JDK has no SHA-256", e);
      }
    }

    /**
     * The peers that share a part of this node's memory with the peer of this name. With a
     * certificate these are all peers with the certificate's key and the same host in their own
     * names. A cluster with a shared certificate has a part for each host, and more ports give
     * nobody more memory. Without a key the peer is alone.
     *
     * @param peer the peer's handshake address, {@code host:port}
     */
    public String shareOf(String peer) {
      int colon = peer.lastIndexOf(':');
      return text.startsWith(KEY) && colon > 0 ? text + "@" + peer.substring(0, colon) : peer;
    }

    /**
     * The receiver at this address; all ports of the address, and all addresses of a /64 of IPv6,
     * are a single identity.
     */
    public static ProvedIdentity ofAddress(InetAddress address) {
      byte[] bytes = address.getAddress();
      return new ProvedIdentity(
          bytes.length > INTERFACE_BYTES
              ? "address:" + HexFormat.of().formatHex(bytes, 0, bytes.length - INTERFACE_BYTES)
              : "address:" + address.getHostAddress());
    }
  }

  /**
   * A peer as a handshake knows the peer.
   *
   * @param name the handshake address by which the peer names itself, {@code host:port}, proved as
   *     far as the provider can; never the port
   * @param identity the identity by which limits count the peer
   * @param address the IP address, in numbers, of this proof; empty if unknown
   * @param proved the identity that rights rest on
   */
  record Peer(String name, ProvedIdentity identity, String address, PeerIdentity proved) {
    /** A peer with the name {@code name} and without a certificate. */
    public Peer(String name, ProvedIdentity identity) {
      this(name, identity, "", PeerIdentity.ofPreSharedKey(name));
    }

    /** A peer without a proved identity for limits. */
    public static Peer unproved(String name) {
      return new Peer(name, ProvedIdentity.NONE);
    }
  }

  /**
   * Both sides authenticated each other and hold the same secret. The receiver of this outcome owns
   * the secret. The adverts are unchanged; they are authenticated, and bound to the secret.
   */
  final class Established implements HandshakeOutcome {
    private final PathSecret secret;
    private final boolean initiator;
    private final byte[] localAdvert;
    private final byte[] remoteAdvert;
    private final Peer peer;
    private final long rttNs;
    private final long epoch;

    /** Takes over the secret and the arrays. */
    public Established(
        PathSecret secret,
        boolean initiator,
        byte[] localAdvert,
        byte[] remoteAdvert,
        Peer peer,
        long rttNs,
        long epoch) {
      this.secret = secret;
      this.initiator = initiator;
      this.localAdvert = localAdvert;
      this.remoteAdvert = remoteAdvert;
      this.peer = peer;
      this.rttNs = rttNs;
      this.epoch = epoch;
    }

    /** The secret of the path. */
    public PathSecret secret() {
      return secret;
    }

    /** Whether this side began the handshake. */
    public boolean isInitiator() {
      return initiator;
    }

    /** The advert that the peer was told; a copy. */
    public byte[] localAdvert() {
      return localAdvert.clone();
    }

    /** The advert that the peer told; a copy. */
    public byte[] remoteAdvert() {
      return remoteAdvert.clone();
    }

    /** The peer's handshake address in the peer's own name, proved as far as the provider can. */
    public String remoteIdentity() {
      return peer.name();
    }

    /** The peer as the handshake proved the peer. */
    public Peer peer() {
      return peer;
    }

    /** The same path, for a provider that proves only the address of a peer. */
    public Established at(InetAddress address) {
      return new Established(
          secret,
          initiator,
          localAdvert,
          remoteAdvert,
          new Peer(
              peer.name(),
              ProvedIdentity.ofAddress(address),
              address.getHostAddress(),
              peer.proved()),
          rttNs,
          epoch);
    }

    /**
     * The value of {@link HandshakeHost#epoch()} when this side made its fresh secret of the
     * exchange: the peer was alive after this time.
     */
    public long epoch() {
      return epoch;
    }

    /** A round trip during the handshake, ns; too long rather than too short. */
    public long rttNs() {
      return rttNs;
    }

    @Override
    public String toString() {
      return "Established[" + peer.name() + ", initiator=" + initiator + ", " + secret + "]";
    }
  }

  /**
   * No path came about.
   *
   * @param reason a sentence for a person
   * @param cause the same for a program
   */
  record Failed(String reason, HandshakeFailure cause) implements HandshakeOutcome {}
}
