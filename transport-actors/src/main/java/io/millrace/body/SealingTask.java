package io.millrace.body;

import io.millrace.buffer.MemoryWaiter;
import io.millrace.buffer.TransferBuffer;
import io.millrace.crypto.RecordRange;
import io.millrace.crypto.Records;
import io.millrace.ends.FailureText;
import io.millrace.ends.RepeatedTask;
import io.millrace.transfer.CallOutcome;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Seals a payload for several peers, which belongs to no path: the node itself must end the task.
 * The task's memory is counted first, against the node's memory for several peers, and then waited
 * for. Runs on the executor, one thread at a time.
 */
abstract class SealingTask extends RepeatedTask {
  /** The number of bytes of a payload held and freed together. */
  static final int RANGE_BYTES = 256 << 10;

  private final BodyServices services;
  private volatile @Nullable CallOutcome ending;
  private boolean finished;
  private boolean isLetGo;
  private int reservedBytes;
  private @Nullable List<TransferBuffer> memory;
  private @Nullable MemoryWaiter waiter;

  /** A task not yet scheduled. */
  SealingTask(BodyServices services) {
    super(services.work());
    this.services = services;
  }

  /** Nobody wants the payload; does nothing once all is sealed. Any thread may call this. */
  public final void cancel() {
    endWith(CallOutcome.CANCELLED);
  }

  /** The node ends: the task fails. Any thread may call this. */
  final void close() {
    endWith(CallOutcome.CLOSED);
  }

  private void endWith(CallOutcome outcome) {
    ending = outcome;
    schedule();
  }

  /** Whether the task is to end before all is sealed. */
  final boolean isEnding() {
    return ending != null;
  }

  @Override
  protected final void onTurn() {
    CallOutcome wanted = ending;
    if (wanted != null) {
      boolean isClosed = wanted == CallOutcome.CLOSED;
      fail(wanted, isClosed ? "the transport was closed" : "nobody wants the payload any more");
    } else if (!finished) {
      seal();
    }
  }

  /** Seals the bytes that can be sealed now; not called after the end of the task. */
  abstract void seal();

  /**
   * Tries to get the reserved memory; null without enough memory now.
   *
   * @param waiter the waiter with memory set aside, or null
   */
  abstract @Nullable List<TransferBuffer> allocate(@Nullable MemoryWaiter waiter);

  /** Tries to get memory in ranges, each freed by itself; for {@link #allocate}. */
  final @Nullable List<TransferBuffer> allocateRanges(
      int bytes, String owner, @Nullable MemoryWaiter held) {
    return services
        .buffers()
        .tryAllocateRanges(
            bytes,
            RANGE_BYTES,
            owner,
            services.broadcasts()::giveBack,
            services.broadcastBuffers(),
            held);
  }

  /** Binds ranges being written to a data key of their own; returns the nonces of the key. */
  static RecordRange bind(RecordWorkspace workspace, List<TransferBuffer> ranges, int bodyBytes) {
    RecordRange fresh = workspace.keys.fresh((int) Records.count(bodyBytes));
    byte[] dataKey = fresh.dataKey();
    for (int i = 0; i < ranges.size(); i++) {
      long first = fresh.firstNonce() + (long) i * (RANGE_BYTES / Records.RECORD_BYTES);
      ranges.get(i).bind(dataKey, first, fresh.hold());
    }
    Arrays.fill(dataKey, (byte) 0);
    return fresh;
  }

  /**
   * The task comes to its end, by success or failure: lets the task's other resources go. Called
   * once.
   */
  void onEnd() {}

  /** The task has no result; called once. */
  abstract void onFailed(CallOutcome outcome, String text);

  final BodyServices services() {
    return services;
  }

  final boolean isFinished() {
    return finished;
  }

  @Override
  protected final void onRefused() {
    if (services.isClosed()) {
      fail(CallOutcome.CLOSED, "the transport was closed");
    } else {
      fail(CallOutcome.SOURCE_FAILED, "the executor refuses tasks");
    }
  }

  @Override
  protected final void onFault(Throwable thrown) {
    fail(CallOutcome.SOURCE_FAILED, FailureText.of(thrown));
  }

  /** Counts this number of bytes; false beyond the limit, and then this task has failed. */
  final boolean reserve(long bytes) {
    int most = services.mostBroadcastBytes();
    if (bytes > most) {
      fail(
          CallOutcome.PAYLOAD_TOO_LARGE,
          bytes
              + " bytes for several peers are more than this node holds,"
              + " which is the least of millrace.transfers.broadcast-pool, half of"
              + " millrace.transfers.buffer-pool and what that has beside a part of another body = "
              + most);
      return false;
    }
    if (!services.broadcasts().reserve(bytes)) {
      fail(
          CallOutcome.SUBMISSION_FULL,
          "more bytes are held for several peers than millrace.transfers.broadcast-pool allows");
      return false;
    }
    reservedBytes = (int) bytes;
    memory = bytes == 0 ? List.of() : null;
    return true;
  }

  /** Whether the memory is allocated; if not, this task is scheduled when memory may be free. */
  final boolean hasMemory() {
    if (memory != null) {
      return true;
    }
    memory = allocate(waiter);
    if (memory == null) {
      awaitMemory();
      return false;
    }
    // The end of the memory's use gives back the counted bytes.
    reservedBytes = 0;
    return true;
  }

  private void awaitMemory() {
    MemoryWaiter waits = waiter;
    if (waits == null) {
      waits = services.buffers().waiter(services.broadcastBuffers(), this::schedule);
      waiter = waits;
    }
    waits.await(reservedBytes);
  }

  /** The allocated memory. */
  final List<TransferBuffer> memory() {
    List<TransferBuffer> allocated = memory;
    if (allocated == null) {
      throw new IllegalStateException("no memory is allocated");
    }
    return allocated;
  }

  /**
   * All is sealed: the receiver of the memory holds the memory. If a release fails, the exception
   * is thrown, and this task holds the memory and is not finished.
   */
  final void finish() {
    letGo();
    memory = null;
    end();
  }

  final void fail(CallOutcome outcome, String text) {
    if (!finished) {
      attempt(this::letGo);
      end();
      onFailed(outcome, text);
    }
  }

  private void letGo() {
    if (!isLetGo) {
      isLetGo = true;
      onEnd();
    }
  }

  private void end() {
    finished = true;
    services.end(this);
    List<TransferBuffer> left = memory;
    memory = null;
    if (left != null) {
      left.forEach(TransferBuffer::release);
    }
    services.broadcasts().giveBack(reservedBytes);
    reservedBytes = 0;
    if (waiter != null) {
      waiter.cancel();
    }
  }
}
