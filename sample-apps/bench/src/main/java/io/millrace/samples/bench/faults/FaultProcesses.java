package io.millrace.samples.bench.faults;

import io.millrace.samples.bench.PinnedCommand;
import io.millrace.samples.bench.peer.PeerProcess;
import io.millrace.samples.process.JavaCommand;
import io.millrace.samples.process.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The servers and the client of a run. */
final class FaultProcesses implements AutoCloseable {
  private static final long START_SECONDS = 60;
  private static final List<String> JVM_FLAGS =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-XX:+UseSerialGC",
          "-XX:-UsePerfData",
          // Calls are few: the compilers' work must not disturb calls.
          "-XX:TieredStopAtLevel=1",
          "-Xmx512m");

  private final FaultLaboratory laboratory;
  private final FaultPeer peer;
  private final FaultTopology topology;
  private final Path directory;
  private final Path shared;
  private final String settings;
  private final List<PeerProcess> all = new ArrayList<>();

  FaultProcesses(
      FaultLaboratory laboratory,
      FaultPeer peer,
      FaultTopology topology,
      Path directory,
      Path shared,
      String settings) {
    this.laboratory = laboratory;
    this.peer = peer;
    this.topology = topology;
    this.directory = directory;
    this.shared = shared;
    this.settings = settings;
  }

  /** Starts all servers, waits until the servers listen, and returns the first server. */
  PeerProcess startServers() throws IOException, InterruptedException {
    List<PeerProcess> servers = new ArrayList<>();
    for (int i = 0; i < topology.servers(); i++) {
      servers.add(start(true, i));
    }
    for (PeerProcess server : servers) {
      server.await("ready", START_SECONDS);
    }
    return servers.getFirst();
  }

  /** Starts the client, and does not wait. */
  PeerProcess startClient() throws IOException {
    return start(false, 0);
  }

  /** Waits until the client has connected to the listening servers. */
  static void connect(PeerProcess client) throws IOException, InterruptedException {
    client.await("ready", START_SECONDS);
    client.ask("connect", "connected", START_SECONDS);
  }

  private PeerProcess start(boolean isServer, int index) throws IOException {
    String name = (isServer ? "server" : "client") + all.size();
    Path own = Files.createDirectories(directory.resolve(name));
    List<String> command = new ArrayList<>(laboratory.commandPrefix(isServer));
    command.add(JavaCommand.program());
    command.addAll(JVM_FLAGS);
    if (peer == FaultPeer.AERON) {
      command.add(PinnedCommand.OF_INTERNALS);
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(
        List.of(
            FaultChild.class.getName(),
            peer.name(),
            topology.name(),
            String.valueOf(isServer),
            String.valueOf(index),
            own.toString(),
            shared.toString(),
            settings));
    PeerProcess process = PeerProcess.start(name, command, own);
    all.add(process);
    return process;
  }

  /** Sends a signal to a process of this run, and returns the signal's name. */
  static String signal(PeerProcess process, String signal)
      throws IOException, InterruptedException {
    Shell.run("kill -" + signal + " " + process.pid());
    return "SIG" + signal;
  }

  @Override
  public void close() {
    all.forEach(PeerProcess::askToEnd);
    all.forEach(PeerProcess::close);
  }
}
