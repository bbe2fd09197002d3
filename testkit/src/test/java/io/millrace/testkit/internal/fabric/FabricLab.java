package io.millrace.testkit.internal.fabric;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.HoldCause;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.RemoteWrite;
import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import io.millrace.testkit.internal.base.SimAddress;
import io.millrace.testkit.internal.net.SimNetwork;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.VirtualTime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;

/** Two endpoints on a fabric, memory at both endpoints, and all their reports. */
final class FabricLab implements VirtualTime, AutoCloseable {
  static final long DELAY_NS = 10_000;
  static final int BYTES = 64 << 10;

  private record Event(long timeNs, long ordinal, Runnable event) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(timeNs, other.timeNs);
      return byTime != 0 ? byTime : Long.compare(ordinal, other.ordinal);
    }
  }

  /** The reports of an endpoint. */
  static final class Told implements CompletionHandler {
    final List<Long> messages = new ArrayList<>();
    final List<Long> sent = new ArrayList<>();
    final List<Long> ended = new ArrayList<>();
    final List<Integer> statuses = new ArrayList<>();
    final List<Long> immediates = new ArrayList<>();
    final List<Integer> unreachable = new ArrayList<>();
    final List<String> holds = new ArrayList<>();

    @Override
    public void onHeld(int destination, HoldCause cause) {
      holds.add("held " + destination + " " + cause);
    }

    @Override
    public void onLetGo(int destination) {
      holds.add("let go " + destination);
    }

    @Override
    public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {
      messages.add(buffer.getLong(offset));
    }

    @Override
    public void onSendComplete(long context, int status) {
      sent.add(context);
    }

    @Override
    public void onWriteComplete(long context, int status) {
      ended.add(context);
      statuses.add(status);
    }

    @Override
    public void onRemoteWrite(long immediate) {
      immediates.add(immediate);
    }

    @Override
    public void onUnreachable(int destination) {
      unreachable.add(destination);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long nowNs;
  private long ordinals;
  final SimNetwork network;
  final SimFabric fabric;
  final Endpoint sender;
  final Endpoint receiver;
  final RemoteMemory local;
  final RemoteMemory remote;
  final int destination;
  final MemorySegment source = Arena.ofAuto().allocate(BYTES);
  final MemorySegment target = Arena.ofAuto().allocate(BYTES);
  final MemoryRegion from;
  MemoryRegion into;
  final Told atSender = new Told();
  final Told atReceiver = new Told();

  FabricLab(FabricSettings settings) throws DriverException {
    this(settings, LinkSettings.clean(DELAY_NS));
  }

  FabricLab(FabricSettings settings, LinkSettings link) throws DriverException {
    this(settings, NetworkSettings.clean(DELAY_NS).withLink(link));
  }

  FabricLab(FabricSettings settings, NetworkSettings of) throws DriverException {
    network = new SimNetwork(this, 1, of);
    fabric = new SimFabric(SimFabric.FAMILY, this, key -> this, 1, network, settings);
    sender = open(0);
    receiver = open(1);
    local = Objects.requireNonNull(sender.remoteMemory());
    remote = Objects.requireNonNull(receiver.remoteMemory());
    destination = sender.resolve(receiver.localAddress());
    for (int i = 0; i < BYTES; i++) {
      source.set(ValueLayout.JAVA_BYTE, i, (byte) (i % 251 + 1));
    }
    from = local.register(source, false);
    into = remote.register(target, true);
  }

  Endpoint open(int node) throws DriverException {
    EndpointSettings settings = EndpointSettings.defaults(new SimAddress(node, 0, 0).inet());
    return new SimFabricDriver(fabric, node, () -> () -> {}).open(settings);
  }

  /** Posts a write of {@code length} bytes to the same place at the target. */
  boolean write(long context, int at, int length) {
    return write(context, at, length, into.remoteKey());
  }

  boolean write(long context, int at, int length, long key) {
    RemoteWrite write =
        new RemoteWrite().source(from, at, length).target(into.remoteBase() + at, key);
    return local.postWrite(destination, write, context);
  }

  void send(long content) {
    send(destination, content);
  }

  void send(int to, long content) {
    SendBuffer buffer = Objects.requireNonNull(sender.acquireSendBuffer());
    buffer.buffer().putLong(0, content);
    sender.postSend(to, buffer, Long.BYTES, Long.BYTES, content);
    sender.flush();
  }

  /** Returns how many bytes at the target equal the bytes at the source. */
  int landed() {
    int count = 0;
    for (int i = 0; i < BYTES; i++) {
      boolean same =
          target.get(ValueLayout.JAVA_BYTE, i) == source.get(ValueLayout.JAVA_BYTE, i)
              && source.get(ValueLayout.JAVA_BYTE, i) != 0;
      count += same ? 1 : 0;
    }
    return count;
  }

  void poll() {
    poll(sender, atSender);
    poll(receiver, atReceiver);
  }

  /** Polls until a poll finds nothing. */
  static void poll(Endpoint endpoint, Told told) {
    int polled = 1;
    while (polled > 0) {
      polled = endpoint.poll(told, 64);
    }
  }

  /** Runs all events until this time. */
  void runUntil(long timeNs) {
    while (!events.isEmpty() && events.element().timeNs() <= timeNs) {
      Event next = events.remove();
      nowNs = next.timeNs();
      next.event().run();
    }
    nowNs = timeNs;
  }

  /** Lets everything happen, then polls. */
  void settle() {
    while (!events.isEmpty()) {
      runUntil(events.element().timeNs());
    }
    poll();
  }

  @Override
  public long nowNs() {
    return nowNs;
  }

  @Override
  public void at(long timeNs, Runnable event) {
    events.add(new Event(Math.max(nowNs, timeNs), ordinals++, event));
  }

  @Override
  public void close() {
    fabric.close();
    network.close();
  }
}
