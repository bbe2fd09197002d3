package io.millrace.efa;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.RemoteWrite;
import io.millrace.efa.ofi.FabricConstants;
import io.millrace.efa.ofi.FabricErrno;
import io.millrace.efa.ofi.FabricVerbs;
import io.millrace.efa.ofi.WriteMessage;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One-sided writes of one endpoint.
 *
 * <p>Posts go straight to the provider. A write that fails for good at the post completes like a
 * later failure: through the handler, at the next poll. A write whose receiver was not ready is
 * posted again, after the back-off from its destination. Owned by the endpoint's thread; {@link
 * #postWrite} does not allocate.
 */
final class FabricMemory implements RemoteMemory {
  private final FabricVerbs verbs;
  private final RegionTable regions;
  private final Destinations destinations;
  private final PeerHolds holds;
  private final PostedOperations operations;
  private final FabricCounters counters;
  private final EndpointHealth health;
  private final WriteMessage[] messages;
  private final long immediateMask;
  private final long completionFlags;
  private final LongSupplier clockNs;
  private final RegionTable.@Nullable Registration[] sources;
  private final long[] flags;
  private final boolean[] isRepeated;
  private final int[] parked;
  private int parkedCount;
  private final int[] failedSlots;
  private final int[] failedStatuses;
  private int failedHead;
  private int failedCount;

  /**
   * @param traits the endpoint's provider as a writer
   * @param clockNs the clock, read only when a destination refuses or is not ready
   */
  FabricMemory(
      FabricVerbs verbs,
      RegionTable regions,
      Destinations destinations,
      PostedOperations operations,
      EndpointStatistics statistics,
      WriteTraits traits,
      LongSupplier clockNs) {
    this.verbs = verbs;
    this.regions = regions;
    this.destinations = destinations;
    this.holds = destinations.holds();
    this.operations = operations;
    this.counters = statistics.fabricCounters();
    this.health = statistics.health();
    this.messages = traits.messages();
    this.immediateMask =
        traits.immediateBytes() >= Long.BYTES
            ? -1
            : (1L << (traits.immediateBytes() * Byte.SIZE)) - 1;
    this.completionFlags =
        FabricConstants.FI_COMPLETION
            | (traits.hasDeliveryComplete() ? FabricConstants.FI_DELIVERY_COMPLETE : 0);
    this.clockNs = clockNs;
    int window = messages.length;
    this.sources = new RegionTable.Registration[window];
    this.flags = new long[window];
    this.isRepeated = new boolean[window];
    this.parked = new int[window];
    this.failedSlots = new int[window];
    this.failedStatuses = new int[window];
  }

  /**
   * The traits of a provider's writes.
   *
   * @param messages room for the arguments of each operation that may be under way
   * @param immediateBytes bytes of an immediate value that the provider carries
   * @param hasDeliveryComplete whether the provider can complete a write when the bytes are in the
   *     target's memory; otherwise a write completes when the provider is done with the source
   */
  record WriteTraits(WriteMessage[] messages, long immediateBytes, boolean hasDeliveryComplete) {}

  @Override
  public MemoryRegion register(MemorySegment memory, boolean remoteWrite) throws DriverException {
    RegionTable.Registration registration =
        regions.register(memory, RegionTable.regionAccess(remoteWrite));
    return new MemoryRegion(
        memory, registration.remoteKey, regions.remoteBase(registration), registration.handle);
  }

