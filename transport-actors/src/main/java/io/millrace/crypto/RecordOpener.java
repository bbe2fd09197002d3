package io.millrace.crypto;

import io.millrace.transfer.Protection;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Opens records. Keeps the schedules of data keys and finds each schedule by the bytes of the key,
 * so that no other name of a key need travel. A schedule is kept longer than the sender keeps the
 * key, for late records. Used by a single thread at a time.
 */
public final class RecordOpener implements AutoCloseable {
  private final AeadProvider provider;
  private final int maxKeys;
  private final long unusedNs;
  private final Map<Name, Schedule> schedules = new LinkedHashMap<>(16, 0.75f, true);
  // The keys that a path has named; of several paths the last.
  private final Map<DataKeyNames.Name, Name> named = new HashMap<>();
  private final Name wanted = new Name();
  private @Nullable DataKeyNames names;
  private long nowNs;
  private long hits;
  private long misses;
  private long opened;
  private long rejected;
  private long retired;
  private boolean closed;

  /**
   * Has no schedule yet.
   *
   * @param maxKeys schedules kept, at least 1; the schedules used last stay
   * @param unusedNs after this time unused a schedule is dropped by {@link #onTime}
   */
  public RecordOpener(AeadProvider provider, int maxKeys, long unusedNs) {
    if (maxKeys < 1 || unusedNs < 0) {
      throw new IllegalArgumentException(maxKeys + " schedules for " + unusedNs + " ns");
    }
    this.provider = provider;
    this.maxKeys = maxKeys;
    this.unusedNs = unusedNs;
  }

  /**
   * Checks and deciphers a record.
   *
   * @param key 16 or 32 bytes, read only
   * @param length bytes of ciphertext, which the tag of {@value Records#TAG_BYTES} bytes follows
   * @param out another array than {@code sealed}
   * @return false if the record was not sealed under this key and nonce; this part of {@code out}
   *     then holds zeros
   * @throws IllegalStateException once closed
   * @throws IllegalArgumentException if the key has another length
   * @throws IndexOutOfBoundsException if a range does not lie within its array
   */
  public boolean open(
      byte[] key, long nonce, byte[] sealed, int offset, int length, byte[] out, int outOffset) {
    return counted(cipherOf(key).open(nonce, sealed, offset, length, out, outOffset));
  }

  /**
   * Checks a record of which only the leading bytes were enciphered, and deciphers these; as {@link
   * RecordCipher#open(long, byte[], int, int, int, byte[], int)}, into the beginning of {@code
   * out}.
   *
   * @param secretBytes how many were enciphered; {@link Protection#secretBytes}
   */
  public boolean open(
      byte[] key, long nonce, byte[] sealed, int offset, int length, int secretBytes, byte[] out) {
    return counted(cipherOf(key).open(nonce, sealed, offset, length, secretBytes, out, 0));
  }

  /**
   * Sets the names by which the sender of the next records may retire its key; null if the sender
   * may not.
   */
  public void namedBy(@Nullable DataKeyNames ofPath) {
    names = ofPath;
  }

  /**
   * Drops and overwrites the schedule of the key that a path has named so.
   *
   * @return whether the schedule was present
   */
  public boolean retire(DataKeyNames.Name name) {
    Name key = named.get(name);
    Schedule schedule = key == null ? null : schedules.remove(key);
    if (key == null || schedule == null) {
      return false;
    }
    erase(key, schedule);
    retired++;
    return true;
  }

  private boolean counted(boolean right) {
    if (right) {
      opened++;
    } else {
      rejected++;
    }
    return right;
  }

  /** Sets the time, and drops schedules that were not used for too long. */
  public void onTime(long timeNs) {
    nowNs = timeNs;
    // In the order of use: the first that stays ends the search.
    Iterator<Map.Entry<Name, Schedule>> eldest = schedules.entrySet().iterator();
    while (eldest.hasNext()) {
      Map.Entry<Name, Schedule> entry = eldest.next();
      if (nowNs - entry.getValue().usedNs < unusedNs) {
        return;
      }
      eldest.remove();
      erase(entry.getKey(), entry.getValue());
    }
  }

  /** The number of times that the schedule of a key was present. */
  public long hits() {
    return hits;
  }

  /** Times that the schedule of a key had to be made. */
  public long misses() {
    return misses;
  }

  /** Records with a right tag. */
  public long opened() {
    return opened;
  }

  /** Records with a wrong tag. */
  public long rejected() {
    return rejected;
  }

  /** Schedules that were dropped because their sender retired the key. */
  public long retired() {
    return retired;
  }

  /** Schedules kept. */
  public int schedules() {
    return schedules.size();
  }

  /** Overwrites and releases all. Idempotent. */
  @Override
  public void close() {
    closed = true;
    schedules.forEach(this::erase);
    schedules.clear();
  }

  private RecordCipher cipherOf(byte[] key) {
    if (closed) {
      throw new IllegalStateException("the opener is closed");
    }
    wanted.bytes = key;
    Schedule known = schedules.get(wanted);
    wanted.bytes = Name.NONE;
    if (known != null) {
      hits++;
      known.usedNs = nowNs;
      return known.cipher;
    }
    misses++;
    DataKeyNames given = names;
    DataKeyNames.Name path = given == null ? null : given.of(key);
    Schedule made = new Schedule(provider.recordCipher(key, CipherUse.OPEN), path, nowNs);
    Name name = new Name();
    name.bytes = key.clone();
    schedules.put(name, made);
    if (path != null) {
      named.put(path, name);
    }
    if (schedules.size() > maxKeys) {
      Map.Entry<Name, Schedule> eldest = schedules.entrySet().iterator().next();
      schedules.remove(eldest.getKey());
      erase(eldest.getKey(), eldest.getValue());
    }
    return made.cipher;
  }

  private void erase(Name name, Schedule schedule) {
    schedule.cipher.close();
    if (schedule.path != null) {
      named.remove(schedule.path, name);
    }
    Arrays.fill(name.bytes, (byte) 0);
  }

  /** The bytes of a key, by which a schedule is found; changed only outside of maps. */
  private static final class Name {
    private static final byte[] NONE = {};

    private byte[] bytes = NONE;

    @Override
    public boolean equals(Object other) {
      return other instanceof Name name && MessageDigest.isEqual(bytes, name.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
      return "redacted";
    }
  }

  private static final class Schedule {
    private final RecordCipher cipher;
    private final DataKeyNames.@Nullable Name path;
    private long usedNs;

    private Schedule(RecordCipher cipher, DataKeyNames.@Nullable Name path, long usedNs) {
      this.cipher = cipher;
      this.path = path;
      this.usedNs = usedNs;
    }
  }
}
