package io.millrace.samples.cli;

import io.millrace.samples.log.bench.BenchedLog;
import io.millrace.samples.log.bench.LogBench;
import io.millrace.samples.process.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures commits per second, beside other logs. */
@Command(
    name = "bench",
    description = {
      "Measures commits per second of this log and of other logs, one after another.",
      "Each replica is a process on this machine. A run with all defaults takes six minutes."
    })
final class LogBenchCommand extends LogCommand.Client {
  private static final String PREFIX = "millrace-log-";
  private static final long CLOSE_SECONDS = 40;
  private static final List<String> RIVALS = List.of("ratis", "jgroups-raft");

  @Option(
      names = "--beside",
      split = ",",
      paramLabel = "LOG",
      defaultValue = "ratis,jgroups-raft",
      description = "Other logs: ratis, jgroups-raft, or none. Default: ${DEFAULT-VALUE}.")
  private List<String> beside = List.of();

  @Option(
      names = "--replicas",
      split = ",",
      paramLabel = "N",
      defaultValue = "3,5,9",
      description = "Replicas; each number is a run. Default: ${DEFAULT-VALUE}.")
  private List<Integer> replicas = List.of();

  @Option(
      names = "--outstanding",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,64,1024",
      description =
          "Operations under way at once; each number is a row. Default: ${DEFAULT-VALUE}.")
  private List<Integer> outstanding = List.of();

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      defaultValue = "32",
      description = "Bytes of a value. Default: ${DEFAULT-VALUE}.")
  private int bytes;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      defaultValue = "20",
      description = {
        "Load before the first row of each log, with the most operations under way, so that its",
        "code is compiled. Default: ${DEFAULT-VALUE}."
      })
  private int warmUpSeconds;

  @Option(
      names = "--duration",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description = "Length of each row, after 3 s not counted. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "1",
      description = "Rounds of each row, in turns; the median counts. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = {
        "The directory of the replicas' logs during the run, on the disk to be measured.",
        "Default: the system's directory of temporary files."
      })
  private @Nullable Path parent;

  @Option(names = "--csv", paramLabel = "FILE", description = "The file for the table as CSV.")
  private @Nullable Path csv;

  LogBenchCommand(Screen screen) {
    super(screen);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (warmUpSeconds < 0) {
      throw CommandException.badArgument("--warm-up must not be negative");
    }
    if (Stream.of(replicas, outstanding, List.of(bytes, seconds, rounds))
        .flatMap(List::stream)
        .anyMatch(n -> n < 1)) {
      throw CommandException.badArgument("all numbers must be 1 or more");
    }
    List<BenchedLog> logs = logs();
    Path where = parent;
    try (MainInterrupt _ = MainInterrupt.onExit();
        ScratchDirectory scratch =
            where == null
                ? ScratchDirectory.create(PREFIX)
                : ScratchDirectory.createIn(where, PREFIX)) {
      LogBench bench =
          new LogBench(
              logs, replicas, outstanding, bytes, warmUpSeconds, seconds, rounds, scratch.path());
      LogBench.Report report = bench.run(screen().err());
      report.printTable(screen().out());
      Path file = csv;
      if (file != null) {
        Files.write(file, report.toCsv());
      }
      if (isJson()) {
        JsonLine.print(screen().out(), report.toJson());
      }
      return report.missing() > 0 ? ExitCode.FAILED : ExitCode.DONE;
    }
  }

  /**
   * While open, an end of this program, as by Ctrl-C, interrupts the opening thread and waits until
   * the thread has closed its resources: processes and a directory.
   */
  private record MainInterrupt(Thread hook, CountDownLatch closed) implements AutoCloseable {
    static MainInterrupt onExit() {
      Thread main = Thread.currentThread();
      CountDownLatch closed = new CountDownLatch(1);
      Thread hook = new Thread(() -> interrupt(main, closed), "log-bench-exit");
      Runtime.getRuntime().addShutdownHook(hook);
      return new MainInterrupt(hook, closed);
    }

    private static void interrupt(Thread main, CountDownLatch closed) {
      main.interrupt();
      try {
        boolean isClosed = closed.await(CLOSE_SECONDS, TimeUnit.SECONDS);
        if (!isClosed) {
          System.err.println("log bench: not all could be closed");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() {
      closed.countDown();
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The program is ending, by this hook.
      }
    }
  }

  private List<BenchedLog> logs() {
    List<BenchedLog> all =
        BenchedLog.all(Main.class.getName(), (members, system) -> transport(members, system));
    if (all.size() == 1 && beside.stream().allMatch(RIVALS::contains)) {
      throw CommandException.failed(
          "other logs are not on the class path; " + BenchSubcommand.LAUNCHER);
    }
    for (String name : beside) {
      if (!name.equals("none") && all.stream().skip(1).noneMatch(log -> log.name().equals(name))) {
        throw CommandException.badArgument(
            "--beside " + name + ": the log must be ratis, jgroups-raft or none");
      }
    }
    return all.stream()
        .filter(log -> log == all.getFirst() || beside.contains(log.name()))
        .toList();
  }
}
