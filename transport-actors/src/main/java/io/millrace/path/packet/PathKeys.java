package io.millrace.path.packet;

import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.ControlKeys;
import io.millrace.crypto.ControlOpener;
import io.millrace.crypto.ControlSealer;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.PathDirection;
import io.millrace.crypto.PathSecret;
import io.millrace.crypto.WorkerPair;
import io.millrace.ends.PathCounters;
import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.PacketHeader;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The envelope of one path: the secrets, the keys in both directions, and the packet numbers. Owns
 * and closes the secrets. On the worker's thread.
 *
 * <p>A path has one secret for sealing. During the change to another secret (rules K-12 to K-14)
 * the path also opens packets under the next secret, and after the change, for a while, under the
 * previous secret. Packet numbers go on as before: each secret has keys of its own, so no number is
 * used twice under one key.
 */
public final class PathKeys implements AutoCloseable {
  private final AeadProvider aead;
  private final KeyLimits limits;
  private final AesKeySize keySize;
  private final WorkerPair workers;
  private final PathCounters counters;
  private Epoch current;
  private @Nullable Epoch next;
  private @Nullable Epoch previous;
  private long nextPacketNumber;
  private boolean rotated;
  private boolean switched;

  /** A secret and the keys derived from this secret. */
  private static final class Epoch implements AutoCloseable {
    private final PathSecret secret;
    private final long pathId;
    private final boolean initiator;
    private final ControlSealer sealer;
    private final ControlOpener opener;
    private PathToken token = PathToken.NONE;

    private Epoch(PathKeys keys, PathSecret secret, boolean initiator) {
      this.secret = secret;
      pathId = secret.pathId();
      this.initiator = initiator;
      ControlKeys control =
          new ControlKeys(secret, keys.keySize, () -> keys.counters.controlKeysDerived++);
      sealer =
          new ControlSealer(
              control, keys.aead, PathDirection.sending(initiator), keys.workers, keys.limits);
      opener =
          new ControlOpener(
              control, keys.aead, PathDirection.receiving(initiator), keys.workers.reversed());
    }

    @Override
    public void close() {
      sealer.close();
      opener.close();
      secret.close();
    }
  }

  /**
   * The keys of a path with these terms; the secret belongs to the path from now on.
   *
   * @param counters count the derived keys
   */
  public PathKeys(PathTerms terms, AeadProvider aead, KeyLimits limits, PathCounters counters) {
    this.aead = aead;
    this.limits = limits;
    this.counters = counters;
    keySize = terms.agreement().keySize();
    workers = terms.workers();
    current = new Epoch(this, terms.secret(), terms.initiator());
  }

  /** The number of the packet to seal next. */
  public long nextPacketNumber() {
    return nextPacketNumber;
  }

  /**
   * The path id in packets sealed now; differs from the first id of the path after a change of
   * secret.
   */
  public long wireId() {
    return current.pathId;
  }

  /** The id of the key of the last sealed packet. */
  int sealingKeyId() {
    return current.sealer.keyId();
  }

  /**
   * Whether the last packet was the first under its key; false for the first packet of the path.
   */
  boolean hasRotated() {
    return rotated;
  }

  /**
   * The number of a packet sealed here on this path, from the packet's header; -1 for a packet
   * under another path's secret, or without a number.
   */
  long numberOf(SegmentBuffer header, int offset) {
    byte form = header.getByte(offset);
    boolean hasNumber = form == PacketHeader.FORM_DATA || form == PacketHeader.FORM_CHUNKS;
    return hasNumber && epoch(PacketHeader.pathId(header, offset)) != null
        ? PacketHeader.packetNumber(header, offset)
        : -1;
  }

  /**
   * Takes over the secret following the present secret. Packets under the new secret are opened
   * from now on, and the first authentic packet makes the new secret the present secret.
   *
   * @param initiator whether this side began the handshake of the secret
   * @return false if a next secret is present already: then nothing was taken over
   */
  boolean install(PathSecret secret, boolean initiator) {
    if (next != null) {
      return false;
    }
    next = new Epoch(this, secret, initiator);
    return true;
  }

  /** The secret from which the keys of retirements derive now. */
  PathRetirements.Secret ofRetirements() {
    return new PathRetirements.Secret(current.secret, current.initiator, keySize, workers);
  }

  /** The id of the next secret, or 0. */
  long nextId() {
    return next == null ? 0 : next.pathId;
  }

  /** The id of the previous secret, or 0. */
  long previousId() {
    return previous == null ? 0 : previous.pathId;
  }

  /** Drops the next secret: no packet comes under the secret. */
  void dropNext() {
    if (next != null) {
      next.close();
      next = null;
    }
  }

