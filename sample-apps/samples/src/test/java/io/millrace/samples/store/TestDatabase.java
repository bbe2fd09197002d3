package io.millrace.samples.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A database of a test: H2 in memory, or a PostgreSQL server of its own. */
final class TestDatabase implements AutoCloseable {
  private static final Path SERVERS = Path.of("/usr/lib/postgresql");
  private static final long COMMAND_SECONDS = 60;

  private final String url;
  private final List<String> whenClosed;

  private TestDatabase(String url, List<String> whenClosed) {
    this.url = url;
    this.whenClosed = whenClosed;
  }

  static TestDatabase h2() {
    return new TestDatabase("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", List.of());
  }

  /** Returns the folder of the newest server's programs here, if installed. */
  static Optional<Path> postgres() {
    try (Stream<Path> versions = Files.list(SERVERS)) {
      return versions
          .map(version -> version.resolve("bin"))
          .filter(Files::isDirectory)
          .max(Path::compareTo);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Starts a server on a port of its own; the server refuses to run as root, so root starts it as
   * another user.
   */
  static TestDatabase postgresql(Path programs, Path folder, int port) {
    Path data = folder.resolve("data");
    List<String> user = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      user.addAll(List.of("runuser", "-u", "postgres", "--"));
      run(List.of("chmod", "-R", "a+rwx", folder.toString()));
    }
    run(with(user, programs.resolve("initdb"), "-D", data, "-A", "trust", "-U", "store", "-N"));
    run(
        with(
            user,
            programs.resolve("pg_ctl"),
            "-D",
            data,
            "-w",
            "-l",
            folder.resolve("log"),
            "-o",
            "-p " + port + " -h 127.0.0.1 -k " + folder + " -F",
            "start"));
    return new TestDatabase(
        "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=store",
        with(user, programs.resolve("pg_ctl"), "-D", data, "-m", "immediate", "stop"));
  }

  private static List<String> with(List<String> user, Object... command) {
    List<String> all = new ArrayList<>(user);
    for (Object each : command) {
      all.add(each.toString());
    }
    return all;
  }

  private static void run(List<String> command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new AssertionError("failed: " + command);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  String url() {
    return url;
  }

  @Override
  public void close() {
    if (!whenClosed.isEmpty()) {
      run(whenClosed);
    }
  }
}
