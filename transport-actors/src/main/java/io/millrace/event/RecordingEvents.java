package io.millrace.event;

import java.util.ArrayList;
import java.util.List;

/**
 * Remembers events as lines of text, for tests and tools: the event's name and its arguments,
 * except those about single packets, which it counts. Safe on any thread; keeps the first {@code
 * limit} lines and counts the rest.
 */
public final class RecordingEvents implements TransportEvents {
  private final int limit;
  private final List<String> lines = new ArrayList<>();
  private final long[] drops = new long[DropReason.values().length];
  private long packetsLost;
  private long linesDropped;

  /** Keeps at most {@code limit} lines. */
  public RecordingEvents(int limit) {
    this.limit = limit;
  }

  /** The lines so far. */
  public synchronized List<String> lines() {
    return List.copyOf(lines);
  }

  /** How many lines start with this event's name. */
  public synchronized long count(String name) {
    return lines.stream().filter(line -> line.startsWith(name + " ")).count();
  }

  /** Datagrams dropped for this reason. */
  public synchronized long drops(DropReason reason) {
    return drops[reason.ordinal()];
  }

  /** Packets declared lost. */
  public synchronized long packetsLost() {
    return packetsLost;
  }

  /** Lines that did not fit. */
  public synchronized long linesDropped() {
    return linesDropped;
  }

  @Override
  public void onDriverPassedOver(String driver, String reason) {
    add("DriverPassedOver driver=" + driver + " reason=" + reason);
  }

  @Override
  public void onWorkerStarted(int worker, String thread, int core) {
    add("WorkerStarted worker=" + worker + " thread=" + thread + " core=" + core);
  }

  @Override
  public void onPinFailed(int worker, int core, String reason) {
    add("PinFailed worker=" + worker + " core=" + core + " reason=" + reason);
  }

  @Override
  public void onMemoryPlaced(int worker, int node, long remoteBytes) {
    add("MemoryPlaced worker=" + worker + " node=" + node + " remoteBytes=" + remoteBytes);
  }

  @Override
  public void onResourceDegraded(int worker, String what) {
    add("ResourceDegraded worker=" + worker + " what=" + what);
  }

  @Override
  public void onHandshakeStarted(String peer) {
    add("HandshakeStarted peer=" + peer);
  }

  @Override
  public void onHandshakeCompleted(String peer, long rttNs) {
    add("HandshakeCompleted peer=" + peer);
  }

  @Override
  public void onHandshakeFailed(String peer, String reason) {
    add("HandshakeFailed peer=" + peer + " reason=" + reason);
  }

  @Override
  public void onHandshakeRefused(String remote, String reason, long count) {
    add("HandshakeRefused remote=" + remote + " reason=" + reason + " count=" + count);
  }

  @Override
  public void onHandshakeFault(Throwable fault) {
    add("HandshakeFault fault=" + fault);
  }

  @Override
  public void onPathOpened(int worker, String peer, long pathId) {
    add("PathOpened worker=" + worker + " peer=" + peer);
  }

  @Override
  public void onPathClosed(int worker, String peer, long pathId, String reason) {
    add("PathClosed worker=" + worker + " peer=" + peer + " reason=" + reason);
  }

  @Override
  public void onPeerFault(int worker, String peer, Throwable fault) {
    add("PeerFault worker=" + worker + " peer=" + peer + " fault=" + fault);
  }

  @Override
  public void onCompletionFault(int worker, String peer, Throwable fault) {
    add("CompletionFault worker=" + worker + " peer=" + peer + " fault=" + fault);
  }

  @Override
  public void onHandlerFault(
      String peer, String route, String pattern, Throwable fault, long count) {
    add(
        "HandlerFault peer="
            + peer
            + " route="
            + route
            + " pattern="
            + pattern
            + " fault="
            + fault
            + " count="
            + count);
  }

  @Override
  public void onPeerHealthChanged(int worker, String peer, String from, String to) {
    add("PeerHealthChanged worker=" + worker + " peer=" + peer + " from=" + from + " to=" + to);
  }

  @Override
  public void onWriteRejected(int worker, String peer, String reason, int region) {
    add(
        "WriteRejected worker="
            + worker
            + " peer="
            + peer
            + " reason="
            + reason
            + " region="
            + region);
  }

  @Override
  public void onStaleWrite(int worker, String peer, String reason, int region, long count) {
    add(
        "StaleWrite worker="
            + worker
            + " peer="
            + peer
            + " reason="
            + reason
            + " region="
            + region
            + " count="
            + count);
  }

  @Override
  public void onRecordNotAuthentic(int worker, String peer, int region, int record) {
    add(
        "RecordNotAuthentic worker="
            + worker
            + " peer="
            + peer
            + " region="
            + region
            + " record="
            + record);
  }

  @Override
  public void onPeerDraining(int worker, String peer) {
    add("PeerDraining worker=" + worker + " peer=" + peer);
  }

  @Override
  public void onPeerUnreachable(int worker, String peer) {
    add("PeerUnreachable worker=" + worker + " peer=" + peer);
  }

  @Override
  public void onProtocolViolation(int worker, String peer, String what) {
    add("ProtocolViolation worker=" + worker + " peer=" + peer + " what=" + what);
  }

  @Override
  public synchronized void onPacketDropped(int worker, DropReason reason) {
    drops[reason.ordinal()]++;
  }

  @Override
  public synchronized void onPacketLost(int worker, String peer, long packetNumber, int bytes) {
    packetsLost++;
  }

  @Override
  public void onKeyRotated(int worker, String peer, int keyId) {
    add("KeyRotated worker=" + worker + " peer=" + peer + " keyId=" + keyId);
  }

  @Override
  public void onPathMaxDatagramChanged(int worker, String peer, int bytes) {
    add("PathMaxDatagramChanged worker=" + worker + " peer=" + peer + " bytes=" + bytes);
  }

  @Override
  public void onBufferLeaked(String owner, long bytes, int references) {
    add("BufferLeaked owner=" + owner + " bytes=" + bytes + " references=" + references);
  }

  @Override
  public void onDependencyFailed(int worker, String token, String root) {
    add("DependencyFailed worker=" + worker + " token=" + token + " root=" + root);
  }

  @Override
  public void onScopeLeaked(int open) {
    add("ScopeLeaked open=" + open);
  }

  @Override
  public void onWorkerStopped(int worker, String reason) {
    add("WorkerStopped worker=" + worker + " reason=" + reason);
  }

  @Override
  public void onWorkerFault(int worker, Throwable fault) {
    add("WorkerFault worker=" + worker + " fault=" + fault);
  }

  private synchronized void add(String line) {
    if (lines.size() < limit) {
      lines.add(line);
    } else {
      linesDropped++;
    }
  }
}
