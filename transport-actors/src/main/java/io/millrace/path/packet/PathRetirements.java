package io.millrace.path.packet;

import static io.millrace.path.packet.FrameCheck.body;
import static io.millrace.path.packet.FrameCheck.requireBlock;

import io.millrace.config.CryptoSettings;
import io.millrace.crypto.AeadKey;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.ControlKeys;
import io.millrace.crypto.ControlOpener;
import io.millrace.crypto.DataKey;
import io.millrace.crypto.DataKeyNames;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.PacketCipher;
import io.millrace.crypto.PathDirection;
import io.millrace.crypto.PathSecret;
import io.millrace.crypto.WorkerPair;
import io.millrace.ends.PathCounters;
import io.millrace.event.DropReason;
import io.millrace.memory.SegmentBuffer;
import io.millrace.protocol.recovery.PathRecovery;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.RetireControlKeyDecoder;
import io.millrace.wire.codec.RetireControlKeyEncoder;
import io.millrace.wire.codec.RetireDataKeyDecoder;
import io.millrace.wire.codec.RetireDataKeyEncoder;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * For one secret of a path: tells the peer which keys this side no longer needs, and reads such
 * messages of the peer; rules K-7 to K-11. Best effort: the path tells of each key once, and is
 * silent about keys beyond its memory. On the worker's thread; allocates only with new keys.
 */
public final class PathRetirements implements AutoCloseable {
  /** The number of data keys watched for their end. */
  static final int MOST_WATCHED = 64;

  /** The number of data keys in one datagram. */
  static final int MOST_TOLD = 32;

  /** How long the end of a data key may wait for other ends in the same datagram. */
  static final long GATHER_NS = 25_000_000;

  private static final long LOOK_NS = 10_000_000;
  private static final int MOST_ROTATIONS = ControlOpener.KEYS_BEHIND;
  private static final int CONTROL_FRAME = FrameStart.LENGTH + RetireControlKeyEncoder.BLOCK_LENGTH;
  private static final int DATA_FRAME = FrameStart.LENGTH + RetireDataKeyEncoder.BLOCK_LENGTH;
  private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

  private final Secret secret;
  private final AeadProvider aead;
  private final PathCounters counters;
  private final long oldKeyTtlNs;
  private final ArrayDeque<Rotation> rotations = new ArrayDeque<>();
  private final ArrayDeque<Watched> watched = new ArrayDeque<>();
  private final ArrayDeque<DataKeyNames.Name> ended = new ArrayDeque<>();
  private boolean isTelling;
  private @Nullable PacketCipher sealing;
  private @Nullable PacketCipher opening;
  private @Nullable DataKeyNames names;
  private @Nullable DataKey lastUsed;
  private long nextNumber;
  private long newestSeen = -1;
  private boolean isLookWanted;
  private long nextLookNs = Long.MIN_VALUE;
  private long endedNs;
  private int newestOpened;
  private int expiringBefore;
  private long expiryNs = Long.MAX_VALUE;

  /** A replaced key: packets from {@code firstNumber} on are sealed under the next key. */
  private record Rotation(int keyId, long firstNumber, long atNs) {}

  /** A data key told to the peer, still sealing or with records on their way. */
  private record Watched(DataKey key, DataKeyNames.Name name) {}

  /**
   * The source of the keys of retirements.
   *
   * @param secret the path secret, open until the retirements are closed
   * @param initiator whether this side began the handshake of the secret
   * @param keySize the key size of the path
   * @param workers this side's worker and the peer's
   */
  record Secret(PathSecret secret, boolean initiator, AesKeySize keySize, WorkerPair workers) {}

  /** Forgets the keys retired by the peer. */
  interface Receiver {
    /**
     * The peer retires this control key and all earlier keys; returns whether a key among them was
     * still accepted.
     */
    boolean onControlKeysRetired(int keyId);

