package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two nodes with {@code nics = auto}, each in a network namespace as on a host of its own: two
 * links lead from one to the other, and each has a bridge for containers, of one and the same
 * address. Needs root, and the command {@code ip}.
 */
@Tag("soak")
@Timeout(120)
final class SharedBridgeSoakTest {
  private static final String NAME = "mrbridge" + ProcessHandle.current().pid();
  private static final String CLIENT = NAME + "c";
  private static final String SERVER = NAME + "s";

  @BeforeEach
  void build() throws Exception {
    assumeTrue(
        run("ip netns add " + CLIENT).isEmpty(),
        "SKIPPED: no network namespace can be made here, which needs root and ip");
    must("ip netns add " + SERVER);
    for (int link = 0; link < 2; link++) {
      String nic = "eth" + link;
      must(
          "ip -n %s link add %s type veth peer name %s netns %s"
              .formatted(CLIENT, nic, nic, SERVER));
      configure(CLIENT, nic, "10.77." + link + ".1/24");
      configure(SERVER, nic, "10.77." + link + ".2/24");
    }
    // The JDK lists the newest link first.
    for (String namespace : List.of(CLIENT, SERVER)) {
      bridge(namespace);
    }
  }

  private static void bridge(String namespace) throws Exception {
    must("ip -n " + namespace + " link set lo up");
    // A bridge has a carrier while a port has; the other end of the port is no NIC of a node.
    must("ip -n " + namespace + " link add port0 type veth peer name inside0");
    must("ip -n " + namespace + " link add docker0 type bridge");
    must("ip -n " + namespace + " link set port0 master docker0");
    must("ip -n " + namespace + " link set port0 up");
    must("ip -n " + namespace + " link set inside0 up");
    configure(namespace, "docker0", "172.17.0.1/16");
  }

  private static void configure(String namespace, String nic, String address) throws Exception {
    must("ip -n " + namespace + " addr add " + address + " dev " + nic);
    must("ip -n " + namespace + " link set " + nic + " up");
  }

  @AfterEach
  void remove() throws Exception {
    run("ip netns del " + CLIENT);
    run("ip netns del " + SERVER);
  }

  @ParameterizedTest
  @ValueSource(strings = {"udp", "udp-nio"})
  void shouldCallPastTheBridgeAndLeaveALinkThatIsDown(String driver) throws Exception {
    try (NodeProcess server = node(SERVER, "10.77.0.2:7400", driver);
        NodeProcess client = node(CLIENT, "10.77.0.1:7400", driver)) {
      server.await("listens");
      client.await("listens");
      assertTrue(call(client, 1).startsWith("eth"));
      String before = call(client, 200);
      assertTrue(before.startsWith("eth"), before);

      must("ip -n " + SERVER + " link set " + before + " down");
      String after = call(client, 200);
      assertTrue(after.startsWith("eth"), after);
      assertNotEquals(before, after);

      must("ip -n " + SERVER + " link set " + before + " up");
      must("ip -n " + SERVER + " link set " + after + " down");
      assertEquals(before, call(client, 200));
      assertEquals(0, client.end());
      assertEquals(0, server.end());
    }
  }

  /** Makes this number of calls, and returns the NIC that carried the calls. */
  private static String call(NodeProcess client, int count) throws Exception {
    client.tell("call 10.77.0.2:7400 " + count);
    String[] answer = client.await("called");
    assertNotEquals("nobody", answer[1], () -> String.join(" ", answer));
    return answer[1];
  }

  private static NodeProcess node(String namespace, String listen, String driver)
      throws IOException {
    return NodeProcess.startBehind(
        List.of("ip", "netns", "exec", namespace), NamespacedNode.class, listen, driver);
  }

  private static void must(String line) throws Exception {
    String error = run(line);
    if (!error.isEmpty()) {
      throw new AssertionError(line + ": " + error);
    }
  }

  /** Runs a command; returns its errors, empty after a success. */
  private static String run(String line) throws InterruptedException {
    try {
      Process process = new ProcessBuilder(line.split(" ", -1)).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? "" : "failed: " + said;
    } catch (IOException e) {
      return "failed: " + e.getMessage();
    }
  }
}
