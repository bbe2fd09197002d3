package io.millrace.protocol.stream;

/** The receiver's verdict on a segment or a close. */
public enum SegmentVerdict {
  /** New. */
  TAKEN,
  /** Known already, or of a flow whose elements nobody wants any more. */
  IGNORED,
  /** An element is longer than this side takes. */
  TOO_LARGE,
  /** The node has no memory left for the segment. */
  NO_ROOM,
  /** The peer broke the protocol. */
  VIOLATION
}
