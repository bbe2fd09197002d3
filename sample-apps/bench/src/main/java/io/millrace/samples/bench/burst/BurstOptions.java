package io.millrace.samples.bench.burst;

import io.millrace.samples.bench.burst.link.LinkModel;
import io.millrace.samples.bench.burst.link.Units;
import io.millrace.samples.bench.burst.shape.PlannedShape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** The command line of {@code millrace bench burst}; does not change after parsing. */
@Command(
    name = "millrace bench burst",
    sortOptions = false,
    abbreviateSynopsis = true,
    usageHelpWidth = 100,
    description = {
      "A burst of transfers between many peers and one receiver, through a bottleneck with a short",
      "queue, in network namespaces of the command's own. Linux, root, iproute2."
    })
final class BurstOptions {
  private static final int MOST_PEERS = 10_000;
  private static final int PAXOS_BYTES = 1_024;
  private static final String PAXOS = "paxos";
  private static final String SHAPES = "shapes";

  @Option(
      names = "--transfers",
      paramLabel = "N",
      description = "Transfers in all (default 10000).")
  int transfers = 10_000;

  @Option(
      names = "--size",
      split = ",",
      paramLabel = "BYTES",
      converter = BytesConverter.class,
      description = "Payload of a transfer; several sizes run one after another (default 16384).")
  List<Integer> sizes = List.of(16_384);

  @Option(names = "--peers", paramLabel = "N", description = "Peers in all (default 300).")
  int peers = 300;

  @Option(
      names = "--processes",
      paramLabel = "N",
      description = "Processes of the peers (default 4).")
  int processes = 4;

  @Option(
      names = "--rate",
      converter = RateConverter.class,
      description = "Rate of the bottleneck (default 100mbit).")
  long rate = 100_000_000;

  @Option(
      names = "--queue",
      paramLabel = "BYTES",
      converter = BytesConverter.class,
      description = "Limit of the queue ahead of the bottleneck (default 64KiB).")
  int queueBytes = 65_536;

  @Option(names = "--mtu", paramLabel = "BYTES", description = "MTU of all links (default 9000).")
  int mtu = 9_000;

  @Option(
      names = "--shape",
      description =
          "incast: payload in requests to the receiver; fanout: in answers to the receiver; both"
              + " (default).")
  String shape = "both";

  @Option(
      names = "--preset",
      paramLabel = "NAME",
      description =
          "paxos: the receiver calls peers in groups, until more than half of each group have"
              + " answered; --fanout by --in-flight, with --size in requests (default 1024) and 64"
              + " bytes in answers. shapes: the shapes of docs/bursts.md, one after another over"
              + " Millrace, with the rate and the queue told to its nodes; other options change"
              + " each shape.")
  String preset = "";

  @Option(
      names = "--fanout",
      split = ",",
      paramLabel = "N",
      description = "paxos: calls of a transaction (default 1000,10000,20000).")
  List<Integer> fanouts = List.of(1_000, 10_000, 20_000);

  @Option(
      names = "--in-flight",
      split = ",",
      paramLabel = "N",
      description = "paxos: calls under way at once; 0 for all (default 64,512,4096,0).")
  List<Integer> inFlight = List.of(64, 512, 4_096, 0);

