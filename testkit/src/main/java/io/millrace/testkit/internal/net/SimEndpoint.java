package io.millrace.testkit.internal.net;

import io.millrace.driver.Capabilities;
import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.DriverNotices;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.EndpointCounters;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import io.millrace.testkit.internal.base.SimAddress;
import io.millrace.testkit.internal.net.Destinations.Destination;
import io.millrace.testkit.internal.net.SendTrains.Train;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.LongArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A socket of a simulated node. A train is complete when its last byte has left the interface.
 * Buffers are checked and poisoned, so that the use of a foreign buffer shows.
 */
final class SimEndpoint implements Endpoint, SimPort {
  private static final int ECT_0 = 2;
  private static final int MAX_REPORTS = 64;
  private static final int QUOTED_BYTES = 64;

  private final SimNetwork network;
  private final NetworkRun run;
  private final SimNic nic;
  private final int[] ports;
  private final EndpointSettings settings;
  private final Capabilities capabilities;
  private final Runnable waker;
  private final EndpointCounters counters = new EndpointCounters();
  private final Destinations destinations = new Destinations();
  private final LongArrayList unreachable = new LongArrayList();
  private final List<byte[]> quotes = new ArrayList<>();
  private final LongArrayList narrow = new LongArrayList();
  private final SendTrains<Destination> trains;
  private final ReceiveQueue received;
  private boolean polling;
  private boolean closed;

  SimEndpoint(
      SimNetwork network,
      SimNic nic,
      int[] ports,
      EndpointSettings settings,
      Capabilities capabilities,
      Runnable waker) {
    this.network = network;
    this.run = network.run();
    this.nic = nic;
    this.ports = ports;
    this.settings = settings;
    this.capabilities = capabilities;
    this.waker = waker;
    trains =
        new SendTrains<>(
            run.blocks(), settings.sendBuffers(), capabilities.maxTrainBytes(), capabilities);
    int ringBytes = Math.min(settings.receiveBufferBytes(), run.settings().receiveRingBytes());
    received =
        new ReceiveQueue(run, counters, ringBytes, capabilities.maxDatagramBytes(), settings.ecn());
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
    return nic.endpointAddress(ports[0]);
  }

  @Override
  public boolean isUp() {
    return !nic.refuses();
  }

  @Override
  public void onNicState() {
    waker.run();
  }

  @Override
  public int resolve(EndpointAddress remote) throws DriverException {
    SimAddress address = SimAddress.of(remote, nic.node());
    if (address == null) {
      throw new DriverException("not an address of a simulated network: " + remote);
    }
    SimLink link = nic.linkTo(network.nic(address.node(), address.nic()));
    return destinations.add(link, address.port(), capabilities.maxDatagramBytes());
  }

  @Override
  public void release(int destination) {
    destinations.remove(destination);
  }

  @Override
  public int pathMaxDatagramBytes(int destination) {
    return destinations.maxDatagramBytes(destination);
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
    postSend(0, destination, buffer, length, segmentLength, context);
  }

  @Override
  public int sourcePorts() {
    return ports.length;
  }

  @Override
  public void postSend(
      int sourcePort,
      int destination,
      SendBuffer buffer,
      int length,
      int segmentLength,
      long context) {
    if (closed) {
      return;
    }
    Train<Destination> train =
        trains.post(buffer, destinations.get(destination), length, segmentLength, context);
    train.sourcePort = ports[sourcePort];
    if (nic.refuses()) {
      train.fail();
    }
  }

  @Override
  public void flush() {
    long nowNs = run.time().nowNs();
    Train<Destination> train = trains.pollPosted();
    boolean any = train != null;
    while (train != null) {
      Destination to = train.destination();
      if (to == null) {
        counters.sendFailures++;
      }
      long doneNs = to == null ? nowNs : send(train, to);
      trains.onSent(train, doneNs);
      if (doneNs > nowNs) {
        run.time().at(doneNs, waker);
        any = false;
      }
      train = trains.pollPosted();
    }
    if (any) {
      waker.run();
    }
  }

