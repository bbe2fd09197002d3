package io.millrace.samples.cli;

import io.millrace.api.Broadcast;
import io.millrace.api.Peer;
import io.millrace.api.Route;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.config.TransportSettings;
import io.millrace.driver.DriverProvider;
import io.millrace.samples.peers.PeerBook;
import io.millrace.samples.selftest.Finding;
import io.millrace.samples.selftest.SelfTest;
import io.millrace.samples.selftest.SelfTestReport;
import io.millrace.samples.served.RepeatedBlock;
import io.millrace.transfer.BodySource;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Load on serving nodes: a fixed number of calls outstanding for a fixed time. */
@Command(
    name = "perf",
    description = {
      "Puts load on nodes that 'millrace serve' runs, and prints the measurements.",
      "The first second (--warm-up) is not counted. bytes_per_s counts the payload of requests;",
      "with bulk and streams the bytes moved, also of transfers under way; with broadcast the",
      "bytes verified by the peers, each peer by itself."
    })
final class PerfCommand extends Subcommand {
  private static final int MOST_CONCURRENT = 1 << 20;
  private static final int FIRST_BULK_BYTES = 1 << 20;
  private static final double LONGEST_SECONDS = 86_400;
  private static final long FIRST_CALL_SECONDS = 30;

  /** Leaves time for the start of a JVM and the report, in 30 s. */
  private static final SelfTest.Times SELF_TEST_TIMES =
      new SelfTest.Times(Duration.ofSeconds(25), Duration.ofSeconds(3), Duration.ofMillis(300));

  @Mixin private NetworkOptions network = new NetworkOptions();
  @Mixin private NetworkOptions.Metrics metrics = new NetworkOptions.Metrics();

  @Parameters(
      paramLabel = "PEER[,PEER...]",
      arity = "0..1",
      description = "Handshake addresses, host:port. Not with --self-test.")
  private String addressList = "";

