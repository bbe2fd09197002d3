package io.millrace.protocol.congestion;

import io.millrace.protocol.schedule.Jitter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * A single bottleneck with a queue, a delay each way, in virtual time and packet by packet. Several
 * flows share the bottleneck. A test sets faults between events: the rate, random or chosen losses,
 * delays of single packets, acknowledgements in heaps, a policer, marks.
 */
final class PathModel {
  private static final long PPM = 1_000_000;

  /** A packet of a flow in flight. */
  record Packet(ModelFlow flow, long number, int bytes, boolean isMarked) {}

  private record Event(long atNs, long order, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      final int byTime = Long.compare(atNs, other.atNs);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  long nowNs;
  long bytesPerSecond;
  long queueLimitBytes = Long.MAX_VALUE;
  long oneWayNs;
  long lossPpm;

  /** Acknowledgements arrive only at multiples of this interval; 0 for arrival at once. */
  long ackIntervalNs;

  /** The model marks packets that find more than this in the queue. */
  long markAboveBytes = Long.MAX_VALUE;

  /** Rate of a policer ahead of the queue, bytes per second; 0 for no policer. */
  long policedBytesPerSecond;

  double policerBurstBytes;
  Predicate<Packet> drop = packet -> false;
  ToLongFunction<Packet> extraDelayNs = packet -> 0;

  long droppedPackets;
  long sentPackets;
  long queuedBytes;
  long maxQueuedBytes;

  /** Bytes carried by the bottleneck. */
  long carriedBytes;

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final ArrayDeque<Packet> queue = new ArrayDeque<>();
  private final List<ModelFlow> flows = new ArrayList<>();
  private final Jitter random = new Jitter(7);
  private long order;
  private double policerTokens;
  private long policerAtNs;

  PathModel(long bitsPerSecond, long rttNs) {
    bytesPerSecond = bitsPerSecond / 8;
    oneWayNs = rttNs / 2;
  }

  static long ms(double value) {
    return (long) (value * 1_000_000);
  }

  /** The bytes in flight that fill the path without a queue. */
  long bdpBytes() {
    return (long) (bytesPerSecond * (2 * oneWayNs / 1e9));
  }

  void setBitsPerSecond(long bits) {
    bytesPerSecond = bits / 8;
  }

  void police(long bitsPerSecond, long burstBytes) {
    policedBytesPerSecond = bitsPerSecond / 8;
    policerBurstBytes = burstBytes;
    policerTokens = burstBytes;
    policerAtNs = nowNs;
  }

  ModelFlow flow(CongestionController controller, int datagramBytes) {
    final ModelFlow flow = new ModelFlow(this, controller, datagramBytes);
    flows.add(flow);
    return flow;
  }

  void at(long atNs, Runnable action) {
    events.add(new Event(atNs, order++, action));
  }

  /** Runs events until the condition holds after an event; false if the time ends before. */
  boolean run(BooleanSupplier condition, long untilNs) {
    while (!condition.getAsBoolean()) {
      final Event next = events.peek();
      if (next == null || next.atNs() > untilNs) {
        nowNs = Math.max(nowNs, untilNs);
        return condition.getAsBoolean();
      }
      events.poll();
      nowNs = next.atNs();
      next.action().run();
    }
    return true;
  }

  void runFor(long durationNs) {
    run(() -> false, nowNs + durationNs);
  }

  /** A flow sends a packet. */
  void send(ModelFlow flow, long number, int bytes) {
    sentPackets++;
    final Packet packet = new Packet(flow, number, bytes, queuedBytes > markAboveBytes);
    final boolean isLost =
        lossPpm > 0 && random.upTo(PPM - 1) < lossPpm
            || drop.test(packet)
            || queuedBytes + bytes > queueLimitBytes
            || !policerAdmits(bytes);
    if (isLost) {
      droppedPackets++;
      return;
    }
    queue.add(packet);
    queuedBytes += bytes;
    maxQueuedBytes = Math.max(maxQueuedBytes, queuedBytes);
    if (queue.size() == 1) {
      serve();
    }
  }

  private boolean policerAdmits(int bytes) {
    if (policedBytesPerSecond == 0) {
      return true;
    }
    policerTokens =
        Math.min(
            policerBurstBytes, policerTokens + (nowNs - policerAtNs) / 1e9 * policedBytesPerSecond);
    policerAtNs = nowNs;
    if (policerTokens < bytes) {
      return false;
    }
    policerTokens -= bytes;
    return true;
  }

  private void serve() {
    final Packet head = queue.element();
    at(nowNs + (long) (head.bytes() * 1e9 / bytesPerSecond), this::onServed);
  }

  private void onServed() {
    final Packet packet = queue.remove();
    queuedBytes -= packet.bytes();
    carriedBytes += packet.bytes();
    at(nowNs + oneWayNs + extraDelayNs.applyAsLong(packet), () -> packet.flow().onArrival(packet));
    if (!queue.isEmpty()) {
      serve();
    }
  }

  /** The arrival time of an acknowledgement that leaves the receiver now. */
  long ackArrivalNs() {
    final long at = nowNs + oneWayNs;
    return ackIntervalNs == 0 ? at : (at / ackIntervalNs + 1) * ackIntervalNs;
  }
}
