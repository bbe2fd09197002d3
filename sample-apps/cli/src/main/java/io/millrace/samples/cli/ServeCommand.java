package io.millrace.samples.cli;

import io.millrace.access.AccessPolicy;
import io.millrace.api.Transport;
import io.millrace.api.TransportSnapshot;
import io.millrace.api.bulk.FileOptions;
import io.millrace.config.TransportSettings;
import io.millrace.node.DrainReport;
import io.millrace.samples.served.FileWriters;
import io.millrace.samples.served.OpenFiles;
import io.millrace.samples.served.ServedFiles;
import io.millrace.samples.served.ServedRoutes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a node that serves until SIGTERM or SIGINT and then ends cleanly with exit code 0. */
@Command(
    name = "serve",
    description = {
      "A node that answers calls until SIGTERM or SIGINT.",
      "Its routes are echo, sink and source, on the worker, echo-executor, on the executor,",
      "stream-source, stream-sink and stream-echo, bulk-sink and bulk-source, and with --dir also",
      "file, for 'millrace cp'.",
      "Prints a line with its address at the start."
    })
final class ServeCommand extends Subcommand {
  private static final long MOST_DRAIN_S = 86_400;
  private static final int MOST_FILES = 1 << 16;

  @Mixin private NetworkOptions.Listening listen = new NetworkOptions.Listening();
  @Mixin private NetworkOptions.Metrics metrics = new NetworkOptions.Metrics();

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Let peers read and write the files in this directory; see 'millrace cp'.")
  private @Nullable Path directory;

  @Option(
      names = "--no-sync",
      description = "Do not wait until files that peers write are on the device.")
  private boolean noSync;

  @Option(
      names = "--writers",
      paramLabel = "NAME",
      split = ",",
      description = {
        "Peers that may write files, by names of their certificates: host names, patterns such as",
        "*.example.org, IP addresses, cn:COMMON-NAME, key:SHA-256; all may read. Default: all may",
        "write."
      })
  private List<String> writers = List.of();

  @Option(
      names = "--drain",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description = {
        "Time to finish the transfers of peers after SIGTERM or SIGINT, while peers are told",
        "to go elsewhere; 0, unless given, ends at once."
      })
  private long drainSeconds;

  @Option(
      names = "--files",
      paramLabel = "N",
      defaultValue = "256",
      description =
          "Files that peers may read and write at once; a further file is refused with OVERLOADED,"
              + " to be tried again. Default: ${DEFAULT-VALUE}.")
  private int files;

  ServeCommand(Screen screen) {
    super(screen);
  }

  @Override
  public Integer call() {
    if (drainSeconds < 0 || drainSeconds > MOST_DRAIN_S) {
      throw CommandException.badArgument("--drain: not within 0 and " + MOST_DRAIN_S);
    }
    if (files < 1 || files > MOST_FILES) {
      throw CommandException.badArgument(
          "--files must be from 1 to " + MOST_FILES + ", not " + files);
    }
    TransportSettings settings = listen.settings(screen());
    TransportSnapshot end;
    DrainReport left = null;
    String address;
    try (StopSignal stop = StopSignal.install();
        NetworkOptions.Watching watching = metrics.open(this);
        Transport transport = watching.start(Transport.builder(settings).authorise(policy()))) {
      ServedRoutes.serve(transport);
      serveFiles(transport);
      address = transport.address();
      announce(address, transport.snapshot());
      awaitEnd(stop);
      if (drainSeconds > 0) {
        left = drain(transport);
      }
      end = transport.snapshot();
    }
    if (isJson()) {
      Map<String, Object> report = new LinkedHashMap<>();
      report.put("address", address);
      report.putAll(NodeFacts.report(end));
      if (left != null) {
        report.put("drained", left.isComplete());
        report.put("left", left.served() + left.calls());
      }
      JsonLine.print(screen().out(), report);
    }
    return ExitCode.DONE;
  }

  private AccessPolicy policy() {
    try {
      return writers.isEmpty() ? AccessPolicy.ALL : new FileWriters(writers);
    } catch (IllegalArgumentException e) {
      throw CommandException.badArgument("--writers: " + e.getMessage());
    }
  }

  private void awaitEnd(StopSignal stop) {
    try (var _ = directory == null ? null : AbandonedFiles.removeBelow(directory)) {
      stop.await();
    }
  }

  /** Returns the rest of the work at the end of the drain, or after the time limit. */
  private DrainReport drain(Transport transport) {
    DrainReport left =
        transport.drain(Duration.ofSeconds(drainSeconds)).toCompletableFuture().join();
    if (!isJson()) {
      screen()
          .out()
          .println(
              left.isComplete()
                  ? "drained"
                  : String.format(
                      "after %d s there were left: %d transfers of peers, %d of this node",
                      drainSeconds, left.served(), left.calls()));
    }
    return left;
  }

  private void serveFiles(Transport transport) {
    if (directory == null) {
      return;
    }
    FileOptions options = noSync ? FileOptions.DEFAULT.withoutForcing() : FileOptions.DEFAULT;
    try {
      ServedFiles.serve(transport, directory, options, new OpenFiles(files));
    } catch (IOException e) {
      throw CommandException.badArgument("--dir: " + e.getMessage());
    }
  }

  private void announce(String address, TransportSnapshot snapshot) {
    printAtOnce(
        String.format(
            "listening on %s (driver %s, aead %s, %s)",
            address, snapshot.driver(), snapshot.aead(), NodeFacts.threads(snapshot)));
  }
}
