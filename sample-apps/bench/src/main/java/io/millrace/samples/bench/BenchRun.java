package io.millrace.samples.bench;

import io.millrace.samples.bench.peer.BenchPeer;
import io.millrace.samples.process.ScratchDirectory;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts the processes of all peers, lets {@link BenchTurns} give the peers turns, and ends the
 * processes.
 */
final class BenchRun implements AutoCloseable {
  private static final Path IN_MEMORY = Path.of("/dev/shm");

  private final BenchOptions options;
  private final CoreMap cores;
  private final PrintStream progress;
  private final ScratchDirectory scratch;
  private final List<PeerPair> pairs = new ArrayList<>();
  private final Thread cleaner = new Thread(this::end, "bench-cleaner");

  BenchRun(BenchOptions options, CoreMap cores, PrintStream progress) throws IOException {
    this.options = options;
    this.cores = cores;
    this.progress = progress;
    scratch =
        Files.isWritable(IN_MEMORY)
            ? ScratchDirectory.createIn(IN_MEMORY, "millrace-bench")
            : ScratchDirectory.create("millrace-bench");
    Runtime.getRuntime().addShutdownHook(cleaner);
  }

  /** Starts all processes, runs the whole plan, and returns the outcome. */
  BenchTurns.Outcome run(List<BenchPeer> peers) throws IOException, InterruptedException {
    BenchTurns turns = new BenchTurns(options, peers, System::nanoTime, progress);
    start(
        peers.stream().filter(peer -> options.workloads().stream().anyMatch(peer::runs)).toList());
    return turns.run(pairs);
  }

  /**
   * The server of the next pair starts while the client of this pair does: each process has a core
   * of its own.
   */
  private void start(List<BenchPeer> peers) throws IOException, InterruptedException {
    PeerPair.Launch launch = new PeerPair.Launch(cores, scratch.path(), options.driver());
    PeerPair starting = null;
    for (BenchPeer peer : peers) {
      progress.println("bench: starting " + peer.name());
      PeerPair next = PeerPair.launch(peer, launch);
      addPair(next);
      if (starting != null) {
        starting.connect();
      }
      starting = next;
    }
    if (starting != null) {
      starting.connect();
    }
  }

  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(cleaner);
    } catch (IllegalStateException e) {
      // the JVM is ending; the hook has nothing left to do
    }
  }

  private synchronized void addPair(PeerPair pair) {
    pairs.add(pair);
  }

  private synchronized void end() {
    pairs.forEach(PeerPair::askToEnd);
    pairs.forEach(PeerPair::close);
    pairs.clear();
    try {
      scratch.close();
    } catch (IOException e) {
      progress.println("bench: " + scratch.path() + " could not be removed: " + e.getMessage());
    }
  }
}
