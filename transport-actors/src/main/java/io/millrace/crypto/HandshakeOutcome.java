package io.millrace.crypto;

/** How a handshake ended. */
public sealed interface HandshakeOutcome {
  /**
   * Both sides authenticated each other and hold the same secret. Whoever receives this owns the
   * secret. The adverts are as they were given; they are authenticated, and bound to the secret.
   */
  final class Established implements HandshakeOutcome {
    private final PathSecret secret;
    private final boolean initiator;
    private final byte[] localAdvert;
    private final byte[] remoteAdvert;
    private final String remoteIdentity;
    private final long rttNs;
    private final long epoch;

    /** Takes over the secret and the arrays. */
    public Established(
        PathSecret secret,
        boolean initiator,
        byte[] localAdvert,
        byte[] remoteAdvert,
        String remoteIdentity,
        long rttNs,
        long epoch) {
      this.secret = secret;
      this.initiator = initiator;
      this.localAdvert = localAdvert;
      this.remoteAdvert = remoteAdvert;
      this.remoteIdentity = remoteIdentity;
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

    /** What the peer was told; a copy. */
    public byte[] localAdvert() {
      return localAdvert.clone();
    }

    /** What the peer told; a copy. */
    public byte[] remoteAdvert() {
      return remoteAdvert.clone();
    }

    /**
     * Who the peer is: its handshake address as it names itself, proved as far as the provider can.
     */
    public String remoteIdentity() {
      return remoteIdentity;
    }

    /**
     * What {@link HandshakeHost#epoch()} was when this side's fresh secret of the exchange was
     * made: the peer was alive after that.
     */
    public long epoch() {
      return epoch;
    }

    /** One round trip during the handshake, ns; too long rather than too short. */
    public long rttNs() {
      return rttNs;
    }

    @Override
    public String toString() {
      return "Established[" + remoteIdentity + ", initiator=" + initiator + ", " + secret + "]";
    }
  }

  /**
   * There is no path.
   *
   * @param reason one sentence for a person
   * @param cause the same for a program
   */
  record Failed(String reason, HandshakeFailure cause) implements HandshakeOutcome {}
}
