package io.millrace.path.packet;

import io.millrace.access.PeerIdentity;
import io.millrace.crypto.PathSecret;
import io.millrace.driver.SendBuffer;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.CloseReason;
import io.millrace.wire.codec.PathLostEncoder;
import org.agrona.MutableDirectBuffer;

/**
 * Gives a path new secrets while all transfers on the path go on. Finds out whether the peer has
 * lost the secrets; rules K-12 to K-14 and U-1 to U-5. A handshake with the peer brings the next
 * secret. The initiator of the handshake sends packets without frames under the new secret until a
 * packet of the peer comes back. Each side seals under the new secret as soon as an authentic
 * packet under this secret has come. On the worker's thread.
 */
public final class PathRenewal {
  /** The number of packets tried under the next secret; the wait doubles from packet to packet. */
  private static final int TRIES = 10;

  /** How long a next secret waits for its first packet. */
  private static final long WAIT_NS = 10_000_000_000L;

  /** How long packets under the previous secret may still be on their way. */
  private static final long GRACE_NS = 3_000_000_000L;

  /** How long a peer may take to report the loss of a path. */
  private static final long VERDICT_NS = 1_000_000_000L;

  /** The least time between two questions to a peer said to have lost a secret. */
  private static final long DOUBT_NS = 1_000_000_000L;

  /** The least time between two probes of the peer because of claims without proof. */
  private static final long HINT_NS = 100_000_000L;

  /**
   * After a handshake without a result, the path waits this part of the time between two renewals
   * for another handshake.
   */
  private static final int RETRY_PART = 16;

  private static final long LEAST_RETRY_NS = 1_000_000_000L;

  /** A secret is used for two renewal periods and this time: longer use would outlive the trust. */
  private static final long EXPIRY_EXTRA_NS = 10_000_000_000L;

  private static final long NEVER = Long.MAX_VALUE;

  private final PathContext path;
  private final PathParts parts;
  private final PathKeys keys;
  private final ControlPackets controls;
  private final PathOwner owner;
  private final long everyNs;
  private final long intervalNs;
  private long dueNs = NEVER;
  private long expiryNs = NEVER;
  private long tryNs = NEVER;
  private long waitNs = NEVER;
  private long graceNs = NEVER;
  private long verdictNs = NEVER;
  private long nextDoubtNs = Long.MIN_VALUE;

  /** The time at which the path asks the peer, unless a packet of the peer comes before. */
  private long hintNs = NEVER;

  private long nextHintNs = Long.MIN_VALUE;
  private int tries;

  PathRenewal(PathParts parts, ControlPackets controls, PathOwner owner) {
    this.parts = parts;
    this.controls = controls;
    this.owner = owner;
    path = parts.context();
    keys = parts.keys();
    everyNs = path.worker().settings().handshake().renewEveryNs();
    // Both sides may begin; the responder waits longer, so that only a single side begins.
    intervalNs = parts.terms().initiator() || everyNs == 0 ? everyNs : everyNs + everyNs / 2;
  }

  /** The peer asked about a path unknown to this node. */
  public void tellLost(long lostId) {
    parts.frames().sendRare(new LostFrame(lostId));
  }

  /**
   * The path was opened because the peer may have lost another path. Unless the peer says so soon,
   * the other path goes on and this path ends.
   */
  public void awaitVerdict() {
    verdictNs = path.nowNs() + VERDICT_NS;
    path.touch();
  }

  /** The peer has named the path lost. */
  public void onVerdict() {
    verdictNs = NEVER;
  }

  /**
   * A handshake brought the next secret; the secret belongs to the path from now on. If another
   * secret is pending already, because both sides began a handshake, the new secret is dropped;
   * rule K-14.
   *
   * @param initiator whether this side began the handshake
   * @param peer the identity of the peer, as proved by the handshake
   */
  public void install(PathSecret secret, boolean initiator, PeerIdentity peer) {
    if (path.isOver() || !keys.install(secret, initiator)) {
      secret.close();
      return;
    }
    path.access().onIdentity(peer);
    owner.onSecret(secret.pathId());
    waitNs = path.nowNs() + WAIT_NS;
    tries = 0;
    tryNs = initiator ? path.nowNs() : NEVER;
    path.touch();
  }

  /** The peer told its token for the secret of this id. */
  public void onToken(long pathId, PathToken token) {
    keys.onToken(pathId, token);
  }

  /** Whether one more handshake may ask whether the peer knows the path. */
  boolean mayAsk(long nowNs) {
    if (nowNs < nextDoubtNs) {
      return false;
    }
    nextDoubtNs = nowNs + DOUBT_NS;
    path.worker().counters().pathsDoubted++;
    return true;
  }

  /**
   * A message says, without proof, that the peer has lost the path. The sender is the peer's next
   * life, or a stranger who sees the packets. A peer that still has the path answers a probe.
   */
  void onHint(long nowNs) {
    if (hintNs == NEVER && nowNs >= nextHintNs) {
      nextHintNs = nowNs + HINT_NS;
      hintNs = nowNs + path.recovery().probeIntervalNs();
      parts.control().wantProbe();
      path.touch();
    }
  }

