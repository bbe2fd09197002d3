package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A system other than Linux, as far as a JVM can imitate such a system: no function of Linux is
 * bound, libfabric is absent, threads cannot be pinned. The test does not show further differences
 * of such a system.
 */
@Timeout(90)
class OtherSystemTest {
  @Test
  void shouldStartWithThePortableDriverAlone() throws Exception {
    try (NodeProcess process =
        NodeProcess.start(
            List.of("-Dos.name=Mac OS X", "-Dmillrace.fabric.library=/nowhere/libfabric.dylib"),
            PortableNodeMain.class)) {
      process.awaitText("missing driver efa: libfabric could not be loaded");
      process.awaitText("missing driver udp: it needs Linux, and this is Mac OS X");
      process.awaitText("missing cores for workers: 1 wanted and one for other threads, allowed");
      assertEquals("udp-nio", process.await("driver")[1]);
      assertEquals("grain", process.await("answered")[1]);
      assertEquals(0, process.end());
    }
  }
}
