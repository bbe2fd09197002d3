package io.millrace.samples.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What this daemon holds, and the room for more. Memory is limited: when there is too little, the
 * replicas that were used longest ago go. Any thread.
 */
final class LocalReplicas implements AutoCloseable {
  private static final float LOAD_FACTOR = 0.75f;

  private final ArtifactFolder folder;
  private final long memoryLimitBytes;
  private long memoryBytes;
  private boolean isClosed;

  /** In the order of their last use. */
  private final Map<Replica.Id, Replica> replicas = new LinkedHashMap<>(16, LOAD_FACTOR, true);

  /**
   * Room that was made.
   *
   * @param evicted what had to go for it
   */
  record Room(ReplicaBytes bytes, List<Replica> evicted) {}

  LocalReplicas(ArtifactFolder folder, long memoryLimitBytes) {
    this.folder = folder;
    this.memoryLimitBytes = memoryLimitBytes;
  }

  /** Whether this very replica is here, not another one of the same artifact. */
  synchronized boolean holds(Replica replica) {
    Replica there = replicas.get(replica.id());
    return there != null && there.publishId().equals(replica.publishId());
  }

  synchronized Optional<Replica> find(Replica.Id id) {
    return Optional.ofNullable(replicas.get(id));
  }

  /** The replica that others know by this key. */
  synchronized Optional<Replica> byKey(String artifact, String key) {
    return replicas.values().stream()
        .filter(each -> each.key().equals(key) && each.manifest().id().equals(artifact))
        .findFirst();
  }

  synchronized List<Replica> all() {
    return List.copyOf(replicas.values());
  }

  /**
   * Makes room, by eviction if it must.
   *
   * @throws StoreException if there is too little even then
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
      throw new StoreException("loads that run now have taken all memory of this daemon");
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

  /** Gives room back that no replica came of. */
  synchronized void release(ReplicaBytes bytes, long sizeBytes) {
    if (bytes.kind() == MemoryKind.RAM) {
      memoryBytes -= sizeBytes;
    }
    bytes.release();
  }

  /** Keeps nothing from now on: files stay, memory goes when nobody reads it any more. */
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

  /** Keeps a complete replica; the one that is there already, if any, wins. */
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