  /** An authentic packet came: the peer has the path. */
  void onPacketReceived() {
    hintNs = NEVER;
  }

  /** The turn ends. */
  void endTurn(long nowNs) {
    if (dueNs == NEVER) {
      scheduleNext(nowNs);
    }
    if (keys.pollSwitched()) {
      tryNs = NEVER;
      waitNs = NEVER;
      graceNs = nowNs + GRACE_NS;
      scheduleNext(nowNs);
      parts.onSecretChanged();
      parts.control().wantProbe();
      path.worker().counters().pathsRenewed++;
      path.worker().events().onPathRenewed(path.worker().worker(), path.peer(), keys.wireId());
    }
  }

  /**
   * Sets the time for the successor of the present secret, and the time at which the path ends
   * without a successor; K-12, K-14.
   */
  private void scheduleNext(long nowNs) {
    if (everyNs > 0) {
      dueNs = nowNs + spread(intervalNs);
      expiryNs = nowNs + 2 * everyNs + EXPIRY_EXTRA_NS;
    }
  }

  /**
   * Returns 90 to 110 % of the time, by the path, so that the paths of a node do not all renew at
   * once.
   */
  private long spread(long wholeNs) {
    long mixed = keys.wireId() * 0x9E3779B97F4A7C15L;
    return wholeNs / 10 * 9 + Math.floorMod(mixed, wholeNs / 5 + 1);
  }

  void onDeadline(long nowNs) {
    if (nowNs >= expiryNs) {
      expiryNs = NEVER;
      String why = "no handshake with the peer brought the path another secret in time";
      path.close(CloseReason.SUPERSEDED, CallOutcome.PEER_RESET, why);
      return;
    }
    if (nowNs >= dueNs) {
      dueNs = nowNs + Math.max(LEAST_RETRY_NS, intervalNs / RETRY_PART);
      if (keys.nextId() == 0) {
        owner.onRenewalDue();
      }
    }
    if (nowNs >= verdictNs) {
      verdictNs = NEVER;
      path.close(CloseReason.SUPERSEDED, CallOutcome.PEER_RESET, "the path before goes on");
      return;
    }
    if (nowNs >= waitNs) {
      giveUpNext();
    }
    if (nowNs >= hintNs) {
      hintNs = NEVER;
      if (mayAsk(nowNs)) {
        owner.onDoubt(keys.wireId());
      }
    }
    if (nowNs >= tryNs) {
      trySwitch(nowNs);
    }
    if (nowNs >= graceNs) {
      graceNs = NEVER;
      long id = keys.previousId();
      keys.dropPrevious();
      owner.onSecretGone(id);
    }
  }

  private void giveUpNext() {
    long id = keys.nextId();
    if (id != 0) {
      keys.dropNext();
      owner.onSecretGone(id);
    }
    tryNs = NEVER;
    waitNs = NEVER;
  }

  private void trySwitch(long nowNs) {
    int endpoint = path.worker().network().endpointOf(path.destination());
    SendBuffer buffer = controls.take(endpoint);
    if (buffer == null) {
      path.touch();
      return;
    }
    if (!keys.sealUnderNext(buffer.buffer(), 0)) {
      controls.giveBack(endpoint, buffer);
      tryNs = NEVER;
      return;
    }
    parts.onPacketSealed(PacketHeader.OVERHEAD, false, false, nowNs);
    parts.trains().postUrgent(buffer, PacketHeader.OVERHEAD);
    tries++;
    tryNs = tries == TRIES ? NEVER : nowNs + (path.recovery().probeIntervalNs() << tries - 1);
  }

  long nextDeadlineNs() {
    long changeNs = Math.min(Math.min(dueNs, tryNs), Math.min(waitNs, graceNs));
    return Math.min(Math.min(changeNs, hintNs), Math.min(verdictNs, expiryNs));
  }

  /**
   * Tells a peer, in answer to a question, that this node does not know a path; rule U-4. A rare
   * frame.
   */
  private static final class LostFrame extends RareFrame {
    private final long pathId;

    LostFrame(long pathId) {
      this.pathId = pathId;
    }

    @Override
    public int encodedLength() {
      return FrameStart.LENGTH + PathLostEncoder.BLOCK_LENGTH;
    }

    @Override
    public void encode(MutableDirectBuffer buffer, int offset) {
      int length = encodedLength();
      int block = PathLostEncoder.BLOCK_LENGTH;
      FrameStart.encode(buffer, offset, length, block, PathLostEncoder.TEMPLATE_ID);
      new PathLostEncoder().wrap(buffer, offset + FrameStart.LENGTH).pathId(pathId);
    }

    @Override
    public boolean isObsolete() {
      return false;
    }
  }
}
