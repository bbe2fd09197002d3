package io.millrace.samples.bench.peer;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The kinds of load, and the figures of each load. */
public enum Workload {
  /** A single call at a time: the duration of a round trip. */
  UNARY_RTT_32B("unary_rtt_p50_32B", 32, 1),
  /** Small calls, 256 at a time: how many complete in a second. */
  UNARY_RATE_32B_256("unary_rate_32B_256", 32, 256),
  /** Calls with payloads that fill a datagram, 256 at a time. */
  UNARY_RATE_1344B_256("unary_rate_1344B_256", 1344, 256),
  /** Bytes one way, in datagrams of up to 8,972 bytes where a transport has datagrams. */
  BULK("bulk_bytes_per_s", 8_972),
  /** Bytes one way, in datagrams of up to 1,400 bytes where a transport has datagrams. */
  BULK_1400B("bulk_bytes_per_s_1400B", 1_400);

  /** A figure of a round. */
  public enum Metric {
    /** Median round trip. */
    RTT_P50("ns", "lower"),
    /** The round trip that 1 % of the calls exceed. */
    RTT_P99("ns", "lower"),
    /** Completed calls. */
    RATE("ops_per_s", "higher"),
    /** Payload delivered one way. */
    BYTES("bytes_per_s", "higher");

    private final String unit;
    private final String better;

    Metric(String unit, String better) {
      this.unit = unit;
      this.better = better;
    }

    /** The name of the unit in the report. */
    public String unit() {
      return unit;
    }

    /** {@code higher} or {@code lower}. */
    public String better() {
      return better;
    }

    /** Whether {@code left} is the better figure of the two. */
    public boolean isBetter(double left, double right) {
      return better.equals("higher") ? left > right : left < right;
    }

    /** The value of this figure in a round. */
    public double of(RoundResult round) {
      return switch (this) {
        case RTT_P50 -> round.p50Ns();
        case RTT_P99 -> round.p99Ns();
        case RATE -> round.callsPerSecond();
        case BYTES -> round.bytesPerSecond();
      };
    }
  }

  private final String label;
  private final int payloadBytes;
  private final int outstanding;
  private final int datagramBytes;

  Workload(String label, int payloadBytes, int outstanding) {
    this.label = label;
    this.payloadBytes = payloadBytes;
    this.outstanding = outstanding;
    datagramBytes = 0;
  }

  Workload(String label, int datagramBytes) {
    this.label = label;
    this.datagramBytes = datagramBytes;
    payloadBytes = 0;
    outstanding = 0;
  }

  /** The name in the report and on the command line. */
  public String label() {
    return label;
  }

  /** Whether bytes go one way, without calls. */
  public boolean isBulk() {
    return datagramBytes > 0;
  }

  /** The largest datagram for a transport of datagrams; 0 for a load of calls. */
  public int datagramBytes() {
    return datagramBytes;
  }

  /** Bytes of every request and of every response; 0 where bytes go one way. */
  public int payloadBytes() {
    return payloadBytes;
  }

  /** Calls in flight. */
  public int outstanding() {
    return outstanding;
  }

  /** Whether single round trips are timed: with many in flight the clock would cost too much. */
  public boolean isTimed() {
    return outstanding == 1;
  }

  /** The figures of the load, first the figure in the load's name. */
  public List<Metric> metrics() {
    if (isBulk()) {
      return List.of(Metric.BYTES);
    }
    return isTimed() ? List.of(Metric.RTT_P50, Metric.RTT_P99) : List.of(Metric.RATE);
  }

  /** The name of the row that reports {@code metric}. */
  public String rowName(Metric metric) {
    return metric == Metric.RTT_P99 ? label.replace("_p50_", "_p99_") : label;
  }

  /** The workload with this label. */
  public static Optional<Workload> named(String label) {
    return Arrays.stream(values()).filter(workload -> workload.label.equals(label)).findFirst();
  }

  /** All labels, for messages. */
  public static String labels() {
    return Arrays.stream(values()).map(Workload::label).collect(Collectors.joining(", "));
  }
}
