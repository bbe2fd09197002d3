package io.millrace.samples.capture;

import io.millrace.crypto.AeadKey;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.ControlKeys;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.PacketCipher;
import io.millrace.crypto.PathDirection;
import io.millrace.crypto.WorkerPair;
import io.millrace.handshake.KeyLog;
import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.PacketHeader;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Opens captured packets with the secrets of a key log. A body with a right tag is put in clear at
 * its place, and {@value #OPENED} is added to the first byte of the packet, its form. The dissector
 * knows opened packets by this form. No node ever sends such a form. A packet that cannot be opened
 * stays as it is. A single thread uses the opener, which closes the given secrets.
 */
public final class PacketOpener implements CaptureFile.PayloadEditor, AutoCloseable {
  /** The number added to the form of an opened packet. */
  public static final int OPENED = 0x20;

  /** The number of ciphers kept, each for a key; older ciphers are made again. */
  private static final int MOST_CIPHERS = 256;

  private static final int MOST_DATAGRAM = 1 << 16;

  private record Sealed(
      long pathId, PathDirection direction, WorkerPair workers, int keyId, boolean retires) {}

  private final AeadProvider aead = AeadProviders.discover().select(0);
  private final Map<Long, KeyLog.Entry> secrets = new HashMap<>();
  private final LinkedHashMap<Sealed, PacketCipher> ciphers = new LinkedHashMap<>();
  private final SegmentBuffer scratch = new SegmentBuffer(ByteBuffer.allocateDirect(MOST_DATAGRAM));
  private long opened;
  private long unknown;
  private long refused;

  /** Takes these secrets, and owns them from now on. */
  public PacketOpener(List<KeyLog.Entry> entries) {
    for (KeyLog.Entry entry : entries) {
      KeyLog.Entry former = secrets.put(entry.secret().pathId(), entry);
      if (former != null) {
        former.secret().close();
      }
    }
  }

  /** Returns the number of paths with secrets. */
  public int paths() {
    return secrets.size();
  }

  /** Returns the number of opened packets. */
  public long openedPackets() {
    return opened;
  }

  /** Returns the number of packets on paths without a secret. */
  public long unknownPackets() {
    return unknown;
  }

  /** Returns the number of packets with a wrong tag on paths with a secret. */
  public long refusedPackets() {
    return refused;
  }

  /** Opens each packet of a train, if the kernel has not cut the train yet. */
  @Override
  public void edit(byte[] bytes, int offset, int length) {
    scratch.putBytes(0, bytes, offset, length);
    int at = 0;
    while (isPacket(at, length)) {
      int packet = lengthOf(at, length);
      open(at, packet, bytes, offset);
      at += packet;
    }
  }

  private boolean isPacket(int at, int end) {
    int length = end - at;
    return PacketHeader.isData(scratch, at, length)
        || PacketHeader.isChunks(scratch, at, length)
        || PacketHeader.isRetirement(scratch, at, length);
  }

  /**
   * The packets of a train follow each other in a single datagram if captured on the sender's side
   * of a kernel that cuts trains. The next header has the same path and workers, and the next
   * number.
   */
  private int lengthOf(int at, int end) {
    long path = PacketHeader.pathId(scratch, at);
    long next = PacketHeader.packetNumber(scratch, at) + 1;
    for (int from = at + PacketHeader.OVERHEAD; from + PacketHeader.OVERHEAD <= end; from++) {
      if (PacketHeader.pathId(scratch, from) == path
          && PacketHeader.packetNumber(scratch, from) == next
          && workers(from).equals(workers(at))
          && isPacket(from, end)) {
        return from - at;
      }
    }
    return end - at;
  }

  private WorkerPair workers(int at) {
    return new WorkerPair(
        PacketHeader.sourceWorker(scratch, at), PacketHeader.destinationWorker(scratch, at));
  }

  private void open(int at, int length, byte[] bytes, int offset) {
    KeyLog.Entry entry = secrets.get(PacketHeader.pathId(scratch, at));
    if (entry == null) {
      unknown++;
      return;
    }
    int body =
        PacketHeader.isChunks(scratch, at, length)
            ? PacketHeader.chunks(scratch, at) * PacketHeader.CHUNK_LENGTH
            : length - PacketHeader.OVERHEAD;
    // A header does not tell the sending side.
    for (PathDirection direction : PathDirection.values()) {
      PacketCipher cipher = cipher(entry, direction, at, length);
      long number = PacketHeader.packetNumber(scratch, at);
      if (cipher.open(scratch, at, PacketHeader.LENGTH, body, number)) {
        scratch.getBytes(at + PacketHeader.LENGTH, bytes, offset + at + PacketHeader.LENGTH, body);
        bytes[offset + at] |= OPENED;
        opened++;
        return;
      }
      scratch.putBytes(at, bytes, offset + at, length);
    }
    refused++;
  }

  private PacketCipher cipher(KeyLog.Entry entry, PathDirection direction, int at, int length) {
    Sealed sealed =
        new Sealed(
            entry.secret().pathId(),
            direction,
            workers(at),
            PacketHeader.keyId(scratch, at),
            PacketHeader.isRetirement(scratch, at, length));
    @Nullable PacketCipher cipher = ciphers.get(sealed);
    if (cipher == null) {
      if (ciphers.size() == MOST_CIPHERS) {
        ciphers.pollFirstEntry().getValue().close();
      }
      try (AeadKey key = key(entry, sealed)) {
        cipher = aead.cipher(key, CipherUse.OPEN, KeyLimits.DEFAULT);
      }
      ciphers.put(sealed, cipher);
    }
    return cipher;
  }

  private static AeadKey key(KeyLog.Entry entry, Sealed sealed) {
    AesKeySize size = entry.keySize();
    return sealed.retires()
        ? ControlKeys.deriveRetirement(entry.secret(), size, sealed.direction(), sealed.workers())
        : new ControlKeys(entry.secret(), size)
            .derive(sealed.direction(), sealed.workers(), sealed.keyId());
  }

  @Override
  public void close() {
    ciphers.values().forEach(PacketCipher::close);
    secrets.values().forEach(entry -> entry.secret().close());
  }
}
