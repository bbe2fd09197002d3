package io.millrace.samples.cli;

import io.millrace.samples.process.JavaCommand;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The demo's second process, from the view of the first process. Closing ends the process, first by
 * closing its stdin, then by asking, then by force; without its parent the process ends by itself.
 */
final class ChildNode implements AutoCloseable {
  private static final String ENDED = "\0ended";
  private static final long START_SECONDS = 30;
  private static final long REPORT_SECONDS = 5;
  private static final long END_SECONDS = 3;

  private final Process process;
  private final BufferedWriter stdin;
  private final BlockingQueue<String> stdout = new LinkedBlockingQueue<>();

  private ChildNode(Process process) {
    this.process = process;
    stdin = process.outputWriter(StandardCharsets.UTF_8);
    Thread reader = new Thread(this::readAll, "demo-child-stdout");
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts a JVM like this one, with the same class path and flags. */
  static ChildNode start(String settings) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command());
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    ChildNode child = new ChildNode(builder.start());
    child.write(settings);
    return child;
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Waits for the handshake address.
   *
   * @throws CommandException if the process could not start its node
   */
  String address() throws InterruptedException {
    String line = await(START_SECONDS);
    if (line.startsWith(DemoNode.LISTENING)) {
      return line.substring(DemoNode.LISTENING.length());
    }
    if (line.startsWith(DemoNode.FAILED)) {
      throw CommandException.failed(
          "the second process: " + line.substring(DemoNode.FAILED.length()));
    }
    throw CommandException.failed("the second process ended before it listened");
  }

  /**
   * Makes the process start this number of further nodes, which end with the process; returns their
   * handshake addresses.
   *
   * @throws CommandException if the process could not start the nodes
   */
  List<String> startPeers(int count) throws IOException, InterruptedException {
    write(DemoNode.WANT_PEERS + count);
    String line = await(START_SECONDS);
    if (line.startsWith(DemoNode.PEERS)) {
      return List.of(line.substring(DemoNode.PEERS.length()).split(" ", -1));
    }
    String why =
        line.startsWith(DemoNode.FAILED) ? ": " + line.substring(DemoNode.FAILED.length()) : "";
    throw CommandException.failed("the second process started no more nodes" + why);
  }

  /**
   * Returns the node's counters as JSON, or an empty object if the process cannot answer any more.
   */
  String report() throws InterruptedException {
    try {
      write(DemoNode.WANT_REPORT);
    } catch (IOException e) {
      return "{}";
    }
    String line = await(REPORT_SECONDS);
    return line.startsWith(DemoNode.REPORT) ? line.substring(DemoNode.REPORT.length()) : "{}";
  }

  @Override
  public void close() {
    try {
      stdin.close();
    } catch (IOException e) {
      // The process is gone already, which is the purpose of closing.
      process.destroy();
    }
    if (!hasEnded()) {
      process.destroy();
      if (!hasEnded()) {
        process.destroyForcibly();
      }
    }
  }

  private boolean hasEnded() {
    try {
      return process.waitFor(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
      return true;
    }
  }

  private String await(long seconds) throws InterruptedException {
    String line = stdout.poll(seconds, TimeUnit.SECONDS);
    if (line == null) {
      throw CommandException.failed("the second process said nothing for " + seconds + " s");
    }
    return line;
  }

  private void write(String line) throws IOException {
    stdin.write(line);
    stdin.newLine();
    stdin.flush();
  }

  private void readAll() {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        stdout.add(line);
      }
    } catch (IOException e) {
      stdout.add(ENDED);
      return;
    }
    stdout.add(ENDED);
  }

  private static List<String> command() {
    List<String> command = JavaCommand.likeThis();
    command.add(DemoNode.class.getName());
    return command;
  }
}
