package io.millrace.actor.peer;

import io.millrace.actor.packet.PeerIncarnation;
import io.millrace.actor.packet.WorkerContext;
import io.millrace.event.DropReason;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.CloseReason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The open paths of one worker by path id, remembering the last one asked for, and by peer.
 * Worker's thread.
 */
public final class PathTable {
  private final WorkerContext worker;
  private final Long2ObjectHashMap<PeerPath> paths = new Long2ObjectHashMap<>();

  /** By the peer's name for itself; looked up only, never walked. */
  private final Map<String, List<PeerPath>> ofPeers = new HashMap<>();

  private long lastId;
  private @Nullable PeerPath last;

  PathTable(WorkerContext worker) {
    this.worker = worker;
  }

  /**
   * The path that a datagram is for, or null: then it was dropped and counted. Nothing in it is
   * believed yet.
   */
  public @Nullable PeerPath pathOf(UnsafeBuffer buffer, int offset, int length) {
    if (!PacketHeader.isData(buffer, offset, length)
        && !PacketHeader.isChunks(buffer, offset, length)) {
      drop(DropReason.MALFORMED);
      return null;
    }
    PeerPath path = find(PacketHeader.pathId(buffer, offset));
    if (path == null) {
      drop(DropReason.UNKNOWN_PATH);
      return null;
    }
    if (PacketHeader.destinationWorker(buffer, offset) != worker.worker()
        || PacketHeader.sourceWorker(buffer, offset) != path.packets().terms().remoteWorker()) {
      drop(DropReason.WRONG_WORKER);
      return null;
    }
    return path;
  }

  private void drop(DropReason reason) {
    worker.counters().datagramsDropped++;
    worker.events().onPacketDropped(worker.worker(), reason);
  }

  private @Nullable PeerPath find(long pathId) {
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
      if (path.packets().destination() == destination) {
        return path;
      }
    }
    return null;
  }

  void add(PeerPath path) {
    paths.put(path.pathId(), path);
    ofPeers.computeIfAbsent(path.incarnation().identity(), peer -> new ArrayList<>(1)).add(path);
  }

  void remove(PeerPath path) {
    paths.remove(path.pathId());
    last = null;
    ofPeers.computeIfPresent(
        path.incarnation().identity(),
        (peer, open) -> open.remove(path) && open.isEmpty() ? null : open);
  }

  /** Ends all paths to other lives of this peer; rule L-3. */
  public void endFormer(PeerIncarnation newest) {
    for (PeerPath path : List.copyOf(ofPeers.getOrDefault(newest.identity(), List.of()))) {
      if (!path.incarnation().equals(newest)) {
        path.close(
            CloseReason.SUPERSEDED, CallOutcome.PEER_RESET, newest.identity() + " restarted");
      }
    }
  }

  /** Whose lives they lead to, one for each path; allocates. */
  public List<PeerIncarnation> incarnations() {
    return paths.values().stream().map(PeerPath::incarnation).toList();
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
