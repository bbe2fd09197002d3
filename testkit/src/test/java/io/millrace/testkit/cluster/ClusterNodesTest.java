package io.millrace.testkit.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes in JVMs of their own: they meet, exchange values, fail, and suffer faults. */
@ClusterTest(jvms = 2, heapMb = 32)
@Timeout(60)
class ClusterNodesTest {
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final Duration LONG = Duration.ofSeconds(20);

  private static void tellNeighbour(NodeHandle self) throws Exception {
    List<String> names = self.names();
    String next = names.get((names.indexOf(self.name()) + 1) % names.size());
    self.publish("to " + next, "from " + self.name() + " in " + ProcessHandle.current().pid());
    self.barrier("told");
    self.result(self.await("to " + self.name()));
  }

  @Test
  @ClusterTest(jvms = 4, heapMb = 32)
  void shouldLetFourJvmsMeetAndExchangeValues(Cluster cluster) throws Exception {
    cluster.run(ClusterNodesTest::tellNeighbour);
    cluster.awaitBarrier("told");
    cluster.join();
    List<ClusterNode> nodes = cluster.nodes();
    assertEquals(4, nodes.stream().map(ClusterNode::pid).distinct().count());
    for (int i = 0; i < 4; i++) {
      ClusterNode before = nodes.get((i + 3) % 4);
      assertEquals("from " + before.name() + " in " + before.pid(), nodes.get(i).join());
      assertEquals(NodePhase.ENDED, nodes.get(i).phase());
    }
  }

  private static void meetWithin(NodeHandle self, Duration limit) throws Exception {
    try {
      self.barrier("meeting", self.names(), limit);
      self.result("met");
    } catch (ClusterException e) {
      self.result(String.valueOf(e.getMessage()));
    }
  }

  private static void meetPatiently(NodeHandle self) throws Exception {
    meetWithin(self, LONG);
  }

  private static void giveUpSoon(NodeHandle self) throws Exception {
    meetWithin(self, SHORT);
  }

  @Test
  void shouldNameTheNodeThatDidNotComeToABarrier(Cluster cluster) throws Exception {
    cluster.node("node1").run(ClusterNodesTest::giveUpSoon);
    assertEquals(
        "node1: barrier \"meeting\" waits for node2 (has no program)",
        cluster.node("node1").join());
  }

  private static void waitForItself(NodeHandle self) throws Exception {
    AtomicInteger looks = new AtomicInteger();
    self.awaitUntil("the third look", () -> looks.incrementAndGet() == 3);
    try {
      self.awaitUntil("a pig flies", () -> false);
    } catch (ClusterException e) {
      self.result(looks + " looks; " + e.getMessage());
    }
  }

  @Test
  @ClusterTest(jvms = 1, heapMb = 32, limitSeconds = 2)
  void shouldSayWhatANodeWaitsForInVain(Cluster cluster) throws Exception {
    cluster.run(ClusterNodesTest::waitForItself);
    assertEquals(
        "3 looks; node1: not within 2000 ms: a pig flies", cluster.node("node1").join(LONG));
  }

  private static void throwOnTheWay(NodeHandle self) {
    System.out.println("said by " + self.name());
    throw new IllegalStateException("planted in " + self.name());
  }

  @Test
  void shouldBringAFailureBackAndBreakTheBarrierThatWaitsForIt(Cluster cluster) throws Exception {
    ClusterNode failing = cluster.node("node2");
    cluster.node("node1").run(ClusterNodesTest::meetPatiently);
    failing.run(ClusterNodesTest::throwOnTheWay);
    String broken = cluster.node("node1").join();
    assertEquals(1, cluster.failures().size());
    ClusterException failure = assertThrows(ClusterException.class, failing::join);

    String from = "node2 (incarnation 1, process " + failing.pid() + ") failed: ";
    String thrown = from + "java.lang.IllegalStateException: planted in node2";
    assertEquals(
        "node1: barrier \"meeting\" is broken: node2 has failed: failed: "
            + "java.lang.IllegalStateException: planted in node2",
        broken);
    assertEquals(thrown, message(failure).lines().findFirst().orElseThrow());
    assertTrue(message(failure).contains("ClusterNodesTest.throwOnTheWay"), message(failure));
    assertEquals("said by node2", failing.output().getFirst());
    assertEquals(List.of(), cluster.failures());
  }

