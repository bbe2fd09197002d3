package io.millrace.body;

import io.millrace.crypto.DataKeyNames;
import io.millrace.crypto.Records;
import io.millrace.ends.Submission;
import io.millrace.transfer.CallOutcome;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A notified fill of a region: the content of its notification, and the progress of the opener. The
 * worker fills the object and hands the fill to the opener of the body; the opener gives the fill
 * back. The worker may take the bytes back until the opener begins with them. Pooled by the worker.
 */
public final class InboundFill implements Submission {
  private static final int MAX_RECORDS = 16;
  private static final int USUAL_KEY = 16;

  /** Takes a fill back; the receiving side of the path. */
  public interface Receiver {
    /**
     * The bytes of the fill were taken out, or nobody wants the bytes: the region is free again.
     */
    void onConsumed(InboundFill fill, long nowNs);

    /**
     * No bytes were taken out: the sender must write the fill again, after the bytes ahead of the
     * fill.
     */
    void onWithdrawn(InboundFill fill, long nowNs);

    /** The bytes of the fill were taken back before; the opener has seen the loss. */
    void onReturned(InboundFill fill);

    /** A record's tag was wrong; the sender must write the record again. */
    void onRecordBad(InboundFill fill, int record, long nowNs);

    /** An exception of these methods: the fault concerns no other path. */
    void onFault(Throwable fault);
  }

  /** The side that decides whether the bytes are opened or taken back. */
  private enum Claim {
    /** Neither side yet. */
    NONE,
    /** The opener: the bytes are opened. */
    OPENER,
    /** The worker: the bytes are gone. */
    WORKER
  }

  final byte[] tags = new byte[MAX_RECORDS * Records.TAG_BYTES];
  byte[] dataKey = new byte[USUAL_KEY];
  long firstNonce;
  long position;
  boolean isLast;
  int recordsDone;
  @Nullable InboundFill next;
  private @Nullable DataKeyNames names;
  private final AtomicReference<Claim> claim = new AtomicReference<>(Claim.NONE);
  private int lengthBytes;
  private int attempts;
  private int badRecord = -1;
  private boolean isWithdrawn;
  private int priority;
  private @Nullable RegionMemory memory;
  private @Nullable BodyOpener opener;
  private @Nullable Receiver receiver;
  private int region = -1;

  /** Whether the worker uses the fill; on the worker's thread. */
  private boolean isTaken = true;

  /** An empty fill, in use. */
  public InboundFill() {}

  /** The fill is in use again. */
  public void take() {
    isTaken = true;
  }

  /**
   * Begins a new use.
   *
   * @param memory the region's bytes, or null if the fill only marks the end
   */
  public void start(
      Receiver receiver, int region, @Nullable RegionMemory memory, int lengthBytes, int priority) {
    this.receiver = receiver;
    this.region = region;
    this.memory = memory;
    this.lengthBytes = lengthBytes;
    this.priority = priority;
    recordsDone = 0;
    attempts = 0;
    badRecord = -1;
    isWithdrawn = false;
    next = null;
    opener = null;
    names = null;
    claim.set(Claim.NONE);
  }

  /**
   * The opener begins with the fill, or lets the fill go; false if the bytes were taken back
   * before.
   */
  boolean claim() {
    return claim.get() == Claim.OPENER || claim.compareAndSet(Claim.NONE, Claim.OPENER);
  }

  /**
   * The opener has not used the bytes and cannot use them yet: the worker may take the bytes back.
   */
  void unclaim() {
    claim.set(Claim.NONE);
  }

  /** Whether the bytes were taken back. */
  boolean isTakenBack() {
    return claim.get() == Claim.WORKER;
  }

  /**
   * Takes the bytes back; the fill itself comes back once the opener has seen the loss. Worker's
   * thread only.
   *
   * @return false if the opener has begun with the fill
   */
  public boolean takeBack() {
    return claim.compareAndSet(Claim.NONE, Claim.WORKER);
  }

