package io.millrace.path.peer;

import io.millrace.event.DropReason;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.packet.ControlPackets;
import io.millrace.path.packet.PeerIncarnation;
import io.millrace.path.packet.WorkerContext;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.CloseReason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The open paths of one worker by the ids in their packets, with a memory of the last path asked
 * for, and by peer. Used on the worker's thread.
 */
public final class PathTable {
  private final WorkerContext worker;
  private final UnknownPaths unknown;

  /** By the permanent id of each path. */
  private final Long2ObjectHashMap<PeerPath> paths = new Long2ObjectHashMap<>();

  /** By the ids of the secrets for opening packets: one to three for each path. */
  private final Long2ObjectHashMap<PeerPath> byWireId = new Long2ObjectHashMap<>();

  /** By the peer's name for itself; looked up only, never walked. */
  private final Map<String, List<PeerPath>> ofPeers = new HashMap<>();

  private long lastId;
  private @Nullable PeerPath last;

  PathTable(WorkerContext worker, ControlPackets controls) {
    this.worker = worker;
    unknown = new UnknownPaths(worker, controls);
  }

  /**
   * Returns the path of a datagram, or null for a dropped and counted datagram. The content of the
   * datagram is not trusted yet.
   */
  public @Nullable PeerPath pathOf(SegmentBuffer buffer, int offset, int length, long nowNs) {
    if (!PacketHeader.isData(buffer, offset, length)
        && !PacketHeader.isChunks(buffer, offset, length)
        && !PacketHeader.isRetirement(buffer, offset, length)) {
      onOther(buffer, offset, length, nowNs);
      return null;
    }
    PeerPath path = find(PacketHeader.pathId(buffer, offset));
    if (path == null) {
      drop(DropReason.UNKNOWN_PATH);
      // A retirement has no packet number, and nobody waits for an answer to a retirement.
      if (!PacketHeader.isRetirement(buffer, offset, length)) {
        unknown.answer(
            PacketHeader.pathId(buffer, offset), PacketHeader.packetNumber(buffer, offset), nowNs);
      }
      return null;
    }
    if (!isBetweenWorkers(path, buffer, offset)) {
      drop(DropReason.WRONG_WORKER);
      return null;
    }
    return path;
  }

  /** Returns the path that a packet names, or null; counts and answers nothing. */
  public @Nullable PeerPath named(SegmentBuffer buffer, int offset) {
    PeerPath path = find(PacketHeader.pathId(buffer, offset));
    return path == null || !isBetweenWorkers(path, buffer, offset) ? null : path;
  }

  private boolean isBetweenWorkers(PeerPath path, SegmentBuffer buffer, int offset) {
    return PacketHeader.destinationWorker(buffer, offset) == worker.worker()
        && PacketHeader.sourceWorker(buffer, offset) == path.packets().terms().remoteWorker();
  }

  /** A datagram not of a path's packets. */
  private void onOther(SegmentBuffer buffer, int offset, int length, long nowNs) {
    if (!PacketHeader.isUnknown(buffer, offset, length)) {
      drop(DropReason.MALFORMED);
      return;
    }
    long id = PacketHeader.pathId(buffer, offset);
    PeerPath path = find(id);
    if (path == null || !path.packets().keys().hasToken(id)) {
      // Of a newly opened path, perhaps: the peer's side may not be open yet.
      drop(DropReason.UNKNOWN_PATH);
      return;
    }
    if (!path.packets().onUnknown(buffer, offset, nowNs)) {
      drop(DropReason.NOT_AUTHENTIC);
    }
  }

  private void drop(DropReason reason) {
    worker.counters().datagramsDropped++;
    worker.counters().data().packetDropped(reason);
  }

  private @Nullable PeerPath find(long pathId) {
    if (last != null && lastId == pathId) {
      return last;
    }
    PeerPath path = byWireId.get(pathId);
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

  /** The part that answers packets of unknown paths. */
  public UnknownPaths unknown() {
    return unknown;
  }

  /** Returns the path with this id, permanent or present, or null. */
  public @Nullable PeerPath ofId(long pathId) {
    PeerPath path = paths.get(pathId);
    return path == null ? byWireId.get(pathId) : path;
  }

  /** Packets under one more secret belong to this path. */
  void addId(PeerPath path, long wireId) {
    byWireId.put(wireId, path);
  }

  /** No more packets come under this secret. */
  void removeId(long wireId) {
    byWireId.remove(wireId);
    last = null;
  }

  void add(PeerPath path) {
    paths.put(path.pathId(), path);
    worker.dataKeys().onPaths(true);
    byWireId.put(path.pathId(), path);
    ofPeers.computeIfAbsent(path.incarnation().identity(), peer -> new ArrayList<>(1)).add(path);
  }

  void remove(PeerPath path) {
    paths.remove(path.pathId());
    if (paths.isEmpty()) {
      worker.dataKeys().onPaths(false);
    }
    long nowNs = worker.time().wheel().timeNs();
    path.packets()
        .keys()
        .forEachId(
            id -> {
              removeId(id);
              unknown.onEnded(id, nowNs);
            });
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

  /** Returns the lives of peers at the other ends, one for each path; allocates. */
  public List<PeerIncarnation> incarnations() {
    List<PeerIncarnation> lives = new ArrayList<>(paths.size());
    for (PeerPath path : paths.values()) {
      lives.add(path.incarnation());
    }
    return lives;
  }

  /** Runs the action for each path, even if the action ends other paths; allocates. */
  public void forEach(Consumer<PeerPath> action) {
    for (PeerPath path : snapshot()) {
      action.accept(path);
    }
  }

  /** The number of open paths. */
  public int size() {
    return paths.size();
  }

  /** All paths, always in the same order; for shutting down. */
  PeerPath[] snapshot() {
    return paths.values().toArray(new PeerPath[0]);
  }
}
