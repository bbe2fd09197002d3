package io.millrace.protocol.transfer;

import io.millrace.transfer.CallOutcome;
import java.util.Arrays;
import org.agrona.collections.IntArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The open calls of this side on a path: gives each call a slot and an id, finds the call again,
 * and ends the call once; rules T-1 to T-4. Freed slots are used again in the order of their
 * release, so an id recurs as late as possible. Owned by the path's worker. No clock; allocates
 * only during growth to the number of calls open at once.
 */
public final class OutboundCalls {
  private static final int INITIAL_SLOTS = 64;

  private final int worker;
  private final int limit;
  private final IntArrayQueue free = new IntArrayQueue(INITIAL_SLOTS, -1);
  private @Nullable OutboundCall[] calls = new OutboundCall[INITIAL_SLOTS];
  private int[] generations = new int[INITIAL_SLOTS];
  private int slots;
  private int open;

  /**
   * An empty table.
   *
   * @param worker the worker whose bits go into the ids
   * @param limit calls that may be open at once, as the peer allows
   */
  public OutboundCalls(int worker, int limit) {
    this.worker = worker;
    this.limit = limit;
  }

  /**
   * Gives the call a slot and an id, or returns false when the peer's limit is reached.
   *
   * @throws IllegalStateException if the call was opened before, or has ended
   */
  public boolean open(OutboundCall call) {
    if (open == limit) {
      return false;
    }
    call.begin();
    int slot = slots - open > 0 ? free.pollInt() : newSlot();
    int generation = TransferId.nextGeneration(generations[slot]);
    generations[slot] = generation;
    calls[slot] = call;
    call.assign(TransferId.of(worker, generation, slot));
    open++;
    assert invariantsHold();
    return true;
  }

  /** The open call with this slot and generation, or null. */
  public @Nullable OutboundCall find(int slot, int generation) {
    if (slot < 0 || slot >= slots || generations[slot] != generation) {
      return null;
    }
    return calls[slot];
  }

  /**
   * The caller of this open call wants no more of the call: the call keeps its slot until the peer
   * has answered, and {@link #end} then says that the call was given up.
   */
  public void giveUp(OutboundCall call) {
    call.giveUp();
    assert invariantsHold();
  }

  /**
   * Ends the call of this id: returns the call and frees its slot; null if the call is not open.
   */
  public @Nullable OutboundCall end(long transferId) {
    int slot = TransferId.slot(transferId);
    OutboundCall call = find(slot, TransferId.generation(transferId));
    if (call == null || call.transferId() != transferId) {
      return null;
    }
    calls[slot] = null;
    free.addInt(slot);
    open--;
    call.end();
    assert invariantsHold();
    return call;
  }

  /**
   * Ends every call in the order of slots, with this failure, except calls given up before. A call
   * that throws does not keep the other calls from their end.
   *
   * @throws IllegalStateException if any call threw, with the last exception as the cause
   */
  public void failAll(CallOutcome outcome, String text) {
    Throwable thrown = null;
    for (int slot = 0; slot < slots; slot++) {
      OutboundCall call = calls[slot];
      if (call != null) {
        thrown = abort(call, outcome, text, thrown);
      }
    }
    if (thrown != null) {
      throw new IllegalStateException("a call's completion threw", thrown);
    }
  }

  private @Nullable Throwable abort(
      OutboundCall call, CallOutcome outcome, String text, @Nullable Throwable thrown) {
    boolean isTold = call.isGivenUp();
    Throwable last = thrown;
    try {
      end(call.transferId());
    } catch (RuntimeException | Error e) { // its caller waits all the same
      last = e;
    }
    try {
      if (!isTold) {
        call.onAborted(outcome, text);
      }
    } catch (RuntimeException | Error e) {
      last = e;
    }
    return last;
  }

  /** Calls with a slot, including calls that were given up. */
  public int openCount() {
    return open;
  }

  private int newSlot() {
    if (slots == calls.length) {
      calls = Arrays.copyOf(calls, slots * 2);
      generations = Arrays.copyOf(generations, slots * 2);
    }
    return slots++;
  }

  private boolean invariantsHold() {
    assert open >= 0 && open <= limit && free.size() == slots - open;
    return true;
  }
}
