package io.millrace.protocol.transfer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether an arrived request is new, and keeps each response until the initiator has the
 * response; rules T-5 to T-7. A generation per slot of the initiator tells duplicates for ever, in
 * any order of arrival, in memory bounded by the initiator's limit of open calls. Owned by the
 * path's worker. No clock; allocates only during growth.
 */
public final class ServedCalls {
  private static final int INITIAL_SLOTS = 64;
  private static final VarHandle KEPT_BYTES;

  static {
    try {
      KEPT_BYTES = MethodHandles.lookup().findVarHandle(ServedCalls.class, "keptBytes", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int limit;
  private final AnswerMemory memory;
  private final ServedCall.Owner owner;
  private int[] generations = new int[INITIAL_SLOTS];
  private @Nullable ServedEntry[] calls = new ServedEntry[INITIAL_SLOTS];
  private int open;

  /** Written by the worker, read by any thread. */
  private long keptBytes;

  /** The finding of {@link #onRequest}. */
  public enum Arrival {
    /** A new call to execute; {@link #find} has the call. */
    NEW,
    /** Known and not yet answered, or answered and on its way. */
    DUPLICATE,
    /** The slot has a newer call; the initiator gave this call up. */
    STALE,
    /** The slot is beyond the initiator's limit. */
    BEYOND_LIMIT
  }

  /** An empty table; the initiator uses slots below {@code limit}. */
  public ServedCalls(int limit, AnswerMemory memory, ServedCall.Owner owner) {
    this.limit = limit;
    this.memory = memory;
    this.owner = owner;
  }

  /** A request arrived. A new request sets up a call. */
  public Arrival onRequest(long transferId, int priority) {
    int slot = TransferId.slot(transferId);
    if (slot < 0 || slot >= limit) {
      return Arrival.BEYOND_LIMIT;
    }
    if (slot >= generations.length) {
      grow(slot);
    }
    int generation = TransferId.generation(transferId);
    if (generation == generations[slot]) {
      return Arrival.DUPLICATE;
    }
    if (generations[slot] != 0 && !TransferId.isNewer(generation, generations[slot])) {
      return Arrival.STALE;
    }
    ServedEntry previous = calls[slot];
    if (previous != null) {
      release(slot, previous);
    }
    generations[slot] = generation;
    begin(transferId, priority);
    open++;
    assert invariantsHold();
    return Arrival.NEW;
  }

  private ServedCall begin(long transferId, int priority) {
    ServedCall call = memory.acquire();
    call.start(transferId, priority, owner);
    calls[TransferId.slot(transferId)] = call;
    return call;
  }

  /**
   * The work on an executing call takes the call's place until {@link #resume}: a call that waits
   * long for its handler holds no frame. The call's object is free for other calls.
   */
  public void park(ServedCall call, ParkedCall work) {
    int slot = TransferId.slot(call.transferId());
    assert calls[slot] == call;
    work.stand(call);
    calls[slot] = work;
    call.park();
    memory.recycle(call);
  }

  /** The parked call, to be answered; null if nobody waits for the answer any more. */
  public @Nullable ServedCall resume(ParkedCall work) {
    int slot = TransferId.slot(work.transferId());
    if (calls[slot] != work) {
      return null;
    }
    ServedCall call = begin(work.transferId(), work.priority());
    if (work.isCausal()) {
      call.causal();
    }
    return call;
  }

  /** Whether the waiting answers leave room for another call to execute. */
  public boolean canExecute() {
    return memory.canTake(keptBytes);
  }

  /**
   * As above, with the bytes of coming answers; for any thread, with the values of a moment ago.
   *
   * @param ownBytes coming bytes for the same peer
   * @param allBytes coming bytes for all peers
   */
  public boolean canExecute(long ownBytes, long allBytes) {
    return memory.canTake((long) KEPT_BYTES.getOpaque(this) + ownBytes, allBytes);
  }

  /** The call was answered, perhaps anew, and waits until the initiator has the answer. */
  public void onAnswered(ServedCall call) {
    onAnswered(call, call.contentLength());
  }

  /**
   * The call was answered with this number of bytes, which wait until the initiator has the bytes.
   */
  public void onAnswered(ServedCall call, int contentLength) {
    keep(call, AnswerMemory.costOf(contentLength));
  }

  /** The path has ended: every call is forgotten, and the work on each executing call is told. */
  public void forgetAll() {
    Throwable thrown = null;
    for (int slot = 0; slot < calls.length; slot++) {
      ServedEntry entry = calls[slot];
      if (entry != null) {
        calls[slot] = null;
        open--;
        thrown = abandon(entry, thrown);
      }
    }
    assert invariantsHold() && keptBytes == 0;
    if (thrown != null) {
      throw new IllegalStateException(
          "the work on a served call threw at the end of its path", thrown);
    }
  }

  private @Nullable Throwable abandon(ServedEntry entry, @Nullable Throwable thrown) {
    try {
      switch (entry) {
        case ServedCall call -> {
          keep(call, 0);
          call.abandon();
        }
        case ParkedCall parked -> parked.onAbandoned();
      }
      return thrown;
    } catch (RuntimeException | Error e) {
      return e;
    }
  }

  /**
   * The call with this slot and generation whose response is still owed or kept, or null; null for
   * a parked call, too.
   */
  public @Nullable ServedCall find(int slot, int generation) {
    return entry(slot, generation) instanceof ServedCall call ? call : null;
  }

  private @Nullable ServedEntry entry(int slot, int generation) {
    if (slot < 0 || slot >= generations.length || generations[slot] != generation) {
      return null;
    }
    return calls[slot];
  }

  /** Whether the call with this slot and generation is parked. */
  public boolean isParked(int slot, int generation) {
    return entry(slot, generation) instanceof ParkedCall;
  }

  /** Whether the call with this slot and generation is open and not answered. */
  public boolean isExecuting(int slot, int generation) {
    ServedEntry entry = entry(slot, generation);
    return entry instanceof ServedCall call ? !call.isAnswered() : entry != null;
  }

  /**
   * The initiator gave up a kept call: the executing work keeps the old object, and the returned
   * object takes the call's place, to be answered.
   */
  public ServedCall renew(ServedCall call) {
    return renew(call, call.transferId(), call.priority());
  }

  /** As {@link #renew}, for a parked call. */
  public ServedCall renewParked(int slot) {
    if (calls[slot] instanceof ParkedCall parked) {
      return renew(parked, parked.transferId(), parked.priority());
    }
    throw new IllegalStateException("slot " + slot + " has no parked call");
  }

  private ServedCall renew(ServedEntry entry, long transferId, int priority) {
    release(TransferId.slot(transferId), entry);
    ServedCall renewed = begin(transferId, priority);
    open++;
    assert invariantsHold();
    return renewed;
  }

  /** The initiator has this response; returns false for a response that was confirmed before. */
  public boolean onResponseAcknowledged(int slot, int generation) {
    ServedCall call = find(slot, generation);
    if (call == null || !call.isAnswered()) {
      return false;
    }
    release(slot, call);
    assert invariantsHold();
    return true;
  }

  /** The stream that began with this call is over; no response will come. */
  public void onStreamOver(int slot, int generation) {
    ServedCall call = find(slot, generation);
    if (call != null && !call.isAnswered()) {
      release(slot, call);
      memory.recycle(call);
    }
    assert invariantsHold();
  }

  /**
   * Whether a transfer of this id may still begin: nothing of this transfer or of a later transfer
   * was seen.
   */
  public boolean isAhead(long transferId) {
    int slot = TransferId.slot(transferId);
    if (slot < 0 || slot >= limit) {
      return false;
    }
    int known = slot < generations.length ? generations[slot] : 0;
    return known == 0 || TransferId.isNewer(TransferId.generation(transferId), known);
  }

  /** A call that was delivered while waiting for its retransmission has left its queue. */
  public void onDropped(ServedCall call) {
    memory.recycle(call);
  }

  /** Calls with an owed or kept response. */
  public int openCount() {
    return open;
  }

  private void release(int slot, ServedEntry entry) {
    calls[slot] = null;
    open--;
    switch (entry) {
      case ServedCall call -> {
        keep(call, 0);
        call.release();
        if (call.isAnswered() && !call.isQueued()) {
          memory.recycle(call);
        }
      }
      case ParkedCall parked -> {
        if (parked.isCausal()) {
          owner.onCausalAnswered(parked.transferId(), /* isWell= */ false);
        }
        parked.onAbandoned();
      }
    }
  }

  private void keep(ServedCall call, int bytes) {
    int more = bytes - call.keptBytes();
    call.keep(bytes);
    KEPT_BYTES.setOpaque(this, keptBytes + more);
    memory.onKept(more);
  }

  private void grow(int slot) {
    int length = Math.min(limit, Math.max(slot + 1, generations.length * 2));
    generations = Arrays.copyOf(generations, length);
    calls = Arrays.copyOf(calls, length);
  }

  private boolean invariantsHold() {
    assert open >= 0 && open <= generations.length && keptBytes >= 0;
    return true;
  }
}
