package io.millrace.body;

import io.millrace.buffer.TransferBuffer;
import io.millrace.config.CryptoSettings;
import io.millrace.config.DataKeySettings;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.DataKeyNames;
import io.millrace.crypto.DataKeys;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.RecordOpener;
import io.millrace.crypto.RecordRange;
import io.millrace.crypto.RecordSealer;
import io.millrace.crypto.Records;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The tools of one thread for sealing and opening records: two arrays, ciphers, data keys. Taken
 * from {@link BodyServices} for the length of one task and put back.
 */
final class RecordWorkspace implements AutoCloseable {
  /** The most recipient sets with a kept key, and the most schedules for sealing. */
  private static final int KEYS = 256;

  final byte[] plain = new byte[Records.RECORD_BYTES];
  final byte[] sealed = new byte[Records.RECORD_BYTES + Records.TAG_BYTES];
  final RecordSealer sealer;
  final RecordOpener opener;
  final DataKeys keys;
  private final RecordSealer authenticator;
  private final RecordOpener verifier;
  private final AtomicLong recordsSealed;
  private final RetiredKeys retired;
  private final AtomicBoolean isTaken = new AtomicBoolean(true);
  private long retiredSeen;

  /**
   * A workspace with ciphers of {@code aead} and keys of {@code random}.
   *
   * @param authenticating the source of ciphers for records that are only partly enciphered
   * @param crypto the length of keys, and the time for which keys are kept
   * @param recordsSealed counts the records of all workspaces
   * @param retired the keys retired by peers
   */
  RecordWorkspace(
      AeadProvider aead,
      AeadProvider authenticating,
      CryptoSettings crypto,
      RandomGenerator random,
      AtomicLong recordsSealed,
      RetiredKeys retired) {
    this.recordsSealed = recordsSealed;
    this.retired = retired;
    DataKeySettings settings = crypto.dataKeys();
    sealer = new RecordSealer(aead, KEYS);
    opener = new RecordOpener(aead, settings.receiverCache(), settings.receiverTtlNs());
    authenticator = new RecordSealer(authenticating, KEYS);
    verifier = new RecordOpener(authenticating, settings.receiverCache(), settings.receiverTtlNs());
    keys =
        new DataKeys(
            AesKeySize.ofBytes(crypto.keyBits() / Byte.SIZE),
            new KeyLimits(settings.recordsPerKey(), settings.bytesPerKey()),
            KEYS,
            settings.senderTtlNs(),
            random);
  }

  /**
   * Seals the next record of {@code nonces} into {@code part}, {@code at} bytes from its start.
   *
   * @param secretBytes the number of enciphered leading bytes
   */
  void seal(
      RecordRange nonces,
      byte[] from,
      int offset,
      int length,
      int secretBytes,
      TransferBuffer part,
      int at) {
    byte[] array = part.segmentArray(at / part.segmentBytes());
    boolean isInPlace =
        array != null && at % part.segmentBytes() == 0 && length <= part.segmentBytes();
    byte[] out = isInPlace && array != null ? array : sealed;
    RecordSealer by = secretBytes == length ? sealer : authenticator;
    by.seal(nonces, from, offset, length, secretBytes, out, 0);
    if (!isInPlace) {
      part.putBytes(at, out, 0, length);
    }
    int tagAt = at / Records.RECORD_BYTES * Records.TAG_BYTES;
    System.arraycopy(out, length, part.binding().tags(), tagAt, Records.TAG_BYTES);
    recordsSealed.incrementAndGet();
  }

  /** Opens a record into {@link #plain}, like {@link RecordOpener}. */
  boolean open(
      @Nullable DataKeyNames names,
      byte[] key,
      long nonce,
      byte[] from,
      int offset,
      int length,
      int secretBytes) {
    RecordOpener by = secretBytes == length ? opener : verifier;
    by.namedBy(names);
    return by.open(key, nonce, from, offset, length, secretBytes, plain);
  }

  /** A task has the workspace from now on. */
  void take() {
    isTaken.set(true);
  }

  /**
   * The task is done with the workspace. Two tasks with the same workspace would seal under the
   * same nonce.
   *
   * @throws IllegalStateException if the workspace was put back before
   */
  void putBack() {
    if (!isTaken.compareAndSet(true, false)) {
      throw new IllegalStateException("a workspace was put back twice");
    }
  }

  /** Sets the time: keys without use for long are dropped, and retired keys. */
  void onTime(long nowNs) {
    opener.onTime(nowNs);
    verifier.onTime(nowNs);
    keys.onTime(nowNs);
    sealer.dropErased();
    authenticator.dropErased();
    retiredSeen =
        retired.forEachAfter(
            retiredSeen,
            name -> {
              opener.retire(name);
              verifier.retire(name);
            });
  }

  /** The number of peers' keys dropped because the peers retired them. */
  long retired() {
    return opener.retired() + verifier.retired();
  }

  /** The number of keys and schedules kept. */
  int kept() {
    return opener.schedules()
        + verifier.schedules()
        + sealer.schedules()
        + authenticator.schedules()
        + keys.kept();
  }

  /** Overwrites and releases all keys and schedules. */
  @Override
  public void close() {
    sealer.close();
    opener.close();
    authenticator.close();
    verifier.close();
    keys.close();
  }
}
