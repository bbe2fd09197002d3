package io.millrace.path.packet;

import io.millrace.access.PeerIdentity;
import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.HandshakeOutcome.ProvedIdentity;
import io.millrace.crypto.PathSecret;
import io.millrace.crypto.WorkerPair;
import io.millrace.ends.InlineBudget;
import io.millrace.path.network.RailPlan;

/**
 * The terms of one path, as settled by a handshake.
 *
 * @param peer the process at the other end
 * @param secret the source of the keys; owned by the path opened with the secret
 * @param initiator whether this side began the handshake
 * @param workers this side's worker and the peer's, in the sending direction of this side
 * @param rails the rails to the peer's worker, the best first
 * @param sendLimitBytes inline bytes allowed by the peer from the start
 * @param receiveWindow inline bytes allowed by this side
 * @param agreement the terms both sides have agreed upon
 * @param handshake facts about the peer from the handshake itself
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

  /** The number of inline bytes allowed by this side to be outstanding. */
  public long receiveWindowBytes() {
    return receiveWindow.windowBytes();
  }

  /** The most transfers that this side may have open at the peer. */
  public int remoteTransfers() {
    return agreement.remoteTransfers();
  }

  /** The largest datagram accepted by both sides, bytes. */
  public int maxDatagramBytes() {
    return agreement.maxDatagramBytes();
  }

  /** The most bytes of headers accepted by the peer. */
  public int remoteHeadersBytes() {
    return agreement.remoteHeadersBytes();
  }

  /** How long an inline limit of the peer holds, ns; 0 is without end. */
  public long remoteCreditNs() {
    return agreement.remoteCreditMs() * 1_000_000L;
  }

  /**
   * How long the queues of both directions take to drain, ns: an answer may be late by this time.
   */
  public long queueNs() {
    return agreement.queueNs();
  }

  /** Whether both sides read packets that were written with an immediate value; rule I-1. */
  public boolean hasImmediates() {
    return agreement.immediates();
  }

  /** Whether the peer reads frames in pieces; rule T-8. */
  public boolean hasPieces() {
    return agreement.pieces();
  }

  /** The same without a share of the inline budget, for a path not taken. */
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

  /** The identity by which limits count the peer, as proved by the handshake of the path. */
  public ProvedIdentity identity() {
    return handshake.identity();
  }

  /** The handshake's round trip, ns. */
  public long rttNs() {
    return handshake.rttNs();
  }

  /** The path about which the handshake asks, because the peer may have lost this path. */
  public Asked asked() {
    return handshake.asked();
  }

  /**
   * Facts about the peer from the handshake itself.
   *
   * @param identity the identity by which limits count the peer
   * @param peer the identity on which rights of the peer rest
   * @param rttNs the handshake's round trip
   * @param asked the path about which the handshake asks, because the peer may have lost this path
   */
  public record Handshake(ProvedIdentity identity, PeerIdentity peer, long rttNs, Asked asked) {
    /** A handshake that proved no identity for limits, and asked about no other path. */
    public static Handshake ofUnproved(long rttNs) {
      return new Handshake(ProvedIdentity.NONE, PeerIdentity.ofPreSharedKey(""), rttNs, Asked.NONE);
    }
  }

  /**
   * The path about which a handshake asks; rules U-3 and U-4.
   *
   * @param pathId the id of the path, or 0
   * @param isLost whether this side does not know the path, and is to say so
   */
  public record Asked(long pathId, boolean isLost) {
    /** The handshake asked about no path. */
    public static final Asked NONE = new Asked(0, false);

    /** Whether one side asked the other about a path. */
    public boolean isDoubt() {
      return pathId != 0;
    }
  }

  /**
   * The inline bytes accepted on a path.
   *
   * @param initialBytes the bytes that the handshake allows the peer to send
   * @param windowBytes the bytes that the peer may have outstanding once told so; a share of the
   *     {@link InlineBudget}, which the path gives back at its end
   */
  public record Window(long initialBytes, long windowBytes) {}

  /**
   * The agreement of both sides of a path, from their adverts.
   *
   * @param remoteTransfers the most transfers that this side may have open at the peer
   * @param maxDatagramBytes the largest datagram accepted by both sides
   * @param keySize the longer of the key sizes wanted by both sides
   * @param remoteHeadersBytes most bytes of headers accepted by the peer
   * @param remoteCreditMs how long an inline limit of the peer holds; 0 is without end
   * @param queueNs how long the queues of both ways take to drain
   * @param immediates whether both sides read packets that were written with an immediate value;
   *     rule I-1
   * @param pieces whether the peer reads frames in pieces; rule T-8
   */
  public record Agreement(
      int remoteTransfers,
      int maxDatagramBytes,
      AesKeySize keySize,
      int remoteHeadersBytes,
      int remoteCreditMs,
      long queueNs,
      boolean immediates,
      boolean pieces) {
    /** An agreement on sent packets and whole frames alone. */
    public Agreement(
        int remoteTransfers,
        int maxDatagramBytes,
        AesKeySize keySize,
        int remoteHeadersBytes,
        int remoteCreditMs,
        long queueNs) {
      this(
          remoteTransfers,
          maxDatagramBytes,
          keySize,
          remoteHeadersBytes,
          remoteCreditMs,
          queueNs,
          false,
          false);
    }
  }
}
