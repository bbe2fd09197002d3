package io.millrace.samples.bench.faults;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The command line of {@code millrace bench faults}; does not change after parsing. */
@Command(
    name = "millrace bench faults",
    sortOptions = false,
    abbreviateSynopsis = true,
    usageHelpWidth = 100,
    description = {
      "The errors and delays that an application sees during a fault: killed or stopped processes,",
      "dropped packets, links that go down, in network namespaces of the command's own.",
      "Linux, root, iproute2; some rows need nftables. Less than five minutes in all."
    })
final class FaultsOptions {
  private static final String NONE = "none";

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "ROW",
      description =
          "kill, pause-100ms, pause-5s, restart, partition, loss, nics, fabric (default all).")
  List<String> only = new ArrayList<>();

  @Option(
      names = "--against",
      split = ",",
      paramLabel = "PEER",
      description = "grpc, aeron (default both); none for Millrace alone.")
  List<String> against =
      new ArrayList<>(Arrays.stream(FaultPeer.values()).skip(1).map(FaultPeer::label).toList());

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting of Millrace, of both sides; repeatable.")
  List<String> settings = new ArrayList<>();

  @Option(names = "--json", description = "One JSON object on the last line.")
  boolean json;

  /**
   * Reads the arguments behind {@code bench faults}.
   *
   * @throws ParameterException if an argument is invalid; the message is one line for the user
   */
  static FaultsOptions parse(List<String> args) {
    FaultsOptions options = new FaultsOptions();
    CommandLine line = new CommandLine(options);
    line.parseArgs(args.toArray(String[]::new));
    options.check(line);
    return options;
  }

  /** The text that {@code --help} prints. */
  static String usage() {
    return new CommandLine(new FaultsOptions()).getUsageMessage().stripTrailing();
  }

  /** The rows to run, in the order of the report. */
  List<Fault> faults() {
    return Arrays.stream(Fault.values())
        .filter(fault -> only.isEmpty() || only.contains(fault.label()))
        .toList();
  }

  /** The transports to run, Millrace first. */
  List<FaultPeer> peers() {
    return Arrays.stream(FaultPeer.values())
        .filter(peer -> peer == FaultPeer.MILLRACE || against.contains(peer.label()))
        .toList();
  }

  private void check(CommandLine line) {
    Optional<String> unknownRow =
        only.stream().filter(row -> Fault.named(row).isEmpty()).findFirst();
    if (unknownRow.isPresent()) {
      throw new ParameterException(
          line,
          "--only "
              + unknownRow.get()
              + ": no such row; there are "
              + Arrays.stream(Fault.values()).map(Fault::label).collect(Collectors.joining(", ")));
    }
    for (String name : against) {
      boolean isPeer =
          Arrays.stream(FaultPeer.values()).skip(1).anyMatch(each -> each.label().equals(name));
      if (!isPeer && !(name.equals(NONE) && against.size() == 1)) {
        throw new ParameterException(line, "--against " + name + ": no such peer");
      }
    }
  }
}