  /** Sets the notification's description of the bytes. */
  public void describe(long position, long firstNonce, boolean isLast) {
    this.position = position;
    this.firstNonce = firstNonce;
    this.isLast = isLast;
  }

  /** Room for the AES key of this length. */
  public byte[] dataKey(int length) {
    if (dataKey.length != length) {
      erase();
      dataKey = new byte[length];
    }
    return dataKey;
  }

  /** Sets the names by which the sender may retire the key. */
  public void keysNamedBy(DataKeyNames ofPath) {
    names = ofPath;
  }

  /**
   * The use of the fill is over, and the key of the bytes is erased.
   *
   * @throws IllegalStateException if the use was over before
   */
  public void finish() {
    if (!isTaken) {
      throw new IllegalStateException("a fill was put back twice");
    }
    isTaken = false;
    receiver = null;
    memory = null;
    opener = null;
    names = null;
    next = null;
    erase();
  }

  private void erase() {
    Arrays.fill(dataKey, (byte) 0);
  }

  /** Room for the tags of the fill's records. */
  public byte[] tags() {
    return tags;
  }

  /** Assigns the fill to the body of this opener. */
  public void assign(BodyOpener opener) {
    this.opener = opener;
  }

  /** The opener of the fill's body, or null. */
  public @Nullable BodyOpener opener() {
    return opener;
  }

  /** The region's index, or -1. */
  public int region() {
    return region;
  }

  /** The number of bytes. */
  public int lengthBytes() {
    return lengthBytes;
  }

  /** The position of the first byte in the body. */
  public long position() {
    return position;
  }

  int records() {
    return (lengthBytes + Records.RECORD_BYTES - 1) / Records.RECORD_BYTES;
  }

  /** Whether the fill has records, all of them opened. */
  boolean isOpened() {
    return recordsDone > 0 && recordsDone == records();
  }

  int recordLength(int record) {
    return Math.min(Records.RECORD_BYTES, lengthBytes - record * Records.RECORD_BYTES);
  }

  /**
   * Opens a record into {@code workspace.plain}: in place, or from a copy out of the sender's
   * reach.
   *
   * @param secretBytes the number of enciphered leading bytes
   */
  boolean open(RecordWorkspace workspace, int record, int secretBytes) {
    RegionMemory bytes = memory;
    if (bytes == null) {
      throw new IllegalStateException("the fill has no bytes");
    }
    int length = recordLength(record);
    int offset = bytes.offsetOf(record);
    byte[] sealed = bytes.array();
    if (!bytes.isOnHeap()) {
      sealed = workspace.sealed;
      bytes.buffer().getBytes(offset, sealed, 0, length);
      offset = 0;
    }
    System.arraycopy(tags, record * Records.TAG_BYTES, sealed, offset + length, Records.TAG_BYTES);
    long nonce = firstNonce + record;
    return workspace.open(names, dataKey, nonce, sealed, offset, length, secretBytes);
  }

  /** Notes a wrong tag; returns the number of wrong tags of this fill. */
  int onBadRecord(int record) {
    badRecord = record;
    return ++attempts;
  }

  /** Notes that the fill goes back unread. */
  void withdraw() {
    isWithdrawn = true;
  }

  @Override
  public int priority() {
    return priority;
  }

  @Override
  public void onTaken(long nowNs) {
    Receiver owner = receiver;
    if (owner == null) {
      throw new IllegalStateException("the fill has no receiver");
    }
    try {
      giveTo(owner, nowNs);
    } catch (RuntimeException | Error e) {
      owner.onFault(e);
    }
  }

  private void giveTo(Receiver owner, long nowNs) {
    int bad = badRecord;
    badRecord = -1;
    if (isTakenBack()) {
      owner.onReturned(this);
    } else if (isWithdrawn) {
      owner.onWithdrawn(this, nowNs);
    } else if (bad >= 0) {
      owner.onRecordBad(this, bad, nowNs);
    } else {
      owner.onConsumed(this, nowNs);
    }
  }

  @Override
  public void onRefused(CallOutcome outcome, String text) {
    // The worker is gone and the region with the worker.
  }
}
