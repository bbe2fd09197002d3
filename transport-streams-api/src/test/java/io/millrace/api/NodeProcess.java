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

/** A node in a process of its own, told by lines what to do; its errors go to this one's. */
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
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(
        List.of(
            "-ea",
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return new NodeProcess(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
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

  /** The words of its next line that begins with {@code word}; those before are passed over. */
  String[] await(String word) throws InterruptedException {
    List<String> passed = new ArrayList<>();
    long startNs = System.nanoTime();
    while (System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(PATIENCE_S)) {
      String line = output.poll(PATIENCE_S, TimeUnit.SECONDS);
      if (line != null && line.startsWith(word + " ")) {
        return line.split(" ", -1);
      }
      passed.add(String.valueOf(line));
    }
    throw new AssertionError("it never said " + word + ", only " + passed);
  }

  /** Ends it at once with SIGKILL, and waits until it has ended. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
      throw new AssertionError("it survived");
    }
  }

  /** Tells it to end, with SIGTERM. */
  void terminate() {
    process.destroy();
  }

  /** Lets it end by itself; one that does not says first what its threads are at. */
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
