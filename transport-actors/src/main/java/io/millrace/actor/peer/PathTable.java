package io.millrace.actor.peer;

import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/** The open paths of one worker by path id; remembers the last one asked for. Worker's thread. */
public final class PathTable {
  private final Long2ObjectHashMap<PeerPath> paths = new Long2ObjectHashMap<>();
  private long lastId;
  private @Nullable PeerPath last;

  @Nullable PeerPath find(long pathId) {
    if (last != null && lastId == pathId) {
      return last;
    }
    PeerPath path = paths.get(pathId);
    if (path != null) {
      last = path;
      lastId = pathId;
    }
    return path;
  }

  /** The newest open path that sends to this destination, or null; linear, for errors only. */
  public @Nullable PeerPath ofDestination(int destination) {
    for (PeerPath path : paths.values()) {
      if (path.destination() == destination) {
        return path;
      }
    }
    return null;
  }

  void add(PeerPath path) {
    paths.put(path.pathId(), path);
  }

  void remove(PeerPath path) {
    paths.remove(path.pathId());
    last = null;
  }

  /** How many are open. */
  public int size() {
    return paths.size();
  }

  /** All of them, in no particular but the same order; for shutting down. */
  PeerPath[] snapshot() {
    return paths.values().toArray(new PeerPath[0]);
  }
}