  @Option(names = "--group", paramLabel = "N", description = "paxos: peers of a group (default 5).")
  int group = 5;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      description = "paxos: uncounted transactions, for the compilers (default 20).")
  int warmUpSeconds = 20;

  @Option(names = "--csv", paramLabel = "FILE", description = "paxos: the matrix.")
  @Nullable Path csv;

  @Option(
      names = "--against",
      split = ",",
      paramLabel = "PEER",
      description = "tcp, tcp_per_transfer, grpc, udp_naive (default all of these); floor; none.")
  List<String> against =
      new ArrayList<>(
          Arrays.stream(BurstKind.values())
              .skip(1)
              .filter(BurstKind::isUsual)
              .map(BurstKind::label)
              .toList());

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Rounds of each peer (default 1); medians.")
  int rounds = 1;

  @Option(
      names = "--prio0",
      paramLabel = "N",
      description =
          "Small calls of priority 0 a second during the burst, of 16 peers in all, one outstanding"
              + " call each (default 100); 0 for no calls.")
  int probesPerSecond = 100;

  @Option(
      names = "--limit",
      paramLabel = "SECONDS",
      description = "Longest time of a run (default 100).")
  int limitSeconds = 100;

  @Option(
      names = "--patience",
      paramLabel = "SECONDS",
      description = "Longest time of a run without progress (default 10).")
  int patienceSeconds = 10;

  @Option(
      names = "--loss",
      paramLabel = "PERCENT",
      description = "Share of packets to the receiver that the router drops at random (default 0).")
  double lossPercent;

  @Option(
      names = "--step",
      description = "A third of the rate, from the first to the second third of the ideal time.")
  boolean step;

  @Option(
      names = "--step-loss",
      paramLabel = "PERCENT",
      description =
          "Share of packets to the receiver dropped at random from the first to the second third of"
              + " the ideal time (default 0).")
  double stepLossPercent;

  @Option(
      names = "--cold",
      description = "No connections and calls ahead of the burst, which includes the handshakes.")
  boolean cold;

  @Option(
      names = "--system-calls",
      description =
          "One more round of each, whose times do not count, for the number of system calls; needs"
              + " perf.")
  boolean systemCalls;

  @Option(
      names = "--engine-warm-up",
      paramLabel = "SECONDS",
      description =
          "Each process of Millrace first runs Transport.warmUp, for so long at most (default 0:"
              + " not at all).")
  int engineWarmUpSeconds;

  @Option(
      names = "--calm",
      paramLabel = "SECONDS",
      description = "Time without calls ahead of each counted round (default 0).")
  int calmSeconds;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting of Millrace, of both sides; repeatable.")
  List<String> settings = new ArrayList<>();

  @Option(
      names = "--baseline",
      paramLabel = "DIR",
      description = "Another checkout, whose engine runs the same bursts under this command.")
  @Nullable Path baseline;

  @Option(names = "--plot", paramLabel = "FILE", description = "Queue, rate, completions as PNG.")
  @Nullable Path plot;

  @Option(names = "--json", description = "One JSON object on the last line.")
  boolean json;

  /** The shape of the preset {@code shapes} of which these are the options. */
  @Nullable PlannedShape planned;

  private List<String> arguments = List.of();

  /**
   * Reads the arguments behind {@code bench burst}.
   *
   * @throws ParameterException if an argument is invalid; the message is one line for the user
   */
  static BurstOptions parse(List<String> args) {
    BurstOptions options = new BurstOptions();
    CommandLine line = new CommandLine(options).setOverwrittenOptionsAllowed(true);
    line.parseArgs(args.toArray(String[]::new));
    options.arguments = args;
    if (options.isShapes() && !line.getParseResult().hasMatchedOption("--against")) {
      options.against = List.of();
    }
    if (options.isPaxos() && !line.getParseResult().hasMatchedOption("--size")) {
      options.sizes = List.of(PAXOS_BYTES);
    }
    options.check(line);
    return options;
  }

  /** The text that {@code --help} prints. */
  static String usage() {
    return new CommandLine(new BurstOptions()).getUsageMessage().stripTrailing();
  }

  /** Whether the options are the preset {@code paxos}. */
  boolean isPaxos() {
    return preset.equals(PAXOS);
  }

  /** Whether the options are the preset {@code shapes}. */
  boolean isShapes() {
    return preset.equals(SHAPES);
  }

  /** The options of each shape of the preset {@code shapes}; given arguments win. */
  List<BurstOptions> plan() {
    List<BurstOptions> all = new ArrayList<>();
    for (PlannedShape shape : PlannedShape.all()) {
      List<String> args = new ArrayList<>(shape.arguments());
      args.addAll(arguments);
      BurstOptions options = parse(args);
      options.planned = shape;
      options.settings.addFirst("millrace.nic.queue = " + options.queueBytes + " B");
      options.settings.addFirst("millrace.nic.bandwidth = \"" + options.rate + " bit/s\"");
      all.add(options);
    }
    return all;
  }

  /** Whether the same processes and links serve a shape with these options. */
  boolean sharesCrowdWith(BurstOptions other) {
    return peers == other.peers && processes == other.processes && mtu == other.mtu;
  }

  /** The name of a shape in reports. */
  String nameOf(BurstShape each) {
    return planned == null ? each.label() : planned.name();
  }

  /** The shapes to run. */
  List<BurstShape> shapes() {
    return Arrays.stream(BurstShape.values())
        .filter(each -> shape.equals("both") || shape.equals(each.label()))
        .toList();
  }

  /** The transports to run, Millrace first. */
  List<BurstKind> kinds() {
    return Arrays.stream(BurstKind.values())
        .filter(kind -> kind == BurstKind.MILLRACE || against.contains(kind.label()))
        .toList();
  }

  /** The bottleneck. */
  LinkModel link() {
    return new LinkModel(rate, mtu);
  }

  /** The best possible end of the last transfer, ns after the start. */
  long idealNs(int sizeBytes) {
    return Math.round(link().idealNs(transfers, sizeBytes) / fractionOfRate());
  }

  /**
   * Mean rate of the bottleneck, as a share of {@link #rate}: with a step a third of the time has a
   * third of the rate.
   */
  double fractionOfRate() {
    return step ? (1 + 1 / 3.0 + 1) / 3 : 1;
  }

  /** The first peer of a process. */
  int firstPeer(int process) {
    return (int) ((long) peers * process / processes);
  }

  /** Time without calls ahead of each counted round, ns. */
  long calmNs() {
    return TimeUnit.SECONDS.toNanos(calmSeconds);
  }

  private void check(CommandLine line) {
    require(line, transfers >= 1, "--transfers must be 1 or more");
    require(line, peers >= 1 && peers <= MOST_PEERS, "--peers must be 1 to " + MOST_PEERS);
    require(line, processes >= 1 && processes <= peers, "--processes must be 1 to --peers");
    require(line, mtu >= 576 && mtu <= 9_000, "--mtu must be 576 to 9000");
    require(line, rate >= 100_000, "--rate must be 100kbit or more");
    require(line, queueBytes >= 2 * mtu, "--queue must hold two packets of --mtu");
    require(line, !shapes().isEmpty(), "--shape must be incast, fanout or both");
    require(line, preset.isEmpty() || isPaxos() || isShapes(), "--preset must be paxos or shapes");
    require(line, isPaxos() || csv == null, "--csv needs --preset paxos");
    require(line, !isPaxos() || (group >= 1 && group <= peers), "--group must be 1 to --peers");
    require(line, fanouts.stream().allMatch(n -> n >= 1), "--fanout must be 1 or more");
    require(line, inFlight.stream().allMatch(n -> n >= 0), "--in-flight must not be negative");
    require(line, rounds >= 1, "--rounds must be 1 or more");
    require(line, limitSeconds >= 1, "--limit must be 1 or more");
    require(line, patienceSeconds >= 1, "--patience must be 1 or more");
    require(line, warmUpSeconds >= 0, "--warm-up must not be negative");
    require(line, engineWarmUpSeconds >= 0, "--engine-warm-up must not be negative");
    require(line, calmSeconds >= 0, "--calm must not be negative");
    require(line, probesPerSecond >= 0, "--prio0 must not be negative");
    require(line, isShare(lossPercent), "--loss must be 0 to less than 100");
    require(line, isShare(stepLossPercent), "--step-loss must be 0 to less than 100");
    for (int size : sizes) {
      require(line, size >= Integer.BYTES, "--size must be 4 or more");
    }
    for (String peer : against) {
      boolean isKnown = Arrays.stream(BurstKind.values()).anyMatch(k -> k.label().equals(peer));
      require(line, isKnown || peer.equals("none"), "--against " + peer + ": no such peer");
    }
  }

  private static boolean isShare(double percent) {
    return percent >= 0 && percent < 100;
  }

  private static void require(CommandLine line, boolean holds, String otherwise) {
    if (!holds) {
      throw new ParameterException(line, otherwise);
    }
  }

  /** Sizes with units. */
  static final class BytesConverter implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      try {
        return Units.bytes(text);
      } catch (ArithmeticException | IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }

  /** Rates with units. */
  static final class RateConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      try {
        return Units.bitsPerSecond(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }
}
