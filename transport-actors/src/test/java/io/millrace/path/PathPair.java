package io.millrace.path;

import io.millrace.driver.DriverException;
import io.millrace.path.peer.FakeEndpoint;
import io.millrace.path.peer.PeerLink;
import io.millrace.path.peer.PeerPath;
import io.millrace.path.peer.WorkerLab;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * Two workers' turns with a path between them, and the datagrams in flight in a list: no actor, no
 * thread, no socket. Time stands still but for {@link #step}. The fields set the network's
 * treatment of each datagram; random choices come from the seed.
 */
public final class PathPair {
  private static final int BUFFERS = 64;
  private static final int TRAIN_PACKETS = 16;
  private static final long STEP_NS = 100_000;

  /** The delay of a way: longer than a step. */
  private static final long LATENCY_NS = 250_000;

  private static final long REPEATED_NS = 40 * LATENCY_NS;

  /** A datagram on its way to a side. */
  private record Flight(long arrivesNs, long number, Side to, byte[] datagram) {}

  /** A worker of the two, with its end of the path. */
  public static final class Side {
    public final WorkerLab lab = new WorkerLab(new FakeEndpoint(BUFFERS, TRAIN_PACKETS));
    public final PeerLink link = lab.link(1);
    private final PeerPath path;

    /** The time at which the wire is free again, by the wire's rate. */
    private long freeNs;

    private Side(boolean isInitiator, long windowBytes) throws DriverException {
      path = lab.open(link, WorkerLab.terms(1, isInitiator, windowBytes));
    }

    public PeerPath path() {
      return path;
    }
  }

  /** Share of lost datagrams, 0 to 1. */
  public double loss;

  /** Share of datagrams that arrive twice. */
  public double duplication;

  /** Share of datagrams with four times the usual delay. */
  public double reordering;

  /** The number of the lost datagram, counted from 1; 0 for no lost datagram. */
  public long losing;

  /**
   * The number of the datagram that arrives a second time, much later, counted from 1; 0 for no
   * such datagram.
   */
  public long repeating;

  /** Longer datagrams are lost. */
  public int mtu = Integer.MAX_VALUE;

  /** Longer datagrams of the right side are lost. */
  public int mtuOfRight = Integer.MAX_VALUE;

  /** Bytes that each way carries in a second; 0 for no bound. */
  public long rate;

  /** The number of datagrams that the network has taken, lost datagrams included. */
  public long carried;

  /** The bytes of the datagrams that the network has taken from the left side. */
  public long leftBytes;

  /** The number of lost datagrams. */
  public long lost;

  public final Side left;
  public final Side right;

  /** Whether the datagram to repeat has come. */
  public boolean isRepeated;

  private final SplittableRandom random;
  private final List<Flight> flights = new ArrayList<>();

  public PathPair(long seed) throws DriverException {
    this(seed, WorkerLab.WINDOW_BYTES);
  }

  /** A pair whose sides may send each other so many bytes of inline credit unasked. */
  public PathPair(long seed, long windowBytes) throws DriverException {
    random = new SplittableRandom(seed);
    left = new Side(true, windowBytes);
    right = new Side(false, windowBytes);
  }

  /** Delivers the due datagrams, gives both sides a turn, and moves time by a step. */
  public void step() {
    long nowNs = left.lab.nowNs;
    flights.sort(Comparator.comparingLong(Flight::arrivesNs).thenComparingLong(Flight::number));
    while (!flights.isEmpty() && flights.getFirst().arrivesNs() <= nowNs) {
      Flight flight = flights.removeFirst();
      flight.to().lab.endpoint.arrivals.add(flight.datagram());
    }
    turn(left, right, nowNs);
    turn(right, left, nowNs);
    left.lab.nowNs = nowNs + STEP_NS;
    right.lab.nowNs = nowNs + STEP_NS;
  }

  /**
   * Steps until {@code condition} holds; false if {@code mostNs} of this pair's time pass before.
   */
  public boolean stepUntil(BooleanSupplier condition, long mostNs) {
    long endNs = left.lab.nowNs + mostNs;
    while (!condition.getAsBoolean()) {
      if (left.lab.nowNs > endNs) {
        return false;
      }
      step();
    }
    return true;
  }

  private void turn(Side from, Side to, long nowNs) {
    from.lab.turn();
    for (byte[] datagram : from.lab.endpoint.sent) {
      send(from, to, datagram, nowNs);
    }
    from.lab.endpoint.sent.clear();
  }

  private int mtuOf(Side from) {
    return from == right ? Math.min(mtu, mtuOfRight) : mtu;
  }

  private void send(Side from, Side to, byte[] datagram, long nowNs) {
    carried++;
    leftBytes += from == left ? datagram.length : 0;
    if (random.nextDouble() < loss || carried == losing || datagram.length > mtuOf(from)) {
      lost++;
      return;
    }
    long leavesNs = Math.max(nowNs, from.freeNs);
    from.freeNs = rate == 0 ? nowNs : leavesNs + datagram.length * 1_000_000_000L / rate;
    if (carried == repeating) {
      isRepeated = true;
      flights.add(new Flight(nowNs + REPEATED_NS, carried, to, datagram));
    }
    int copies = random.nextDouble() < duplication ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      boolean isLate = random.nextDouble() < reordering;
      long arrivesNs = Math.max(leavesNs, from.freeNs) + LATENCY_NS * (isLate ? 4 : 1);
      flights.add(new Flight(arrivesNs, carried, to, datagram));
    }
  }
}
