package io.millrace.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.node.SystemNics;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The facts that an imitation of {@code /proc} gives. */
class MachineTest {
  @TempDir private Path root;

  @Test
  void shouldCountDescriptorsThatAreLeft() throws IOException {
    write(
        "proc/self/limits",
        """
        Limit                     Soft Limit           Hard Limit           Units
        Max core file size        0                    unlimited            bytes
        Max open files            10                   4096                 files
        """);
    assertEquals(Machine.UNKNOWN, Machine.spareDescriptors(root), "how many are open is not known");
    write("proc/self/fd/0", "");
    write("proc/self/fd/1", "");
    write("proc/self/fd/2", "");
    assertEquals(7, Machine.spareDescriptors(root));
  }

  @Test
  void shouldTellThatThereIsNoLimit() throws IOException {
    write("proc/self/limits", "Max open files            unlimited     unlimited    files\n");
    write("proc/self/fd/0", "");
    assertEquals(Machine.UNKNOWN, Machine.spareDescriptors(root));
  }

  @Test
  void shouldReadHugePages() throws IOException {
    assertEquals(Machine.UNKNOWN, Machine.hugePages(root));
    write("proc/meminfo", "MemTotal:   100 kB\nHugePages_Total:       3\nHugepagesize: 2048 kB\n");
    assertEquals(3, Machine.hugePages(root));
  }

  @Test
  void shouldKnowTheInterfaceOfAnAddressHere() {
    Machine here = Machine.ofThisProcess();
    SystemNics.Nic loopback = here.nicOf(InetAddress.ofLiteral("127.0.0.1"));
    assertTrue(loopback != null && loopback.isLoopback());
    assertEquals(null, here.nicOf(InetAddress.ofLiteral("192.0.2.1")));
    assertEquals(CpuTopology.UNKNOWN_NODE, here.nodeOf(InetAddress.ofLiteral("127.0.0.1")));
  }

  private void write(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
