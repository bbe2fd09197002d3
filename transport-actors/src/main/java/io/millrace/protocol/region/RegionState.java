package io.millrace.protocol.region;

/** The state of a region of the receiver; {@link RegionTransitions} leads from state to state. */
public enum RegionState {
  /** In the pool; no key is valid. */
  FREE,

  /** A sender holds the token; nothing of this fill has arrived. */
  GRANTED,

  /** Some or all bytes of this fill have arrived. */
  WRITTEN,

  /** Complete; an application thread reads the region. */
  CONSUMING,

  /** The key is void and an application thread still reads the region. */
  REVOKING,

  /** The key is void; writes that were under way may still land. */
  QUARANTINED
}
