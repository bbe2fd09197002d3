package io.millrace.testkit.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Holds a child by SIGSTOP. A shell stops the child and lets the child go when the shell's input
 * ends. So a child that stands still cannot outlive this process either.
 */
final class StoppedProcess {
  private static final String SCRIPT =
      "kill -STOP \"$0\" && echo stopped; read -r line; kill -CONT \"$0\"";
  private static final long PATIENCE_S = 10;

  private final long pid;
  private final Process shell;

  private StoppedProcess(long pid, Process shell) {
    this.pid = pid;
    this.shell = shell;
  }

  /** Stops a child of this process; on return none of its threads runs. */
  static StoppedProcess hold(long pid) throws IOException {
    Process shell =
        new ProcessBuilder("sh", "-c", SCRIPT, Long.toString(pid))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    StoppedProcess stopped = new StoppedProcess(pid, shell);
    boolean isStopped = false;
    try {
      // The shell writes or ends at once: neither of its commands waits for anything.
      BufferedReader said = shell.inputReader(StandardCharsets.UTF_8);
      isStopped = "stopped".equals(said.readLine()) && stopped.awaitStandstill();
    } finally {
      if (!isStopped) {
        stopped.letGo();
      }
    }
    if (!isStopped) {
      throw new ClusterException("process " + pid + " could not be stopped");
    }
    return stopped;
  }

  private void letGo() throws IOException {
    shell.getOutputStream().close();
  }

  /**
   * The signal stops one thread after the other; where the system shows threads, this method waits.
   */
  private boolean awaitStandstill() throws IOException {
    Path threads = Path.of("/proc", Long.toString(pid), "task");
    long startNs = System.nanoTime();
    while (Files.isDirectory(threads) && !isAtRest(threads)) {
      if (System.nanoTime() - startNs > TimeUnit.SECONDS.toNanos(PATIENCE_S)) {
        return false;
      }
      Thread.onSpinWait();
    }
    return true;
  }

  private static boolean isAtRest(Path threads) throws IOException {
    List<Path> all;
    try (Stream<Path> listed = Files.list(threads)) {
      all = listed.toList();
    }
    for (Path thread : all) {
      if (!isStopped(thread.resolve("stat"))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isStopped(Path stat) throws IOException {
    try {
      String text = Files.readString(stat, StandardCharsets.ISO_8859_1);
      return text.startsWith(") T ", text.lastIndexOf(')'));
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** Lets the child run on; on return the signal is sent. */
  void release() throws IOException, InterruptedException {
    letGo();
    if (!shell.waitFor(PATIENCE_S, TimeUnit.SECONDS) || shell.exitValue() != 0) {
      abandon();
      throw new ClusterException("process " + pid + " could not be resumed");
    }
  }

  /** Ends the shell without a signal to the child, which is about to be killed. */
  void abandon() {
    shell.destroyForcibly();
  }
}
