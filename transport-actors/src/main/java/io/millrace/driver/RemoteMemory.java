package io.millrace.driver;

import java.lang.foreign.MemorySegment;

/**
 * One-sided operations of an endpoint. Same thread rules as {@link Endpoint}; {@link #register} and
 * {@link #deregister} are control plane.
 *
 * <p>Deregistration never fences: a write that is under way may still land after {@link
 * #deregister} returned. Revocation is a protocol of the layer above.
 */
public interface RemoteMemory {
  /**
   * Registers memory that the endpoint may write from and, if {@code remoteWrite}, peers may write
   * into.
   *
   * @throws DriverException if the system refuses; {@link DriverException#kind} tells a lack of
   *     memory from other reasons
   */
  MemoryRegion register(MemorySegment memory, boolean remoteWrite) throws DriverException;

  /**
   * Ends the registration; the memory stays the caller's.
   *
   * @throws DriverException if the registration has ended before, if a posted write that has not
   *     completed reads from the memory, or if the system refuses; in the last two cases the
   *     registration is as good as before
   */
  void deregister(MemoryRegion region) throws DriverException;

  /**
   * Posts a one-sided write. Completion comes through {@link CompletionHandler#onWriteComplete}.
   *
   * @return false when the queue is full: poll, and try again
   */
  boolean postWrite(int destination, RemoteWrite write, long context);
}
