package io.millrace.samples.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.samples.process.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.List;

/** A process of {@link BroadcastSink} nodes; closing ends the process. Used by one thread. */
final class SinkProcess implements AutoCloseable {
  private final Process process;
  private final List<String> addresses;

  private SinkProcess(Process process, List<String> addresses) {
    this.process = process;
    this.addresses = addresses;
  }

  /**
   * Starts the process, with the flags of this JVM, and waits until the nodes listen.
   *
   * @throws IOException if the process ended before its nodes listened
   */
  static SinkProcess start(int nodes) throws IOException {
    Process process =
        new ProcessBuilder(command(nodes)).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader told =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    String line = told.readLine();
    if (line == null) {
      throw new IOException("the process of " + nodes + " nodes ended before the nodes listened");
    }
    List<String> words = Arrays.asList(line.split(" ", -1));
    return new SinkProcess(process, words.subList(1, words.size()));
  }

  private static List<String> command(int nodes) {
    List<String> command = JavaCommand.likeThis();
    command.addAll(List.of(BroadcastSink.class.getName(), String.valueOf(nodes)));
    return command;
  }

  /** The nodes' handshake addresses. */
  List<String> addresses() {
    return addresses;
  }

  /** Ends the process at once; the nodes send no farewell to their peers. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroy();
  }
}
