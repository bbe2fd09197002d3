package io.millrace.handshake.quic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.HandshakeAvailability;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The provider's answers with Netty's jars, and without the jars. */
final class QuicProviderTest {
  @Test
  void shouldBeAvailableHere() {
    assertEquals(new HandshakeAvailability.Available(), new QuicProvider().probe());
    assertEquals("quic", new QuicProvider().name());
  }

  @Test
  void shouldSayThatNettyIsMissing() throws Exception {
    String answer = answerWithout(entry -> entry.contains("netty"));
    assertTrue(answer.startsWith("Unavailable"), answer);
    assertTrue(answer.contains("Netty's QUIC is not on the class path"), answer);
    assertTrue(answer.contains("netty-codec-native-quic"), answer);
  }

  @Test
  void shouldSayThatPartOfNettyIsMissing() throws Exception {
    String answer = answerWithout(entry -> entry.contains("netty-common"));
    assertTrue(answer.contains("a part of Netty's QUIC is not on the class path"), answer);
  }

  @Test
  void shouldSayThatTheNativeLibraryIsMissing() throws Exception {
    String answer = answerWithout(entry -> entry.contains("netty-codec-native-quic"));
    assertTrue(answer.startsWith("Unavailable"), answer);
    assertTrue(answer.contains("the native library of Netty's QUIC does not load"), answer);
  }

  /**
   * The answer of a provider that a service loader finds without some entries of the class path.
   */
  private static String answerWithout(Predicate<String> missing) throws Exception {
    URL[] entries =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(missing.negate())
            .map(QuicProviderTest::url)
            .toArray(URL[]::new);
    try (URLClassLoader loader =
        new URLClassLoader(entries, ClassLoader.getPlatformClassLoader())) {
      Class<?> provider = loader.loadClass(QuicProvider.class.getName());
      Object found = provider.getConstructor().newInstance();
      return String.valueOf(provider.getMethod("probe").invoke(found));
    }
  }

  private static URL url(String entry) {
    try {
      return Path.of(entry).toUri().toURL();
    } catch (java.net.MalformedURLException e) {
      throw new IllegalArgumentException(entry, e);
    }
  }
}
