package io.millrace.driver;

import org.jspecify.annotations.Nullable;

/**
 * A queue pair to the network: a socket or a fabric endpoint.
 *
 * <p><b>Thread.</b> Every method is called on the owning worker's thread. A worker's loop may move
 * from one thread to another, because its callers drive the loop, or because the loop is shut down.
 * Then the calls of the first thread happen before the calls of the second; two threads are never
 * inside at once. No method blocks; {@link #resolve}, {@link #release} and {@link #close} may
 * allocate, the other methods do not.
 *
 * <p><b>Sending.</b> The worker takes a {@link SendBuffer}, writes packets into the buffer and
 * posts the buffer as a train. From then on the buffer is the driver's until its send is complete;
 * then the driver puts the buffer back among the free buffers. Posted trains leave at {@link
 * #flush()} at the latest. Delivery is not promised: a posted train may be lost without a trace.
 *
 * <p><b>Receiving.</b> {@link #poll} hands datagrams to the handler one at a time, also when the
 * system delivered several together.
 */
public interface Endpoint extends AutoCloseable {
  /** The capabilities of this endpoint; constant. */
  Capabilities capabilities();

  /** The settings that this endpoint could not honour; constant. */
  DriverNotices notices();

  /** The address where peers reach this endpoint; constant. */
  EndpointAddress localAddress();

  /**
   * Prepares sending to {@code remote} and returns the destination of this address, a small number
   * that stays valid until {@link #release}.
   *
   * @throws DriverException if the address is not of this family or malformed, or the table is full
   */
  int resolve(EndpointAddress remote) throws DriverException;

  /** Forgets a destination; nothing may be posted to the destination any more. */
  void release(int destination);

  /** Largest datagram that the path to {@code destination} is known to let through, bytes. */
  int pathMaxDatagramBytes(int destination);

  /** A free send buffer, or null when all are posted: poll, and try again later. */
  @Nullable SendBuffer acquireSendBuffer();

  /** Puts an acquired, unposted buffer back. */
  void releaseSendBuffer(SendBuffer buffer);

  /**
   * Posts a train: {@code length} bytes from the start of {@code buffer}, cut into datagrams of
   * {@code segmentLength} bytes, of which only the last may be shorter. The buffer is the driver's
   * afterwards, whatever happens.
   *
   * @param context handed to {@link CompletionHandler#onSendComplete} when the driver is done with
   *     the buffer
   */
  void postSend(int destination, SendBuffer buffer, int length, int segmentLength, long context);

  /**
   * Posts a train by a chosen source port of this endpoint: networks tell flows apart by source
   * ports.
   *
   * @param sourcePort from 0 up to, but not including, {@link #sourcePorts()}; {@link
   *     #postSend(int, SendBuffer, int, int, long)} takes 0
   */
  default void postSend(
      int sourcePort,
      int destination,
      SendBuffer buffer,
      int length,
      int segmentLength,
      long context) {
    postSend(destination, buffer, length, segmentLength, context);
  }

  /** How many source ports this endpoint sends from; constant. */
  default int sourcePorts() {
    return 1;
  }

  /**
   * The bytes that a packet takes on the network besides its datagram: the headers of the layers
   * below. 0 where nobody can tell; constant.
   */
  default int packetOverheadBytes() {
    return 0;
  }

  /** Hands the posted trains to the network. */
  void flush();

  /**
   * Whether trains are posted that the last {@link #flush} could not hand over, since the system
   * had no room for the trains: such trains wait for the next flush. A worker flushes again within
   * a millisecond. False where such trains leave without another flush.
   */
  default boolean hasPosted() {
    return false;
  }

  /**
   * Reaps completions and datagrams, about {@code limit} in all, and gives each to {@code handler}.
   *
   * @return the number of completions and datagrams given; 0 when there was nothing
   */
  int poll(CompletionHandler handler, int limit);

  /**
   * Where the datagram that the handler is looking at came from. Only inside {@link
   * CompletionHandler#onReceive}; allocates, so the method is for handshakes, not for data.
   *
   * @return null where the driver cannot tell
   */
  default @Nullable EndpointAddress receiveSource() {
    return null;
  }

  /** One-sided operations, or null where {@link Capabilities#oneSided()} is false. */
  @Nullable RemoteMemory remoteMemory();

  /**
   * Whether the network interface can carry anything, as far as the system says: its link is up. A
   * driver without news of the link reports the link as up.
   */
  default boolean isUp() {
    return true;
  }

  /**
   * Why {@link #isUp} is false, a clause for a person, where the endpoint itself has failed; null
   * where the endpoint serves, or only its link is down.
   */
  default @Nullable String fault() {
    return null;
  }

  /**
   * Reads the system's news of links since the last call, so that {@link #isUp} answers anew. A
   * worker calls this method every 10 ms while the worker makes turns: a change of a link ends the
   * worker's sleep.
   */
  default void refreshLink() {}

  /**
   * Descriptors of the system, of which at least one is readable or has an error whenever {@link
   * #poll} would give something or {@link #refreshLink} would change {@link #isUp}. Null if the
   * system has no such descriptors: a worker that has nothing to do then looks again and again.
   * Constant.
   */
  default int @Nullable [] arrivalDescriptors() {
    return null;
  }

  /**
   * Gives memory of free buffers back to the system, unless the memory is registered with a NIC.
   * Buffers stay as usable as before. A worker calls this method when the worker has moved next to
   * nothing for some seconds.
   */
  default void giveBack() {}

  /** Counters since the endpoint was opened. */
  EndpointCounters counters();

  /** Releases sockets, registrations and buffers. Idempotent. */
  @Override
  void close();
}
