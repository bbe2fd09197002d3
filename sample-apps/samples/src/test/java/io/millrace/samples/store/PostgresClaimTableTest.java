package io.millrace.samples.store;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Claims on a PostgreSQL server, where its programs are installed. */
final class PostgresClaimTableTest extends ClaimTableContract {
  private static @Nullable TestDatabase database;
  private static @Nullable Path folder;

  @BeforeAll
  static void start() throws IOException {
    Optional<Path> programs = TestDatabase.postgres();
    assumeTrue(programs.isPresent(), "SKIPPED: PostgreSQL's programs are not installed here");
    folder = Files.createTempDirectory("millrace-store-pg");
    database = TestDatabase.postgresql(programs.get(), folder, freePort());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @AfterAll
  static void stop() throws IOException {
    TestDatabase started = database;
    if (started != null) {
      started.close();
    }
    Path used = folder;
    if (used != null) {
      try (var files = Files.walk(used)) {
        for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(each);
        }
      }
    }
  }

  @Override
  String url() {
    TestDatabase started = database;
    return Objects.requireNonNull(started).url();
  }
}
