package io.millrace.efa;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.IntStream;

/**
 * The figures of one round of {@link TwinMain}, or the medians of several rounds.
 *
 * @param p50Ns median of a round trip
 * @param p90Ns 90 of 100 round trips took at most this
 * @param roundTripCpuNs processor time of the measuring thread for a round trip
 * @param rates bytes per second, by {@link #LENGTHS}
 * @param writeCpuNs processor time of the measuring thread for a write, by {@link #LENGTHS}
 * @param allocated bytes of the heap that the measuring thread allocated for an operation
 */
record TwinRound(
    double p50Ns,
    double p90Ns,
    double roundTripCpuNs,
    List<Double> rates,
    List<Double> writeCpuNs,
    double allocated) {
  static final List<Integer> LENGTHS = List.of(8 << 10, 64 << 10, 1 << 20);

  private static final int WARM_UP = 1_000;
  private static final double SECOND_NS = 1e9;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /**
   * The numbers of operations of a round.
   *
   * @param roundTrips measured round trips
   * @param writes by {@link #LENGTHS}
   */
  record Counts(int roundTrips, List<Integer> writes) {
    private int operations() {
      return roundTrips + writes.stream().mapToInt(Integer::intValue).sum();
    }

    String arguments() {
      StringJoiner joined = new StringJoiner(" ");
      joined.add(String.valueOf(roundTrips));
      writes.forEach(count -> joined.add(String.valueOf(count)));
      return joined.toString();
    }
  }

  /** Measures by the SPI; {@code far} is {@code near} for another process. */
  static TwinRound measure(TwinSide near, TwinSide far, Counts counts) {
    long[] timesNs = new long[counts.roundTrips()];
    double[] rates = new double[LENGTHS.size()];
    double[] cpuNs = new double[LENGTHS.size()];
    for (int i = 0; i < WARM_UP; i++) {
      near.roundTrip(far);
    }
    long allocated = THREADS.getCurrentThreadAllocatedBytes();
    long roundTripNs = roundTrips(near, far, timesNs);
    allocated = THREADS.getCurrentThreadAllocatedBytes() - allocated;
    for (int i = 0; i < rates.length; i++) {
      int bytes = LENGTHS.get(i);
      int count = counts.writes().get(i);
      near.drain(far);
      long before = THREADS.getCurrentThreadAllocatedBytes();
      long beforeNs = THREADS.getCurrentThreadCpuTime();
      long startNs = System.nanoTime();
      near.writes(far, bytes, count);
      rates[i] = count * (double) bytes * SECOND_NS / (System.nanoTime() - startNs);
      cpuNs[i] = (double) (THREADS.getCurrentThreadCpuTime() - beforeNs) / count;
      allocated += THREADS.getCurrentThreadAllocatedBytes() - before;
    }
    Arrays.sort(timesNs);
    return new TwinRound(
        timesNs[timesNs.length / 2],
        timesNs[timesNs.length / 10 * 9],
        (double) roundTripNs / timesNs.length,
        Arrays.stream(rates).boxed().toList(),
        Arrays.stream(cpuNs).boxed().toList(),
        (double) allocated / counts.operations());
  }

  /** Fills in the times, and returns the processor time of all round trips. */
  private static long roundTrips(TwinSide near, TwinSide far, long[] timesNs) {
    long beforeNs = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < timesNs.length; i++) {
      long startNs = System.nanoTime();
      near.roundTrip(far);
      timesNs[i] = System.nanoTime() - startNs;
    }
    return THREADS.getCurrentThreadCpuTime() - beforeNs;
  }

  /** Parses the line of {@code twin.c}. */
  static TwinRound parse(String line) {
    List<Double> all = Arrays.stream(line.trim().split(" ", -1)).map(Double::valueOf).toList();
    return new TwinRound(
        all.get(0),
        all.get(1),
        all.get(2),
        List.of(all.get(3), all.get(5), all.get(7)),
        List.of(all.get(4), all.get(6), all.get(8)),
        0);
  }

  /** The median of each figure by itself. */
  static TwinRound median(List<TwinRound> rounds) {
    return new TwinRound(
        middle(rounds.stream().mapToDouble(TwinRound::p50Ns).toArray()),
        middle(rounds.stream().mapToDouble(TwinRound::p90Ns).toArray()),
        middle(rounds.stream().mapToDouble(TwinRound::roundTripCpuNs).toArray()),
        middles(rounds.stream().map(TwinRound::rates).toList()),
        middles(rounds.stream().map(TwinRound::writeCpuNs).toList()),
        middle(rounds.stream().mapToDouble(TwinRound::allocated).toArray()));
  }

  private static List<Double> middles(List<List<Double>> rounds) {
    return IntStream.range(0, LENGTHS.size())
        .mapToObj(length -> middle(rounds.stream().mapToDouble(it -> it.get(length)).toArray()))
        .toList();
  }

  private static double middle(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }
}
