package io.millrace.testkit.internal.fabric;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.RemoteWrite;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongArrayQueue;
import org.jspecify.annotations.Nullable;

/** The registrations of an endpoint, and its writes under way. */
final class FabricMemory implements RemoteMemory {
  private final SimFabricEndpoint endpoint;
  private final SimFabric fabric;
  private final Long2ObjectHashMap<FabricRegistration> registrations = new Long2ObjectHashMap<>();
  private final LongArrayQueue ended = new LongArrayQueue(Long.MIN_VALUE);
  private long registeredBytes;
  private int underWay;

  FabricMemory(SimFabricEndpoint endpoint) {
    this.endpoint = endpoint;
    fabric = endpoint.fabric();
  }

  @Override
  public MemoryRegion register(MemorySegment memory, boolean remoteWrite) throws DriverException {
    if (!memory.isNative()) {
      throw new DriverException("memory on the heap cannot be registered");
    }
    if (!fabric.mayRegister(endpoint, memory.byteSize())) {
      fabric.counters().registrationsRefused++;
      throw new DriverException(
          "the system locks no more memory", DriverException.Kind.LOCKED_MEMORY_LIMIT);
    }
    registeredBytes += memory.byteSize();
    fabric.counters().registrations++;
    FabricRegistration registration =
        new FabricRegistration(memory, fabric.nextKey(), fabric.nextBase(), remoteWrite);
    registrations.put(registration.key(), registration);
    return new MemoryRegion(memory, registration.key(), registration.base(), registration.key());
  }

  @Override
  public void deregister(MemoryRegion region) throws DriverException {
    FabricRegistration registration = registrations.get(region.handle());
    if (registration == null) {
      throw new DriverException("there is no such registration");
    }
    if (registration.isRead()) {
      fabric.counters().deregistrationsRefused++;
      throw new DriverException("a write under way reads from the memory");
    }
    registrations.remove(region.handle());
    registeredBytes -= registration.memory().byteSize();
    registration.end();
  }

  /** Returns the registration with this key, or null. */
  @Nullable FabricRegistration find(long key) {
    return registrations.get(key);
  }

  /** Whether the memory of an ended registration has another registration now. */
  boolean hasOther(FabricRegistration ended) {
    for (FabricRegistration registration : registrations.values()) {
      if (registration.memory().address() == ended.memory().address()) {
        return true;
      }
    }
    return false;
  }

  /** Bytes of all registrations. */
  long registeredBytes() {
    return registeredBytes;
  }

  /** Number of registrations. */
  int count() {
    return registrations.size();
  }

  @Override
  public boolean postWrite(int destination, RemoteWrite write, long context) {
    FabricDestination to = endpoint.destination(destination);
    FabricRegistration source = registrations.get(write.source().handle());
    if (source == null) {
      throw new IllegalArgumentException("the source is not a live region of this endpoint");
    }
    Objects.checkFromIndexSize(write.sourceOffset(), write.length(), source.memory().byteSize());
    if (underWay >= fabric.settings().writeDepth()) {
      fabric.counters().queueFull++;
      return false;
    }
    if (to == null) {
      underWay++;
      onEnded(context, CompletionHandler.STATUS_UNREACHABLE);
      return true;
    }
    boolean mustWait = to.mustWait();
    if (mustWait && !to.isOver()) {
      return false;
    }
    underWay++;
    if (mustWait) {
      boolean isReady = !to.isUnready();
      onEnded(
          context,
          isReady ? CompletionHandler.STATUS_UNREACHABLE : CompletionHandler.STATUS_NOT_READY);
    } else {
      new FabricWrite(endpoint, to, write, source, context).start();
    }
    return true;
  }

  void onEnded(long context, int status) {
    if (!endpoint.isGone()) {
      ended.addLong(context);
      ended.addLong(status);
      endpoint.wake();
    }
  }

  /** Reports a write that has ended; false without such a write. */
  boolean poll(CompletionHandler handler) {
    if (ended.isEmpty()) {
      return false;
    }
    underWay--;
    long context = ended.pollLong();
    handler.onWriteComplete(context, (int) ended.pollLong());
    return true;
  }

  /**
   * Ends all registrations, because the endpoint is gone: peers can no longer write to this memory.
   */
  void close() {
    registrations.values().forEach(FabricRegistration::end);
    registrations.clear();
    registeredBytes = 0;
    ended.clear();
  }
}
