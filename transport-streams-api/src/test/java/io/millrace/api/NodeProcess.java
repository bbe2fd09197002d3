package io.millrace.api;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A node in a process of its own, with lines as commands; the errors of the process go to this
 * process's errors.
 */
final class NodeProcess implements AutoCloseable {
  private static final long PATIENCE_S = 30;

  private final Process process;
  private final PrintStream input;
  private final BlockingQueue<String> output = new LinkedBlockingQueue<>();

  private NodeProcess(Process process) {
    this.process = process;
    input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    Thread reader = new Thread(this::read, "output-of-" + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts a main class of the tests. */
  static NodeProcess start(Class<?> main, String... arguments) throws IOException {
    return start(List.of(), main, arguments);
  }

  /** Starts a main class of the tests with these options of the JVM. */
  static NodeProcess start(List<String> options, Class<?> main, String... arguments)
      throws IOException {
    return new NodeProcess(
        command(options, main, arguments).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Starts a main class with low priority: other processes get more of the processor. */
  static NodeProcess startNice(List<String> options, Class<?> main, String... arguments)
      throws IOException {
    ProcessBuilder builder = command(options, main, arguments);
    builder.command().addAll(0, List.of("nice", "-n", "5"));
    return new NodeProcess(builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Starts a main class by a command with this prefix, which runs the rest of its arguments. */
  static NodeProcess startBehind(List<String> prefix, Class<?> main, String... arguments)
      throws IOException {
    ProcessBuilder builder = command(List.of(), main, arguments);
    builder.command().addAll(0, prefix);
    return new NodeProcess(builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Starts a main class with its errors among its lines. */
  static NodeProcess startWithErrors(Class<?> main, String... arguments) throws IOException {
    return new NodeProcess(command(List.of(), main, arguments).redirectErrorStream(true).start());
  }

  private static ProcessBuilder command(List<String> options, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(
        List.of(
            "-ea",
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command);
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      lines.lines().forEach(output::add);
    } catch (IOException | UncheckedIOException e) {
      output.add("ended: " + e);
    }
  }

  void tell(String line) {
    input.println(line);
  }

  /** Returns the words of the next line that begins with {@code word}; skips the lines before. */
  String[] await(String word) throws InterruptedException {
    return await(line -> line.startsWith(word + " "), word).split(" ", -1);
  }

  /** Skips lines until a line contains this text. */
  void awaitText(String text) throws InterruptedException {
    await(line -> line.contains(text), text);
  }

  private String await(Predicate<String> isIt, String what) throws InterruptedException {
    List<String> passed = new ArrayList<>();
    long startNs = System.nanoTime();
    while (System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(PATIENCE_S)) {
      String line = output.poll(PATIENCE_S, TimeUnit.SECONDS);
      if (line != null && isIt.test(line)) {
        return line;
      }
      passed.add(String.valueOf(line));
    }
    throw new AssertionError("it never said " + what + ", only " + passed);
  }

  /** Ends the process at once with SIGKILL, and waits for its end. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
      throw new AssertionError("it survived");
    }
  }

  /** Sends the process a signal, STOP for example. */
  void signal(String name) throws IOException, InterruptedException {
    int code =
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
            .inheritIO()
            .start()
            .waitFor();
    if (code != 0) {
      throw new AssertionError("no signal " + name + " was sent");
    }
  }

  /** Whether the process still lives after this time. */
  boolean livesFor(long time, TimeUnit unit) throws InterruptedException {
    return !process.waitFor(time, unit);
  }

  /** Tells the process to end, with SIGTERM. */
  void terminate() {
    process.destroy();
  }

  /**
   * Lets the process end by itself; a process that does not end first prints the stacks of its
   * threads.
   */
  int end() throws IOException, InterruptedException {
    input.close();
    if (process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
      return process.exitValue();
    }
    String jcmd = System.getProperty("java.home") + "/bin/jcmd";
    try (BufferedReader threads =
        new ProcessBuilder(jcmd, String.valueOf(process.pid()), "Thread.print")
            .redirectErrorStream(true)
            .start()
            .inputReader(StandardCharsets.UTF_8)) {
      threads.lines().forEach(System.out::println);
    }
    return -1;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
