package io.millrace.samples.store;

/** The memory of a replica; sources of an earlier kind are preferred. */
public enum MemoryKind {
  /** Memory of a device. No daemon has such memory yet; the coordinator can already rank it. */
  GPU,
  /** Main memory of a daemon. */
  RAM,
  /** A file of a daemon. */
  DISK,
  /** Anything else, asked last. */
  OTHER
}
