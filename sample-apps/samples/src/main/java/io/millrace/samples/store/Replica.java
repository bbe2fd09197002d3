package io.millrace.samples.store;

import java.util.UUID;

/**
 * A whole artifact at this daemon.
 *
 * @param key the key for reads by other daemons, constant while the replica is here
 * @param publishId the id of the load that made the replica
 */
record Replica(Manifest manifest, ReplicaBytes bytes, String key, String publishId) {
  static Replica of(Manifest manifest, ReplicaBytes bytes) {
    return new Replica(manifest, bytes, UUID.randomUUID().toString(), UUID.randomUUID().toString());
  }

  Id id() {
    return new Id(manifest.id(), bytes.kind());
  }

  /** The artifact of a replica, and its kind of memory. */
  record Id(String artifact, MemoryKind kind) {}
}
