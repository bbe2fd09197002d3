package io.millrace.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.node.SystemNics.Kind;
import io.millrace.node.SystemNics.Nic;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Interfaces from an imitation of {@code /sys}. */
class SystemNicsTest {
  private static final InetAddress OURS = InetAddress.ofLiteral("10.0.0.5");

  @TempDir Path root;

  @Test
  void shouldTellEachInterfaceByName() throws IOException {
    nic("eth1", Map.of("flags", "0x1003", "carrier", "1", "speed", "25000"));
    write("eth1/device/numa_node", "1");
    nic("eth0", Map.of("flags", "0x1003", "carrier", "1", "speed", "100000"));
    write("eth0/device/numa_node", "0");
    nic("lo", Map.of("flags", "0x9", "carrier", "1"));
    assertEquals(
        List.of(
            new Nic("eth0", true, false, 100_000_000_000L, 0, List.of(OURS)),
            new Nic("eth1", true, false, 25_000_000_000L, 1, List.of()),
            new Nic("lo", true, true, 0, SystemNics.UNKNOWN_NODE, List.of())),
        nics());
  }

  @Test
  void shouldTellThatAnInterfaceIsDownOrItsLinkDoesNotCarry() throws IOException {
    nic("off", Map.of("flags", "0x1002", "speed", "25000"));
    nic("unplugged", Map.of("flags", "0x1003", "carrier", "0", "speed", "-1"));
    assertEquals(List.of(false, false), nics().stream().map(Nic::isUp).toList());
  }

  @Test
  void shouldNotGuessWhatDriversDoNotKnow() throws IOException {
    nic("veth0", Map.of("flags", "0x1003", "carrier", "1", "speed", "-1"));
    write("veth0/device/numa_node", "-1");
    nic("odd", Map.of("flags", "none", "speed", "fast"));
    for (Nic nic : nics()) {
      assertEquals(0, nic.speedBitsPerSecond(), nic.name());
      assertEquals(SystemNics.UNKNOWN_NODE, nic.numaNode(), nic.name());
    }
    assertFalse(nics().getFirst().isUp());
  }

  @Test
  void shouldLeaveOutFilesThatAreNoInterfaces() throws IOException {
    nic("eth0", Map.of("flags", "0x1003"));
    write("bonding_masters", "bond0");
    assertEquals(List.of("eth0"), nics().stream().map(Nic::name).toList());
  }

  @Test
  void shouldTellDevicesFromBridgesWithoutADevice() throws IOException {
    write("eth0/device/numa_node", "0");
    write("veth0/flags", "0x1003");
    write("docker0/bridge/priority", "32768");
    link("docker0", "veth0");
    write("br0/bridge/priority", "32768");
    link("br0", "eth0");
    write("bond0/flags", "0x1003");
    link("bond0", "eth0");
    write("vlan7/flags", "0x1003");
    link("vlan7", "bond0");
    SystemNics nics = new SystemNics(root, name -> List.of());
    for (String device : List.of("eth0", "br0", "bond0", "vlan7", "no-such-nic")) {
      assertEquals(Kind.DEVICE, nics.kind(device), device);
    }
    assertEquals(Kind.VIRTUAL, nics.kind("veth0"));
    assertEquals(Kind.INNER, nics.kind("docker0"));
  }

  private void link(String upper, String lower) throws IOException {
    Path directory = root.resolve("sys/class/net");
    Files.createSymbolicLink(
        directory.resolve(upper).resolve("lower_" + lower), directory.resolve(lower));
  }

  @Test
  void shouldFindTheLoopbackInterfaceOfThisMachine() {
    assertTrue(
        SystemNics.list().stream()
            .anyMatch(nic -> nic.isLoopback() && nic.isUp() && !nic.addresses().isEmpty()));
  }

  @Test
  void shouldAskTheJdkWhereThereIsNoSysfs() {
    assertTrue(nics().stream().anyMatch(Nic::isLoopback));
  }

  private List<Nic> nics() {
    return new SystemNics(root, name -> name.equals("eth0") ? List.of(OURS) : List.of()).all();
  }

  private void nic(String name, Map<String, String> files) throws IOException {
    for (Map.Entry<String, String> file : files.entrySet()) {
      write(name + "/" + file.getKey(), file.getValue());
    }
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve("sys/class/net").resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text + "\n");
  }
}
