package io.millrace.samples.store;

/** What a replica lies in; the order is the one in which sources are preferred. */
public enum MemoryKind {
  /** Memory of a device. No daemon has any yet; the coordinator can already rank it. */
  GPU,
  /** Main memory of a daemon. */
  RAM,
  /** A file of a daemon. */
  DISK,
  /** Anything else, asked last. */
  OTHER
}
