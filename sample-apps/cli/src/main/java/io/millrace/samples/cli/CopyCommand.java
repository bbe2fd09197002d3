package io.millrace.samples.cli;

import io.millrace.api.Peer;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.api.TransportSnapshot;
import io.millrace.api.bulk.BulkSource;
import io.millrace.api.bulk.FileOptions;
import io.millrace.config.TransportSettings;
import io.millrace.samples.file.Sha256;
import io.millrace.samples.served.ServedFiles;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Copies a file to a peer or from a peer. */
@Command(
    name = "cp",
    description = {
      "Copies a file to or from a node that 'millrace serve --dir' runs.",
      "Either FROM or TO is PEER:NAME: the node's handshake address, host:port, and the name of",
      "the file under its directory. A file appears under its name when every byte is verified."
    })
final class CopyCommand extends Subcommand {
  @Mixin private NetworkOptions network = new NetworkOptions();

  @Parameters(index = "0", paramLabel = "FROM", description = "FILE or PEER:NAME.")
  private String from = "";

  @Parameters(index = "1", paramLabel = "TO", description = "PEER:NAME or FILE.")
  private String to = "";

  @Option(
      names = "--checksum",
      description = "Also tell the SHA-256 of the bytes read or written here.")
  private boolean checksum;

  @Option(
      names = "--no-sync",
      description = "Do not wait until a file written here is on the device.")
  private boolean noSync;

  @Option(
      names = "--rates",
      description = {
        "Before the copy, also measure the file's device here and bulk from memory over the same",
        "connection, with as many bytes as the file has, 1 GiB at most; tell which held the copy."
      })
  private boolean rates;

  @Option(
      names = "--priority",
      paramLabel = "P",
      defaultValue = "3",
      description = "0, served first, to 7. Default: ${DEFAULT-VALUE}.")
  private int priority;

  /** The result of a copy, with the figures that options ask for. */
  private record Outcome(
      FileCopy.Copied copied, FileCopy.@Nullable Bounds bounds, @Nullable String sha256) {}

  CopyCommand(Screen screen) {
    super(screen);
  }

  @Override
  public Integer call() throws Exception {
    if (priority < 0 || priority > 7) {
      throw CommandException.badArgument("--priority must be from 0 to 7, not " + priority);
    }
    CopyEnds ends = CopyEnds.of(from, to);
    String local = LocalAddress.toward(LocalAddress.parse("PEER", ends.address()));
    if (ends.isUpload()) {
      requireReadable(ends);
    }
    TransportSettings settings = network.calling(local, screen());
    MessageDigest digest = checksum ? Sha256.begin() : null;
    try (StopSignal stop = StopSignal.install();
        Transport transport = Transport.start(settings)) {
      Peer peer = transport.peer(ends.address());
      TransferOptions options =
          TransferOptions.DEFAULTS
              .withPriority(priority)
              .withHeaders(ServedFiles.named(ends.name()));
      FileCopy copy = new FileCopy(transport, peer, options, screen(), stop);
      FileCopy.Bounds bounds = rates ? FileCopy.Bounds.measure(ends, copy, !noSync) : null;
      FileCopy.Copied copied =
          ends.isUpload()
              ? copy.write(ends.file(), digest)
              : copy.read(ends.file(), fileOptions(), digest);
      tell(
          ends,
          new Outcome(copied, bounds, digest == null ? null : Sha256.end(digest)),
          transport.snapshot());
    }
    return ExitCode.DONE;
  }

  /** A file that cannot be read is the user's wrong argument, with any peer. */
  private static void requireReadable(CopyEnds ends) {
    try {
      BulkSource.file(ends.file()).close();
    } catch (IOException e) {
      throw CommandException.badArgument(String.valueOf(e.getMessage()));
    }
  }

  private FileOptions fileOptions() {
    return noSync ? FileOptions.DEFAULT.withoutForcing() : FileOptions.DEFAULT;
  }

  private void tell(CopyEnds ends, Outcome outcome, TransportSnapshot snapshot) {
    FileCopy.Copied copied = outcome.copied();
    FileCopy.Bounds bounds = outcome.bounds();
    String sha256 = outcome.sha256();
    if (isJson()) {
      Map<String, Object> report = new LinkedHashMap<>();
      report.put("from", from);
      report.put("to", to);
      report.put("file", ends.file().toString());
      report.put("peer", ends.address());
      report.put("name", ends.name());
      report.put("bytes", copied.bytes());
      report.put("seconds", copied.elapsedNs() / 1e9);
      report.put("bytes_per_s", copied.bytesPerSecond());
      if (bounds != null) {
        report.put("rates", bounds.report(copied));
      }
      if (sha256 != null) {
        report.put("sha256", sha256);
      }
      report.put("node", NodeFacts.report(snapshot));
      JsonLine.print(screen().out(), report);
      return;
    }
    screen().out().println(Figures.rate(copied.bytes(), copied.elapsedNs()) + ", verified");
    if (bounds != null) {
      screen().out().println(bounds.line(copied));
    }
    if (sha256 != null) {
      screen().out().println("SHA-256 " + sha256);
    }
  }
}
