package io.millrace.path.network;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.SendBuffer;
import io.millrace.protocol.schedule.SendRate;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The networks of one worker in the view of its paths: endpoints with send buffers, and
 * destinations. A destination is a peer's worker with one rail in use at a time. Two classes
 * implement the interface: the endpoints of a node's worker, and an end of a {@link PairNetwork}.
 * On the worker's thread; {@link #open}, {@link #use} and {@link #release} may allocate, the other
 * methods do not.
 */
public interface PathNetwork {
  /** The number of endpoints, 1 or more; the first is the endpoint of the worker's own NIC. */
  int size();

  /** The most packets of a train on each endpoint, 1 or more. */
  int maxTrainPackets();

  /**
   * The number of source ports of the first endpoint; an endpoint with fewer ports sends the
   * remaining flows from its first port.
   */
  int sourcePorts();

  /** The bytes added to each packet by the first endpoint's network. */
  int packetOverheadBytes();

  /** One-sided operations of an endpoint, or null for a driver without such operations. */
  @Nullable RemoteMemory remoteMemory(int endpoint);

  /** The send rate of an endpoint's NIC; the endpoints of a NIC with a rate have the same one. */
  default SendRate sendRate(int endpoint) {
    return SendRate.UNLIMITED;
  }

  /** How long the queue in front of an endpoint's NIC takes to drain, us; 0 if unknown. */
  default int queueUs(int endpoint) {
    return 0;
  }

  /** Whether the NIC of an endpoint can carry packets, as far as the system says. */
  boolean isUp(int endpoint);

  /** The names of the NICs of these endpoints, each name once. */
  String nics(IntStream endpoints);

  /**
   * Prepares sending by the first of these rails with a usable address.
   *
   * @return the destination
   * @throws DriverException if no rail has a usable address
   */
  int open(List<Rail> rails) throws DriverException;

  /** The rail by which a destination's packets leave. */
  int rail(int destination);

  /**
   * Packets of a destination leave by this rail from now on.
   *
   * @return false, and nothing has changed, if the driver cannot use the peer's address
   */
  boolean use(int destination, int rail);

  /** Forgets a destination. */
  void release(int destination);

  /** The endpoint by which a destination's packets leave. */
  int endpointOf(int destination);

  /** The bytes of the largest datagram sent by the system to a destination by the rail in use. */
  int pathMaxDatagramBytes(int destination);

  /** Whether one-sided writes reach the destination now. */
  boolean isOneSided(int destination);

  /** The place of the peer's endpoint in the peer's advert, by the rail in use. */
  int remoteEndpointOf(int destination);

  /**
   * The number of the destination for {@link #remoteMemory} of the endpoint in use; only for a
   * one-sided destination.
   */
  int writeDestination(int destination);

  /** A free send buffer of an endpoint, or null. */
  @Nullable SendBuffer acquireSendBuffer(int endpoint);

  /** Puts a buffer back that was acquired from this endpoint and not posted. */
  void releaseSendBuffer(int endpoint, SendBuffer buffer);

  /** Posts a train by the rail of the destination; the buffer belongs to the rail's endpoint. */
  void postSend(int flow, int destination, SendBuffer buffer, int length, int segmentLength);

  /** Posts a single packet by the rail of the destination. */
  void postPacket(int destination, SendBuffer buffer, int length);

  /** Posts a single packet by an endpoint to an address not kept, and forgets the address. */
  void postOnce(int endpoint, EndpointAddress to, SendBuffer buffer, int length)
      throws DriverException;

  /**
   * Hands the posted packets to the networks; packets without room in a network are flushed again
   * soon.
   *
   * @return whether a packet was posted: then the next poll may tell of buffers or of refusals.
   *     One-sided writes do not count, for their completions come by themselves
   */
  boolean flush(long nowNs);

  /** Whether the last poll reached its limit, so that more packets may have arrived. */
  boolean hasMore();

  /** The endpoint of the completions being handled; only inside a poll. */
  int polled();

  /** The source of the datagram being handled, or null if the driver does not know. */
  @Nullable EndpointAddress receiveSource();

  /**
   * The destination with this number at the polled endpoint; -1 without such a destination now.
   * Linear, for errors only.
   */
  int destinationOf(int resolved);
}
