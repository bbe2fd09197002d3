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
 * Seals what is for several peers, and so belongs to no path: the node itself must end it. Its
 * memory is counted first, against what the node holds for several peers, and then waited for. Runs
 * on the executor, one thread at a time.
 */
abstract class SealingTask extends RepeatedTask {
  /** Bytes of a payload that are held and freed together. */
  static final int RANGE_BYTES = 256 << 10;

  private final BodyServices services;
  private volatile @Nullable CallOutcome ending;
  private boolean finished;
  private boolean isLetGo;
  private int reservedBytes;
  private @Nullable List<TransferBuffer> memory;
  private @Nullable MemoryWaiter waiter;

  /** A task that was not scheduled yet. */
  SealingTask(BodyServices services) {
    super(services.work());
    this.services = services;
  }

  /** Nobody wants it; does nothing once all is sealed. Any thread. */
  public final void cancel() {
    endWith(CallOutcome.CANCELLED);
  }

  /** The node ends. Any thread. */
  final void close() {
    endWith(CallOutcome.CLOSED);
  }

  private void endWith(CallOutcome outcome) {
    ending = outcome;
    schedule();
  }

  /** Whether it is to end before all is sealed. */
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

  /** Seals what can be sealed now; not called once it has ended. */
  abstract void seal();

  /**
   * Tries to get what was reserved; null if there is not enough now.
   *
   * @param waiter what it was set aside for, or null
   */
  abstract @Nullable List<TransferBuffer> allocate(@Nullable MemoryWaiter waiter);

  /** Tries to get memory in ranges, each of which goes back by itself; for {@link #allocate}. */
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

  /** Binds ranges that are being written to a data key of their own; returns its nonces. */
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

  /** It comes to its end, whichever that is: what else it has is to be let go. Called once. */
  void onEnd() {}

  /** There will be nothing; called once. */
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

  /** Counts so many bytes; false if that is too much, and then this has failed. */
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

  /** Whether there is memory; if not, this task is scheduled when there may be. */
  final boolean hasMemory() {
    if (memory != null) {
      return true;
    }
    memory = allocate(waiter);
    if (memory == null) {
      awaitMemory();
      return false;
    }
    // Whoever frees it gives back what was counted.
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

  /** What was allocated. */
  final List<TransferBuffer> memory() {
    List<TransferBuffer> allocated = memory;
    if (allocated == null) {
      throw new IllegalStateException("there is no memory");
    }
    return allocated;
  }

  /**
   * All is sealed: whoever is given the memory holds it. If something fails while it is let go,
   * that is thrown, and this task holds the memory and is not finished.
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
