package io.millrace.actor.body;

import io.millrace.actor.submission.ExecutorLane;
import io.millrace.buffer.BufferRegistry;
import io.millrace.config.TransferSettings;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AesKeySize;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;

/** What the bodies of one node share. Safe on any thread. */
public final class BodyServices implements AutoCloseable {
  private static final int DESKS = 64;

  private final ExecutorLane lane;
  private final BufferRegistry buffers;
  private final TransferSettings settings;
  private final AeadProvider aead;
  private final AesKeySize keySize;
  private final RandomGenerator random;
  private final AtomicLong assemblyLeftBytes;
  private final ManyToManyConcurrentArrayQueue<RecordDesk> desks =
      new ManyToManyConcurrentArrayQueue<>(DESKS);
  private volatile long nowNs;
  private volatile boolean closed;

  /**
   * Shares these.
   *
   * @param lane runs sealing, opening and file work
   * @param aead seals and opens records
   * @param random where data keys come from
   */
  public BodyServices(
      ExecutorLane lane,
      BufferRegistry buffers,
      TransferSettings settings,
      AeadProvider aead,
      AesKeySize keySize,
      RandomGenerator random) {
    this.lane = lane;
    this.buffers = buffers;
    this.settings = settings;
    this.aead = aead;
    this.keySize = keySize;
    this.random = random;
    assemblyLeftBytes = new AtomicLong(settings.assemblyBytes());
  }

  /** Runs sealing, opening and file work. */
  ExecutorLane lane() {
    return lane;
  }

  /** Memory of sealed bytes. */
  public BufferRegistry buffers() {
    return buffers;
  }

  /** Windows and limits. */
  public TransferSettings settings() {
    return settings;
  }

  /** Sets memory aside for a message that is put together; false if there is none left. */
  boolean reserve(long bytes) {
    if (assemblyLeftBytes.addAndGet(-bytes) >= 0) {
      return true;
    }
    assemblyLeftBytes.addAndGet(bytes);
    return false;
  }

  /** Gives it back. */
  void giveBack(long bytes) {
    assemblyLeftBytes.addAndGet(bytes);
  }

  /** Bytes set aside for messages that are put together. */
  public long assemblyBytes() {
    return settings.assemblyBytes() - assemblyLeftBytes.get();
  }

  /** A worker's clock, as it hands records over: keys that nobody used for long are dropped. */
  public void onTime(long nowNs) {
    this.nowNs = nowNs;
  }

  RecordDesk takeDesk() {
    RecordDesk free = desks.poll();
    RecordDesk desk = free == null ? new RecordDesk(aead, keySize, random) : free;
    desk.opener.onTime(nowNs);
    return desk;
  }

  void putBack(RecordDesk desk) {
    if (!desks.offer(desk)) {
      desk.close();
    }
    if (closed) {
      closeDesks();
    }
  }

  /** Releases the keys of all desks; those in use when they are put back. Idempotent. */
  @Override
  public void close() {
    closed = true;
    closeDesks();
  }

  private void closeDesks() {
    RecordDesk desk = desks.poll();
    while (desk != null) {
      desk.close();
      desk = desks.poll();
    }
  }
}
