package io.millrace.tree.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The manifests of docs/kubernetes fit Kubernetes, each other, and the defaults of a node. */
@Timeout(60)
final class KubernetesTest {
  private static final Path FOLDER = Path.of("kubernetes");
  private static final String POD_IP = "10.1.2.3";
  private static final int GROUP_MAY_READ = 0440;
  private static final Pattern JAVA_BLOCK = Pattern.compile("(?ms)^```java\n(.*?)^```$");
  private static final Duration END_OF_JVM = Duration.ofSeconds(10);

  private static String text(String name) throws IOException {
    return Files.readString(FOLDER.resolve(name));
  }

  private static Config manifest(String name) throws IOException {
    return Manifests.read(text(name));
  }

  private static Config pod() throws IOException {
    return manifest("statefulset.yaml").getConfig("spec.template.spec");
  }

  private static Config container() throws IOException {
    List<? extends Config> containers = pod().getConfigList("containers");
    assertEquals(1, containers.size());
    return containers.getFirst();
  }

  /** The configuration of a pod with this address, with the defaults of reference.conf behind. */
  private static Config config() throws IOException {
    String own = manifest("configmap.yaml").getString("data.\"application.conf\"");
    return ConfigFactory.parseString(own)
        .resolveWith(ConfigFactory.parseString("POD_IP = \"" + POD_IP + "\""))
        .withFallback(ConfigFactory.load());
  }

  private static int port(String setting) throws IOException {
    String address = config().getString("millrace." + setting);
    assertTrue(address.startsWith(POD_IP + ":"), address);
    return Integer.parseInt(address.substring(POD_IP.length() + 1));
  }

  /** The ports that peers call, as a set of PROTOCOL PORT. */
  private static Set<String> portsOfTheNode() throws IOException {
    Config config = config();
    assertEquals("tls", config.getString("millrace.handshake.provider"), "TCP is of tls");
    Set<String> ports = new TreeSet<>(Set.of("TCP " + port("handshake.listen")));
    for (int worker = 0; worker < config.getInt("millrace.workers.count"); worker++) {
      ports.add("UDP " + (port("nic.address") + worker));
    }
    return ports;
  }

  private static Set<String> ports(Stream<? extends Config> ports, String number) {
    return ports
        .map(
            port ->
                (port.hasPath("protocol") ? port.getString("protocol") : "TCP")
                    + " "
                    + port.getInt(number))
        .collect(Collectors.toSet());
  }

