package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.config.TransportSettings;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Nodes that start on a thread whose context class loader does not have Millrace: of the common
 * pool beside a fat jar, of a plug-in's host, or none at all.
 */
@Timeout(60)
class OtherLoaderTest {
  private static final Route<ByteString, ByteString> ECHO = Route.bytes("echo");

  private final ClassLoader before = Thread.currentThread().getContextClassLoader();

  @AfterEach
  void restore() {
    Thread.currentThread().setContextClassLoader(before);
  }

  static Stream<Named<ClassLoader>> loaders() {
    return Stream.of(
        Named.of("none", null),
        Named.of("the platform's", ClassLoader.getPlatformClassLoader()),
        Named.of("an empty one", new URLClassLoader(new URL[0], null)));
  }

  @ParameterizedTest
  @MethodSource("loaders")
  void shouldStartAndServeWhateverTheLoaderOfTheThread(@Nullable ClassLoader loader)
      throws Exception {
    Thread.currentThread().setContextClassLoader(loader);
    TransportSettings settings = TwoNodes.small("millrace.nic.driver = udp-nio\n");
    try (Transport server = Transport.start(settings);
        Transport client = Transport.start(settings)) {
      server.serve(ECHO, request -> CompletableFuture.completedFuture(request));
      assertEquals(
          ByteString.fromString("x"),
          client
              .peer(server.address())
              .unary(ECHO, ByteString.fromString("x"))
              .get(20, TimeUnit.SECONDS));
    }
    assertEquals(loader, Thread.currentThread().getContextClassLoader());
  }
}
