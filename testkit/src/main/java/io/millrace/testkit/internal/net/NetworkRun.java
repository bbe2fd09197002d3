package io.millrace.testkit.internal.net;

import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.VirtualTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The objects that all links and interfaces of a run share: time, decisions, counters, observers.
 */
final class NetworkRun {
  private static final int POOLED_PACKETS = 8_192;

  private final VirtualTime time;
  private final NetworkDraws draws;
  private final FaultLog faults = new FaultLog();
  private final NetworkCounters counters = new NetworkCounters();
  private final PacketNotes notes = new PacketNotes();
  private final NativeBlocks blocks = new NativeBlocks();
  private final List<NetworkObserver> observers = new ArrayList<>();
  private final List<PacketMonitor> monitors = new ArrayList<>();
  private final List<PacketMonitor> planned = new ArrayList<>();
  private final ArrayDeque<Packet> free = new ArrayDeque<>();
  private NetworkSettings settings;

  NetworkRun(VirtualTime time, long seed, NetworkSettings settings) {
    this.time = time;
    this.draws = new NetworkDraws(seed, "net", "reorder");
    this.settings = settings;
  }

  VirtualTime time() {
    return time;
  }

  NetworkDraws draws() {
    return draws;
  }

  FaultLog faults() {
    return faults;
  }

  NetworkCounters counters() {
    return counters;
  }

  PacketNotes notes() {
    return notes;
  }

  NativeBlocks blocks() {
    return blocks;
  }

  List<NetworkObserver> observers() {
    return observers;
  }

  List<PacketMonitor> monitors() {
    return monitors;
  }

  void plan(PacketMonitor monitor) {
    planned.add(monitor);
  }

  NetworkSettings settings() {
    return settings;
  }

  void settings(NetworkSettings other) {
    settings = other;
  }

  Packet acquire(Packet.Way way, int fromPort, int toPort) {
    Packet packet = free.pollLast();
    return (packet == null ? new Packet(counters, way) : packet).use(way, fromPort, toPort);
  }

  void recycle(Packet packet) {
    if (free.size() < POOLED_PACKETS) {
      free.addLast(packet);
    }
  }

  void onSent(Packet packet) {
    counters.sent++;
    counters.sentBytes += packet.length();
    for (int i = 0; i < observers.size(); i++) {
      observers.get(i).onSent(packet, time.nowNs());
    }
  }

  void onDelivered(Packet packet) {
    counters.delivered++;
    counters.deliveredBytes += packet.length();
    for (int i = 0; i < observers.size(); i++) {
      observers.get(i).onDelivered(packet, time.nowNs());
    }
  }

  void onLost(Packet packet, LossReason reason) {
    counters.onLost(reason);
    for (int i = 0; i < observers.size(); i++) {
      observers.get(i).onLost(packet, reason, time.nowNs());
    }
  }

  void lose(Packet packet, LossReason reason) {
    onLost(packet, reason);
    recycle(packet);
  }

  /** Returns the verdict of the planned faults. */
  Verdict planned(PacketView packet) {
    Verdict verdict = Verdict.PASS;
    for (int i = 0; i < planned.size() && verdict instanceof Verdict.Pass; i++) {
      verdict = planned.get(i).onPacket(packet);
    }
    return verdict;
  }

  /** Returns the verdict of the monitors, if this fault may happen. */
  Verdict verdict(Packet packet) {
    Verdict first = planned(packet);
    if (!(first instanceof Verdict.Pass)) {
      return first;
    }
    for (int i = 0; i < monitors.size(); i++) {
      Verdict verdict = monitors.get(i).onPacket(packet);
      if (!(verdict instanceof Verdict.Pass)) {
        return faults.fires(packet.link(), packet.ordinal(), FaultKind.DIRECTED)
            ? verdict
            : Verdict.PASS;
      }
    }
    return Verdict.PASS;
  }
}
