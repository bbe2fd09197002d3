package io.millrace.api.bulk;

import io.millrace.transfer.BodyTarget;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Another process that writes a file, or searches for abandoned files, until told to end or killed.
 */
final class PartProcess implements AutoCloseable {
  static final int BYTES = 100_000;
  private static final String READY = "ready";

  private final Process process;
  private final String said;

  private PartProcess(Process process, String said) {
    this.process = process;
    this.said = said;
  }

  /** Starts a process, which has begun to write 100,000 bytes of this value. */
  static PartProcess writing(Path file, int value) throws IOException {
    return start("write", file, value);
  }

  /** Starts a process that searches for abandoned files again and again. */
  static PartProcess removing(Path directory) throws IOException {
    return start("remove", directory, 0);
  }

  /**
   * Starts a process, which has begun to resume a file with this byte as identity of the source, or
   * was refused.
   */
  static PartProcess resuming(Path file, byte identity) throws IOException {
    return run("resume", file, identity);
  }

  private static PartProcess start(String what, Path path, int value) throws IOException {
    PartProcess started = run(what, path, value);
    if (!started.said.equals(READY)) {
      started.close();
      throw new AssertionError("the process did not begin");
    }
    return started;
  }

  private static PartProcess run(String what, Path path, int value) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                PartProcess.class.getName(),
                what,
                path.toString(),
                Integer.toString(value))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    return new PartProcess(process, String.valueOf(out.readLine()));
  }

  /** Returns the first line of the process. */
  String said() {
    return said;
  }

  /** Lets the process come to its end, and returns the exit code. */
  int end() throws Exception {
    process.getOutputStream().close();
    return process.waitFor();
  }

  /** Kills the process at once. */
  void kill() {
    var _ = process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }

  /** Runs the process itself. */
  public static void main(String[] args) throws IOException {
    Path path = Path.of(args[1]);
    if (args[0].equals("write")) {
      write(path, Byte.parseByte(args[2]));
    } else if (args[0].equals("resume")) {
      resume(path, Byte.parseByte(args[2]));
    } else {
      remove(path);
    }
  }

  private static void write(Path file, byte value) throws IOException {
    BodyTarget target = BulkTarget.file(file);
    byte[] bytes = new byte[BYTES];
    Arrays.fill(bytes, value);
    target.write(bytes, 0, BYTES);
    System.out.println(READY);
    awaitEnd();
    target.complete();
  }

  private static void resume(Path file, byte identity) throws IOException {
    ResumableTarget target;
    try {
      target = BulkTarget.resumable(file, new byte[] {identity}, FileOptions.DEFAULT);
    } catch (IOException e) {
      System.out.println(e.getMessage());
      return;
    }
    System.out.println(READY);
    awaitEnd();
    target.abort(new IOException("it was told to end"));
  }

  private static void remove(Path directory) throws IOException {
    AtomicBoolean ended = new AtomicBoolean();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              awaitEnd();
              ended.set(true);
            });
    BulkTarget.removeAbandoned(directory);
    System.out.println(READY);
    while (!ended.get()) {
      BulkTarget.removeAbandoned(directory);
    }
  }

  private static void awaitEnd() {
    try {
      while (System.in.read() >= 0) {
        // The process reads no commands; the end of its input ends the process.
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
