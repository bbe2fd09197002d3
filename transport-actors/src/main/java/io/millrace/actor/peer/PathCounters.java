package io.millrace.actor.peer;

/**
 * What happened on the paths of one worker: plain counters, written by the worker, read by anyone;
 * a torn or late value does no harm.
 */
public final class PathCounters {
  /** Packets posted, acknowledgements and probes included. */
  public long packetsSent;

  /** Packets whose acknowledgement brought a transfer on. */
  public long packetsWithProgress;

  /** Packets opened. */
  public long packetsReceived;

  /** Bytes of headers and payload of transfers posted, retransmissions included. */
  public long payloadBytesSent;

  /** Bytes of headers and payload of transfers that arrived for the first time. */
  public long payloadBytesDelivered;

  /** Requests of this node that were posted for the first time. */
  public long requestsSent;

  /** Responses that ended a call of this node. */
  public long responsesReceived;

  /** Requests of peers that arrived for the first time. */
  public long requestsServed;

  /** Frames posted again because a packet with them was lost. */
  public long framesRetransmitted;

  /** Requests of peers that had arrived before. */
  public long duplicateRequests;

  /** Calls of this node that failed. */
  public long callsFailed;

  /** Datagrams dropped on receipt for any reason. */
  public long datagramsDropped;

  /** Datagrams dropped because their tag was wrong. */
  public long authenticationFailures;

  /** Datagrams dropped because they name a key that is not accepted any more or yet. */
  public long unknownKeys;

  /** Datagrams dropped because they were seen before or are too old. */
  public long duplicatesDropped;

  /** Packets declared lost. */
  public long packetsLost;

  /** Times that a path could not send because every send buffer was posted. */
  public long sendBufferStalls;
}
