package io.millrace.actor.packet;

import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.ControlKeys;
import io.millrace.crypto.ControlOpener;
import io.millrace.crypto.ControlSealer;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.PathDirection;
import io.millrace.crypto.WorkerPair;
import io.millrace.wire.PacketHeader;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The envelope of one path: its secret, its keys in both directions, and its packet numbers. Owns
 * and closes the secret. On the worker's thread.
 */
public final class PathKeys implements AutoCloseable {
  private final PathTerms terms;
  private final ControlSealer sealer;
  private final ControlOpener opener;
  private long nextPacketNumber;
  private boolean rotated;

  /** The keys of the path of these terms, whose secret is its own from now on. */
  public PathKeys(PathTerms terms, AeadProvider aead, KeyLimits limits) {
    this.terms = terms;
    ControlKeys keys = new ControlKeys(terms.secret(), terms.agreement().keySize());
    sealer =
        new ControlSealer(
            keys, aead, PathDirection.sending(terms.initiator()), terms.workers(), limits);
    opener =
        new ControlOpener(
            keys,
            aead,
            PathDirection.receiving(terms.initiator()),
            new WorkerPair(terms.remoteWorker(), terms.localWorker()));
  }

  /** The number of the packet that is sealed next. */
  public long nextPacketNumber() {
    return nextPacketNumber;
  }

  /** The key that the last packet was sealed with. */
  int sealingKeyId() {
    return sealer.keyId();
  }

  /** Whether the last packet was the first under its key, the first of all left out. */
  boolean hasRotated() {
    return rotated;
  }

  /** Writes the header of the packet at {@code offset} and seals it under the next number. */
  public void seal(UnsafeBuffer buffer, int offset, int bodyLength) {
    PacketHeader.encodeFixed(
        buffer, offset, terms.localWorker(), terms.remoteWorker(), terms.secret().pathId());
    sealBody(buffer, offset, bodyLength);
  }

  /** The same for a packet of this many chunks, whose frames are its body. */
  public void sealChunks(UnsafeBuffer buffer, int offset, int chunks) {
    PacketHeader.encodeFixed(
        buffer, offset, terms.localWorker(), terms.remoteWorker(), terms.secret().pathId());
    PacketHeader.encodeChunks(buffer, offset, chunks);
    sealBody(buffer, offset, chunks * PacketHeader.CHUNK_LENGTH);
  }

  private void sealBody(UnsafeBuffer buffer, int offset, int bodyLength) {
    int before = sealer.keyId();
    int keyId = sealer.keyIdFor(PacketHeader.LENGTH + bodyLength);
    rotated = keyId != before;
    PacketHeader.encodeNumber(buffer, offset, keyId, nextPacketNumber);
    sealer.seal(buffer, offset, PacketHeader.LENGTH, bodyLength, nextPacketNumber);
    nextPacketNumber++;
  }

  /** Whether the key that the header of a packet names is one that is accepted; rule K-5. */
  boolean isKeyAccepted(UnsafeBuffer buffer, int offset) {
    return opener.canOpen(PacketHeader.keyId(buffer, offset));
  }

  /** Opens a packet in place; false if it is not authentic or its key is not accepted. */
  public boolean open(UnsafeBuffer buffer, int offset, int bodyLength) {
    return opener.open(
        buffer,
        offset,
        PacketHeader.LENGTH,
        bodyLength,
        PacketHeader.keyId(buffer, offset),
        PacketHeader.packetNumber(buffer, offset));
  }

  @Override
  public void close() {
    sealer.close();
    opener.close();
    terms.secret().close();
  }
}
