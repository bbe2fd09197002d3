package io.millrace.samples.bench.peer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The built checkout of another Millrace version, for comparison with this build.
 *
 * @param directory the root of the checkout
 * @param classPath the class path that the checkout's own launcher uses
 */
public record BaselineBuild(Path directory, String classPath) {
  private static final Path LAUNCHER = Path.of("bin", "millrace");
  private static final Path CLASS_PATH = Path.of(".local", "classpath");

  /** The class path of the benchmarks, which begins with the class path of all other commands. */
  private static final Path BENCH_CLASS_PATH = Path.of(".local", "classpath-bench");

  /** Whether {@code directory} is the root of a checkout, judged by the files inside. */
  public static boolean isCheckout(Path directory) {
    return Files.isExecutable(directory.resolve(LAUNCHER));
  }

  /** Has the launcher of the checkout build a stale checkout, and reads the class path. */
  public static BaselineBuild of(Path directory) throws IOException, InterruptedException {
    launch(directory);
    Path file = directory.resolve(CLASS_PATH);
    if (!Files.isRegularFile(file)) {
      throw new IOException("the baseline in " + directory + " has no " + CLASS_PATH);
    }
    String classPath = Files.readString(file).strip();
    Path longer = directory.resolve(BENCH_CLASS_PATH);
    if (Files.isRegularFile(longer) && Files.readString(longer).startsWith(classPath)) {
      classPath = Files.readString(longer).strip();
    }
    return new BaselineBuild(directory, classPath);
  }

  private static void launch(Path directory) throws IOException, InterruptedException {
    ProcessBuilder launcher =
        new ProcessBuilder(directory.resolve(LAUNCHER).toString(), "info")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    launcher.environment().put("JAVA_HOME", System.getProperty("java.home"));
    // The training run would disturb the rounds.
    launcher.environment().put("MILLRACE_TRAIN", "false");
    Process process = launcher.start();
    process.getOutputStream().close();
    String last = "";
    try (BufferedReader errors =
        new BufferedReader(
            new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
      for (String line = errors.readLine(); line != null; line = errors.readLine()) {
        last = line.isBlank() ? last : line;
      }
    } finally {
      process.destroy();
    }
    int exitCode = process.waitFor();
    if (exitCode != 0) {
      throw new IOException(
          "the baseline in %s cannot be built: bin/millrace info ended with %d: %s"
              .formatted(directory, exitCode, last));
    }
  }

  /** The variants of this build, each between two of the baseline: old, new, old again. */
  public List<BenchPeer> around(List<BenchPeer> own) {
    return own.stream()
        .flatMap(
            peer ->
                Stream.of(
                    new BaselinePeer(peer, this, false), peer, new BaselinePeer(peer, this, true)))
        .toList();
  }
}
