package io.millrace.api;

import io.millrace.actor.peer.PathCounters;
import io.millrace.actor.peer.SubmissionPort;
import io.millrace.actor.peer.WorkerRegions;
import io.millrace.actor.worker.WorkerDescription;
import io.millrace.driver.EndpointAddress;
import org.jspecify.annotations.Nullable;

/**
 * What one worker is and has counted.
 *
 * @param worker its id
 * @param threadName its thread
 * @param core the CPU it is pinned to, or -1
 * @param address where peers reach its endpoint
 * @param iterations turns of its loop
 * @param parks times that its loop parked
 * @param network what its endpoint counted
 * @param transfers what its paths counted of transfers
 * @param packets what its paths counted of packets
 * @param bodies what its paths counted of bodies, and what its regions hold
 */
public record WorkerSnapshot(
    int worker,
    String threadName,
    int core,
    EndpointAddress address,
    long iterations,
    long parks,
    Network network,
    Transfers transfers,
    Packets packets,
    Bodies bodies) {
  /**
   * What an endpoint counted.
   *
   * @param datagramsSent datagrams handed to the network
   * @param datagramsReceived datagrams that came
   * @param bytesSent their bytes
   * @param bytesReceived their bytes
   * @param sendCalls system calls that sent them
   * @param receiveCalls system calls that brought them
   * @param receiveQueueDrops datagrams that the system dropped because the worker was too slow,
   *     where the driver is told
   */
  public record Network(
      long datagramsSent,
      long datagramsReceived,
      long bytesSent,
      long bytesReceived,
      long sendCalls,
      long receiveCalls,
      long receiveQueueDrops) {}

  /**
   * What paths counted.
   *
   * @param requestsSent requests of this node
   * @param responsesReceived responses to them
   * @param requestsServed requests of peers
   * @param callsFailed calls of this node that failed
   * @param framesRetransmitted frames sent again; chunks of bodies are no frames, see {@link
   *     Records#chunkBytesRetransmitted}
   * @param payloadBytesSent bytes of headers and payload sent, again or not
   * @param payloadBytesDelivered bytes of headers and payload that came for the first time
   * @param streamsOpened streams that began, whoever opened them
   * @param streamsEnded streams of which nothing is kept any more
   */
  public record Transfers(
      long requestsSent,
      long responsesReceived,
      long requestsServed,
      long callsFailed,
      long framesRetransmitted,
      long payloadBytesSent,
      long payloadBytesDelivered,
      long streamsOpened,
      long streamsEnded) {}

  /**
   * What paths counted of packets.
   *
   * @param sent packets sealed and posted
   * @param withProgress packets whose acknowledgement brought a transfer on
   * @param lost packets declared lost
   * @param duplicatesDropped packets that had come before
   * @param authenticationFailures packets with a wrong tag
   * @param unknownKeys packets under a key that is not accepted any more or yet
   * @param datagramsDropped datagrams dropped for any reason
   */
  public record Packets(
      long sent,
      long withProgress,
      long lost,
      long duplicatesDropped,
      long authenticationFailures,
      long unknownKeys,
      long datagramsDropped) {}

  /**
   * What does not fit a frame.
   *
   * @param regions memory that peers write into
   * @param records what peers wrote, and what was written to peers
   */
  public record Bodies(Regions regions, Records records) {}

  /**
   * Memory that peers write into, and what they tried there.
   *
   * @param grantedBytes of the regions that peers hold now
   * @param outstandingBytes that peers may write now and that have not come
   * @param peakOutstandingBytes the most that ever were outstanding; within the grant budget
   * @param tokensGranted tokens and authorisations given to peers
   * @param tokensRevoked tokens taken back
   * @param grantsExhausted times that a peer was told that nothing can be granted
   * @param writesRejected chunks and notifications without a right to their place
   * @param chunksStale chunks of fills that were taken out already
   * @param notificationsRepeated notifications that had come before
   */
  public record Regions(
      long grantedBytes,
      long outstandingBytes,
      long peakOutstandingBytes,
      long tokensGranted,
      long tokensRevoked,
      long grantsExhausted,
      long writesRejected,
      long chunksStale,
      long notificationsRepeated) {}

  /**
   * What bodies came to.
   *
   * @param notAuthentic records that came with a wrong tag
   * @param repeated records written again because the peer found their tag wrong
   * @param chunkBytesRetransmitted bytes of chunks sent again
   * @param bodyBytesReceived bytes that landed in regions for the first time
   */
  public record Records(
      long notAuthentic, long repeated, long chunkBytesRetransmitted, long bodyBytesReceived) {}

  static WorkerSnapshot of(WorkerDescription worker, SubmissionPort port) {
    PathCounters paths = port.counters();
    return new WorkerSnapshot(
        worker.worker(),
        worker.thread(),
        worker.core(),
        worker.address(),
        worker.loop().iterations(),
        worker.loop().parks(),
        new Network(
            worker.endpoint().datagramsSent,
            worker.endpoint().datagramsReceived,
            worker.endpoint().bytesSent,
            worker.endpoint().bytesReceived,
            worker.endpoint().sendCalls,
            worker.endpoint().receiveCalls,
            worker.endpoint().receiveQueueDrops),
        new Transfers(
            paths.requestsSent,
            paths.responsesReceived,
            paths.requestsServed,
            paths.callsFailed,
            paths.framesRetransmitted,
            paths.payloadBytesSent,
            paths.payloadBytesDelivered,
            paths.streamsOpened,
            paths.streamsEnded),
        new Packets(
            paths.packetsSent,
            paths.packetsWithProgress,
            paths.packetsLost,
            paths.duplicatesDropped,
            paths.authenticationFailures,
            paths.unknownKeys,
            paths.datagramsDropped),
        new Bodies(
            regions(paths, port.regions()),
            new Records(
                paths.recordsNotAuthentic,
                paths.recordsRepeated,
                paths.chunkBytesRetransmitted,
                paths.bodyBytesReceived)));
  }

  private static Regions regions(PathCounters paths, @Nullable WorkerRegions regions) {
    return new Regions(
        regions == null ? 0 : regions.grantedBytes(),
        regions == null ? 0 : regions.outstandingBytes(),
        regions == null ? 0 : regions.peakOutstandingBytes(),
        paths.tokensGranted,
        paths.tokensRevoked,
        paths.grantsExhausted,
        paths.writesRejected,
        paths.chunksStale,
        paths.duplicateNotifications);
  }
}