  @Test
  void shouldFailTheWaitOfTheTestAsSoonAsANodeFails(Cluster cluster) throws Exception {
    cluster.node("node2").run(ClusterNodesTest::throwOnTheWay);
    ClusterException failure =
        assertThrows(ClusterException.class, () -> cluster.await("never published"));
    assertTrue(message(failure).contains("planted in node2"), message(failure));
  }

  private static void exitByItself(NodeHandle self) {
    Runtime.getRuntime().halt(self.names().size());
  }

  @Test
  void shouldTakeAJvmThatEndsByItselfForAFailure(Cluster cluster) throws Exception {
    ClusterNode node = cluster.node("node1");
    node.run(ClusterNodesTest::exitByItself);
    ClusterException failure = assertThrows(ClusterException.class, node::join);
    assertEquals(
        "node1 (incarnation 1, process " + node.pid() + ") ended by itself: exit code 2",
        message(failure));
  }

  private static void serveUntilStopped(NodeHandle self) throws Exception {
    self.publish("life of " + self.name(), Integer.toString(self.incarnation()));
    self.awaitStop();
    self.result("stopped in life " + self.incarnation());
  }

  @Test
  void shouldKillANodeForgetItsValuesAndStartItsNextLife(Cluster cluster) throws Exception {
    ClusterNode victim = cluster.node("node1");
    cluster.run(ClusterNodesTest::serveUntilStopped);
    assertEquals("1", cluster.await("life of node1"));
    long pid = victim.pid();
    victim.kill();
    assertFalse(victim.isAlive());
    assertEquals(NodePhase.KILLED, victim.phase());
    assertThrows(ClusterException.class, () -> cluster.await("life of node1", SHORT));
    assertEquals("node1 was killed", message(assertThrows(ClusterException.class, victim::join)));

    victim.restart();
    assertEquals("2", cluster.await("life of node1"));
    assertEquals("1", cluster.await("life of node2"));
    assertNotEquals(pid, victim.pid());
    assertEquals("stopped in life 2", victim.stop());
    assertEquals("stopped in life 1", cluster.node("node2").stop());
    assertEquals(List.of(), cluster.failures());
  }

  private static void meetWhenTold(NodeHandle self) throws Exception {
    self.publish(self.name() + " is up", "");
    self.await("go");
    meetPatiently(self);
  }

  @Test
  void shouldHoldANodeThatOthersThenMissAndLetItGoOn(Cluster cluster) throws Exception {
    ClusterNode held = cluster.node("node2");
    cluster.run(ClusterNodesTest::meetWhenTold);
    cluster.await("node1 is up");
    cluster.await("node2 is up");
    held.pause();
    cluster.publish("go", "");
    ClusterException missing =
        assertThrows(ClusterException.class, () -> cluster.awaitBarrier("meeting", SHORT));
    assertTrue(message(missing).contains("node2: stopped by SIGSTOP"), message(missing));
    assertTrue(held.isAlive());

    held.resume();
    cluster.awaitBarrier("meeting");
    cluster.join();
    assertEquals("met", held.join());
    assertEquals("met", cluster.node("node1").join());
  }

  @Test
  void shouldKillANodeThatStandsStill(Cluster cluster) throws Exception {
    ClusterNode held = cluster.node("node2");
    held.run(ClusterNodesTest::serveUntilStopped);
    held.pause();
    held.kill();
    assertFalse(held.isAlive());
  }

  private static void haveChildren(NodeHandle self) throws Exception {
    try (Cluster cluster = Cluster.start(ClusterOptions.jvms(2).withHeapMb(32))) {
      cluster.run(ClusterNodesTest::serveUntilStopped);
      for (ClusterNode node : cluster.nodes()) {
        cluster.await("life of " + node.name());
        self.publish(node.name(), Long.toString(node.pid()));
      }
      cluster.node("node2").pause();
      self.publish("paused", "");
      self.awaitStop();
    }
  }

