package io.millrace.path.packet;

import io.millrace.access.PeerIdentity;
import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.HandshakeOutcome.ProvedIdentity;
import io.millrace.crypto.PathSecret;
import io.millrace.crypto.WorkerPair;
import io.millrace.ends.InlineBudget;
import io.millrace.path.network.RailPlan;

/**
 * What a handshake settled about one path.
 *
 * @param peer whose process this is
 * @param secret where the keys come from; the path that is opened with it owns it
 * @param initiator whether this side began the handshake
 * @param workers this side's worker and the peer's, in the direction of what this side sends
 * @param rails the ways to the peer's worker, the best first
 * @param sendLimitBytes inline bytes that the peer allows from the start
 * @param receiveWindow inline bytes that this side allows
 * @param agreement what both sides have agreed upon
 * @param handshake what the handshake itself told of the peer
 */
public record PathTerms(
    PeerIncarnation peer,
    PathSecret secret,
    boolean initiator,
    WorkerPair workers,
    RailPlan rails,
    long sendLimitBytes,
    Window receiveWindow,
    Agreement agreement,
    Handshake handshake) {
  /** This side's worker. */
  public int localWorker() {
    return workers.source();
  }

  /** The peer's worker. */
  public int remoteWorker() {
    return workers.destination();
  }

  /** Inline bytes that this side allows to be outstanding. */
  public long receiveWindowBytes() {
    return receiveWindow.windowBytes();
  }

  /** Transfers that this side may have open at the peer. */
  public int remoteTransfers() {
    return agreement.remoteTransfers();
  }

  /** What both sides take at most, bytes. */
  public int maxDatagramBytes() {
    return agreement.maxDatagramBytes();
  }

  /** Most bytes of headers that the peer takes. */
  public int remoteHeadersBytes() {
    return agreement.remoteHeadersBytes();
  }

  /** How long an inline limit of the peer holds, ns; 0 is without end. */
  public long remoteCreditNs() {
    return agreement.remoteCreditMs() * 1_000_000L;
  }

  /** How long the queues of both ways take to drain, ns: an answer may take so much longer. */
  public long queueNs() {
    return agreement.queueNs();
  }

  /** The same without a share of the inline budget: of a path that is not taken. */
  public PathTerms withoutWindow() {
    return new PathTerms(
        peer,
        secret,
        initiator,
        workers,
        rails,
        sendLimitBytes,
        new Window(receiveWindow.initialBytes(), 0),
        agreement,
        handshake);
  }

  /** The identity of the peer by which limits count, as the handshake of the path proved it. */
  public ProvedIdentity identity() {
    return handshake.identity();
  }

  /** The handshake's round trip, ns. */
  public long rttNs() {
    return handshake.rttNs();
  }

  /** The path that the handshake was about, because the peer may have lost it. */
  public Asked asked() {
    return handshake.asked();
  }

  /**
   * What the handshake itself told of the peer.
   *
   * @param identity the identity by which limits count the peer
   * @param peer what rights of the peer rest on
   * @param rttNs the handshake's round trip
   * @param asked the path that the handshake was about, because the peer may have lost it
   */
  public record Handshake(ProvedIdentity identity, PeerIdentity peer, long rttNs, Asked asked) {
    /** A handshake that proved nothing that limits count by, and was about no other path. */
    public static Handshake ofUnproved(long rttNs) {
      return new Handshake(ProvedIdentity.NONE, PeerIdentity.ofPreSharedKey(""), rttNs, Asked.NONE);
    }
  }

  /**
   * The path that a handshake was about; rules U-3 and U-4.
   *
   * @param pathId its id, or 0
   * @param isLost whether this side does not know it, and is to say so
   */
  public record Asked(long pathId, boolean isLost) {
    /** It was about none. */
    public static final Asked NONE = new Asked(0, false);

    /** Whether one side asked whether the other knows a path. */
    public boolean isDoubt() {
      return pathId != 0;
    }
  }

  /**
   * What a path takes inline.
   *
   * @param initialBytes what the handshake allows the peer to send
   * @param windowBytes what it may have outstanding once it was told so; a share of the {@link
   *     InlineBudget}, which the path gives back when it ends
   */
  public record Window(long initialBytes, long windowBytes) {}

  /**
   * What both sides of a path have agreed upon by their adverts.
   *
   * @param remoteTransfers transfers that this side may have open at the peer
   * @param maxDatagramBytes what both sides take at most
   * @param keySize the longer keys of what both sides want
   * @param remoteHeadersBytes most bytes of headers that the peer takes
   * @param remoteCreditMs how long an inline limit of the peer holds; 0 is without end
   * @param queueNs how long the queues of both ways take to drain
   */
  public record Agreement(
      int remoteTransfers,
      int maxDatagramBytes,
      AesKeySize keySize,
      int remoteHeadersBytes,
      int remoteCreditMs,
      long queueNs) {}
}