  @Override
  public void deregister(MemoryRegion region) throws DriverException {
    regions.deregister(region.handle());
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the source is not a live region of this endpoint or the
   *     immediate value is larger than the provider carries
   * @throws IndexOutOfBoundsException if the write exceeds the source's bounds
   */
  @Override
  public boolean postWrite(int destination, RemoteWrite write, long context) {
    destinations.check(destination);
    RegionTable.Registration source = regions.find(write.source().handle());
    if (source == null || !source.memory.scope().isAlive()) {
      throw new IllegalArgumentException("the source is not a live region of this endpoint");
    }
    long length = write.length();
    Objects.checkFromIndexSize(write.sourceOffset(), length, source.memory.byteSize());
    if (write.hasImmediate() && (write.immediate() & ~immediateMask) != 0) {
      throw new IllegalArgumentException("immediate values of this provider are narrower");
    }
    holds.onPosted(destination);
    boolean isGivenUp = false;
    if (holds.isUnready(destination)) {
      long nowNs = clockNs.getAsLong();
      isGivenUp = holds.isWaiting(destination, nowNs) && holds.isGivenUp(destination, nowNs);
      if (!isGivenUp && (holds.isWaiting(destination, nowNs) || isParked(destination))) {
        counters.heldBack++;
        return false;
      }
    }
    if (!operations.canWrite(length)) {
      counters.windowFull++;
      return false;
    }
    int slot =
        operations.acquire(
            PostedOperations.WRITE,
            context,
            destination,
            destinations.generation(destination),
            length);
    sources[slot] = source;
    source.onPosted();
    if (!health.isUp()) {
      fail(slot, CompletionHandler.STATUS_FAILED);
      return true;
    }
    fill(slot, source, destination, write);
    if (isGivenUp) {
      giveUp(slot);
      return true;
    }
    if (!settle(slot, verbs.write(messages[slot].address(), flags[slot]))) {
      release(slot);
      return false;
    }
    return true;
  }

  private void fill(int slot, RegionTable.Registration source, int destination, RemoteWrite write) {
    flags[slot] = completionFlags | (write.hasImmediate() ? FabricConstants.FI_REMOTE_CQ_DATA : 0);
    isRepeated[slot] = false;
    messages[slot]
        .source(source.memory.address() + write.sourceOffset(), write.length(), source.descriptor)
        .target(destinations.providerAddress(destination), write.remoteAddress(), write.remoteKey())
        .operation(operations.context(slot), write.hasImmediate() ? write.immediate() : 0);
  }

  private boolean isParked(int destination) {
    for (int i = 0; i < parkedCount; i++) {
      if (operations.destination(parked[i]) == destination) {
        return true;
      }
    }
    return false;
  }

  /** Handles the result of a post; returns false if the post must be tried again. */
  private boolean settle(int slot, long rc) {
    int destination = operations.destination(slot);
    if (rc == 0) {
      holds.onAccepted(destination);
      if (isRepeated[slot]) {
        counters.repeats++;
      } else {
        counters.writesPosted++;
        counters.writeBytesPosted += operations.bytes(slot);
      }
      return true;
    }
    if (rc == -FabricErrno.FI_EAGAIN) {
      counters.tryAgains++;
      if (!holds.onRefused(destination, isRepeated[slot], clockNs.getAsLong())) {
        return false;
      }
      fail(slot, CompletionHandler.STATUS_UNREACHABLE);
      return true;
    }
    fail(slot, CompletionStatus.ofWrite((int) -rc, 0));
    return true;
  }

  private void giveUp(int slot) {
    counters.notReadyGivenUp++;
    fail(slot, CompletionHandler.STATUS_NOT_READY);
  }

  /**
   * The receiver of the write in {@code slot} was not ready: the write is to be posted again,
   * unless its destination is given up or too many writes wait already.
   */
  void onNotReady(int slot, CompletionHandler handler) {
    int destination = operations.destination(slot);
    if (!destinations.isCurrent(destination, operations.generation(slot))) {
      complete(slot, CompletionHandler.STATUS_FAILED, handler);
      return;
    }
    long nowNs = clockNs.getAsLong();
    holds.onNotReady(destination, isRepeated[slot], nowNs);
    if (holds.isGivenUp(destination, nowNs) || !operations.canPark(slot)) {
      counters.notReadyGivenUp++;
      complete(slot, CompletionHandler.STATUS_NOT_READY, handler);
      return;
    }
    operations.park(slot);
    isRepeated[slot] = true;
    parked[parkedCount++] = slot;
  }

  /** Posts the writes again whose destinations may get posts. */
  void repeat() {
    operations.keepRoom(false);
    if (parkedCount == 0 || !health.isUp()) {
      return;
    }
    long nowNs = clockNs.getAsLong();
    int kept = 0;
    destinations.beginTurn();
    for (int i = 0; i < parkedCount; i++) {
      int destination = operations.destination(parked[i]);
      if (destinations.isBlocked(destination) || !repeat(parked[i], nowNs)) {
        destinations.block(destination);
        parked[kept++] = parked[i];
      }
    }
    parkedCount = kept;
  }

  /** Returns whether the write in {@code slot} is parked no longer. */
  private boolean repeat(int slot, long nowNs) {
    int destination = operations.destination(slot);
    RegionTable.Registration source = sources[slot];
    if (source == null
        || !source.memory.scope().isAlive()
        || !destinations.isCurrent(destination, operations.generation(slot))) {
      fail(slot, CompletionHandler.STATUS_FAILED);
      return true;
    }
    boolean isWaiting = holds.isWaiting(destination, nowNs);
    if (isWaiting || !operations.canUnpark(slot)) {
      boolean isGivenUp = holds.isGivenUp(destination, nowNs);
      if (isGivenUp) {
        giveUp(slot);
      } else if (!isWaiting) {
        operations.keepRoom(true);
      }
      return isGivenUp;
    }
    operations.unpark(slot);
    if (!settle(slot, verbs.write(messages[slot].address(), flags[slot]))) {
      operations.park(slot);
      return false;
    }
    return true;
  }

  /** Tells for which destinations a write waits. */
  void tellWaiting() {
    for (int i = 0; i < parkedCount; i++) {
      holds.onWaiting(operations.destination(parked[i]));
    }
  }

  private void release(int slot) {
    RegionTable.Registration source = sources[slot];
    if (source != null) {
      sources[slot] = null;
      source.onEnded();
    }
    operations.release(slot);
  }

  private void fail(int slot, int status) {
    int at = (failedHead + failedCount++) % failedSlots.length;
    failedSlots[at] = slot;
    failedStatuses[at] = status;
  }

  /** Fails all writes, also those that wait for a repeat: none completes any more. */
  void abandon() {
    parkedCount = 0;
    for (int slot = 0; slot < operations.slots(); slot++) {
      if (sources[slot] != null && !isFailed(slot)) {
        fail(slot, CompletionHandler.STATUS_FAILED);
      }
    }
  }

  private boolean isFailed(int slot) {
    for (int i = 0; i < failedCount; i++) {
      if (failedSlots[(failedHead + i) % failedSlots.length] == slot) {
        return true;
      }
    }
    return false;
  }

  /**
   * Reports the writes that failed at the post, and the abandoned writes, in the order of their
   * failures. The next call reports failures of the handler's own posts.
   */
  int report(CompletionHandler handler) {
    int count = failedCount;
    for (int i = 0; i < count; i++) {
      int slot = failedSlots[failedHead];
      int status = failedStatuses[failedHead];
      failedHead = (failedHead + 1) % failedSlots.length;
      failedCount--;
      complete(slot, status, handler);
    }
    return count;
  }

  /** Completes the write in {@code slot}. */
  void complete(int slot, int status, CompletionHandler handler) {
    long context = operations.owner(slot);
    int destination = operations.destination(slot);
    boolean isCurrent = destinations.isCurrent(destination, operations.generation(slot));
    release(slot);
    if (status == CompletionHandler.STATUS_OK) {
      counters.writesCompleted++;
      if (holds.hasStalled() && isCurrent) {
        holds.onSuccess(destination);
      }
    } else {
      counters.writesFailed++;
    }
    handler.onWriteComplete(context, status);
    if (status == CompletionHandler.STATUS_UNREACHABLE && isCurrent) {
      handler.onUnreachable(destination);
    }
  }
}
