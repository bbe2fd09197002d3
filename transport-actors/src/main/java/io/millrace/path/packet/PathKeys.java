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
import io.millrace.wire.PacketHeader;
import java.util.function.LongConsumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The envelope of one path: its secrets, its keys in both directions, and its packet numbers. Owns
 * and closes the secrets. On the worker's thread.
 *
 * <p>A path has one secret that it seals under. While it changes to another (rules K-12 to K-14) it
 * also opens what comes under the next one, and for a while under the one before. Packet numbers go
 * on as they were: each secret has keys of its own, so no number is used twice under one key.
 */
public final class PathKeys implements AutoCloseable {
  private final AeadProvider aead;
  private final KeyLimits limits;
  private final AesKeySize keySize;
  private final WorkerPair workers;
  private Epoch current;
  private @Nullable Epoch next;
  private @Nullable Epoch previous;
  private long nextPacketNumber;
  private boolean rotated;
  private boolean switched;

  /** One secret, and what comes from it. */
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
      ControlKeys control = new ControlKeys(secret, keys.keySize);
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

  /** The keys of the path of these terms, whose secret is its own from now on. */
  public PathKeys(PathTerms terms, AeadProvider aead, KeyLimits limits) {
    this.aead = aead;
    this.limits = limits;
    keySize = terms.agreement().keySize();
    workers = terms.workers();
    current = new Epoch(this, terms.secret(), terms.initiator());
  }

  /** The number of the packet that is sealed next. */
  public long nextPacketNumber() {
    return nextPacketNumber;
  }

  /**
   * What packets that are sealed now name; another one than the path had first, once it changed.
   */
  public long wireId() {
    return current.pathId;
  }

  /** The key that the last packet was sealed with. */
  int sealingKeyId() {
    return current.sealer.keyId();
  }

  /** Whether the last packet was the first under its key, the first of all left out. */
  boolean hasRotated() {
    return rotated;
  }

  /**
   * The number of a packet of this path, sealed here, from its header; -1 if it is of none of the
   * path's secrets, or has no number.
   */
  long numberOf(UnsafeBuffer header, int offset) {
    byte form = header.getByte(offset);
    boolean hasNumber = form == PacketHeader.FORM_DATA || form == PacketHeader.FORM_CHUNKS;
    return hasNumber && epoch(PacketHeader.pathId(header, offset)) != null
        ? PacketHeader.packetNumber(header, offset)
        : -1;
  }

  /**
   * Takes over the secret that comes after the present one: packets under it are opened from now
   * on, and the first right one makes it the present one.
   *
   * @param initiator whether this side began its handshake
   * @return false if another one is to come already: then nothing was taken over
   */
  boolean install(PathSecret secret, boolean initiator) {
    if (next != null) {
      return false;
    }
    next = new Epoch(this, secret, initiator);
    return true;
  }

  /** What the keys that retire others come from now. */
  PathRetirements.Secret ofRetirements() {
    return new PathRetirements.Secret(current.secret, current.initiator, keySize, workers);
  }

  /** The id of the secret that is to come, or 0. */
  long nextId() {
    return next == null ? 0 : next.pathId;
  }

  /** The id of the secret before, or 0. */
  long previousId() {
    return previous == null ? 0 : previous.pathId;
  }

  /** Nothing comes of the secret that was to come. */
  void dropNext() {
    if (next != null) {
      next.close();
      next = null;
    }
  }

  /** Nothing comes any more under the secret before. */
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

  /** The key of the peer's proof that it has lost the secret of this id. */
  void onToken(long pathId, PathToken token) {
    Epoch epoch = epoch(pathId);
    if (epoch != null) {
      epoch.token = token;
    }
  }

  /** Whether the peer has told the key of its proof that it has lost the secret of this id. */
  public boolean hasToken(long pathId) {
    Epoch epoch = epoch(pathId);
    return epoch != null && !epoch.token.isNone();
  }

  /** Whether this proves that the peer's process, which told its key, has lost that secret. */
  boolean isProof(long pathId, long packetNumber, long proof) {
    Epoch epoch = epoch(pathId);
    return epoch != null && epoch.token.matches(packetNumber, proof);
  }

  /** Calls {@code each} with the ids of all secrets that packets are opened under. */
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
  public void seal(UnsafeBuffer buffer, int offset, int bodyLength) {
    PacketHeader.encodeFixed(
        buffer, offset, workers.source(), workers.destination(), current.pathId);
    sealBody(current, buffer, offset, bodyLength);
  }

  /** The same for a packet of this many chunks, whose frames are its body. */
  public void sealChunks(UnsafeBuffer buffer, int offset, int chunks) {
    PacketHeader.encodeFixed(
        buffer, offset, workers.source(), workers.destination(), current.pathId);
    PacketHeader.encodeChunks(buffer, offset, chunks);
    sealBody(current, buffer, offset, chunks * PacketHeader.CHUNK_LENGTH);
  }

  /** A packet without frames under the secret that is to come; false if there is none. */
  boolean sealUnderNext(UnsafeBuffer buffer, int offset) {
    if (next == null) {
      return false;
    }
    PacketHeader.encodeFixed(buffer, offset, workers.source(), workers.destination(), next.pathId);
    sealBody(next, buffer, offset, 0);
    return true;
  }

  private void sealBody(Epoch epoch, UnsafeBuffer buffer, int offset, int bodyLength) {
    int before = epoch.sealer.keyId();
    int keyId = epoch.sealer.keyIdFor(PacketHeader.LENGTH + bodyLength);
    rotated = keyId != before;
    PacketHeader.encodeNumber(buffer, offset, keyId, nextPacketNumber);
    epoch.sealer.seal(buffer, offset, PacketHeader.LENGTH, bodyLength, nextPacketNumber);
    nextPacketNumber++;
  }

  /** Whether the key that the header of a packet names is one that is accepted; rule K-5. */
  boolean isKeyAccepted(UnsafeBuffer buffer, int offset) {
    Epoch epoch = epoch(PacketHeader.pathId(buffer, offset));
    return epoch != null && epoch.opener.canOpen(PacketHeader.keyId(buffer, offset));
  }

  /** Opens a packet in place; false if it is not authentic or its key is not accepted. */
  public boolean open(UnsafeBuffer buffer, int offset, int bodyLength) {
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

  /** The newest key of the peer that a right packet has named. */
  int newestOpenedKeyId() {
    return current.opener.newestKeyId();
  }

  /** The peer needs this key and older ones no more; whether any of them was accepted. */
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