  private long send(Train<Destination> train, Destination to) {
    long doneNs = run.time().nowNs();
    counters.sendCalls++;
    for (int offset = 0; offset < train.length(); offset += train.segmentLength()) {
      int bytes = Math.min(train.segmentLength(), train.length() - offset);
      Packet packet = run.acquire(to.link(), train.sourcePort, to.port());
      packet.fill(train.bytes(), offset, bytes, settings.ecn() ? ECT_0 : 0);
      counters.datagramsSent++;
      counters.bytesSent += bytes;
      doneNs = to.link().send(packet);
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
      int polled = pollReports(handler) + pollCompletions(handler, limit);
      int datagrams = 0;
      while (polled + datagrams < limit && !closed && received.poll(handler)) {
        datagrams++;
      }
      if (datagrams > 0) {
        counters.receiveCalls++;
      } else if (polled == 0) {
        counters.emptyPolls++;
      }
      if (polled + datagrams >= limit) {
        // More datagrams may wait, and a busy-polling worker would look again at once.
        waker.run();
      }
      return polled + datagrams;
    } finally {
      polling = false;
    }
  }

  private int pollCompletions(CompletionHandler handler, int limit) {
    long nowNs = run.time().nowNs();
    int polled = 0;
    Train<Destination> train = polled < limit ? trains.pollDone(nowNs) : null;
    while (train != null) {
      polled++;
      train.complete(handler);
      train = polled < limit ? trains.pollDone(nowNs) : null;
    }
    return polled;
  }

  private int pollReports(CompletionHandler handler) {
    int polled = 0;
    for (int i = 0; i < unreachable.size(); i++) {
      long address = unreachable.getLong(i);
      for (int destination = 0; destination < destinations.size(); destination++) {
        if (destinations.isAt(destination, address)) {
          byte[] quoted = quotes.get(i);
          handler.onRefused(destination, new SegmentBuffer(quoted), 0, quoted.length);
          polled++;
        }
      }
    }
    unreachable.clear();
    quotes.clear();
    for (int i = 0; i < narrow.size(); i += 2) {
      polled += narrow(handler, narrow.getLong(i), (int) narrow.getLong(i + 1));
    }
    narrow.clear();
    return polled;
  }

  private int narrow(CompletionHandler handler, long address, int mtuBytes) {
    int polled = 0;
    for (int destination = 0; destination < destinations.size(); destination++) {
      if (destinations.isAt(destination, address) && destinations.narrow(destination, mtuBytes)) {
        handler.onPathMaxDatagramBytes(destination, mtuBytes);
        polled++;
      }
    }
    return polled;
  }

  @Override
  public @Nullable EndpointAddress receiveSource() {
    Packet current = received.current();
    return current == null ? null : current.source().endpoint();
  }

  @Override
  public @Nullable RemoteMemory remoteMemory() {
    return null;
  }

  @Override
  public EndpointCounters counters() {
    return counters;
  }

  @Override
  public void close() {
    for (int port : ports) {
      nic.detach(port, this);
    }
  }

  @Override
  public @Nullable LossReason refusal(PacketView packet) {
    if (packet.length() > capabilities.maxDatagramBytes()) {
      counters.oversizedDrops++;
      return LossReason.OVERSIZED;
    }
    if (received.isFull(packet.length())) {
      counters.receiveQueueDrops++;
      return LossReason.RECEIVE_RING;
    }
    return null;
  }

  @Override
  public void onDatagram(Packet packet) {
    received.add(packet);
    waker.run();
  }

  @Override
  public void onUnreachable(long destination, PacketView refused) {
    byte[] quoted = new byte[Math.min(refused.length(), QUOTED_BYTES)];
    refused.bytes().getBytes(0, quoted);
    int known = unreachable.indexOf(destination);
    if (known >= 0) {
      quotes.set(known, quoted);
    } else if (unreachable.size() < MAX_REPORTS) {
      unreachable.addLong(destination);
      quotes.add(quoted);
    }
    waker.run();
  }

  @Override
  public void onTooLarge(long destination, int mtuBytes) {
    if (narrow.size() < MAX_REPORTS) {
      narrow.addLong(destination);
      narrow.addLong(mtuBytes);
    }
    waker.run();
  }

  @Override
  public void onDetached() {
    if (!closed) {
      closed = true;
      trains.close();
      received.close();
    }
  }
}
