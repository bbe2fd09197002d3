package io.millrace.samples.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The two processes of one peer, both asleep except while a round of theirs runs. */
final class PeerPair implements AutoCloseable {
  private static final long START_SECONDS = 60;
  private static final long ANSWER_SECONDS = 10;

  private final BenchPeer peer;
  private final PeerProcess server;
  private final PeerProcess client;

  private PeerPair(BenchPeer peer, PeerProcess server, PeerProcess client) {
    this.peer = peer;
    this.server = server;
    this.client = client;
  }

  /** Starts the server, then a client of it. */
  static PeerPair start(BenchPeer peer, CoreMap cores, Path directory, String driver)
      throws IOException, InterruptedException {
    PeerProcess server = process("server", peer, cores.server(), directory, driver, List.of());
    try {
      String address = server.await("ready", START_SECONDS);
      PeerProcess client =
          process("client", peer, cores.client(), directory, driver, List.of(address));
      PeerPair pair = new PeerPair(peer, server, client);
      try {
        client.await("ready", START_SECONDS);
        return pair;
      } catch (IOException | InterruptedException | RuntimeException e) {
        pair.close();
        throw e;
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  BenchPeer peer() {
    return peer;
  }

  /** Lets the pair work for {@code durationMs} and sends it to sleep again. */
  Round run(Workload workload, long durationMs) throws IOException, InterruptedException {
    server.ask("resume", "resumed", ANSWER_SECONDS);
    long timeoutSeconds = durationMs / 1000 + ChildMain.GRACE_SECONDS + ANSWER_SECONDS;
    String[] answer =
        client
            .ask("run " + workload.label() + " " + durationMs, "result", timeoutSeconds)
            .split(";", -1);
    Usage serverUsage = Usage.parse(server.ask("pause", "paused", ANSWER_SECONDS));
    RoundResult result = RoundResult.parse(answer[0]);
    if (result.wrong() != 0) {
      throw new IOException(peer.name() + ": " + result.wrong() + " wrong answers or failed calls");
    }
    return new Round(result, Usage.parse(answer[1]), serverUsage);
  }

  /** Asks both processes to end, without waiting for them. */
  void askToEnd() {
    client.askToEnd();
    server.askToEnd();
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }

  private static PeerProcess process(
      String side, BenchPeer peer, int core, Path directory, String driver, List<String> more)
      throws IOException {
    String name = peer.name() + "-" + side;
    Path own = Files.createDirectory(directory.resolve(name));
    List<String> args = new ArrayList<>(List.of(side, peer.name(), own.toString(), driver));
    args.addAll(more);
    List<String> command = PinnedCommand.of(core, peer.jvmFlags(), ChildMain.class, args);
    return PeerProcess.start(name, command, own);
  }
}
