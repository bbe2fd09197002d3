package io.millrace.testkit.internal.fabric;

/** The counts of events on a simulated fabric. Thread of the simulation. */
public final class FabricCounters {
  /** Messages sent. */
  public long messages;

  /** Messages that reached an endpoint. */
  public long messagesDelivered;

  /** Messages that did not arrive. */
  public long messagesLost;

  /** Number of times that a message found no receive buffer. */
  public long receiverNotReady;

  /** Messages and pieces of writes that drivers repeated, because a receiver was not ready. */
  public long notReadyRepeats;

  /** Times that an operation met a destination that takes no posts. */
  public long tryAgains;

  /** Writes accepted. */
  public long writes;

  /** Bytes of the accepted writes. */
  public long writeBytes;

  /** Writes refused because the queue was full. */
  public long queueFull;

  /** Writes that completed well. */
  public long writesDone;

  /** Writes refused by the target: the key is unknown, or the bounds are wrong. */
  public long accessErrors;

  /** Writes without an answer. */
  public long unreachable;

  /** Pieces of writes and messages that the hardware retransmitted. */
  public long retries;

  /**
   * Pieces that landed in memory whose registration had ended since the first piece of the write.
   */
  public long latePieces;

  /** Late pieces that landed in memory with a new registration of another owner by then. */
  public long foreignPieces;

  /** Pieces that landed after their sender had been told that the write failed. */
  public long piecesAfterFailure;

  /** Pieces that landed with a flipped bit. */
  public long damagedPieces;

  /** Memories registered. */
  public long registrations;

  /** Registrations refused: the node has no memory left to lock. */
  public long registrationsRefused;

  /** Deregistrations refused: a write under way read from the memory. */
  public long deregistrationsRefused;

  FabricCounters() {}
}