    /** The peer retires a data key of its own. */
    void onDataKeyRetired(DataKeyNames.Name name);
  }

  /**
   * Nothing is retired yet; ciphers and names are derived at their first use.
   *
   * @param settings whether the peer is told of retirements, and how long the peer's old keys are
   *     accepted
   */
  PathRetirements(
      Secret secret, AeadProvider aead, CryptoSettings settings, PathCounters counters) {
    this.secret = secret;
    this.aead = aead;
    isTelling = settings.retire();
    oldKeyTtlNs = settings.oldKeyTtlNs();
    this.counters = counters;
  }

  /** Names the data keys of this path, both ways. */
  public DataKeyNames names() {
    DataKeyNames present = names;
    if (present == null) {
      present = new DataKeyNames(secret.secret);
      names = present;
    }
    return present;
  }

  /** The peer is told of records under this key now; {@code bytes} is the key, only read. */
  public void onDataKeyUsed(DataKey key, byte[] bytes) {
    if (!isTelling || key == lastUsed) {
      return;
    }
    lastUsed = key;
    for (Watched each : watched) {
      if (each.key == key) {
        return;
      }
    }
    if (watched.size() == MOST_WATCHED) {
      watched.removeFirst();
    }
    watched.addLast(new Watched(key, names().of(bytes)));
  }

  /** The packet of this number was the first under this control key. */
  void onRotated(int keyId, long firstNumber, long nowNs) {
    if (isTelling) {
      if (rotations.size() == MOST_ROTATIONS) {
        rotations.removeFirst();
      }
      rotations.addLast(new Rotation(keyId - 1, firstNumber, nowNs));
    }
  }

  /** An authentic packet came; the argument is the newest key named in an authentic packet. */
  void onOpened(int newestKeyId, long nowNs) {
    if (newestKeyId != newestOpened) {
      newestOpened = newestKeyId;
      if (expiryNs == Long.MAX_VALUE) {
        expireLater(nowNs);
      }
    }
  }

  private void expireLater(long nowNs) {
    expiringBefore = newestOpened;
    expiryNs = nowNs + oldKeyTtlNs;
  }

  /** The turn ends: finds the ended data keys, and the old keys of the peer. */
  void endTurn(long nowNs, Receiver receiver) {
    if (nowNs >= expiryNs) {
      expiryNs = Long.MAX_VALUE;
      receiver.onControlKeysRetired(expiringBefore - 1);
      if (newestOpened != expiringBefore) {
        expireLater(nowNs);
      }
    }
    if (watched.isEmpty()) {
      isLookWanted = false;
      return;
    }
    isLookWanted = nowNs < nextLookNs;
    if (!isLookWanted) {
      nextLookNs = nowNs + LOOK_NS;
      look(nowNs);
    }
  }

  private void look(long nowNs) {
    Iterator<Watched> each = watched.iterator();
    while (each.hasNext()) {
      Watched present = each.next();
      if (present.key.isErased()) {
        each.remove();
        lastUsed = present.key == lastUsed ? null : lastUsed;
        endedNs = ended.isEmpty() ? nowNs : endedNs;
        if (ended.size() < MOST_WATCHED) {
          ended.addLast(present.name);
        }
      }
    }
  }

  /** The time at which a retirement may have to be told, ns. */
  long nextDeadlineNs(PathRecovery recovery) {
    long deadlineNs = isLookWanted ? Math.min(nextLookNs, expiryNs) : expiryNs;
    Rotation oldest = rotations.peekFirst();
    if (oldest != null && hasArrived(oldest, recovery)) {
      deadlineNs = Math.min(deadlineNs, oldest.atNs + recovery.probeIntervalNs());
    }
    return ended.isEmpty() ? deadlineNs : Math.min(deadlineNs, endedNs + GATHER_NS);
  }