  @Test
  void shouldReadEveryManifest() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      List<Path> manifests = files.toList();
      for (Path each : manifests) {
        String kind = manifest(each.getFileName().toString()).getString("kind");
        assertEquals(kind.toLowerCase(Locale.ROOT) + ".yaml", each.getFileName().toString());
      }
      assertEquals(5, manifests.size());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "serviceName:   | serviseName:",
        "httpGet:       | httpget:",
        "path: /live    | pth: /live",
        "- name: config | - nome: config",
        "replicas: 3    | replicas: three",
        "replicas: 3    | 'replicas: 3\n  replicas: 4'",
        "apps/v1        | apps/v2",
      })
  void shouldRefuseWhatKubernetesWouldRefuse(String right, String planted) throws IOException {
    String manifest = text("statefulset.yaml");
    assertTrue(manifest.contains(right), right);

    assertThrows(RuntimeException.class, () -> Manifests.read(manifest.replace(right, planted)));
  }

  @Test
  void shouldOpenThePortsOfTheConfiguration() throws IOException {
    Set<String> expected = portsOfTheNode();
    Config service = manifest("service.yaml").getConfig("spec");
    Config policy = manifest("networkpolicy.yaml").getConfig("spec");

    assertEquals(
        expected,
        ports(
            container().getConfigList("ports").stream()
                .filter(port -> !port.getString("name").equals("probes")),
            "containerPort"));
    assertEquals(expected, ports(service.getConfigList("ports").stream(), "port"));
    for (String direction : List.of("ingress", "egress")) {
      Config rule = policy.getConfigList(direction).getFirst();
      assertEquals(expected, ports(rule.getConfigList("ports").stream(), "port"), direction);
    }
    assertEquals("None", service.getString("clusterIP"));
  }

  @Test
  void shouldNameTheServiceAndThePodsAlike() throws IOException {
    Config set = manifest("statefulset.yaml").getConfig("spec");
    Config service = manifest("service.yaml");

    assertEquals(service.getString("metadata.name"), set.getString("serviceName"));
    Config labels = set.getConfig("template.metadata.labels");
    assertEquals(labels, service.getConfig("spec.selector"));
    for (String other : List.of("networkpolicy.yaml", "poddisruptionbudget.yaml")) {
      Config spec = manifest(other).getConfig("spec");
      String selector = spec.hasPath("selector") ? "selector" : "podSelector";
      assertEquals(labels, spec.getConfig(selector + ".matchLabels"), other);
    }
    assertEquals(
        List.of("*." + set.getString("serviceName") + ".default.svc.cluster.local"),
        config().getStringList("millrace.handshake.tls.peer-names"));
  }

  private static Config volume(String kind) throws IOException {
    return pod().getConfigList("volumes").stream()
        .filter(volume -> volume.hasPath(kind))
        .findFirst()
        .orElseThrow();
  }

  private static Config mount(Config volume) throws IOException {
    return container().getConfigList("volumeMounts").stream()
        .filter(mount -> mount.getString("name").equals(volume.getString("name")))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void shouldMountTheFilesThatTheConfigurationNames() throws IOException {
    Config secret = volume("secret");
    Config mount = mount(secret);
    Config tls = config().getConfig("millrace.handshake.tls");

    for (String file : List.of("authorities", "certificate", "key")) {
      assertEquals(
          mount.getString("mountPath"), String.valueOf(Path.of(tls.getString(file)).getParent()));
    }
    assertFalse(mount.hasPath("subPath"), "changes of a secret reach no file of a subPath");
    assertEquals(GROUP_MAY_READ, secret.getInt("secret.defaultMode"));
    Config map = volume("configMap");
    assertEquals(
        manifest("configmap.yaml").getString("metadata.name"), map.getString("configMap.name"));
    String options = text("statefulset.yaml");
    assertTrue(
        options.contains(
            "-Dconfig.file=" + mount(map).getString("mountPath") + "/application.conf"));
  }

  @Test
  void shouldWaitForTheDrain() throws IOException {
    Duration preStop = Duration.ofSeconds(container().getInt("lifecycle.preStop.sleep.seconds"));
    Duration drain = config().getDuration("millrace.limits.shutdown-drain");
    Duration most = Duration.ofSeconds(pod().getInt("terminationGracePeriodSeconds"));

    assertTrue(preStop.plus(drain).plus(END_OF_JVM).compareTo(most) < 0, most + " is too short");
  }

  @Test
  void shouldConfigureANode() throws IOException {
    TransportSettings settings = TransportSettings.from(config());

    assertEquals("/tls/tls.key", settings.handshake().tls().privateKey());
  }

  @Test
  void shouldAnswerTheProbesOfTheManifest() throws Exception {
    Config live = container().getConfig("livenessProbe.httpGet");
    Config ready = container().getConfig("readinessProbe.httpGet");
    assertEquals(live, container().getConfig("startupProbe.httpGet"));
    TransportSettings settings = TransportSettings.defaults().withPsk("0123456789abcdef".repeat(4));
    MillPod pod = MillPod.listen(0);
    try (Transport transport = Transport.start(settings);
        HttpClient client = HttpClient.newHttpClient()) {
      assertEquals(200, status(client, pod, live));
      assertEquals(503, status(client, pod, ready));
      pod.serve(transport);
      assertEquals(200, status(client, pod, ready));
    } finally {
      pod.close();
    }
  }

  private static int status(HttpClient client, MillPod pod, Config probe)
      throws IOException, InterruptedException {
    URI asked = URI.create("http://127.0.0.1:" + pod.port() + probe.getString("path"));
    return client
        .send(HttpRequest.newBuilder(asked).build(), HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  @Test
  void shouldShowTheExampleAsItCompiles() throws IOException {
    String source =
        Files.readString(Path.of("src/test/java/io/millrace/tree/kubernetes/MillPod.java"));
    String shown =
        JAVA_BLOCK
            .matcher(Files.readString(Path.of("kubernetes.md")))
            .results()
            .map(block -> block.group(1).strip())
            .findFirst()
            .orElseThrow();
    String members =
        source.substring(source.indexOf("  /** The program"), source.indexOf("  int port("));

    assertEquals(members.indent(-2).strip(), shown);
  }
}
