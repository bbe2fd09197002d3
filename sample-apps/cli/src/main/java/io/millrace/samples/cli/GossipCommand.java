package io.millrace.samples.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.samples.gossip.LatencyClass;
import io.millrace.samples.gossip.Leader;
import io.millrace.samples.gossip.LocalValidators;
import io.millrace.samples.gossip.PickOrder;
import io.millrace.samples.gossip.Validator;
import io.millrace.samples.gossip.VerbCounts;
import io.millrace.samples.peers.PeerBook;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The sample gossip: a leader and validators. */
@Command(
    name = "gossip",
    description = "A sample: a leader proposes, validators near and far vote, the leader counts.",
    synopsisSubcommandLabel = "COMMAND")
final class GossipCommand extends CommandGroup {
  private static final int MOST_PEERS = 200;
  private static final String LEADER = "127.0.0.1:0";

  private GossipCommand() {}

  /** Returns the command with its subcommands. */
  static CommandLine commandLine(Screen screen) {
    return new CommandLine(new GossipCommand())
        .addSubcommand(new Run(screen))
        .addSubcommand(new Locality(screen))
        .addSubcommand(new Serve(screen));
  }

  private static void require(String option, int value, int most) {
    if (value < 1 || value > most) {
      throw CommandException.badArgument(option + " must be from 1 to " + most + ", not " + value);
    }
  }

  /** Adds names of this machine: the addresses of local validators are not in its certificate. */
  private static Config withLocalNames(Config settings) {
    return settings.withFallback(
        ConfigFactory.parseString(
            "millrace.handshake.tls.peer-names = [\"127.0.0.1\", localhost]"));
  }

  private static TextTable picksOf(List<PickOrder> all) {
    TextTable picks = new TextTable().row("validator", "class", "pick", "by", "nic", "why");
    for (PickOrder pick : all) {
      String others = pick.isPinned() && pick.mayFallBack() ? " > any" : "";
      picks.row(
          pick.seat().address(),
          pick.seat().latency().text(),
          String.join(" > ", pick.order()) + others,
          pick.driver(),
          pick.nic(),
          pick.why());
    }
    return picks;
  }

