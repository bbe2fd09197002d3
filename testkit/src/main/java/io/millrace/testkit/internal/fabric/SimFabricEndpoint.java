package io.millrace.testkit.internal.fabric;

import io.millrace.driver.Capabilities;
import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.DriverNotices;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.EndpointCounters;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.HoldCause;
import io.millrace.driver.NotReadySettings;
import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import io.millrace.testkit.internal.net.SendTrains;
import io.millrace.testkit.internal.net.SendTrains.Train;
import io.millrace.testkit.internal.net.SimNic;
import io.millrace.testkit.sim.NicState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.IntArrayList;
import org.agrona.collections.LongArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair of a simulated node. A close fences nothing: begun writes of peers go on landing in
 * the endpoint's memory.
 */
final class SimFabricEndpoint implements Endpoint {
  private static final byte POISON = (byte) 0xD6;
  private static final int MAX_REPORTS = 64;

  private final SimFabric fabric;
  private final SimNic nic;
  private final long address;
  private final Capabilities capabilities;
  private final Runnable waker;
  private final NotReadySettings notReady;
  private final EndpointCounters counters = new EndpointCounters();
  private final List<@Nullable FabricDestination> destinations = new ArrayList<>();
  private final IntArrayList unreachable = new IntArrayList();
  private final ArrayDeque<FabricMessage> received = new ArrayDeque<>();
  private final LongArrayQueue written = new LongArrayQueue(Long.MIN_VALUE);
  private final SendTrains<FabricDestination> trains;
  private final FabricMemory memory;
  private final SegmentBuffer view;
  private final ArrayDeque<Hold> holds = new ArrayDeque<>();
  private @Nullable FabricMessage current;
  private long crashedNs = Long.MAX_VALUE;
  private boolean polling;
  private boolean closed;

  /** The beginning of an episode in which posts to a destination wait, or the end. */
  private record Hold(int destination, @Nullable HoldCause cause) {
    void tell(CompletionHandler handler) {
      if (cause == null) {
        handler.onLetGo(destination);
      } else {
        handler.onHeld(destination, cause);
      }
    }
  }

  SimFabricEndpoint(
      SimFabric fabric,
      SimNic nic,
      long address,
      EndpointSettings settings,
      Capabilities capabilities,
      Runnable waker) {
    this.fabric = fabric;
    this.nic = nic;
    this.address = address;
    this.capabilities = capabilities;
    this.waker = waker;
    this.notReady = settings.notReady();
    trains =
        new SendTrains<>(
            fabric.blocks(), settings.sendBuffers(), SimFabric.BLOCK_BYTES, capabilities);
    memory = new FabricMemory(this);
    view = fabric.blocks().acquire(SimFabric.BLOCK_BYTES);
  }

  SimFabric fabric() {
    return fabric;
  }

  long address() {
    return address;
  }

  FabricMemory memory() {
    return memory;
  }

  void wake() {
    waker.run();
  }

  /** Time of the crash of the endpoint's process; {@link Long#MAX_VALUE} without a crash. */
  long crashedNs() {
    return crashedNs;
  }

  boolean isCrashed() {
    return crashedNs != Long.MAX_VALUE;
  }

  /** Whether the endpoint is closed and never polled again. */
  boolean isGone() {
    return closed;
  }

  @Override
  public Capabilities capabilities() {
    return capabilities;
  }

  @Override
  public DriverNotices notices() {
    return DriverNotices.NONE;
  }

  @Override
  public EndpointAddress localAddress() {
    return fabric.endpointAddress(address);
  }

  @Override
  public boolean isUp() {
    return nic.state() != NicState.DOWN && fabric.state(nic.node()) != NicState.DOWN;
  }

  @Override
  public int resolve(EndpointAddress remote) throws DriverException {
    long to = fabric.address(remote);
    if (to < 0) {
      throw new DriverException("not an address of a simulated fabric: " + remote);
    }
    int number = destinations.size();
    // A number is never used again: earlier posts may still be reported under their number.
    destinations.add(
        new FabricDestination(
            this,
            number,
            fabric.link(nic, fabric.nic(to)),
            to,
            fabric.backoff(address, to, notReady)));
    return number;
  }

  @Override
  public void release(int destination) {
    destinations.set(destination, null);
  }

  @Nullable FabricDestination destination(int number) {
    return destinations.get(number);
  }

  @Override
  public int pathMaxDatagramBytes(int destination) {
    return capabilities.maxDatagramBytes();
  }

  @Override
  public @Nullable SendBuffer acquireSendBuffer() {
    return closed ? null : trains.acquire();
  }

  @Override
  public void releaseSendBuffer(SendBuffer buffer) {
    if (!closed) {
      trains.release(buffer);
    }
  }

  @Override
  public void postSend(
      int destination, SendBuffer buffer, int length, int segmentLength, long context) {
    if (!closed) {
      trains.post(buffer, destinations.get(destination), length, segmentLength, context);
    }
  }

