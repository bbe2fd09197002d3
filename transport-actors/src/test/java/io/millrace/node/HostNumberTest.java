package io.millrace.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hosts from an imitation of {@code /proc}. */
class HostNumberTest {
  @TempDir Path root;

  @Test
  void shouldTellBootsAndNetworkNamespacesApart() throws IOException {
    long number = number("one", "a", "net:[4026531840]");
    assertEquals(number, number("same", "a", "net:[4026531840]"));
    assertNotEquals(number, number("boot", "b", "net:[4026531840]"));
    assertNotEquals(number, number("container", "a", "net:[4026532211]"));
    assertNotEquals(HostNumber.UNKNOWN, number);
  }

  @Test
  void shouldNotGuessWhereTheSystemDoesNotTell() throws IOException {
    assertEquals(HostNumber.UNKNOWN, new HostNumber(root).number());
    Path boot = root.resolve("proc/sys/kernel/random/boot_id");
    Files.createDirectories(boot.getParent());
    Files.writeString(boot, "a\n");
    assertEquals(HostNumber.UNKNOWN, new HostNumber(root).number());
  }

  private long number(String machine, String boot, String network) throws IOException {
    Path files = root.resolve(machine);
    Path bootId = files.resolve("proc/sys/kernel/random/boot_id");
    Files.createDirectories(bootId.getParent());
    Files.writeString(bootId, boot + "\n");
    Path namespaces = files.resolve("proc/self/ns");
    Files.createDirectories(namespaces);
    Files.createSymbolicLink(namespaces.resolve("net"), Path.of(network));
    return new HostNumber(files).number();
  }
}
