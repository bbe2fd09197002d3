package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A system that is not Linux, as far as a JVM can be told so: nothing of Linux is bound, libfabric
 * is not there, threads cannot be pinned. What such a system does otherwise, this does not show.
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
