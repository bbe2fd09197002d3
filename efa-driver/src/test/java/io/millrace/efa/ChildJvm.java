package io.millrace.efa;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A second process that runs a main class of the tests; the errors of the process go to this
 * process's errors.
 */
public final class ChildJvm implements AutoCloseable {
  private static final long PATIENCE_S = 60;

  private final Process process;
  private final BufferedReader output;

  private ChildJvm(Process process) {
    this.process = process;
    this.output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Starts {@code main}; {@code options} go to the JVM, in front of the class. */
  public static ChildJvm start(
      Class<?> main, File directory, List<String> options, String... arguments) throws IOException {
    return start(List.of(), main, directory, options, arguments);
  }

  /** Starts {@code main} by a command in front of the JVM's own, which sets limits, for example. */
  static ChildJvm start(
      List<String> by, Class<?> main, File directory, List<String> options, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(by);
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(
        List.of(
            "-ea",
            "-Xmx256m",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return new ChildJvm(
        new ProcessBuilder(command)
            .directory(directory)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /** Returns the next line of the process's output, null at the end. */
  public @Nullable String readLine() {
    try {
      return output.readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for the end and returns the exit code; -1 if the process does not end. */
  public int exitCode() throws InterruptedException {
    return process.waitFor(PATIENCE_S, TimeUnit.SECONDS) ? process.exitValue() : -1;
  }

  /** Whether the process is still running. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Ends the process at once, as a crash would. */
  public void kill() {
    process.destroyForcibly();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
