package io.millrace.path.network;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The network between two workers that a program turns by hand: two ends, and a list of the
 * datagrams in flight to each end. The fields say how the network treats each datagram, and may
 * change at any time; random draws come from the seed. Time comes in with {@link End#poll} and
 * {@link End#flush}. On one thread; allocates a copy of each datagram, so no node uses this class.
 */
public final class PairNetwork {
  /** Send buffers of each end. */
  public static final int BUFFERS = 32;

  private static final int BUFFER_BYTES = 1 << 16;
  private static final int TRAIN_PACKETS = 16;
  private static final int MOST_DATAGRAM_BYTES = 65_507;
  private static final long SECOND_NS = 1_000_000_000;

  /** The way of a late datagram, in latencies. */
  private static final int LATE = 4;

  /** The way of the second copy of a repeated datagram, in latencies. */
  private static final int REPEATED = 40;

  private static final Comparator<Flight> BY_ARRIVAL =
      Comparator.comparingLong(Flight::arrivesNs).thenComparingLong(Flight::number);

  /** The treatment of a datagram by the network. */
  public enum Fate {
    /** The datagram arrives once, in its turn. */
    CARRIED,
    /** The datagram arrives once, after four latencies: later datagrams may come first. */
    LATE,
    /** The datagram arrives twice. */
    TWICE,
    /** The network drops the datagram. */
    LOST,
    /** The network drops the datagram, because the datagram is longer than the MTU. */
    TOO_LONG,
    /** The network drops the datagram, because the queue ahead of the wire is full. */
    QUEUE_FULL;

    /** Whether the network drops the datagram. */
    public boolean isDropped() {
      return compareTo(LOST) >= 0;
    }
  }

  /** Hears of each datagram at the moment of its departure. */
  public interface Observer {
    /** An end sends a datagram, of which the network has decided the fate. */
    void onDatagram(long nowNs, End from, int lengthBytes, Fate fate);
  }

  private record Flight(long arrivesNs, long number, byte[] datagram) {}

  /** A datagram ahead of the wire, until the wire has carried the datagram. */
  private record Departure(long leavesNs, int lengthBytes) {}

  /** The time of a datagram's way, ns. */
  public long latencyNs = 250_000;

  /** Share of the datagrams that are lost, 0 to 1. */
  public double loss;

  /** Share of the datagrams that arrive twice, 0 to 1. */
  public double duplication;

  /** Share of the datagrams whose way takes four times as long, 0 to 1. */
  public double reordering;

  /** The network drops longer datagrams. */
  public int mtuBytes = Integer.MAX_VALUE;

  /**
   * Bytes a second that each direction carries; 0 for no bound. A change leaves the times of the
   * waiting datagrams as they are.
   */
  public long bytesPerSecond;

  /** Bytes that may wait ahead of the wire in each direction, where the wire has a rate. */
  public long queueBytes = Long.MAX_VALUE;

  /** The datagram of this number, counted from 1, is lost; 0 for none. */
  public long losing;

  /** The datagram of this number, counted from 1, arrives again, much later; 0 for none. */
  public long repeating;

  private long sent;
  private long dropped;

  private final End left = new End();
  private final End right = new End();
  private final SplittableRandom random;
  private final Observer observer;

  /** A network that loses nothing yet, and tells {@code observer} of each datagram. */
  public PairNetwork(long seed, Observer observer) {
    random = new SplittableRandom(seed);
    this.observer = observer;
  }

  /** The end of one worker. */
  public End left() {
    return left;
  }

  /** The end of the other worker. */
  public End right() {
    return right;
  }

  /** Datagrams that the ends have sent. */
  public long sent() {
    return sent;
  }

  /** Datagrams that the network has dropped. */
  public long dropped() {
    return dropped;
  }

  private void send(End from, byte[] datagram, long nowNs) {
    sent++;
    Fate fate = fateOf(from, datagram.length, nowNs);
    observer.onDatagram(nowNs, from, datagram.length, fate);
    if (fate.isDropped()) {
      dropped++;
      return;
    }
    long leavesNs = nowNs;
    if (bytesPerSecond > 0) {
      leavesNs = Math.max(nowNs, from.freeNs) + datagram.length * SECOND_NS / bytesPerSecond;
      from.freeNs = leavesNs;
      from.waiting.addLast(new Departure(leavesNs, datagram.length));
      from.waitingBytes += datagram.length;
    }
    End to = from == left ? right : left;
    long latencies = fate == Fate.LATE ? LATE : 1;
    to.flights.add(new Flight(leavesNs + latencies * latencyNs, sent, datagram));
    if (fate == Fate.TWICE) {
      long again = sent == repeating ? REPEATED : 1;
      to.flights.add(new Flight(leavesNs + again * latencyNs, sent, datagram));
    }
  }

  private Fate fateOf(End from, int length, long nowNs) {
    if (random.nextDouble() < loss || sent == losing) {
      return Fate.LOST;
    }
    if (length > Math.min(mtuBytes, from.mtuBytes)) {
      return Fate.TOO_LONG;
    }
    if (bytesPerSecond > 0 && from.waitingBytes(nowNs) > queueBytes) {
      return Fate.QUEUE_FULL;
    }
    if (random.nextDouble() < duplication || sent == repeating) {
      return Fate.TWICE;
    }
    return random.nextDouble() < reordering ? Fate.LATE : Fate.CARRIED;
  }

  /** The network as a single worker sees it: one endpoint, one rail to the peer. */
  public final class End implements PathNetwork {
    private final List<Flight> flights = new ArrayList<>();
    private final ArrayDeque<SendBuffer> free = new ArrayDeque<>();
    private final List<SendBuffer> used = new ArrayList<>();
    private final List<byte[]> posted = new ArrayList<>();
    private final SegmentBuffer inbound =
        new SegmentBuffer(ByteBuffer.allocateDirect(BUFFER_BYTES));

    /** The network drops longer datagrams of this end. */
    public int mtuBytes = Integer.MAX_VALUE;

    /** When the wire has carried all datagrams of this end, by its rate. */
    private long freeNs;

    /** The datagrams ahead of the wire, in the order of their departure. */
    private final ArrayDeque<Departure> waiting = new ArrayDeque<>();

    private long waitingBytes;

    private int destinations;

    private End() {
      for (int i = 0; i < BUFFERS; i++) {
        free.add(new SendBuffer(i, new SegmentBuffer(ByteBuffer.allocateDirect(BUFFER_BYTES))));
      }
    }

    /** Bytes ahead of the wire; a datagram on the wire counts until its end. */
    private long waitingBytes(long nowNs) {
      Departure first = waiting.peekFirst();
      while (first != null && first.leavesNs() <= nowNs) {
        waitingBytes -= first.lengthBytes();
        waiting.removeFirst();
        first = waiting.peekFirst();
      }
      return waitingBytes;
    }

    /**
     * Delivers the datagrams that have arrived by now, and frees the buffers of sent trains, as a
     * driver's poll does.
     *
     * @return how many datagrams arrived
     */
    public int poll(CompletionHandler handler, long nowNs) {
      free.addAll(used);
      used.clear();
      flights.sort(BY_ARRIVAL);
      int arrived = 0;
      while (arrived < flights.size() && flights.get(arrived).arrivesNs() <= nowNs) {
        byte[] datagram = flights.get(arrived).datagram();
        inbound.putBytes(0, datagram);
        handler.onReceive(inbound, 0, datagram.length, 0);
        arrived++;
      }
      flights.subList(0, arrived).clear();
      return arrived;
    }

    @Override
    public boolean flush(long nowNs) {
      boolean isAny = !posted.isEmpty();
      for (byte[] datagram : posted) {
        send(this, datagram, nowNs);
      }
      posted.clear();
      return isAny;
    }

    @Override
    public void postSend(
        int flow, int destination, SendBuffer buffer, int length, int segmentLength) {
      for (int at = 0; at < length; at += segmentLength) {
        byte[] datagram = new byte[Math.min(segmentLength, length - at)];
        buffer.buffer().getBytes(at, datagram);
        posted.add(datagram);
      }
      used.add(buffer);
    }

    @Override
    public void postPacket(int destination, SendBuffer buffer, int length) {
      postSend(0, destination, buffer, length, length);
    }

    @Override
    public void postOnce(int endpoint, EndpointAddress to, SendBuffer buffer, int length) {
      postPacket(0, buffer, length);
    }

    @Override
    public @Nullable SendBuffer acquireSendBuffer(int endpoint) {
      return free.pollLast();
    }

    @Override
    public void releaseSendBuffer(int endpoint, SendBuffer buffer) {
      free.addLast(buffer);
    }

    @Override
    public int open(List<Rail> rails) throws DriverException {
      if (rails.isEmpty()) {
        throw new DriverException("a path has one rail at least");
      }
      return destinations++;
    }

    @Override
    public void release(int destination) {
      // Both ends are known by themselves.
    }

    @Override
    public int size() {
      return 1;
    }

    @Override
    public int maxTrainPackets() {
      return TRAIN_PACKETS;
    }

    @Override
    public int sourcePorts() {
      return 1;
    }

    @Override
    public int packetOverheadBytes() {
      return 0;
    }

    @Override
    public @Nullable RemoteMemory remoteMemory(int endpoint) {
      return null;
    }

    @Override
    public boolean isUp(int endpoint) {
      return true;
    }

    @Override
    public String nics(IntStream endpoints) {
      return "pair";
    }

    @Override
    public int rail(int destination) {
      return 0;
    }

    @Override
    public boolean use(int destination, int rail) {
      return rail == 0;
    }

    @Override
    public int endpointOf(int destination) {
      return 0;
    }

    @Override
    public int remoteEndpointOf(int destination) {
      return 0;
    }

    @Override
    public int pathMaxDatagramBytes(int destination) {
      return MOST_DATAGRAM_BYTES;
    }

    @Override
    public boolean isOneSided(int destination) {
      return false;
    }

    @Override
    public int writeDestination(int destination) {
      throw new IllegalStateException("this network has no one-sided writes");
    }

    @Override
    public boolean hasMore() {
      return false;
    }

    @Override
    public int polled() {
      return 0;
    }

    @Override
    public @Nullable EndpointAddress receiveSource() {
      return null;
    }

    @Override
    public int destinationOf(int resolved) {
      return -1;
    }
  }
}