  private static Map<String, Object> json(PickOrder pick) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("validator", pick.seat().address());
    row.put("class", pick.seat().latency().text());
    row.put("order", pick.order());
    row.put("pinned", pick.isPinned());
    row.put("fall_back", pick.mayFallBack());
    row.put("driver", pick.driver());
    row.put("nic", pick.nic());
    row.put("why", pick.why());
    return row;
  }

  /**
   * Shows the driver to each validator, for a process with several drivers and peers with some of
   * these drivers.
   */
  @Command(
      name = "locality",
      description = {
        "Shows the driver that leads to each validator. The leader has several drivers. Validators",
        "in the rack have all drivers, validators in the data center all but the first of three,",
        "more distant validators the last alone. Entries of millrace.peers in the file of",
        "--config take precedence. Ends 0 only if every validator was reached and voted."
      })
  static final class Locality extends Subcommand {
    /** Shared memory, the network of a data center, and a driver that leads everywhere. */
    private static final List<String> USUAL = List.of("fabric:shm", "fabric:tcp", "udp");

    @Mixin private NodeOptions node = new NodeOptions();
    @Mixin private HandshakeOptions handshake = new HandshakeOptions();

    @Option(
        names = "--peers",
        paramLabel = "N",
        defaultValue = "40",
        description = {
          "Validators, all in this process. Of 40, 5 are of class rack,",
          "20 of center, 5 of continent and 10 of world. Default: ${DEFAULT-VALUE}."
        })
    private int peers;

    @Option(
        names = "--drivers",
        split = ",",
        paramLabel = "NAME",
        description = {
          "Drivers of the leader, the preferred first.",
          "Default: the drivers among fabric:shm, fabric:tcp and udp that work here."
        })
    private @Nullable List<String> chosen;

    Locality(Screen screen) {
      super(screen);
    }

    @Override
    public Integer call() throws Exception {
      require("--peers", peers, MOST_PEERS);
      List<String> drivers = drivers();
      Map<String, Object> nic = Map.of("name", "own", "address", LEADER, "driver", drivers);
      Config overrides =
          withLocalNames(
              handshake.with(
                  node.overrides(NodeOptions.ONE_MACHINE, handshake.chosen())
                      .withValue("millrace.nics", ConfigValueFactory.fromAnyRef(List.of(nic))),
                  screen(),
                  KeySource::random));
      TransportSettings settings = NodeOptions.settings(overrides);
      try (LocalValidators local = LocalValidators.start(peers, overrides, false, drivers);
          Transport transport = Transport.start(settings);
          Leader leader = new Leader(transport, local.seats())) {
        Map<String, String> failures = leader.connect();
        Leader.Votes votes = leader.run(1, 1);
        report(
            PickOrder.of(
                transport,
                leader.seats(),
                settings.nic().places(),
                latency -> latency.share(drivers)),
            drivers,
            failures,
            votes.votes());
        return votes.failed() == 0 ? ExitCode.DONE : ExitCode.FAILED;
      }
    }

    private List<String> drivers() {
      if (chosen != null) {
        chosen.forEach(Drivers::require);
        return chosen;
      }
      List<String> here =
          Drivers.probeAll().stream()
              .filter(DriverFinding::isAvailable)
              .map(DriverFinding::name)
              .toList();
      List<String> usual = USUAL.stream().filter(here::contains).toList();
      return usual.isEmpty() ? here.subList(0, 1) : usual;
    }

    private void report(
        List<PickOrder> picks, List<String> drivers, Map<String, String> failures, long votes) {
      Map<String, Long> byDriver = new TreeMap<>();
      picks.stream()
          .filter(pick -> !pick.driver().isEmpty())
          .forEach(pick -> byDriver.merge(pick.driver(), 1L, Long::sum));
      if (isJson()) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("peers", picks.size());
        report.put("drivers", drivers);
        report.put("votes", votes);
        report.put("by_driver", byDriver);
        report.put("not_reached", failures);
        report.put("picks", picks.stream().map(GossipCommand::json).toList());
        JsonLine.print(screen().out(), report);
        return;
      }
      TextTable shares = new TextTable().row("class", "has");
      for (LatencyClass each : LatencyClass.values()) {
        shares.row(each.text(), String.join(", ", each.share(drivers)));
      }
      shares.print(screen().out());
      screen().out().println();
      picksOf(picks).print(screen().out());
      screen().out().println();
      failures.forEach((validator, why) -> screen().out().println(validator + ": " + why));
      screen().out().println(votes + " of " + picks.size() + " voted; by driver " + byDriver);
    }
  }

  /** A validator in a process of its own. */
  @Command(
      name = "serve",
      description = {
        "Runs a validator until SIGTERM or SIGINT. Prints a line with its address at the start.",
        "'millrace gossip run --validators HOST:PORT,...' is its leader."
      })
  static final class Serve extends Subcommand {
    @Mixin private NetworkOptions.Listening listen = new NetworkOptions.Listening();
    @Mixin private NetworkOptions.Metrics metrics = new NetworkOptions.Metrics();

    Serve(Screen screen) {
      super(screen);
    }

    @Override
    public Integer call() {
      TransportSettings settings = listen.settings(screen());
      String address;
      Validator validator;
      try (StopSignal stop = StopSignal.install();
          NetworkOptions.Watching watching = metrics.open(this);
          Transport transport = watching.start(Transport.builder(settings))) {
        validator = Validator.serve(transport);
        address = transport.address();
        printAtOnce("listening on " + address);
        stop.await();
      }
      if (isJson()) {
        JsonLine.print(
            screen().out(), Map.of("address", address, "failed_votes", validator.failedVotes()));
      }
      return ExitCode.DONE;
    }
  }

  /** A leader, with validators in its own process or elsewhere. */
  @Command(
      name = "run",
      description = {
        "A leader: lets validators vote, gets blocks from validators, and prints both times.",
        "Also prints the order in which the leader tries drivers for each validator.",
        "Entries of millrace.peers in the file of --config select the drivers to a validator.",
        "Ends 0 only if every vote came and every block was right."
      })
  static final class Run extends Subcommand {
    private static final int MOST_ROUNDS = 1_000_000;
    private static final int WARM_UP_ROUNDS = 10;

    @Mixin private NodeOptions node = new NodeOptions();
    @Mixin private HandshakeOptions handshake = new HandshakeOptions();

    @Option(
        names = "--peers",
        paramLabel = "N",
        defaultValue = "40",
        description = {
          "Validators in this process. Of 40, 5 are of class rack,",
          "20 of center, 5 of continent and 10 of world. Default: ${DEFAULT-VALUE}."
        })
    private int peers;

    @Option(
        names = "--validators",
        split = ",",
        paramLabel = "HOST:PORT[=CLASS]",
        description = {
          "Validators in other processes, in place of --peers. CLASS is",
          "rack, center, continent or world; CLASS only names a row of the tables.",
          "Default: rack."
        })
    private @Nullable List<String> validators;

    @Option(
        names = "--rounds",
        paramLabel = "N",
        defaultValue = "50",
        description = "Heights to vote for. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
        names = "--requests",
        paramLabel = "N",
        defaultValue = "20",
        description = "Blocks to get from each validator. Default: ${DEFAULT-VALUE}.")
    private int requests;

    @Option(
        names = "--block-bytes",
        paramLabel = "N",
        defaultValue = "1024",
        description = {
          "Length of each block. A block too large for a packet is written",
          "into memory of the leader, one-sided if the driver can.",
          "Default: ${DEFAULT-VALUE}."
        })
    private int blockBytes;

    @Option(
        names = "--flat",
        description = {
          "Local validators answer at once. Without --flat each waits for the",
          "delay of its class, 0, 0.1, 5 or 40 ms, to stand for the distance."
        })
    private boolean flat;

    Run(Screen screen) {
      super(screen);
    }

    /** The result of a run. */
    private record Outcome(
        Leader.Votes votes,
        Map<LatencyClass, Histogram> blocks,
        List<PickOrder> picks,
        Map<String, VerbCounts> verbs) {}

    @Override
    public Integer call() throws Exception {
      require("--peers", peers, MOST_PEERS);
      require("--rounds", rounds, MOST_ROUNDS);
      require("--requests", requests, MOST_ROUNDS);
      require("--block-bytes", blockBytes, Validator.MOST_BLOCK_BYTES);
      List<Leader.Seat> elsewhere = elsewhere();
      Config overrides =
          withLocalNames(
              handshake.with(
                  node.overrides(
                      elsewhere.isEmpty() ? NodeOptions.ONE_MACHINE : Map.of(), handshake.chosen()),
                  screen(),
                  KeySource::random));
      TransportSettings settings = NodeOptions.settings(overrides);
      Outcome outcome;
      if (elsewhere.isEmpty()) {
        try (LocalValidators local = LocalValidators.start(peers, overrides, !flat, List.of())) {
          outcome = lead(settings, local.seats(), local::verbs);
        }
      } else {
        outcome = lead(settings, elsewhere, () -> VerbCounts.NONE);
      }
      if (isJson()) {
        JsonLine.print(screen().out(), json(outcome));
      } else {
        print(outcome);
      }
      return outcome.votes().failed() == 0 ? ExitCode.DONE : ExitCode.FAILED;
    }

    private Outcome lead(
        TransportSettings settings, List<Leader.Seat> seats, Supplier<VerbCounts> ofOthers)
        throws InterruptedException, ExecutionException, TimeoutException {
      try (Transport transport = Transport.start(settings);
          Leader leader = new Leader(transport, known(transport, seats))) {
        leader
            .connect()
            .forEach(
                (validator, why) -> {
                  throw CommandException.failed(validator + ": " + why);
                });
        leader.run(1, WARM_UP_ROUNDS);
        Supplier<VerbCounts> verbs = () -> VerbCounts.of(transport).plus(ofOthers.get());
        VerbCounts begin = verbs.get();
        Leader.Votes votes = leader.run(1 + WARM_UP_ROUNDS, rounds);
        VerbCounts voted = verbs.get();
        Map<LatencyClass, Histogram> blocks = leader.requestBlocks(requests, blockBytes);
        Map<String, VerbCounts> ofPatterns = new LinkedHashMap<>();
        ofPatterns.put("votes", voted.since(begin));
        ofPatterns.put("blocks", verbs.get().since(voted));
        return new Outcome(
            votes,
            blocks,
            PickOrder.of(transport, leader.seats(), settings.nic().places(), _ -> List.of()),
            ofPatterns);
      }
    }

    /** The leader does without validators on unknown hosts. */
    private static List<Leader.Seat> known(Transport transport, List<Leader.Seat> seats) {
      PeerBook book = new PeerBook(transport, seats.stream().map(Leader.Seat::address).toList());
      List<Integer> unknown = book.unknown();
      if (unknown.size() == seats.size()) {
        throw CommandException.badArgument("--validators: no host is known");
      }
      return IntStream.range(0, seats.size())
          .filter(seat -> !unknown.contains(seat))
          .mapToObj(seats::get)
          .toList();
    }

    private List<Leader.Seat> elsewhere() {
      List<Leader.Seat> seats = new ArrayList<>();
      for (String text : validators == null ? List.<String>of() : validators) {
        int equals = text.indexOf('=');
        String address = equals < 0 ? text : text.substring(0, equals);
        LocalAddress.list("--validators", List.of(address));
        String name = equals < 0 ? LatencyClass.RACK.text() : text.substring(equals + 1);
        try {
          seats.add(new Leader.Seat(address, LatencyClass.named(name)));
        } catch (IllegalArgumentException e) {
          throw CommandException.badArgument(
              "--validators: a class is rack, center, continent or world, not '" + name + "'");
        }
      }
      return seats;
    }

    private void print(Outcome outcome) {
      picksOf(outcome.picks()).print(screen().out());
      screen().out().println();
      TextTable classes =
          new TextTable().row("class", "peers", "vote p50", "vote max", "block p50", "block max");
      for (LatencyClass each : LatencyClass.values()) {
        if (countOf(outcome, each) == 0) {
          continue;
        }
        Histogram vote = Leader.timesOf(outcome.votes().ofClass(), each);
        Histogram block = Leader.timesOf(outcome.blocks(), each);
        classes.row(
            each.text(),
            countOf(outcome, each),
            Figures.time(vote.getValueAtPercentile(50)),
            Figures.time(vote.getMaxValue()),
            Figures.time(block.getValueAtPercentile(50)),
            Figures.time(block.getMaxValue()));
      }
      classes.print(screen().out());
      screen().out().println();
      TextTable verbs =
          new TextTable()
              .row("verbs", "messages sent", "received", "one-sided writes", "with immediate");
      outcome
          .verbs()
          .forEach(
              (pattern, counts) -> {
                List<Object> row = new ArrayList<>(counts.counts());
                row.addFirst(pattern);
                verbs.row(row.toArray());
              });
      verbs.print(screen().out());
      screen().out().println();
      printAggregation(outcome.votes(), outcome.picks().size());
    }

    private void printAggregation(Leader.Votes votes, int count) {
      screen()
          .out()
          .printf(
              "aggregation of %d votes: %s (p50 of %d rounds), %s (p99); of the first %d: %s, %s%n",
              count,
              Figures.time(votes.allNs().getValueAtPercentile(50)),
              votes.rounds(),
              Figures.time(votes.allNs().getValueAtPercentile(99)),
              Leader.quorum(count),
              Figures.time(votes.quorumNs().getValueAtPercentile(50)),
              Figures.time(votes.quorumNs().getValueAtPercentile(99)));
      if (votes.failed() > 0) {
        screen().out().println(votes.failed() + " votes did not come");
      }
    }

    private static long countOf(Outcome outcome, LatencyClass latency) {
      return outcome.picks().stream().filter(pick -> pick.seat().latency() == latency).count();
    }

    private Map<String, Object> json(Outcome outcome) {
      Leader.Votes votes = outcome.votes();
      Map<String, Object> report = new LinkedHashMap<>();
      report.put("peers", outcome.picks().size());
      report.put("quorum", Leader.quorum(outcome.picks().size()));
      report.put("rounds", votes.rounds());
      report.put("votes", votes.votes());
      report.put("failed_votes", votes.failed());
      report.put("vote_verb", voteVerb(outcome));
      report.put("aggregation_ns", spread(votes.allNs()));
      report.put("quorum_ns", spread(votes.quorumNs()));
      List<Map<String, Object>> classes = new ArrayList<>();
      for (LatencyClass each : LatencyClass.values()) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("class", each.text());
        row.put("peers", countOf(outcome, each));
        row.put("vote_ns", spread(Leader.timesOf(votes.ofClass(), each)));
        row.put("block_ns", spread(Leader.timesOf(outcome.blocks(), each)));
        classes.add(row);
      }
      report.put("classes", classes);
      Map<String, Object> verbs = new LinkedHashMap<>();
      outcome.verbs().forEach((pattern, counts) -> verbs.put(pattern, counts.byName()));
      report.put("verbs", verbs);
      report.put("picks", outcome.picks().stream().map(GossipCommand::json).toList());
      return report;
    }

    private static String voteVerb(Outcome outcome) {
      VerbCounts votes = outcome.verbs().getOrDefault("votes", VerbCounts.NONE);
      return votes.withImmediate() > 0 ? "inline call, written with immediate" : "inline call";
    }

    private static Map<String, Object> spread(Histogram times) {
      Map<String, Object> spread = new LinkedHashMap<>();
      spread.put("count", times.getTotalCount());
      if (times.getTotalCount() > 0) {
        spread.put("p50", times.getValueAtPercentile(50));
        spread.put("p90", times.getValueAtPercentile(90));
        spread.put("p99", times.getValueAtPercentile(99));
        spread.put("max", times.getMaxValue());
      }
      return spread;
    }
  }
}