  @Option(
      names = "--pattern",
      paramLabel = "NAME",
      defaultValue = "unary",
      description = {
        "unary, streaming-response, streaming-request, bidirectional, bulk,",
        "broadcast (each call goes to all peers), or chain: calls to a single",
        "peer, each after the call before, sent at once, or each after the answer before.",
        "Default: ${DEFAULT-VALUE}."
      })
  private String pattern = "unary";

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      description = {
        "Payload of each request, or of each element of a stream.",
        "Default: 32, with streams 1024, with bulk 67108864, with broadcast 1048576."
      })
  private @Nullable Long sizeBytes;

  @Option(
      names = "--elements",
      paramLabel = "N",
      description = {
        "Elements of each stream, which counts as a call. Or calls of each chain.",
        "Default: 100, with chain 1000."
      })
  private @Nullable Integer elements;

  @Option(
      names = "--concurrency",
      paramLabel = "N",
      defaultValue = "1",
      description = "Calls outstanding at once, over all peers. Default: ${DEFAULT-VALUE}.")
  private int concurrency;

  @Option(
      names = "--duration",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description = "Length of the measurement. Default: ${DEFAULT-VALUE}.")
  private double durationSeconds;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      defaultValue = "1",
      description = "Length of the run before the measurement. Default: ${DEFAULT-VALUE}.")
  private double warmUpSeconds;

  @Option(
      names = "--priority",
      paramLabel = "P",
      defaultValue = "3",
      description = "0, served first, to 7. Default: ${DEFAULT-VALUE}.")
  private int priority;

  @Option(
      names = "--completion",
      paramLabel = "KIND",
      description = "inline (on the worker) or executor (futures). Default: inline.")
  private @Nullable String completion;

  @Option(
      names = "--route",
      paramLabel = "NAME",
      description = {
        "Default: echo with inline, echo-executor with executor completion;",
        "stream-source, stream-sink, stream-echo; bulk-sink with bulk and broadcast;",
        "chain with chain."
      })
  private @Nullable String route;

  @Option(
      names = "--self-test",
      description = {
        "Check the driver of --driver step by step on this host alone, in 30 s at most, and print",
        "a report for people with new hardware. Needs no peer and starts no node."
      })
  private boolean isSelfTest;

  PerfCommand(Screen screen) {
    super(screen);
  }

  @Override
  public Integer call() throws Exception {
    if (isSelfTest) {
      return selfTest();
    }
    LoadPlan plan = plan();
    List<String> addresses = addresses();
    String local = LocalAddress.towardFirst("PEER", addresses);
    TransportSettings settings = network.calling(local, screen());
    requireRoom(plan, settings);
    if (plan.pattern() == LoadPattern.CHAIN) {
      requireOne(plan, addresses);
    }
    try (NetworkOptions.Watching watching = metrics.open(this);
        Transport transport = watching.start(Transport.builder(settings))) {
      SortedMap<Integer, Peer> known = called(transport, addresses, plan);
      List<Peer> peers = List.copyOf(known.values());
      List<String> measured = known.keySet().stream().map(addresses::get).toList();
      long nowNs = System.nanoTime();
      if (plan.pattern() == LoadPattern.CHAIN) {
        ChainLoad load = new ChainLoad(transport, plan, peers.getFirst());
        return tell(plan, measured, load.run(new Progress(screen(), nowNs), nowNs));
      }
      LoadResult result =
          new ClosedLoop(transport, plan, peers, nowNs).run(new Progress(screen(), nowNs));
      return tell(plan, measured, result);
    }
  }

  /**
   * Calls each peer once. Peers with unknown hosts are looked up again after the answers of the
   * others; the load does without a peer whose host is unknown even then.
   *
   * @return the peers that answered, by their place in the list
   */
  private static SortedMap<Integer, Peer> called(
      Transport transport, List<String> addresses, LoadPlan plan)
      throws InterruptedException, ExecutionException {
    PeerBook book = new PeerBook(transport, addresses);
    SortedMap<Integer, Peer> called = new TreeMap<>();
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < addresses.size(); i++) {
        Optional<Peer> peer = book.peer(i);
        if (peer.isPresent() && called.putIfAbsent(i, peer.get()) == null) {
          checkFirstCall(transport, peer.get(), plan);
        }
      }
    }
    return called;
  }

  private LoadPlan plan() {
    LoadPattern chosen = LoadPattern.of(pattern);
    boolean inline = chosen.completion(completion).equals("inline");
    long bytes = sizeBytes != null ? sizeBytes : chosen.usualBytes();
    return new LoadPlan(
        chosen,
        route == null ? chosen.route(inline) : Route.bytes(route),
        (long)
            within(
                "--size",
                (double) bytes,
                (double) chosen.leastBytes(),
                (double) chosen.mostBytes()),
        (int)
            within(
                "--elements",
                elements != null ? elements : chosen.usualElements(),
                1,
                chosen.mostElements()),
        (int) within("--concurrency", concurrency, 1, MOST_CONCURRENT),
        (int) within("--priority", priority, 0, 7),
        inline,
        Math.round(within("--warm-up", warmUpSeconds, 0, LONGEST_SECONDS) * 1e9),
        Math.round(within("--duration", durationSeconds, 0.1, LONGEST_SECONDS) * 1e9));
  }

  /** Broadcasts are held whole, and a broadcast without room is refused. */
  private static void requireRoom(LoadPlan plan, TransportSettings settings) {
    long most = settings.transfers().heldForBroadcastsBytes();
    if (plan.pattern() == LoadPattern.BROADCAST && plan.sizeBytes() * plan.concurrency() > most) {
      throw CommandException.badArgument(
          "--size times --concurrency must be at most "
              + most
              + " with pattern 'broadcast', the least of millrace.transfers.broadcast-pool, half of"
              + " millrace.transfers.buffer-pool and what that has beside a part of another body");
    }
  }

  /** Requires a single chain at a time, to a single peer. */
  private static void requireOne(LoadPlan plan, List<String> addresses) {
    if (plan.concurrency() != 1) {
      throw CommandException.badArgument("--concurrency must be 1 with pattern 'chain'");
    }
    if (addresses.size() != 1) {
      throw CommandException.badArgument("PEER must be a single peer with pattern 'chain'");
    }
  }

  private static double within(String option, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw CommandException.badArgument(
          option
              + " must be from "
              + number(least)
              + " to "
              + number(most)
              + ", not "
              + number(value));
    }
    return value;
  }

  private static String number(double value) {
    return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
  }

  /**
   * Sends a call to each peer before any load, so that a load that cannot work is reported once and
   * clearly.
   */
  private static void checkFirstCall(Transport transport, Peer peer, LoadPlan plan)
      throws InterruptedException, ExecutionException {
    try {
      peer.connect().get(FIRST_CALL_SECONDS, TimeUnit.SECONDS);
      if (plan.pattern() == LoadPattern.BULK) {
        requireWhole(peer, plan, peer.bulkWrite(plan.route(), firstBlock(plan), options(plan)));
      } else if (plan.pattern() == LoadPattern.BROADCAST) {
        requireWhole(peer, plan, broadcastOnce(transport, peer, plan));
      } else if (plan.pattern().isStream()) {
        streamOnce(transport, peer, plan);
      } else if (plan.pattern() == LoadPattern.CHAIN) {
        chainOnce(transport, peer, plan);
      } else {
        callOnce(peer, plan);
      }
    } catch (TimeoutException e) {
      throw CommandException.failed(
          peer.address() + " did not answer within " + FIRST_CALL_SECONDS + " s");
    }
  }

  private static void callOnce(Peer peer, LoadPlan plan)
      throws InterruptedException, ExecutionException, TimeoutException {
    byte[] payload = new byte[Math.toIntExact(plan.sizeBytes())];
    ByteString response =
        peer.unary(plan.route(), ByteString.fromArrayUnsafe(payload), options(plan))
            .get(FIRST_CALL_SECONDS, TimeUnit.SECONDS);
    if (!Arrays.equals(response.toArrayUnsafe(), payload)) {
      throw CommandException.failed(
          "the route '" + plan.route().name() + "' of " + peer.address() + " is not an echo");
    }
  }

  private static void streamOnce(Transport transport, Peer peer, LoadPlan plan)
      throws InterruptedException, ExecutionException, TimeoutException {
    boolean isRight =
        new StreamLoad(plan.withElements(1), peer, transport.materializer(), bytes -> {})
            .run()
            .toCompletableFuture()
            .get(FIRST_CALL_SECONDS, TimeUnit.SECONDS);
    if (!isRight) {
      throw CommandException.failed(
          "the route '" + plan.route().name() + "' of " + peer.address() + " answers other bytes");
    }
  }

  private static void chainOnce(Transport transport, Peer peer, LoadPlan plan)
      throws InterruptedException, ExecutionException {
    ChainRun run =
        new ChainLoad(transport, plan.withElements(2), peer).run(/* isPipelined= */ true);
    if (run.failed() > 0) {
      throw CommandException.failed(run.firstFailure());
    }
  }

  private static CompletableFuture<BulkReceipt> broadcastOnce(
      Transport transport, Peer peer, LoadPlan plan) {
    Broadcast broadcast =
        transport.broadcast(
            plan.route(), firstBlock(plan), List.of(BroadcastSlot.destination(peer, plan)));
    return broadcast.deliveries().getFirst().receipt();
  }

  private static BodySource firstBlock(LoadPlan plan) {
    return RepeatedBlock.source(firstBytes(plan));
  }

  private static long firstBytes(LoadPlan plan) {
    return Math.min(plan.sizeBytes(), FIRST_BULK_BYTES);
  }

  private static void requireWhole(Peer peer, LoadPlan plan, CompletableFuture<BulkReceipt> written)
      throws InterruptedException, ExecutionException, TimeoutException {
    BulkReceipt receipt = written.get(FIRST_CALL_SECONDS, TimeUnit.SECONDS);
    if (receipt.bytes() != firstBytes(plan)) {
      throw CommandException.failed(
          peer.address() + " received " + receipt.bytes() + " of " + firstBytes(plan) + " bytes");
    }
  }

  private static TransferOptions options(LoadPlan plan) {
    return TransferOptions.DEFAULTS.withPriority(plan.priority());
  }

  private int selfTest() throws InterruptedException {
    if (!addressList.isEmpty()) {
      throw CommandException.badArgument("--self-test needs no peer, and has no use for one");
    }
    DriverProvider driver = network.driver();
    List<Finding> findings =
        SelfTest.run(
            driver,
            network.address(),
            SELF_TEST_TIMES,
            check -> screen().err().println("self-test: " + check));
    Map<String, Object> host = new LinkedHashMap<>();
    host.put("jdk", HostFacts.jdk());
    host.put("system", HostFacts.system());
    SelfTestReport report = new SelfTestReport(driver.name(), findings, host);
    if (isJson()) {
      JsonLine.print(screen().out(), report.json());
    } else {
      TextTable table = new TextTable();
      report.rows().forEach(row -> table.row(row.toArray()));
      table.print(screen().out());
      screen().out().println("\nto send us, without addresses and names of this host:");
      JsonLine.print(screen().out(), report.json());
    }
    if (!report.isPassed()) {
      screen().err().println("millrace perf: " + report.firstFailure());
    }
    return report.isPassed() ? ExitCode.DONE : ExitCode.FAILED;
  }

  private List<String> addresses() {
    if (addressList.isEmpty()) {
      throw CommandException.badArgument(
          "Missing required parameter: 'PEER[,PEER...]'; see 'millrace perf --help'");
    }
    return LocalAddress.list("PEER", List.of(addressList.split(",", -1)));
  }

  private int tell(LoadPlan plan, List<String> addresses, LoadResult result) {
    PerfReport report = new PerfReport(addresses, plan, result);
    return tell(report::json, report::table, result.errors() > 0 ? report.errorLine() : "");
  }

  private int tell(LoadPlan plan, List<String> addresses, ChainResult result) {
    ChainReport report = new ChainReport(addresses.getFirst(), plan, result);
    return tell(report::json, report::table, result.failed() > 0 ? report.errorLine() : "");
  }

  private int tell(
      Supplier<Map<String, Object>> json, Supplier<TextTable> table, String errorLine) {
    if (isJson()) {
      JsonLine.print(screen().out(), json.get());
    } else {
      table.get().print(screen().out());
    }
    if (!errorLine.isEmpty()) {
      screen().err().println("millrace perf: " + errorLine);
    }
    return errorLine.isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
  }
}
