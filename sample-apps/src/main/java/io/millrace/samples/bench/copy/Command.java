package io.millrace.samples.bench.copy;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.samples.process.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A command of Millrace in a process of its own, with a small heap. Closing ends it. */
final class Command implements AutoCloseable {
  private static final String HEAP = "-Xmx256m";
  private static final String MAIN = "io.millrace.samples.cli.Main";
  private static final long END_SECONDS = 10;

  private final String name;
  private final Process process;
  private final BufferedReader out;

  private Command(String name, Process process) {
    this.name = name;
    this.process = process;
    out = process.inputReader(UTF_8);
  }

  /**
   * Starts it.
   *
   * @param within what has to stand before the command, such as the entry into a namespace
   */
  static Command start(List<String> within, List<String> arguments) throws IOException {
    List<String> line = new ArrayList<>(within);
    line.addAll(JavaCommand.likeThis(HEAP));
    line.add(MAIN);
    line.addAll(arguments);
    Process process =
        new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    return new Command(arguments.getFirst(), process);
  }

  long pid() {
    return process.pid();
  }

  /**
   * Its next line of output.
   *
   * @throws IOException if it ended instead
   */
  String nextLine() throws IOException {
    String line = out.readLine();
    if (line == null) {
      throw new IOException(name + " ended and said nothing");
    }
    return line;
  }

  /**
   * Its last line of output, after it has ended well.
   *
   * @throws IOException if it failed
   */
  String lastLine() throws IOException, InterruptedException {
    String last = nextLine();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      last = line;
    }
    int status = process.waitFor();
    if (status != 0) {
      throw new IOException(name + " ended with " + status);
    }
    return last;
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
  }
}
