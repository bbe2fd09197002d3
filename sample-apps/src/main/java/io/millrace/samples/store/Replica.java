package io.millrace.samples.store;

import java.util.UUID;

/**
 * A whole artifact at this daemon.
 *
 * @param key by which others read it; it never changes while the replica is here
 * @param publishId made once for the load that made it
 */
record Replica(Manifest manifest, ReplicaBytes bytes, String key, String publishId) {
  static Replica of(Manifest manifest, ReplicaBytes bytes) {
    return new Replica(manifest, bytes, UUID.randomUUID().toString(), UUID.randomUUID().toString());
  }

  Id id() {
    return new Id(manifest.id(), bytes.kind());
  }

  /** Which artifact, and in what it lies. */
  record Id(String artifact, MemoryKind kind) {}
}
