package io.millrace.samples.cli;

import com.typesafe.config.Config;
import io.millrace.api.Transport;
import io.millrace.api.TransportSnapshot;
import io.millrace.config.TransportSettings;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A node that serves until SIGTERM or SIGINT; then it ends cleanly with exit code 0. */
@Command(
    name = "serve",
    description = {
      "A node that answers calls until SIGTERM or SIGINT.",
      "Its routes are echo, sink and source, on the worker, and echo-executor, on the executor.",
      "It prints one line when it listens."
    })
final class ServeCommand extends Subcommand {
  @Mixin private NodeOptions node = new NodeOptions();
  @Mixin private KeySource keys = new KeySource();

  @Option(
      names = "--listen",
      required = true,
      paramLabel = "HOST:PORT",
      description = "The handshake address; port 0 lets the system choose.")
  private String listen = "";

  @Option(names = "--dir", paramLabel = "DIR", description = "Not built yet: file endpoints.")
  private @Nullable Path directory;

  ServeCommand(Screen screen) {
    super(screen);
  }

  @Override
  public Integer call() {
    if (directory != null) {
      throw CommandException.badArgument("--dir: file endpoints are not built yet");
    }
    String nicAddress = LocalAddress.anyPort(LocalAddress.parse("--listen", listen));
    Config overrides =
        node.overrides(
            Map.of("millrace.nic.address", nicAddress),
            Map.of("millrace.handshake.listen", listen));
    TransportSettings settings = NodeOptions.settings(NodeOptions.withKey(overrides, keys));
    TransportSnapshot end;
    String address;
    try (StopSignal stop = StopSignal.install();
        Transport transport = Transport.start(settings)) {
      ServedRoutes.serve(transport);
      address = transport.address();
      announce(address, transport.snapshot());
      stop.await();
      end = transport.snapshot();
    }
    if (isJson()) {
      Map<String, Object> report = new LinkedHashMap<>();
      report.put("address", address);
      report.putAll(NodeFacts.report(end));
      JsonLine.print(screen().out(), report);
    }
    return ExitCode.DONE;
  }

  private void announce(String address, TransportSnapshot snapshot) {
    PrintStream out = screen().out();
    out.println(
        String.format(
            "listening on %s (driver %s, aead %s, %s)",
            address, snapshot.driver(), snapshot.aead(), NodeFacts.threads(snapshot)));
    out.flush();
  }
}
