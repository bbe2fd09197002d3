package io.millrace.api.many;

/** The fate of the calls that are still open when a quorum has its result. */
public enum Rest {
  /** The node cancels the calls, and tells the peers. */
  CANCEL,
  /** The calls go on, and {@link ManyCalls#all} has their answers. */
  LEAVE
}
