package io.millrace.protocol.region;

/** What a region of the receiver is doing; {@link RegionTransitions} leads from one to another. */
public enum RegionState {
  /** In the pool; no key is valid. */
  FREE,

  /** A sender holds the token; nothing of this fill has arrived. */
  GRANTED,

  /** Some or all bytes of this fill have arrived. */
  WRITTEN,

  /** Complete; an application thread reads it. */
  CONSUMING,

  /** The key is void and an application thread still reads the region. */
  REVOKING,

  /** The key is void; writes that were under way may still land. */
  QUARANTINED
}
