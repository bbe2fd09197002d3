package io.millrace.samples.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The replicas of this daemon, and the room for more replicas. Memory is limited: when memory is
 * short, the replicas unused longest are evicted. Any thread.
 */
final class LocalReplicas implements AutoCloseable {
  private static final float LOAD_FACTOR = 0.75f;

  private final ArtifactFolder folder;
  private final long memoryLimitBytes;
  private long memoryBytes;
  private boolean isClosed;

  /** The replicas in the order of their last use. */
  private final Map<Replica.Id, Replica> replicas = new LinkedHashMap<>(16, LOAD_FACTOR, true);

  /**
   * The room for a new replica.
   *
   * @param evicted the replicas evicted for this room
   */
  record Room(ReplicaBytes bytes, List<Replica> evicted) {}

  LocalReplicas(ArtifactFolder folder, long memoryLimitBytes) {
    this.folder = folder;
    this.memoryLimitBytes = memoryLimitBytes;
  }

  /** Returns whether this very replica is here, not another replica of the same artifact. */
  synchronized boolean holds(Replica replica) {
    Replica there = replicas.get(replica.id());
    return there != null && there.publishId().equals(replica.publishId());
  }

  synchronized Optional<Replica> find(Replica.Id id) {
    return Optional.ofNullable(replicas.get(id));
  }

  /** Returns the replica with this key, by which other daemons read. */
  synchronized Optional<Replica> byKey(String artifact, String key) {
    return replicas.values().stream()
        .filter(each -> each.key().equals(key) && each.manifest().id().equals(artifact))
        .findFirst();
  }

  synchronized List<Replica> all() {
    return List.copyOf(replicas.values());
  }

  /**
   * Makes room, if necessary by eviction.
   *
   * @throws StoreException if the room is too small even after evictions
   */
  synchronized Room allocate(MemoryKind kind, long sizeBytes) throws IOException {
    return switch (kind) {
      case RAM -> allocateMemory(sizeBytes);
      case DISK -> new Room(FileBytes.create(folder), List.of());
      case GPU, OTHER -> throw new StoreException("this daemon has no memory of kind " + kind);
    };
  }

  private Room allocateMemory(long sizeBytes) throws StoreException {
    if (sizeBytes > memoryLimitBytes) {
      throw new StoreException(
          sizeBytes + " bytes do not fit the " + memoryLimitBytes + " of this daemon");
    }
    if (memoryBytes - evictableBytes() + sizeBytes > memoryLimitBytes) {
      throw new StoreException("running loads have taken all memory of this daemon");
    }
    List<Replica> evicted = new ArrayList<>();
    for (Replica oldest : List.copyOf(replicas.values())) {
      if (memoryBytes + sizeBytes > memoryLimitBytes && oldest.bytes().kind() == MemoryKind.RAM) {
        replicas.remove(oldest.id());
        memoryBytes -= oldest.manifest().sizeBytes();
        oldest.bytes().release();
        evicted.add(oldest);
      }
    }
    try {
      Room room = new Room(new MemoryBytes(sizeBytes), evicted);
      memoryBytes += sizeBytes;
      return room;
    } catch (OutOfMemoryError e) {
      throw new StoreException(
          "no memory for " + sizeBytes + " bytes more; -XX:MaxDirectMemorySize may allow it", e);
    }
  }

  private long evictableBytes() {
    return replicas.values().stream()
        .filter(each -> each.bytes().kind() == MemoryKind.RAM)
        .mapToLong(each -> each.manifest().sizeBytes())
        .sum();
  }

  /** Gives back the room of a load without a replica. */
  synchronized void release(ReplicaBytes bytes, long sizeBytes) {
    if (bytes.kind() == MemoryKind.RAM) {
      memoryBytes -= sizeBytes;
    }
    bytes.release();
  }

  /** Keeps no replicas from now on: files stay, memory is freed after its last reader. */
  @Override
  public synchronized void close() {
    isClosed = true;
    replicas.values().forEach(LocalReplicas::free);
    replicas.clear();
  }

  private static void free(Replica replica) {
    if (replica.bytes().kind() == MemoryKind.RAM) {
      replica.bytes().release();
    }
  }

  /**
   * Keeps a complete replica, unless an equal replica is here already; returns the kept replica.
   */
  synchronized Replica keep(Replica made) {
    if (isClosed) {
      free(made);
      return made;
    }
    Replica there = replicas.putIfAbsent(made.id(), made);
    if (there != null && made.bytes().kind() == MemoryKind.RAM) {
      memoryBytes -= made.manifest().sizeBytes();
      made.bytes().release();
    }
    return there == null ? made : there;
  }
}
