package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two nodes in processes of their own, killed and started again on the same ports while the nodes
 * call each other. No key seals twice with one nonce in all lives of the nodes, rule K-6.
 */
@Timeout(180)
class NonceAcrossProcessesTest {
  private static final int CALLS = 2_000;
  private static final int LEAST_SEALS = 3_000;
  private static final int LEAST_KEYS_OF_A_LIFE = 10;

  @TempDir Path directory;

  private final List<NodeProcess> processes = new ArrayList<>();
  private final Map<String, Path> logs = new LinkedHashMap<>();

  private record Node(NodeProcess process, String address, String workerPort) {
    void call(Node peer, int calls) {
      process.tell(peer.address + " " + calls);
    }
  }

  @AfterEach
  void endProcesses() {
    processes.forEach(NodeProcess::close);
  }

  @Test
  void shouldNeverUseAKeyAndNonceTwiceInAnyLife() throws Exception {
    Node server = ready("server 1", start("server 1", "0", "0"));
    Node client = ready("client 1", start("client 1", "0", "0"));
    exchange(server, client);
    server = killAndStartAgain(server, "server 2", client);
    exchange(server, client);
    client = killAndStartAgain(client, "client 2", server);
    exchange(server, client);
    assertEquals(0, client.process.end());
    assertEquals(0, server.process.end());
    check();
  }

  private static void exchange(Node server, Node client) throws InterruptedException {
    client.call(server, CALLS);
    server.call(client, CALLS);
    client.process.await("done");
    server.process.await("done");
  }

  /**
   * Kills {@code victim} while both sides call; the survivor's calls go on with the victim's next
   * life.
   */
  private Node killAndStartAgain(Node victim, String nextLife, Node survivor) throws Exception {
    victim.call(survivor, 100 * CALLS);
    victim.process.await("progress");
    survivor.call(victim, CALLS);
    survivor.process.await("progress");
    victim.process.kill();
    String port = victim.address.substring(victim.address.lastIndexOf(':') + 1);
    Node next = ready(nextLife, start(nextLife, port, victim.workerPort));
    assertEquals(victim.address, next.address);
    String[] done = survivor.process.await("done");
    System.out.println(nextLife + ": calls of the survivor " + String.join(" ", done));
    assertTrue(Integer.parseInt(done[3]) > 0, "nothing was under way when it was killed");
    return next;
  }

  private NodeProcess start(String life, String handshakePort, String workerPort)
      throws IOException {
    Path log = directory.resolve(life);
    logs.put(life, log);
    NodeProcess process =
        NodeProcess.start(SealingNodeMain.class, handshakePort, workerPort, log.toString());
    processes.add(process);
    return process;
  }

  private static Node ready(String life, NodeProcess process) throws InterruptedException {
    String[] ready = process.await("ready");
    System.out.println(life + " seals with " + ready[3]);
    return new Node(process, ready[1], ready[2]);
  }

  private void check() throws IOException {
    Map<String, String> lifeOfSeal = new HashMap<>();
    Map<String, String> lifeOfKey = new HashMap<>();
    List<String> repeatedSeals = new ArrayList<>();
    List<String> repeatedKeys = new ArrayList<>();
    int seals = 0;
    for (Map.Entry<String, Path> entry : logs.entrySet()) {
      String life = entry.getKey();
      List<SealLog.Seal> sealed = SealLog.read(entry.getValue());
      for (SealLog.Seal seal : sealed) {
        note(seal.toString(), lifeOfSeal.put(seal.key() + seal.nonce(), life), life, repeatedSeals);
      }
      Set<String> keys = keys(life, sealed);
      for (String key : keys) {
        note("key " + key, lifeOfKey.put(key, life), life, repeatedKeys);
      }
      seals += sealed.size();
    }
    assertEquals("[] []", firstOf(repeatedSeals) + " " + firstOf(repeatedKeys));
    assertEquals(seals, lifeOfSeal.size());
    assertTrue(seals >= LEAST_SEALS, () -> lifeOfSeal.size() + " seals are too few");
  }

  private static void note(
      String what, @Nullable String lifeBefore, String life, List<String> repeated) {
    if (lifeBefore != null) {
      repeated.add(what + " of " + lifeBefore + " again in " + life);
    }
  }

  private static String firstOf(List<String> repeated) {
    return repeated.isEmpty() ? "[]" : "[" + repeated.size() + ": " + repeated.getFirst() + "]";
  }

  /** Returns the keys of one life; checks that enough keys of both kinds were in use. */
  private static Set<String> keys(String life, List<SealLog.Seal> sealed) {
    Set<String> keys = new HashSet<>();
    int handshakes = 0;
    for (SealLog.Seal seal : sealed) {
      keys.add(seal.key());
      handshakes += seal.kind() == SealLog.Kind.HANDSHAKE ? 1 : 0;
    }
    String counted =
        String.format(
            "%s: %d seals, %d of them of handshakes, %d keys",
            life, sealed.size(), handshakes, keys.size());
    System.out.println(counted);
    assertTrue(handshakes > 0 && keys.size() >= LEAST_KEYS_OF_A_LIFE, counted);
    return keys;
  }
}
