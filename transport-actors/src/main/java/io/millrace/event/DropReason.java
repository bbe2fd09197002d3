package io.millrace.event;

/** Why a datagram was dropped on receipt. */
public enum DropReason {
  /** Too short, or not a data packet of this version. */
  MALFORMED,
  /** No path has this id. */
  UNKNOWN_PATH,
  /** The packet is for another worker of this node, or from another worker than the path's. */
  WRONG_WORKER,
  /** The packet number was seen before, or is older than the window. */
  DUPLICATE,
  /** The key id is not among the ids that the receiver accepts around the newest. */
  UNKNOWN_KEY,
  /** The packet was altered, or sealed with another key: the tag or the length is wrong. */
  NOT_AUTHENTIC
}
