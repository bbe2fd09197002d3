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
 * later failure: through the handler, at the next poll. Owned by the endpoint's thread; {@link
 * #postWrite} does not allocate.
 */
final class FabricMemory implements RemoteMemory {
  private final FabricVerbs verbs;
  private final RegionTable regions;
  private final Destinations destinations;
  private final PostedOperations operations;
  private final FabricCounters counters;
  private final WriteMessage message;
  private final long immediateMask;
  private final long completionFlags;
  private final LongSupplier clockNs;
  private final RegionTable.@Nullable Registration[] sources;
  private final int[] failedSlots;
  private final int[] failedStatuses;
  private int failedCount;

  /**
   * @param traits the endpoint's provider as a writer
   * @param clockNs the clock, read only when a destination refuses
   */
  FabricMemory(
      FabricVerbs verbs,
      RegionTable regions,
      Destinations destinations,
      PostedOperations operations,
      FabricCounters counters,
      WriteTraits traits,
      LongSupplier clockNs) {
    this.verbs = verbs;
    this.regions = regions;
    this.destinations = destinations;
    this.operations = operations;
    this.counters = counters;
    this.message = traits.message();
    this.immediateMask =
        traits.immediateBytes() >= Long.BYTES
            ? -1
            : (1L << (traits.immediateBytes() * Byte.SIZE)) - 1;
    this.completionFlags =
        FabricConstants.FI_COMPLETION
            | (traits.hasDeliveryComplete() ? FabricConstants.FI_DELIVERY_COMPLETE : 0);
    this.clockNs = clockNs;
    this.sources = new RegionTable.Registration[traits.window()];
    this.failedSlots = new int[traits.window()];
    this.failedStatuses = new int[traits.window()];
  }

  /**
   * The traits of a provider's writes.
   *
   * @param message room for the arguments of a post
   * @param immediateBytes bytes of an immediate value that the provider carries
   * @param hasDeliveryComplete whether the provider can complete a write when the bytes are in the
   *     target's memory; otherwise a write completes when the provider is done with the source
   * @param window the number of operations that may be under way
   */
  record WriteTraits(
      WriteMessage message, long immediateBytes, boolean hasDeliveryComplete, int window) {}

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
    message
        .source(source.memory.address() + write.sourceOffset(), length, source.descriptor)
        .target(destinations.providerAddress(destination), write.remoteAddress(), write.remoteKey())
        .operation(operations.context(slot), write.hasImmediate() ? write.immediate() : 0);
    long flags = write.hasImmediate() ? FabricConstants.FI_REMOTE_CQ_DATA : 0;
    return settle(slot, verbs.write(message.address(), completionFlags | flags), length);
  }

  /** Handles the result of a post; returns false if the caller must try again. */
  private boolean settle(int slot, long rc, long length) {
    int destination = operations.destination(slot);
    if (rc == 0) {
      destinations.onAccepted(destination);
      counters.writesPosted++;
      counters.writeBytesPosted += length;
      return true;
    }
    if (rc == -FabricErrno.FI_EAGAIN) {
      counters.tryAgains++;
      if (!destinations.onRefused(destination, clockNs.getAsLong())) {
        release(slot);
        return false;
      }
      fail(slot, CompletionHandler.STATUS_UNREACHABLE);
      return true;
    }
    fail(slot, CompletionStatus.ofWrite((int) -rc, 0));
    return true;
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
    failedSlots[failedCount] = slot;
    failedStatuses[failedCount] = status;
    failedCount++;
  }

  /** Reports the writes that failed at the post. */
  int report(CompletionHandler handler) {
    int count = failedCount;
    for (int i = 0; i < count; i++) {
      failedCount--;
      complete(failedSlots[failedCount], failedStatuses[failedCount], handler);
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
    } else {
      counters.writesFailed++;
    }
    handler.onWriteComplete(context, status);
    if (status == CompletionHandler.STATUS_UNREACHABLE && isCurrent) {
      handler.onUnreachable(destination);
    }
  }
}