  @Override
  public void flush() {
    long nowNs = fabric.time().nowNs();
    Train<FabricDestination> train = trains.pollPosted();
    while (train != null) {
      FabricDestination to = train.destination();
      if (to == null) {
        counters.sendFailures++;
      }
      long doneNs = to == null ? nowNs : send(train, to);
      trains.onSent(train, doneNs);
      fabric.time().at(doneNs, waker);
      train = trains.pollPosted();
    }
  }

  private long send(Train<FabricDestination> train, FabricDestination to) {
    long doneNs = fabric.time().nowNs();
    counters.sendCalls++;
    for (int offset = 0; offset < train.length(); offset += train.segmentLength()) {
      int length = Math.min(train.segmentLength(), train.length() - offset);
      counters.datagramsSent++;
      counters.bytesSent += length;
      doneNs = fabric.acquire(this, to).send(train.bytes(), offset, length);
    }
    return doneNs;
  }

  @Override
  public int poll(CompletionHandler handler, int limit) {
    if (polling) {
      throw new IllegalStateException("poll was called from a handler");
    }
    polling = true;
    try {
      int polled = pollReports(handler);
      polled += pollCompletions(handler, limit);
      int messages = 0;
      while (polled + messages < limit && !closed && pollMessage(handler)) {
        messages++;
      }
      counters.receiveCalls += messages > 0 ? 1 : 0;
      counters.emptyPolls += polled + messages == 0 ? 1 : 0;
      if (!closed && (!received.isEmpty() || polled + messages >= limit)) {
        waker.run();
      }
      return polled + messages;
    } finally {
      polling = false;
    }
  }

  private int pollReports(CompletionHandler handler) {
    int polled = unreachable.size();
    for (int i = 0; i < unreachable.size(); i++) {
      handler.onUnreachable(unreachable.getInt(i));
    }
    unreachable.clear();
    while (!holds.isEmpty()) {
      holds.removeFirst().tell(handler);
      polled++;
    }
    while (!written.isEmpty()) {
      handler.onRemoteWrite(written.pollLong());
      polled++;
    }
    return polled;
  }

  private int pollCompletions(CompletionHandler handler, int limit) {
    int polled = 0;
    long nowNs = fabric.time().nowNs();
    Train<FabricDestination> train = trains.pollDone(nowNs);
    while (train != null) {
      polled++;
      train.complete(handler);
      train = trains.pollDone(nowNs);
    }
    while (polled < limit && memory.poll(handler)) {
      polled++;
    }
    return polled;
  }

  private boolean pollMessage(CompletionHandler handler) {
    FabricMessage message = received.pollFirst();
    if (message == null) {
      return false;
    }
    int length = message.length();
    counters.datagramsReceived++;
    counters.bytesReceived += length;
    view.putBytes(0, message.bytes(), 0, length);
    current = message;
    try {
      handler.onReceive(view, 0, length, 0);
    } finally {
      current = null;
      view.setMemory(0, length, POISON);
      fabric.recycle(message);
    }
    return true;
  }

  @Override
  public @Nullable EndpointAddress receiveSource() {
    FabricMessage message = current;
    return message == null ? null : message.senderAddress();
  }

  @Override
  public FabricMemory remoteMemory() {
    return memory;
  }

  @Override
  public EndpointCounters counters() {
    return counters;
  }

  @Override
  public void close() {
    if (!closed) {
      end();
    }
  }

  private void end() {
    closed = true;
    fabric.detach(this);
    trains.close();
    memory.close();
    received.forEach(fabric::recycle);
    received.clear();
    fabric.blocks().release(view);
  }

  /** Ends the endpoint, because its process is gone. */
  void crash() {
    if (!closed) {
      crashedNs = fabric.time().nowNs();
      end();
    }
  }

  /** Whether a receive buffer is free for another message. */
  boolean hasRoom() {
    return received.size() < fabric.settings().receiveBuffers() && !fabric.isUnready(address);
  }

  /** Lets the waiting operations of all destinations go, if their time has come. */
  void resume() {
    for (int i = 0; i < destinations.size(); i++) {
      FabricDestination destination = destinations.get(i);
      if (destination != null) {
        destination.resume();
      }
    }
  }

  /** An episode of a destination began, or has ended with {@code cause} null. */
  void onHeld(int destination, @Nullable HoldCause cause) {
    if (!closed && destinations.get(destination) != null) {
      holds.addLast(new Hold(destination, cause));
      waker.run();
    }
  }

  void onMessage(FabricMessage message) {
    received.addLast(message);
    waker.run();
  }

  void onRemoteWrite(long immediate) {
    if (!closed) {
      written.addLong(immediate);
      waker.run();
    }
  }

  /** Records that a message or write to this destination got no answer. */
  void onUnreachable(int destination) {
    if (!closed
        && destinations.get(destination) != null
        && unreachable.size() < MAX_REPORTS
        && !unreachable.containsInt(destination)) {
      unreachable.addInt(destination);
      waker.run();
    }
  }
}
