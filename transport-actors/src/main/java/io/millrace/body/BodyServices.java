package io.millrace.body;

import io.millrace.buffer.BufferRegistry;
import io.millrace.buffer.BufferShare;
import io.millrace.buffer.ByteBudget;
import io.millrace.config.CryptoSettings;
import io.millrace.config.TransferSettings;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.DataKeyNames;
import io.millrace.ends.BodyWork;
import io.millrace.ends.LaneTask;
import io.millrace.queue.ManyToManyQueue;
import io.millrace.transfer.BodySource;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** The services shared by the bodies of one node. Safe on any thread. */
public final class BodyServices implements AutoCloseable {
  private static final int DESKS = 64;

  private final BodyWork work;
  private final BufferRegistry buffers;
  private final TransferSettings settings;
  private final AeadProvider aead;
  private final AeadProvider authenticating;
  private final CryptoSettings crypto;
  private final RandomGenerator random;
  private final ByteBudget assembly;
  private final PeerShares shares;
  private final ByteBudget broadcasts;
  private final BufferShare broadcastBuffers;
  private final AtomicLong recordsSealed = new AtomicLong();
  private final ManyToManyQueue<RecordWorkspace> workspaces = new ManyToManyQueue<>(DESKS);
  private final Queue<SealingTask> sealers = new ConcurrentLinkedQueue<>();
  private final RetiredKeys retired = new RetiredKeys();
  private final AtomicBoolean isSweepGiven = new AtomicBoolean();
  private final AtomicLong dataKeysRetired = new AtomicLong();
  private final AtomicInteger dataKeysKept = new AtomicInteger();
  private final AtomicInteger workersWithPaths = new AtomicInteger();
  private volatile long nowNs;
  private volatile boolean closed;

  /**
   * Shares these services.
   *
   * @param work runs sealing, opening and file work
   * @param aead seals and opens records
   * @param authenticating does so for records that are only partly enciphered
   * @param crypto the length of data keys, and the time for which keys are kept
   * @param random the source of data keys
   */
  public BodyServices(
      BodyWork work,
      BufferRegistry buffers,
      TransferSettings settings,
      AeadProvider aead,
      AeadProvider authenticating,
      CryptoSettings crypto,
      RandomGenerator random) {
    this.work = work;
    this.buffers = buffers;
    this.settings = settings;
    this.aead = aead;
    this.authenticating = authenticating;
    this.crypto = crypto;
    this.random = random;
    assembly = new ByteBudget(settings.assemblyBytes());
    shares = new PeerShares(buffers, settings);
    broadcasts = new ByteBudget(mostBroadcastBytes());
    broadcastBuffers = buffers.shareOfLargest(mostBroadcastBytes());
  }

  /** Runs sealing, opening and file work. */
  public BodyWork work() {
    return work;
  }

  /** Closes a source that nobody will read; on the executor, if the executor takes tasks. */
  public void letGo(BodySource source) {
    work.give(LaneTask.always(source::close));
  }

  /** Memory of sealed bytes. */
  public BufferRegistry buffers() {
    return buffers;
  }

  /** Windows and limits of transfers. */
  public TransferSettings settings() {
    return settings;
  }

  /** The memory shares of the peers. */
  public PeerShares shares() {
    return shares;
  }

  /** Memory for putting messages together. */
  public ByteBudget assembly() {
    return assembly;
  }

  /** Memory of payloads for several peers, held until the last peer is done with each payload. */
  public ByteBudget broadcasts() {
    return broadcasts;
  }

  /**
   * Blocks of memory for these payloads: the largest blocks, which a body to one peer may want,
   * too.
   */
  BufferShare broadcastBuffers() {
    return broadcastBuffers;
  }

  /** The most bytes of a payload for several peers, headers included. */
  int mostBroadcastBytes() {
    return (int) Math.min(settings.heldForBroadcastsBytes(), buffers.maxRangesBytes());
  }

