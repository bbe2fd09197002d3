package io.millrace.efa;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.EndpointCounters;
import io.millrace.efa.ofi.CompletionEntries;
import io.millrace.efa.ofi.CompletionError;
import io.millrace.efa.ofi.FabricConstants;
import io.millrace.efa.ofi.FabricErrno;
import io.millrace.efa.ofi.FabricVerbs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/**
 * Reads the completion queue and finds the operation of each completion: a receive, a datagram of a
 * train, a one-sided write of this endpoint, or a write of a peer.
 *
 * <p>A batch survives a throwing handler: the next call hands the remaining completions over. Owned
 * by the endpoint's thread; does not allocate after construction.
 */
final class CompletionReaper {
  private static final int BATCH = 32;
  private static final int EVENT_BYTES = 256;

  /** The limit of entries of the event queue that one check reads. */
  private static final int EVENTS_PER_CHECK = 64;

  /** The number of calls for one check of the event queue. */
  private static final int CALLS_PER_EVENT_CHECK = 1024;

  private final FabricVerbs verbs;
  private final PostedOperations operations;
  private final ReceiveRing receives;
  private final SendQueue sends;
  private final FabricMemory memory;
  private final EndpointCounters counters;
  private final FabricCounters fabricCounters;
  private final EndpointHealth health;
  private final CompletionEntries entries;
  private final CompletionError error;
  private final MemorySegment event;
  private int next;
  private int count;
  private int callsUntilEventCheck = CALLS_PER_EVENT_CHECK;

  CompletionReaper(
      FabricVerbs verbs,
      PostedOperations operations,
      ReceiveRing receives,
      SendQueue sends,
      FabricMemory memory,
      EndpointStatistics statistics,
      SegmentAllocator allocator) {
    this.verbs = verbs;
    this.operations = operations;
    this.receives = receives;
    this.sends = sends;
    this.memory = memory;
    this.counters = statistics.counters();
    this.fabricCounters = statistics.fabricCounters();
    this.health = statistics.health();
    this.entries = new CompletionEntries(allocator, BATCH);
    this.error = new CompletionError(allocator);
    this.event = allocator.allocate(EVENT_BYTES, Long.BYTES);
  }

  /** Hands over at most {@code limit} completions and returns their number. */
  int reap(CompletionHandler handler, int limit) {
    int given = handOver(handler, limit);
    while (given < limit) {
      long wanted = Math.min(limit - given, BATCH);
      long read = verbs.readCompletions(entries.address(), wanted);
      if (read > 0) {
        health.onRead();
        next = 0;
        count = (int) read;
        given += handOver(handler, limit - given);
        if (read < wanted) {
          break;
        }
        continue;
      }
      long answer = read == -FabricErrno.FI_EAVAIL ? readError() : read;
      if (answer != 1) {
        onNothingRead(read, answer);
        break;
      }
      health.onRead();
      given++;
      onError(handler);
    }
    checkEvents();
    return given;
  }

  /**
   * Ends all operations as failed once completions are lost; the queue of sends and the memory
   * report the ends. The provider may still read the memory of the operations.
   */
  void abandonLost() {
    if (!health.isLost() || operations.isAbandoned()) {
      return;
    }
    operations.abandon();
    for (int slot = 0; slot < operations.slots(); slot++) {
      if (operations.kind(slot) == PostedOperations.SEND) {
        long owner = operations.owner(slot);
        operations.release(slot);
        sends.onComplete(owner, CompletionHandler.STATUS_FAILED);
      }
    }
    sends.giveUp();
    memory.abandon();
  }

  /**
   * A read of the queue gave no completion. A queue that has an error entry, and does not hand the
   * entry over, has failed.
   *
   * @param answer the answer about the error entry if the read named an entry, else {@code read}
   */
  private void onNothingRead(long read, long answer) {
    if (read == -FabricErrno.FI_EAGAIN || read == 0) {
      health.onRead();
      return;
    }
    boolean isNamed = answer < 0 && answer != -FabricErrno.FI_EAGAIN;
    fabricCounters.queueErrors++;
    health.onFailedRead((int) -(isNamed ? answer : read));
  }

  private int handOver(CompletionHandler handler, int limit) {
    long receivedBefore = counters.datagramsReceived;
    int given = 0;
    while (next < count && given < limit) {
      int index = next++;
      given++;
      onEntry(index, handler);
    }
    if (counters.datagramsReceived != receivedBefore) {
      counters.receiveCalls++;
    }
    return given;
  }

  private void onEntry(int index, CompletionHandler handler) {
    long context = entries.context(index);
    int slot = operations.slotOf(context);
    if (slot >= 0) {
      onOperation(slot, CompletionHandler.STATUS_OK, handler);
      return;
    }
    slot = receives.slotOf(context);
    if (slot >= 0) {
      receives.onReceived(slot, entries.bytes(index), handler);
    } else if (!operations.isOwn(context)
        && (entries.flags(index) & FabricConstants.FI_REMOTE_CQ_DATA) != 0) {
      fabricCounters.remoteWrites++;
      handler.onRemoteWrite(entries.immediate(index));
    } else {
      fabricCounters.strayCompletions++;
    }
  }

  private void onOperation(int slot, int status, CompletionHandler handler) {
    if (operations.kind(slot) == PostedOperations.WRITE) {
      memory.complete(slot, status, handler);
    } else {
      long owner = operations.owner(slot);
      operations.release(slot);
      sends.onComplete(owner, status);
    }
  }

  private void onNotReady(int slot, CompletionHandler handler) {
    fabricCounters.notReady++;
    if (operations.kind(slot) == PostedOperations.WRITE) {
      memory.onNotReady(slot, handler);
    } else {
      long owner = operations.owner(slot);
      operations.release(slot);
      sends.onNotReady(owner);
    }
  }

  /** Reads an error entry; returns 1 on success, else the provider's answer. */
  private long readError() {
    error.clear();
    return verbs.readCompletionError(error.address());
  }

  private void onError(CompletionHandler handler) {
    long context = error.context();
    int slot = operations.slotOf(context);
    if (slot >= 0 && CompletionStatus.isNotReady(error.errno())) {
      onNotReady(slot, handler);
      return;
    }
    if (slot >= 0) {
      int status =
          operations.kind(slot) == PostedOperations.WRITE
              ? CompletionStatus.ofWrite(error.errno(), error.providerErrno())
              : CompletionStatus.ofSend(error.errno());
      onOperation(slot, status, handler);
      return;
    }
    slot = receives.slotOf(context);
    if (slot >= 0) {
      receives.onFailed(slot, error.errno());
    } else {
      fabricCounters.strayCompletions++;
    }
  }

  private void checkEvents() {
    if (--callsUntilEventCheck > 0) {
      return;
    }
    callsUntilEventCheck = CALLS_PER_EVENT_CHECK;
    for (int i = 0;
        i < EVENTS_PER_CHECK && verbs.readEvent(event.address(), EVENT_BYTES) > 0;
        i++) {
      fabricCounters.asyncEvents++;
    }
  }
}