  /** Whether a retirement is due to the peer now. */
  boolean isDue(PathRecovery recovery, long nowNs) {
    return isControlDue(recovery, nowNs) || areDataDue(nowNs);
  }

  private boolean isControlDue(PathRecovery recovery, long nowNs) {
    Rotation oldest = rotations.peekFirst();
    return oldest != null && isDue(oldest, recovery, nowNs);
  }

  /**
   * All packets under the key have arrived or are lost, and no packet can overtake the message any
   * more.
   */
  private static boolean isDue(Rotation rotation, PathRecovery recovery, long nowNs) {
    return hasArrived(rotation, recovery) && nowNs - rotation.atNs >= recovery.probeIntervalNs();
  }

  private static boolean hasArrived(Rotation rotation, PathRecovery recovery) {
    return recovery.oldestInFlight() >= rotation.firstNumber;
  }

  private boolean areDataDue(long nowNs) {
    return ended.size() >= MOST_TOLD || (!ended.isEmpty() && nowNs - endedNs >= GATHER_NS);
  }

  /**
   * Writes a datagram of the retirements due, from the beginning of the buffer on.
   *
   * @return the length of the datagram; 0 if the key of such messages has reached its limit, and
   *     the path tells of no more retirements
   */
  int encode(SegmentBuffer out, PathRecovery recovery, long nowNs) {
    boolean isOfControl = isControlDue(recovery, nowNs);
    byte kind = isOfControl ? PacketHeader.OF_CONTROL_KEYS : PacketHeader.OF_DATA_KEYS;
    int end =
        isOfControl
            ? encodeControl(out, PacketHeader.LENGTH, recovery, nowNs)
            : encodeData(out, PacketHeader.LENGTH, nowNs);
    PacketCipher cipher = sealing();
    if (!cipher.canSeal(end)) {
      isTelling = false;
      rotations.clear();
      watched.clear();
      ended.clear();
      return 0;
    }
    WorkerPair workers = secret.workers;
    PacketHeader.encodeFixed(
        out, 0, workers.source(), workers.destination(), secret.secret.pathId());
    PacketHeader.encodeRetirement(out, 0, kind, nextNumber);
    cipher.seal(out, 0, PacketHeader.LENGTH, end - PacketHeader.LENGTH, nextNumber);
    nextNumber++;
    counters.retirementsSent++;
    return end + PacketHeader.TAG_LENGTH;
  }

  private int encodeControl(SegmentBuffer out, int at, PathRecovery recovery, long nowNs) {
    int keyId = 0;
    while (isControlDue(recovery, nowNs)) {
      keyId = rotations.removeFirst().keyId;
    }
    FrameStart.encode(
        out,
        at,
        CONTROL_FRAME,
        RetireControlKeyEncoder.BLOCK_LENGTH,
        RetireControlKeyEncoder.TEMPLATE_ID);
    out.putInt(body(at) + RetireControlKeyEncoder.keyIdEncodingOffset(), keyId, ORDER);
    return at + CONTROL_FRAME;
  }

  private int encodeData(SegmentBuffer out, int from, long nowNs) {
    int at = from;
    for (int told = 0; told < MOST_TOLD && !ended.isEmpty(); told++) {
      DataKeyNames.Name name = ended.removeFirst();
      FrameStart.encode(
          out, at, DATA_FRAME, RetireDataKeyEncoder.BLOCK_LENGTH, RetireDataKeyEncoder.TEMPLATE_ID);
      int nameAt = body(at) + RetireDataKeyEncoder.fingerprintEncodingOffset();
      out.putLong(nameAt, name.first(), ORDER);
      out.putLong(nameAt + Long.BYTES, name.second(), ORDER);
      at += DATA_FRAME;
    }
    endedNs = nowNs;
    return at;
  }

