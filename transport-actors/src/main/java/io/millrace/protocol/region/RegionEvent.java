package io.millrace.protocol.region;

/** The events of a region of the receiver. */
public enum RegionEvent {
  /** A sender gets the token, under a fresh key. */
  GRANT,

  /** Bytes of the fill arrived. */
  WRITE,

  /** The fill is complete and was handed to an application thread, or was given up. */
  CONSUME,

  /** The tag of a record was wrong; the record is to be written again. */
  RECORD_BAD,

  /** The fill was taken out, and the same sender may fill the region again. */
  REUSE,

  /** The key becomes void. */
  REVOKE,

  /** The application thread is done with a region that is not to be used again by its holder. */
  FINISH,

  /** Nothing can land in the region any more. */
  QUIESCE
}
