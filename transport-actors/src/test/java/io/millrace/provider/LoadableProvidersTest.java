package io.millrace.provider;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.millrace.crypto.HandshakeProvider;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Providers in the view of threads with several context class loaders. */
class LoadableProvidersTest {
  private static final ClassLoader OWN = Loaders.class.getClassLoader();

  private final ClassLoader before = Thread.currentThread().getContextClassLoader();

  @TempDir private Path directory;

  /** The service interface of the search; the class path has no provider. */
  public interface Kind {}

  /** A provider that an application adds. */
  public static final class Added implements Kind {}

  @AfterEach
  void restore() {
    Thread.currentThread().setContextClassLoader(before);
  }

  private URLClassLoader with(ClassLoader parent, String... classes) throws IOException {
    Path services = Files.createDirectories(directory.resolve("META-INF/services"));
    Files.write(services.resolve(Kind.class.getName()), List.of(classes));
    return new URLClassLoader(new URL[] {directory.toUri().toURL()}, parent);
  }

  @Test
  void shouldFindWhatTheLoaderOfTheThreadAdds() throws IOException {
    try (URLClassLoader loader = with(OWN, Added.class.getName())) {
      Thread.currentThread().setContextClassLoader(loader);
      assertEquals(
          List.of(Added.class),
          LoadableProviders.of(Kind.class).stream().map(Object::getClass).toList());
      assertSame(loader, Loaders.ofApplication(), "it may have the application's configuration");
    }
  }

  @Test
  void shouldTellOnceOfWhatCannotBeLoaded() throws IOException {
    List<String> passedOver = new ArrayList<>();
    try (URLClassLoader loader = with(OWN, "no.such.Driver")) {
      Thread.currentThread().setContextClassLoader(loader);
      LoadableProviders.of(Kind.class, (name, why) -> passedOver.add(why));
    }
    assertEquals(1, passedOver.size(), passedOver.toString());
  }

  @Test
  void shouldFindItsOwnOnceFromEveryThread() throws IOException {
    Thread.currentThread().setContextClassLoader(OWN);
    List<String> usual = handshakes();
    try (URLClassLoader child = with(OWN);
        URLClassLoader stranger = with(ClassLoader.getPlatformClassLoader())) {
      for (ClassLoader each : Stream.of(child, stranger).toList()) {
        Thread.currentThread().setContextClassLoader(each);
        assertEquals(usual, handshakes());
      }
      assertSame(OWN, Loaders.ofApplication(), "the stranger has no Millrace");
    }
    Thread.currentThread().setContextClassLoader(null);
    assertEquals(usual, handshakes());
  }

  private static List<String> handshakes() {
    return LoadableProviders.of(HandshakeProvider.class).stream()
        .map(HandshakeProvider::name)
        .toList();
  }
}