  /** A payload for several peers is to be sealed; the task is told of the node's end. */
  void begin(SealingTask sealer) {
    sealers.add(sealer);
    if (closed) {
      sealer.close();
    }
  }

  /** Whether the node has ended. */
  boolean isClosed() {
    return closed;
  }

  /** The payload was sealed, or will not be. */
  void end(SealingTask sealer) {
    sealers.remove(sealer);
  }

  /** Records sealed so far, each counted once however many peers receive the record. */
  public long recordsSealed() {
    return recordsSealed.get();
  }

  /** A worker's clock, at the handover of records: keys without use for long are dropped. */
  public void onTime(long nowNs) {
    this.nowNs = nowNs;
  }

  /**
   * A peer needs this data key no more: every keeper of the key's schedule drops the schedule, busy
   * threads as soon as they are free. Any thread may call this.
   */
  public void retire(DataKeyNames.Name name) {
    retired.add(name);
    sweep();
  }

  /**
   * The interval between two looks through the keys, ns, so that no key stays much longer than
   * allowed.
   */
  public long tendingNs() {
    return Math.max(1, crypto.dataKeys().senderTtlNs() / 2);
  }

  /** Keys and schedules kept by workspaces not in use now. */
  public int dataKeysKept() {
    return dataKeysKept.get();
  }

  /** The number of peers' keys dropped because the peers retired them. */
  public long dataKeysRetired() {
    return dataKeysRetired.get();
  }

  /** Has the unused keys looked through, on the executor. */
  public void sweep() {
    if (isSweepGiven.compareAndSet(false, true)) {
      work.give(LaneTask.always(this::sweepNow));
    }
  }

  /**
   * A worker has its first path, or no path any more: with the last path of the node all keys go.
   */
  void onWorkerHasPaths(boolean hasPaths) {
    int workers = workersWithPaths.addAndGet(hasPaths ? 1 : -1);
    if (workers == 0 && dataKeysKept.get() > 0) {
      work.give(LaneTask.always(this::closeWorkspaces));
    }
  }

  private void sweepNow() {
    isSweepGiven.set(false);
    for (int left = workspaces.size(); left > 0; left--) {
      RecordWorkspace workspace = workspaces.poll();
      if (workspace == null) {
        return;
      }
      workspace.take();
      dataKeysKept.addAndGet(-workspace.kept());
      putBack(workspace);
    }
  }

  private void tend(RecordWorkspace workspace) {
    long before = workspace.retired();
    workspace.onTime(nowNs);
    dataKeysRetired.addAndGet(workspace.retired() - before);
  }

  RecordWorkspace takeWorkspace() {
    RecordWorkspace free = workspaces.poll();
    RecordWorkspace workspace =
        free == null
            ? new RecordWorkspace(aead, authenticating, crypto, random, recordsSealed, retired)
            : free;
    workspace.take();
    dataKeysKept.addAndGet(-workspace.kept());
    tend(workspace);
    return workspace;
  }

  void putBack(RecordWorkspace workspace) {
    workspace.putBack();
    tend(workspace);
    dataKeysKept.addAndGet(workspace.kept());
    if (!workspaces.offer(workspace)) {
      dataKeysKept.addAndGet(-workspace.kept());
      workspace.close();
    }
    if (closed) {
      closeWorkspaces();
    }
  }

  /**
   * Ends the sealing for several peers, and releases the keys of all workspaces; a workspace in use
   * releases its keys when put back. Idempotent.
   */
  @Override
  public void close() {
    closed = true;
    sealers.forEach(SealingTask::close);
    closeWorkspaces();
  }

  private void closeWorkspaces() {
    RecordWorkspace workspace = workspaces.poll();
    while (workspace != null) {
      dataKeysKept.addAndGet(-workspace.kept());
      workspace.close();
      workspace = workspaces.poll();
    }
  }
}
