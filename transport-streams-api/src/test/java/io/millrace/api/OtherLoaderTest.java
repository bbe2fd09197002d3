package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.config.TransportSettings;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nodes that start on a thread with a context class loader without Millrace: a thread of the common
 * pool beside a fat jar, of a plug-in's host, or without a context class loader.
 */
@Timeout(60)
class OtherLoaderTest {
  private static final Route<ByteString, ByteString> ECHO = Route.bytes("echo");

  private final ClassLoader before = Thread.currentThread().getContextClassLoader();

  @AfterEach
  void restore() {
    Thread.currentThread().setContextClassLoader(before);
  }

  private static @Nullable ClassLoader loader(String name) {
    return switch (name) {
      case "none" -> null;
      case "the platform's" -> ClassLoader.getPlatformClassLoader();
      default -> new URLClassLoader(new URL[0], null);
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "the platform's", "an empty one"})
  void shouldStartAndServeWhateverTheLoaderOfTheThread(String name) throws Exception {
    ClassLoader loader = loader(name);
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
