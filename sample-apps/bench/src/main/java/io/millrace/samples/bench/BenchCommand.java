package io.millrace.samples.bench;

import io.millrace.samples.bench.burst.BurstCommand;
import io.millrace.samples.bench.faults.FaultsCommand;
import io.millrace.samples.bench.millrace.MillracePeer;
import io.millrace.samples.bench.overload.OverloadCommand;
import io.millrace.samples.bench.peer.BaselineBuild;
import io.millrace.samples.bench.peer.BenchPeer;
import io.millrace.samples.bench.reference.ReferenceCommand;
import io.millrace.samples.bench.start.StartCommand;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code millrace bench}: Millrace beside the other transports, in one run, on the same cores. */
public final class BenchCommand {
  private static final int OK = 0;
  private static final int FAILED = 1;
  private static final int BAD_ARGUMENT = 2;
  private static final String BROADCAST = "broadcast";
  private static final String BURST = "burst";
  private static final String FAULTS = "faults";
  private static final String OVERLOAD = "overload";
  private static final String REFERENCE = "reference";
  private static final String START = "start";

  private BenchCommand() {}

  /** Runs the command by itself. */
  public static void main(String[] args) {
    System.exit(run(List.of(args), System.out, System.err));
  }

  /**
   * Runs the command.
   *
   * @param args the arguments behind {@code bench} on the command line
   * @param out receives the report; with {@code --json} the last line is one JSON object
   * @param err receives progress, and one line when a step goes wrong
   * @return the exit code: 0, 1 when the run failed, 2 when an argument is bad
   */
  public static int run(List<String> args, PrintStream out, PrintStream err) {
    String kind = args.isEmpty() ? "" : args.getFirst();
    if (args.contains("--help")) {
      out.println(usage(kind));
      return OK;
    }
    try {
      List<String> rest = args.isEmpty() ? args : args.subList(1, args.size());
      return switch (kind) {
        case BROADCAST -> {
          BroadcastCommand.parse(rest).run(out, err);
          yield OK;
        }
        case BURST -> BurstCommand.run(rest, out, err);
        case FAULTS -> FaultsCommand.run(rest, out, err);
        case OVERLOAD -> OverloadCommand.run(rest, out, err);
        case REFERENCE -> ReferenceCommand.run(rest, out, err);
        case START -> StartCommand.run(rest, out, err);
        default -> compare(BenchOptions.parse(args), out, err);
      };
    } catch (BenchOptions.BadArgumentException e) {
      err.println(e.getMessage());
      return BAD_ARGUMENT;
    } catch (IOException e) {
      err.println("bench: " + e.getMessage());
      return FAILED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      err.println("bench: interrupted");
      return FAILED;
    }
  }

  /** Runs the workloads of Millrace and of its peers. */
  private static int compare(BenchOptions options, PrintStream out, PrintStream err)
      throws IOException, InterruptedException {
    CoreMap cores = CoreMap.choose();
    List<BenchPeer> peers = new ArrayList<>(ofMillrace(options, err));
    options.handshakes().stream().skip(1).map(MillracePeer::beside).forEach(peers::add);
    peers.addAll(options.peers());
    try (BenchRun run = new BenchRun(options, cores, err)) {
      BenchReport report = new BenchReport(options, cores, run.run(peers));
      report.printTable(out);
      if (options.json()) {
        report.printJson(out);
      }
    }
    return OK;
  }

  private static String usage(String kind) {
    return switch (kind) {
      case BROADCAST -> BroadcastCommand.USAGE;
      case BURST -> BurstCommand.usage();
      case FAULTS -> FaultsCommand.usage();
      case OVERLOAD -> OverloadCommand.usage();
      case REFERENCE -> ReferenceCommand.usage();
      case START -> StartCommand.usage();
      default -> BenchOptions.USAGE;
    };
  }

  private static List<BenchPeer> ofMillrace(BenchOptions options, PrintStream err)
      throws IOException, InterruptedException {
    List<BenchPeer> own = MillracePeer.usual(options.handshakes().getFirst());
    Path directory = options.baseline();
    if (directory == null) {
      return own;
    }
    err.println("bench: bringing the build of the baseline in " + directory + " up to date");
    return BaselineBuild.of(directory).around(own);
  }
}