  @Test
  @ClusterTest(names = "parent", heapMb = 32)
  void shouldEndTheChildrenOfAHarnessThatIsKilledEvenThoseThatStandStill(Cluster cluster)
      throws Exception {
    ClusterNode parent = cluster.node("parent");
    parent.run(ClusterNodesTest::haveChildren);
    cluster.await("paused");
    ProcessHandle running = process(cluster.await("node1"));
    ProcessHandle held = process(cluster.await("node2"));
    assertTrue(running.isAlive() && held.isAlive());
    parent.kill();
    running.onExit().get(LONG.toSeconds(), TimeUnit.SECONDS);
    held.onExit().get(LONG.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void shouldLeaveNoProcessBehind() throws Exception {
    Cluster cluster = Cluster.start(ClusterOptions.named("a", "b").withHeapMb(32));
    List<ProcessHandle> processes =
        cluster.nodes().stream().map(node -> process(Long.toString(node.pid()))).toList();
    cluster.node("a").run(ClusterNodesTest::serveUntilStopped);
    cluster.close();
    assertTrue(processes.stream().noneMatch(ProcessHandle::isAlive));
    assertEquals(List.of(), cluster.failures());
  }

  @Test
  @ClusterTest(
      names = {"small", "large"},
      heapMb = 48,
      jvmFlags = "-Dflag=all",
      nodeFlags = "small: -Xmx32m -Dflag=small")
  void shouldGiveANodeFlagsOfItsOwn(Cluster cluster) throws Exception {
    cluster.run(
        self ->
            self.result(
                System.getProperty("flag") + (Runtime.getRuntime().maxMemory() <= 32 << 20)));
    assertEquals("smalltrue", cluster.node("small").join());
    assertEquals("allfalse", cluster.node("large").join());
  }

  @Test
  void shouldRefuseFlagsOfANodeThatThereIsNot() {
    ClusterOptions options = ClusterOptions.named("a", "b");
    assertThrows(IllegalArgumentException.class, () -> options.withJvmFlagsOf("c", "-Xmx32m"));
  }

  @Test
  void shouldSayWhyAJvmDoesNotComeUp() {
    ClusterOptions options = ClusterOptions.named("a", "b").withJvmFlags("-XX:NoSuchFlag=1");
    ClusterException failure = assertThrows(ClusterException.class, () -> Cluster.start(options));
    assertTrue(
        message(failure).startsWith("a: its JVM ended with exit code 1 before it came up\n"),
        message(failure));
    assertTrue(message(failure).contains("NoSuchFlag"), message(failure));
  }

  private static void waitInVain(NodeHandle self) throws Exception {
    self.publish(self.name() + " waits", "");
    self.awaitStop();
  }

  @Test
  void shouldFailATestThatDidNotNoticeAndPrintWhatNodesSaidAndDid(Cluster cluster)
      throws Exception {
    cluster.node("node1").run(ClusterNodesTest::waitInVain);
    cluster.await("node1 waits");
    cluster.node("node2").run(ClusterNodesTest::throwOnTheWay);
    awaitEnd(cluster.node("node2"));
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream to = new PrintStream(printed, true, UTF_8);
    ClusterException failure =
        assertThrows(
            ClusterException.class, () -> ClusterExtension.end(cluster, false, "a test", to));

    assertTrue(message(failure).startsWith("node2 (incarnation 1, "), message(failure));
    String output = printed.toString(UTF_8);
    assertTrue(output.startsWith("Output of the nodes of a test:\n"), output);
    assertTrue(output.contains(NodeHandle.class.getName() + ".awaitStop("), output);
    assertTrue(output.contains("\n[node2] said by node2\n"), output);
    assertFalse(cluster.node("node1").isAlive());
    assertThrows(ClusterException.class, () -> cluster.node("node2").join());
  }

  @Test
  void shouldPrintNothingOfATestThatWentWell(Cluster cluster) throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    ClusterExtension.end(cluster, false, "a test", new PrintStream(printed, true, UTF_8));
    assertEquals(0, printed.size());
  }

  private static void awaitEnd(ClusterNode node) throws Exception {
    process(Long.toString(node.pid())).onExit().get(LONG.toSeconds(), TimeUnit.SECONDS);
  }

  private static ProcessHandle process(String pid) {
    return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
  }

  private static String message(Throwable failure) {
    return String.valueOf(failure.getMessage());
  }
}
