package io.millrace.engine;

import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.api.Test;

/** The nodes of a process look for ciphers once, and each cipher tests itself once. */
class OneSearchTest {
  @Test
  void shouldShareWhatTheProcessFound() {
    AeadProvider chosen = NodeEnvironment.PROCESS.ciphers().select(0);

    AeadProviders again = NodeEnvironment.PROCESS.ciphers();

    assertSame(chosen, again.select(0));
    assertSame(chosen.probe(), again.select(0).probe(), "a second node's probe");
  }

  @Test
  void shouldLookAgainWhereTheThreadHasAClassLoaderOfItsOwn() throws Exception {
    AeadProviders ofProcess = NodeEnvironment.PROCESS.ciphers();
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader plugin = new URLClassLoader(new URL[0], before)) {
      thread.setContextClassLoader(plugin);

      assertNotSame(ofProcess, NodeEnvironment.PROCESS.ciphers());
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
