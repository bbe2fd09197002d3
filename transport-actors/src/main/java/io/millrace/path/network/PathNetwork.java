package io.millrace.path.network;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.SendBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The networks of one worker as its paths see them: endpoints with send buffers, and destinations,
 * each a peer's worker that has one rail in use at a time. Two classes implement the interface: the
 * endpoints of a node's worker, and an end of a {@link PairNetwork}. On the worker's thread; {@link
 * #open}, {@link #use} and {@link #release} may allocate, the others do not.
 */
public interface PathNetwork {
  /** Endpoints, 1 or more; the first is that of the worker's own NIC. */
  int size();

  /** Packets that a train may have on each endpoint, 1 or more. */
  int maxTrainPackets();

  /** Source ports of the first endpoint; another that has fewer takes what it has. */
  int sourcePorts();

  /** Bytes that the first endpoint's network adds to each packet. */
  int packetOverheadBytes();

  /** One-sided operations of the first endpoint, or null where its driver has none. */
  @Nullable RemoteMemory remoteMemory();

  /** Whether the NIC of an endpoint can carry anything, as far as the system says. */
  boolean isUp(int endpoint);

  /** Names of the NICs of some endpoints, each once. */
  String nics(IntStream endpoints);

  /**
   * Prepares sending by the first of these rails whose address can be used.
   *
   * @return the destination
   * @throws DriverException if none can
   */
  int open(List<Rail> rails) throws DriverException;

  /** The rail that a destination's packets leave by. */
  int rail(int destination);

  /**
   * Packets of a destination leave by this rail from now on.
   *
   * @return false, and nothing has changed, if the driver cannot use the peer's address
   */
  boolean use(int destination, int rail);

  /** Forgets a destination. */
  void release(int destination);

  /** The endpoint that a destination's packets leave by. */
  int endpointOf(int destination);

  /** Bytes of the largest datagram that the system sends to a destination by the rail in use. */
  int pathMaxDatagramBytes(int destination);

  /** Whether one-sided writes reach the destination now. */
  boolean isOneSided(int destination);

  /** The destination as {@link #remoteMemory()} knows it; only while it is one-sided. */
  int writeDestination(int destination);

  /** A free send buffer of an endpoint, or null. */
  @Nullable SendBuffer acquireSendBuffer(int endpoint);

  /** Puts a buffer back that was acquired from this endpoint and not posted. */
  void releaseSendBuffer(int endpoint, SendBuffer buffer);

  /** Posts a train by the rail of the destination; the buffer is one of that endpoint. */
  void postSend(int flow, int destination, SendBuffer buffer, int length, int segmentLength);

  /** Posts one packet by the rail of the destination. */
  void postPacket(int destination, SendBuffer buffer, int length);

  /** Posts one packet by an endpoint to an address that nobody keeps, and forgets it. */
  void postOnce(int endpoint, EndpointAddress to, SendBuffer buffer, int length)
      throws DriverException;

  /**
   * Hands what is posted to the networks; what one has no room for is flushed again soon.
   *
   * @return whether a packet was posted: then the next poll may tell of buffers or of refusals;
   *     one-sided writes do not count, whose completions come by themselves
   */
  boolean flush(long nowNs);

  /** Whether the last poll gave as much as it might, so that more may have arrived. */
  boolean hasMore();

  /** The endpoint whose completions are being handled; only inside a poll. */
  int polled();

  /** Where the datagram that is being handled came from, or null if the driver does not know. */
  @Nullable EndpointAddress receiveSource();

  /**
   * The destination that the polled endpoint knows by this number; -1 if none does now. Linear, for
   * errors only.
   */
  int destinationOf(int resolved);
}
