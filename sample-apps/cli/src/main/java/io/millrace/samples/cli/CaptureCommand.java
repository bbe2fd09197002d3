package io.millrace.samples.cli;

import io.millrace.handshake.KeyLog;
import io.millrace.samples.capture.CaptureFile;
import io.millrace.samples.capture.PacketOpener;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Captured packets: puts packets in clear with the secrets of a key log. */
@Command(
    name = "capture",
    description = {
      "Files of captured packets, as tcpdump, dumpcap and Wireshark write them.",
      "'decrypt' opens packets with a key log; Wireshark shows them by docs/wireshark/millrace.lua."
    },
    synopsisSubcommandLabel = "COMMAND")
final class CaptureCommand extends CommandGroup {
  private CaptureCommand() {}

  /** Returns the command with its subcommands. */
  static CommandLine commandLine(Screen screen) {
    return new CommandLine(new CaptureCommand()).addSubcommand(new Decrypt(screen));
  }

  @Command(
      name = "decrypt",
      description = {
        "Copies IN to OUT and puts the bodies of packets in clear, with the secrets of a key log.",
        "OUT is then as secret as these bodies. A node writes a key log if its setting",
        "millrace.handshake.key-log names a file."
      })
  private static final class Decrypt extends Subcommand {
    @Parameters(index = "0", paramLabel = "IN", description = "A capture, pcap or pcapng.")
    private Path in = Path.of("");

    @Parameters(index = "1", paramLabel = "OUT", description = "The copy; overwritten if present.")
    private Path out = Path.of("");

    @Option(
        names = "--keylog",
        paramLabel = "FILE",
        required = true,
        description = "The key log of either node.")
    private Path keyLog = Path.of("");

    Decrypt(Screen screen) {
      super(screen);
    }

    @Override
    public Integer call() throws IOException {
      requireFile(in);
      requireFile(keyLog);
      try (PacketOpener opener = new PacketOpener(KeyLog.read(keyLog))) {
        CaptureFile.copy(in, out, opener);
        tell(opener);
      } catch (IOException e) {
        throw CommandException.failed(
            e instanceof FileSystemException ? Sentence.of(e) : String.valueOf(e.getMessage()));
      }
      return ExitCode.DONE;
    }

    private static void requireFile(Path file) {
      if (!Files.isReadable(file)) {
        throw CommandException.badArgument("cannot read '" + file + "'");
      }
    }

    private void tell(PacketOpener opener) {
      if (isJson()) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("paths", opener.paths());
        report.put("opened", opener.openedPackets());
        report.put("without_secret", opener.unknownPackets());
        report.put("not_authentic", opener.refusedPackets());
        JsonLine.print(screen().out(), report);
        return;
      }
      screen()
          .out()
          .printf(
              "%s: %d packets in clear, %d of paths without a secret, %d with a wrong tag%n",
              out, opener.openedPackets(), opener.unknownPackets(), opener.refusedPackets());
    }
  }
}
