package io.millrace.samples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InfoCommandTest {
  @Test
  void shouldTellInJsonWhatWorksAndWhyTheRestDoesNot() {
    CommandRun run = CommandRun.of("info", "--json");

    assertEquals(0, run.exitCode());
    assertEquals(1, run.out().size());
    JsonNode info = run.json();
    assertEquals(System.getProperty("java.runtime.version"), info.at("/jdk/version").asText());
    assertEquals(System.getProperty("os.version"), info.at("/system/kernel").asText());
    assertTrue(info.at("/cores/available").asInt() > 0);
    assertTrue(info.at("/cores").has("isolated"), "said, though it is empty as a rule");
    assertTrue(info.at("/cores").has("auto"));
    assertTrue(info.at("/limits/descriptors").asLong() > 0);
    assertTrue(info.at("/limits/memlock").asText().matches("\\d+|unlimited"), info.toString());
    assertFalse(info.path("nics").isEmpty());
    for (JsonNode nic : info.path("nics")) {
      assertTrue(nic.path("up").isBoolean() && nic.path("addresses").isArray(), nic.toString());
      boolean isLoopback = nic.path("name").asText().equals("lo");
      assertFalse(isLoopback && nic.has("speed_mbit"), "the system does not tell it");
    }
    Set<String> drivers = told(info.path("drivers"), "capabilities");
    assertTrue(drivers.containsAll(Set.of("udp-nio", "efa")), drivers.toString());
    Set<String> ciphers = told(info.path("aead"), "detail");
    assertTrue(ciphers.contains("jdk"), ciphers.toString());
    Set<String> handshakes = told(info.path("handshakes"), "name");
    assertTrue(handshakes.containsAll(Set.of("psk", "tls")), handshakes.toString());
  }

  @Test
  void shouldTellTheSameInTables() {
    CommandRun run = CommandRun.of("info");

    assertEquals(0, run.exitCode());
    String text = String.join("\n", run.out());
    for (String name : Set.of("udp-nio", "efa", "jdk", "lo", "tls", "psk")) {
      assertTrue(text.contains("\n" + name + " "), text);
    }
  }

  /**
   * Returns the names of the findings; each tells its abilities if available here, and otherwise
   * the reason.
   */
  private static Set<String> told(JsonNode findings, String whenAvailable) {
    Set<String> names = new HashSet<>();
    for (JsonNode finding : findings) {
      names.add(finding.path("name").asText());
      boolean available = finding.path("available").asBoolean();
      assertEquals(available, finding.has(whenAvailable), finding.toString());
      assertEquals(!available, finding.path("reason").asText().length() > 0, finding.toString());
    }
    return names;
  }
}
