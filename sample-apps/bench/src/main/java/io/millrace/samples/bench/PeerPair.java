package io.millrace.samples.bench;

import io.millrace.samples.bench.peer.BenchPeer;
import io.millrace.samples.bench.peer.PeerProcess;
import io.millrace.samples.bench.peer.RoundResult;
import io.millrace.samples.bench.peer.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The two processes of one peer, both asleep except during a round of the pair. */
final class PeerPair implements BenchTurns.Taker, AutoCloseable {
  private static final long START_SECONDS = 60;
  private static final long ANSWER_SECONDS = 10;

  private final BenchPeer peer;
  private final Launch launch;
  private final PeerProcess server;
  private volatile @Nullable PeerProcess connected;
  private boolean hasWorked;

  private PeerPair(BenchPeer peer, Launch launch) throws IOException {
    this.peer = peer;
    this.launch = launch;
    server = launch.process("server", peer, launch.cores.server(), List.of());
  }

  /**
   * The place of the processes.
   *
   * @param cores the cores of the two sides
   * @param directory the parent directory of the processes' own directories
   * @param driver the network driver's name, empty for the default
   */
  record Launch(CoreMap cores, Path directory, String driver) {
    private PeerProcess process(String side, BenchPeer peer, int core, List<String> more)
        throws IOException {
      String name = peer.name() + "-" + side;
      Path own = Files.createDirectory(directory.resolve(name));
      List<String> args =
          new ArrayList<>(List.of(side, peer.nameInProcess(), own.toString(), driver));
      args.addAll(more);
      List<String> command =
          PinnedCommand.of(core, peer.jvmFlags(), peer.classPath(), ChildMain.class, args);
      return PeerProcess.start(name, command, own);
    }
  }

  /** Starts the server without waiting for the server's answer; the caller closes the pair. */
  static PeerPair launch(BenchPeer peer, Launch launch) throws IOException {
    return new PeerPair(peer, launch);
  }

  /** Waits for the server, starts the client of the pair, and waits for the client. */
  void connect() throws IOException, InterruptedException {
    try {
      open();
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private void open() throws IOException, InterruptedException {
    String address = server.await("ready", START_SECONDS);
    PeerProcess client = launch.process("client", peer, launch.cores.client(), List.of(address));
    connected = client;
    client.await("ready", START_SECONDS);
  }

  @Override
  public BenchPeer peer() {
    return peer;
  }

  /** Lets the pair work for {@code durationMs} and then sends the pair to sleep again. */
  @Override
  public Round run(Workload workload, long durationMs) throws IOException, InterruptedException {
    try {
      Round round = turn(workload, durationMs);
      hasWorked = true;
      return round;
    } catch (IOException | IllegalArgumentException e) {
      throw failure(e);
    }
  }

  /** Processes of another build may know other commands and give other answers. */
  private IOException failure(Exception e) {
    String message = String.valueOf(e.getMessage());
    return new IOException(hasWorked ? message : peer.ofFailure(message), e);
  }

  private Round turn(Workload workload, long durationMs) throws IOException, InterruptedException {
    server.ask("resume", "resumed", ANSWER_SECONDS);
    long timeoutSeconds = durationMs / 1000 + ChildMain.GRACE_SECONDS + ANSWER_SECONDS;
    String[] answer =
        Objects.requireNonNull(connected)
            .ask("run " + workload.label() + " " + durationMs, "result", timeoutSeconds)
            .split(";", -1);
    Usage serverUsage = Usage.parse(server.ask("pause", "paused", ANSWER_SECONDS));
    RoundResult result = RoundResult.parse(answer[0]);
    if (result.wrong() != 0) {
      throw new IOException(peer.name() + ": " + result.wrong() + " wrong answers or failed calls");
    }
    return new Round(result, Usage.parse(answer[1]), serverUsage);
  }

  /** Asks both processes to end, without waiting for their ends. */
  void askToEnd() {
    PeerProcess client = connected;
    if (client != null) {
      client.askToEnd();
    }
    server.askToEnd();
  }

  @Override
  public void close() {
    PeerProcess client = connected;
    if (client != null) {
      client.close();
    }
    server.close();
  }
}
