package io.millrace.testkit.internal.fabric;

/** What happened on a simulated fabric. Thread of the simulation. */
public final class FabricCounters {
  /** Messages that were sent. */
  public long messages;

  /** Messages that an endpoint got. */
  public long messagesDelivered;

  /** Messages that did not arrive. */
  public long messagesLost;

  /** Times that a message found no receive buffer. */
  public long receiverNotReady;

  /** Writes that were accepted. */
  public long writes;

  /** Bytes of those. */
  public long writeBytes;

  /** Writes that were refused because the queue was full. */
  public long queueFull;

  /** Writes that completed well. */
  public long writesDone;

  /** Writes that the target refused: no such key, or not these bounds. */
  public long accessErrors;

  /** Writes that nobody answered. */
  public long unreachable;

  /** Pieces of writes and messages that the hardware sent again. */
  public long retries;

  /** Pieces that landed in memory whose registration had ended since the write's first piece. */
  public long latePieces;

  /** Late pieces that landed in memory which was registered anew by then, for somebody else. */
  public long foreignPieces;

  /** Pieces that landed although their sender had been told that the write failed. */
  public long piecesAfterFailure;

  /** Pieces that landed with a bit flipped. */
  public long damagedPieces;

  /** Memories that were registered. */
  public long registrations;

  FabricCounters() {}
}
