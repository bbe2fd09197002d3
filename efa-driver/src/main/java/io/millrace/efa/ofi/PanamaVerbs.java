package io.millrace.efa.ofi;

import static io.millrace.efa.ofi.NativeMemory.function;
import static io.millrace.efa.ofi.NativeMemory.readLong;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.millrace.efa.ofi.FabricLayouts.FiOpsCq;
import io.millrace.efa.ofi.FabricLayouts.FiOpsEq;
import io.millrace.efa.ofi.FabricLayouts.FiOpsMsg;
import io.millrace.efa.ofi.FabricLayouts.FiOpsRma;
import io.millrace.efa.ofi.FabricLayouts.FidCq;
import io.millrace.efa.ofi.FabricLayouts.FidEp;
import io.millrace.efa.ofi.FabricLayouts.FidEq;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * {@link FabricVerbs} through Panama. Function pointers are read once, after the endpoint was
 * enabled, because providers may swap tables until then. Downcalls are not critical: a poll may
 * enter the kernel.
 */
final class PanamaVerbs implements FabricVerbs {
  /** {@code ssize_t f(ep, buffer, bytes, descriptor, address, context)}: send and recv. */
  private static final MethodHandle MESSAGE =
      Downcalls.unbound(
          JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  /** {@code ssize_t f(object, buffer, number)}: writemsg, cq read, cq readerr, eq readerr. */
  private static final MethodHandle THREE =
      Downcalls.unbound(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  /** {@code ssize_t eq_read(eq, event, buffer, bytes, flags)}. */
  private static final MethodHandle EQ_READ =
      Downcalls.unbound(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  private static final long FROM_ANYONE = -1;
  private static final int EVENT_HEADER_BYTES = 16;

  private final long endpoint;
  private final long completionQueue;
  private final long eventQueue;
  private final MemorySegment send;
  private final MemorySegment receive;
  private final MemorySegment write;
  private final MemorySegment readCompletions;
  private final MemorySegment readCompletionError;
  private final MemorySegment readEvent;
  private final MemorySegment readEventError;

  private PanamaVerbs(long endpoint, long completionQueue, long eventQueue) {
    this.endpoint = endpoint;
    this.completionQueue = completionQueue;
    this.eventQueue = eventQueue;
    long message = readLong(endpoint + FidEp.MSG);
    this.send = function(message, FiOpsMsg.SEND);
    this.receive = function(message, FiOpsMsg.RECV);
    this.write = function(readLong(endpoint + FidEp.RMA), FiOpsRma.WRITEMSG);
    long completions = readLong(completionQueue + FidCq.OPS);
    this.readCompletions = function(completions, FiOpsCq.READ);
    this.readCompletionError = function(completions, FiOpsCq.READERR);
    long events = readLong(eventQueue + FidEq.OPS);
    this.readEvent = function(events, FiOpsEq.READ);
    this.readEventError = function(events, FiOpsEq.READERR);
  }

  static PanamaVerbs of(long endpoint, long completionQueue, long eventQueue)
      throws FabricException {
    PanamaVerbs verbs = new PanamaVerbs(endpoint, completionQueue, eventQueue);
    if (!verbs.isComplete()) {
      throw new FabricException(
          "reading the endpoint's functions", FabricErrno.FI_ENOSYS, "one is missing");
    }
    return verbs;
  }

  private boolean isComplete() {
    return send.address() != 0
        && receive.address() != 0
        && write.address() != 0
        && readCompletions.address() != 0
        && readCompletionError.address() != 0
        && readEvent.address() != 0
        && readEventError.address() != 0;
  }

  @Override
  public long send(long address, long bytes, long descriptor, long destination, long context) {
    try {
      return (long)
          MESSAGE.invokeExact(send, endpoint, address, bytes, descriptor, destination, context);
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }

  @Override
  public long receive(long address, long bytes, long descriptor, long context) {
    try {
      return (long)
          MESSAGE.invokeExact(receive, endpoint, address, bytes, descriptor, FROM_ANYONE, context);
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }

  @Override
  public long write(long message, long flags) {
    try {
      return (long) THREE.invokeExact(write, endpoint, message, flags);
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }

  @Override
  public long readCompletions(long entries, long count) {
    try {
      return (long) THREE.invokeExact(readCompletions, completionQueue, entries, count);
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }

  @Override
  public long readCompletionError(long entry) {
    try {
      return (long) THREE.invokeExact(readCompletionError, completionQueue, entry, 0L);
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }

  @Override
  public long readEvent(long buffer, long bytes) {
    try {
      long read =
          (long)
              EQ_READ.invokeExact(
                  readEvent,
                  eventQueue,
                  buffer,
                  buffer + EVENT_HEADER_BYTES,
                  bytes - EVENT_HEADER_BYTES,
                  0L);
      if (read != -FabricErrno.FI_EAVAIL) {
        return read;
      }
      return (long) THREE.invokeExact(readEventError, eventQueue, buffer, 0L);
    } catch (Throwable e) {
      throw Downcalls.unchecked(e);
    }
  }
}
