package io.millrace.udp.linux;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverAvailability.Unavailable;
import io.millrace.driver.DriverProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class LinuxUdpProviderTest {
  @Test
  void shouldBeFoundAndPreferredToPortableDriver() {
    List<DriverProvider> providers = new ArrayList<>();
    ServiceLoader.load(DriverProvider.class).forEach(providers::add);
    providers.sort(Comparator.comparingInt(DriverProvider::preference).reversed());
    assertEquals(List.of("udp", "udp-nio"), providers.stream().map(DriverProvider::name).toList());
    assertTrue(providers.stream().allMatch(provider -> provider.family().equals("udp")));
  }

  @Test
  void shouldSayWhatIsMissingOnOtherSystems() {
    assertEquals(
        new Unavailable("it needs Linux, and this is Mac OS X"),
        new LinuxUdpProvider("Mac OS X", "aarch64").probe());
    assertEquals(
        new Unavailable("it needs a 64-bit x86 or ARM processor, and this is riscv64"),
        new LinuxUdpProvider("Linux", "riscv64").probe());
  }

  @Test
  void shouldLoadNothingNativeOnOtherSystems() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xlog:class+load",
                "-Dos.name=Mac OS X",
                "-cp",
                System.getProperty("java.class.path"),
                ProbeAll.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, process.waitFor(), output);
    assertTrue(output.contains("udp: Unavailable[reason=it needs Linux"), output);
    assertTrue(output.contains("udp-nio: Available["), output);
    assertFalse(output.contains("io.millrace.udp.linux.FfmLibc"), output);
    assertFalse(output.contains("io.millrace.udp.linux.LinuxUdpEndpoint"), output);
  }

  /** Probes the drivers found by the service loader, in a JVM of its own. */
  static final class ProbeAll {
    private ProbeAll() {}

    public static void main(String[] args) {
      for (DriverProvider provider : ServiceLoader.load(DriverProvider.class)) {
        System.out.println(provider.name() + ": " + provider.probe());
      }
    }
  }
}
