package io.millrace.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.millrace.config.IdleStrategyKind;
import io.millrace.config.SettingsException;
import io.millrace.config.TransportSettings;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Properties and variables below {@code millrace} become settings, or are refused by name. */
class EnvironmentSettingsTest {
  /** A default that depends on the profile has a key for each profile behind the setting's name. */
  private static final String PROFILES = "\\.(shared|dedicated|container|wan)$";

  private static TransportSettings settings(
      Map<String, Object> properties, Map<String, Object> variables) {
    return settings(properties, variables, Map.of());
  }

  /** The settings of three sources; earlier sources take precedence. */
  private static TransportSettings settings(
      Map<String, Object> properties, Map<String, Object> variables, Map<String, Object> defaults) {
    ConfigurableEnvironment environment = new StandardEnvironment();
    MutablePropertySources sources = environment.getPropertySources();
    sources.forEach(usual -> sources.remove(usual.getName()));
    sources.addLast(new MapPropertySource("file", properties));
    sources.addLast(new SystemEnvironmentPropertySource("systemEnvironment", variables));
    sources.addLast(new MapPropertySource("defaults", defaults));
    return EnvironmentSettings.of(environment);
  }

  @Test
  void shouldTakeEverySpellingOfSpring() {
    TransportSettings settings =
        settings(
            Map.of(
                "millrace.workers.idleStrategy",
                "BUSY_SPIN",
                "millrace.workers.count",
                "${cores}",
                "cores",
                2,
                "millrace.workers.cores",
                "3, 1"),
            Map.of(
                "MILLRACE_WORKERS_RECEIVE_LIMIT",
                "32",
                "MILLRACE_WORKERS_SUBMISSIONLIMIT",
                "128",
                "MILLRACE_WORKERS_COUNT",
                "7",
                "MILLRACE_HANDSHAKE_TIMEOUT",
                "3s",
                "MILLRACE_JAVA_OPTS",
                "-Xmx1g",
                "MILLRACE_PORT",
                "tcp://10.0.0.1:7400"),
            Map.of(
                "millrace.workers.receive-limit",
                16,
                "millrace.workers.cores[0]",
                5,
                "millrace.workers.cores[1]",
                6,
                "millrace.workers.cores[2]",
                7));
    assertEquals(IdleStrategyKind.BUSY_SPIN, settings.workers().idleStrategy());
    assertEquals(2, settings.workers().count());
    assertEquals(List.of(3, 1), settings.workers().cores().ids());
    assertEquals(Duration.ofSeconds(3).toNanos(), settings.handshake().timeoutNs());
    assertEquals(32, settings.workers().receiveLimit());
    assertEquals(128, settings.workers().submissionLimit());
  }

  @Test
  void shouldTakeListsAsSpringAndAsHoconWriteThem() {
    TransportSettings indexed =
        settings(
            Map.of(
                "millrace.access.rules[0].peers[0]", "*.mill.example",
                "millrace.access.rules[0].routes[0]", "orders.*",
                "millrace.access.rules[0].patterns[0]", "unary",
                "millrace.access.rules[0].patterns[1]", "bulk-read"),
            Map.of());
    TransportSettings hocon =
        settings(
            Map.of(
                "millrace.access.rules",
                "[{ peers = [\"*.mill.example\"], routes = [\"orders.*\"],"
                    + " patterns = [unary, bulk-read] }]"),
            Map.of());
    assertFalse(indexed.handshake().access().isEmpty());
    assertEquals(hocon.handshake().access(), indexed.handshake().access());
  }

  @Test
  void shouldRefuseAnUnknownPropertyAndABadValueByName() {
    assertTrue(
        message(Map.of("millrace.wrokers.count", 2))
            .startsWith("configuration key 'millrace.wrokers.count' is unknown"));
    assertTrue(
        message(Map.of("millrace.workers.count", "two"))
            .startsWith("configuration key 'millrace.workers.count' "));
    assertTrue(
        message(Map.of("millrace.workers.cores", "[1, 2"))
            .startsWith("configuration key 'millrace.workers.cores' is no HOCON"));
  }

  private static String message(Map<String, Object> properties) {
    return String.valueOf(
        assertThrows(SettingsException.class, () -> settings(properties, Map.of())).getMessage());
  }

  @Test
  void shouldDrainWithinThePhaseOfSpring() {
    Duration own = Duration.ofSeconds(10);
    ConfigurableEnvironment spring = new StandardEnvironment();
    assertEquals(own, MillraceAutoConfiguration.drainLimit(own, spring));
    assertEquals(
        Duration.ofSeconds(27),
        MillraceAutoConfiguration.drainLimit(Duration.ofSeconds(60), spring));
    spring
        .getPropertySources()
        .addFirst(
            new MapPropertySource("file", Map.of(MillraceAutoConfiguration.PHASE_TIMEOUT, "5s")));
    assertEquals(Duration.ofMillis(4_500), MillraceAutoConfiguration.drainLimit(own, spring));
  }

  @Test
  void shouldDescribeEverySettingToEditors() throws IOException {
    List<? extends Config> properties;
    try (Reader reader =
        new InputStreamReader(
            Objects.requireNonNull(
                EnvironmentSettings.class.getResourceAsStream(
                    "/META-INF/spring-configuration-metadata.json")),
            StandardCharsets.UTF_8)) {
      properties = ConfigFactory.parseReader(reader).getConfigList("properties");
    }
    TreeSet<String> expected =
        ConfigFactory.defaultReference().getConfig("millrace").entrySet().stream()
            .map(each -> "millrace." + each.getKey().replaceFirst(PROFILES, ""))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(
        expected,
        properties.stream()
            .map(each -> each.getString("name"))
            .collect(Collectors.toCollection(TreeSet::new)));
    Config count =
        properties.stream()
            .filter(each -> each.getString("name").equals("millrace.workers.count"))
            .findFirst()
            .orElseThrow();
    assertEquals(
        "Workers, each with one thread, and one endpoint for each driver of its NIC and for each"
            + " other NIC.",
        count.getString("description"));
    assertEquals(1, count.getInt("defaultValue"));
  }
}
