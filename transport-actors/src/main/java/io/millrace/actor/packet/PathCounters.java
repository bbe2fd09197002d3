package io.millrace.actor.packet;

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

  /**
   * Bytes of headers and payload that arrived at peers, each counted once: their frame was
   * acknowledged or answered, or their fill taken out of its region.
   */
  public long payloadBytesAcknowledged;

  /** Bytes of headers and payload of transfers that arrived for the first time. */
  public long payloadBytesDelivered;

  /** Requests of this node that were posted for the first time. */
  public long requestsSent;

  /** Responses that ended a call of this node. */
  public long responsesReceived;

  /** Requests of peers that arrived for the first time. */
  public long requestsServed;

  /** Requests of peers that had to wait here until others were answered. */
  public long requestsHeld;

  /** Frames posted again because a packet with them was lost. */
  public long framesRetransmitted;

  /** Streams that began on this node's paths, whoever opened them. */
  public long streamsOpened;

  /** Streams of which nothing is kept any more. */
  public long streamsEnded;

  /** Requests of peers that had arrived before. */
  public long duplicateRequests;

  /** Calls of this node that failed. */
  public long callsFailed;

  /** Answers that came for calls of this node that it had given up: dropped. */
  public long answersDropped;

  /** Calls of peers that their callers gave up. */
  public long callsAbandoned;

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

  /** Packets declared lost that were acknowledged all the same. */
  public long spuriousLosses;

  /** Times that a path heard nothing for so long that it sent something again to find out. */
  public long probeTimeouts;

  /** Times that losses spanned so long that a path's congestion window fell to its least. */
  public long persistentCongestions;

  /** Bytes of chunks posted again because they were lost or a probe was wanted. */
  public long chunkBytesRetransmitted;

  /** Bytes of bodies that landed in regions for the first time. */
  public long bodyBytesReceived;

  /** Bodies that peers have taken over whole. */
  public long bodiesSent;

  /** WriteNotify frames made. */
  public long notificationsSent;

  /** Fills that were taken out of regions. */
  public long fillsConsumed;

  /** Tokens and authorisations given to peers. */
  public long tokensGranted;

  /** Of the tokens given, those that nobody needed yet. */
  public long tokensGrantedAhead;

  /** Requests for tokens that asked for some ahead of need. */
  public long requestsAhead;

  /** Tokens taken back from peers. */
  public long tokensRevoked;

  /** Times that tokens were not asked for at once because the peer revoked again and again. */
  public long revocationPauses;

  /** Times that a peer was told that nothing can be granted. */
  public long grantsExhausted;

  /** Chunks of fills that were taken out already. */
  public long chunksStale;

  /** Notifications that had arrived before. */
  public long duplicateNotifications;

  /** Chunks and notifications refused because the sender had no right to them. */
  public long writesRejected;

  /** Paths that were closed because the peer broke the protocol. */
  public long protocolViolations;

  /** Paths whose handling threw: the peer's actor starts anew. */
  public long peerFaults;

  /**
   * Complete fills given back because what comes before them had nowhere to go, or was not taken
   * while others waited.
   */
  public long fillsWithdrawn;

  /** Packets of which something could not be kept: they count as lost and come again. */
  public long packetsNotTaken;

  /** Records whose tag was wrong. */
  public long recordsNotAuthentic;

  /** Records written again because the peer found their tag wrong. */
  public long recordsRepeated;

  /** One-sided writes posted. */
  public long remoteWritesPosted;

  /** One-sided writes that failed. */
  public long remoteWritesFailed;

  /** Times that the driver had no room for a one-sided write. */
  public long remoteWriteStalls;

  /** Times that a path could not send because every send buffer was posted. */
  public long sendBufferStalls;
}