  /**
   * Opens a datagram of the peer in place, and hands over the retired keys.
   *
   * @return null, or the reason of the drop: then nothing was changed
   * @throws ProtocolViolationException if the peer has sealed a frame other than a retirement
   */
  @Nullable DropReason read(SegmentBuffer buffer, int offset, int length, Receiver receiver) {
    long number = PacketHeader.packetNumber(buffer, offset);
    if (number <= newestSeen) {
      return DropReason.DUPLICATE;
    }
    int bodyLength = length - PacketHeader.OVERHEAD;
    if (!opening().open(buffer, offset, PacketHeader.LENGTH, bodyLength, number)) {
      return DropReason.NOT_AUTHENTIC;
    }
    newestSeen = number;
    counters.retirementsReceived++;
    boolean isOfControl = buffer.getByte(offset + 1) == PacketHeader.OF_CONTROL_KEYS;
    int at = offset + PacketHeader.LENGTH;
    int end = at + bodyLength;
    while (at + FrameStart.LENGTH <= end && FrameStart.frameLength(buffer, at) != 0) {
      int frameLength = FrameStart.frameLength(buffer, at);
      if (frameLength < FrameStart.LENGTH || at + frameLength > end) {
        throw new ProtocolViolationException("a frame of " + frameLength + " bytes does not fit");
      }
      if (isOfControl) {
        readControl(buffer, at, at + frameLength, receiver);
      } else {
        readData(buffer, at, at + frameLength, receiver);
      }
      at += frameLength;
    }
    return null;
  }

  private void readControl(SegmentBuffer buffer, int at, int end, Receiver receiver) {
    requireTemplate(buffer, at, RetireControlKeyDecoder.TEMPLATE_ID);
    requireBlock(buffer, at, end, RetireControlKeyDecoder.BLOCK_LENGTH);
    int keyId = buffer.getInt(body(at) + RetireControlKeyDecoder.keyIdEncodingOffset(), ORDER);
    if (receiver.onControlKeysRetired(keyId)) {
      counters.controlKeysRetired++;
    }
  }

  private void readData(SegmentBuffer buffer, int at, int end, Receiver receiver) {
    requireTemplate(buffer, at, RetireDataKeyDecoder.TEMPLATE_ID);
    requireBlock(buffer, at, end, RetireDataKeyDecoder.BLOCK_LENGTH);
    int nameAt = body(at) + RetireDataKeyDecoder.fingerprintEncodingOffset();
    receiver.onDataKeyRetired(
        new DataKeyNames.Name(
            buffer.getLong(nameAt, ORDER), buffer.getLong(nameAt + Long.BYTES, ORDER)));
  }

  private static void requireTemplate(SegmentBuffer buffer, int at, int wanted) {
    int template = FrameStart.templateId(buffer, at);
    if (template != wanted) {
      throw new ProtocolViolationException("a retirement has a frame " + template);
    }
  }

  private PacketCipher sealing() {
    PacketCipher present = sealing;
    if (present == null) {
      present = cipher(CipherUse.SEAL, PathDirection.sending(secret.initiator), secret.workers);
      sealing = present;
    }
    return present;
  }

  private PacketCipher opening() {
    PacketCipher present = opening;
    if (present == null) {
      present =
          cipher(
              CipherUse.OPEN, PathDirection.receiving(secret.initiator), secret.workers.reversed());
      opening = present;
    }
    return present;
  }

  private PacketCipher cipher(CipherUse use, PathDirection direction, WorkerPair workers) {
    try (AeadKey key =
        ControlKeys.deriveRetirement(secret.secret, secret.keySize, direction, workers)) {
      return aead.cipher(key, use, KeyLimits.DEFAULT);
    }
  }

  /** Releases the keys. Idempotent; no retirement is told or taken afterwards. */
  @Override
  public void close() {
    isTelling = false;
    rotations.clear();
    watched.clear();
    ended.clear();
    if (sealing != null) {
      sealing.close();
    }
    if (opening != null) {
      opening.close();
    }
    if (names != null) {
      names.close();
    }
  }
}