  /** Drops the previous secret: no more packets come under the secret. */
  void dropPrevious() {
    if (previous != null) {
      previous.close();
      previous = null;
    }
  }

  /** Whether the next secret has become the present one since the last call. */
  boolean pollSwitched() {
    boolean polled = switched;
    switched = false;
    return polled;
  }

  /** The peer has told its token for the secret of this id. */
  void onToken(long pathId, PathToken token) {
    Epoch epoch = epoch(pathId);
    if (epoch != null) {
      epoch.token = token;
    }
  }

  /** Whether the peer has told its token for the secret of this id. */
  public boolean hasToken(long pathId) {
    Epoch epoch = epoch(pathId);
    return epoch != null && !epoch.token.isNone();
  }

  /**
   * Whether the proof shows that the source of the token, the peer's process, has lost the secret
   * of this id.
   */
  boolean isProof(long pathId, long packetNumber, long proof) {
    Epoch epoch = epoch(pathId);
    return epoch != null && epoch.token.matches(packetNumber, proof);
  }

  /** Calls {@code each} with the ids of all secrets for opening packets. */
  public void forEachId(LongConsumer each) {
    each.accept(current.pathId);
    if (next != null) {
      each.accept(next.pathId);
    }
    if (previous != null) {
      each.accept(previous.pathId);
    }
  }

  /** Writes the header of the packet at {@code offset} and seals it under the next number. */
  public void seal(SegmentBuffer buffer, int offset, int bodyLength) {
    PacketHeader.encodeFixed(
        buffer, offset, workers.source(), workers.destination(), current.pathId);
    sealBody(current, buffer, offset, bodyLength);
  }

  /** The same for a packet of this many chunks, with the chunk frames as its body. */
  public void sealChunks(SegmentBuffer buffer, int offset, int chunks) {
    PacketHeader.encodeFixed(
        buffer, offset, workers.source(), workers.destination(), current.pathId);
    PacketHeader.encodeChunks(buffer, offset, chunks);
    sealBody(current, buffer, offset, chunks * PacketHeader.CHUNK_LENGTH);
  }

  /** Seals a packet without frames under the next secret; false without a next secret. */
  boolean sealUnderNext(SegmentBuffer buffer, int offset) {
    if (next == null) {
      return false;
    }
    PacketHeader.encodeFixed(buffer, offset, workers.source(), workers.destination(), next.pathId);
    sealBody(next, buffer, offset, 0);
    return true;
  }

  private void sealBody(Epoch epoch, SegmentBuffer buffer, int offset, int bodyLength) {
    int before = epoch.sealer.keyId();
    int keyId = epoch.sealer.keyIdFor(PacketHeader.LENGTH + bodyLength);
    rotated = keyId != before;
    PacketHeader.encodeNumber(buffer, offset, keyId, nextPacketNumber);
    epoch.sealer.seal(buffer, offset, PacketHeader.LENGTH, bodyLength, nextPacketNumber);
    nextPacketNumber++;
  }

  /** Whether the path accepts the key named in the header of a packet; rule K-5. */
  boolean isKeyAccepted(SegmentBuffer buffer, int offset) {
    Epoch epoch = epoch(PacketHeader.pathId(buffer, offset));
    return epoch != null && epoch.opener.canOpen(PacketHeader.keyId(buffer, offset));
  }

  /** Opens a packet in place; false if the packet is not authentic or the key not accepted. */
  public boolean open(SegmentBuffer buffer, int offset, int bodyLength) {
    Epoch epoch = epoch(PacketHeader.pathId(buffer, offset));
    if (epoch == null
        || !epoch.opener.open(
            buffer,
            offset,
            PacketHeader.LENGTH,
            bodyLength,
            PacketHeader.keyId(buffer, offset),
            PacketHeader.packetNumber(buffer, offset))) {
      return false;
    }
    if (epoch == next) {
      dropPrevious();
      previous = current;
      current = epoch;
      next = null;
      switched = true;
    }
    return true;
  }

  private @Nullable Epoch epoch(long pathId) {
    if (pathId == current.pathId) {
      return current;
    }
    if (next != null && pathId == next.pathId) {
      return next;
    }
    return previous != null && pathId == previous.pathId ? previous : null;
  }

  /** The newest key of the peer that an authentic packet has named. */
  int newestOpenedKeyId() {
    return current.opener.newestKeyId();
  }

  /**
   * The peer has no more need of this key and older keys; returns whether the path still accepted a
   * key among them.
   */
  boolean retire(int keyId) {
    return current.opener.retire(keyId);
  }

  @Override
  public void close() {
    current.close();
    dropNext();
    dropPrevious();
  }
}
