package io.millrace.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.access.PeerIdentity;
import io.millrace.config.TransportSettings;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.node.TransportException;
import io.millrace.path.causality.Dependencies;
import io.millrace.path.peer.CallLimits;
import io.millrace.path.peer.PeerHandle;
import io.millrace.path.peer.PeerLink;
import io.millrace.path.peer.SubmissionPort;
import io.millrace.protocol.health.HealthListener;
import io.millrace.protocol.health.HealthSettings;
import io.millrace.protocol.health.SharedPeerHealth;
import io.millrace.transfer.DependencyKind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PeerDirectoryTest {
  private final List<PeerHandle> told = new ArrayList<>();
  private final List<SubmissionPort> ports = new ArrayList<>();
  private static final int LIMIT = 2;

  @Test
  void shouldGiveNoPeerToAWorkerThatHasStopped() {
    PeerDirectory directory = directory(3, 1_000);
    directory.onWorkerStopped(0);
    directory.onWorkerStopped(2);
    for (int i = 0; i < 20; i++) {
      assertEquals(1, directory.workerForCaller());
      assertEquals(1, directory.admit(address(1 + i), told::add).handle().port().worker());
    }
    directory.onWorkerStopped(1);
    assertFalse(directory.hasWorker());
    assertThrows(TransportException.class, () -> directory.admit(address(100), told::add));
  }

  @Test
  void shouldForgetACallerWhenItsLastPathEnds() {
    PeerDirectory directory = directory(1);
    PeerLink link = directory.onPathOfCaller(caller(1), 0);
    assertSame(link, directory.onPathOfCaller(caller(1), 0));
    assertEquals(1, directory.size());
    assertEquals(Map.of(), directory.onPathEnded("127.0.0.1:1"));
    assertEquals(Map.of(0, link), directory.onPathEnded("127.0.0.1:1"));
    assertEquals(0, directory.size());
    assertNull(directory.find("127.0.0.1:1"));
    assertNotSame(link, directory.onPathOfCaller(caller(1), 0));
  }

  /** The former worker asked for a path before the peer was forgotten. */
  @Test
  void shouldGiveAWorkerALinkOfItsOwnToAPeerThatIsKeptAgain() {
    PeerDirectory directory = directory(2);
    assertNull(directory.linkFor("127.0.0.1:1", 0));
    PeerHandle again = directory.admit(address(1), told::add).handle();
    int worker = again.port().worker();
    PeerLink link = directory.linkFor("127.0.0.1:1", 1 - worker);
    assertNotNull(link);
    assertNotSame(again.link(), link);
    assertSame(link, directory.linkFor("127.0.0.1:1", 1 - worker));
    assertSame(again.link(), directory.linkFor("127.0.0.1:1", worker));
    PeerHandle unplaced = directory.admit(address(2), told::add).handle();
    assertSame(directory.linkFor("127.0.0.1:2", 1), unplaced.link());
    assertEquals(1, unplaced.port().worker());
  }

  @Test
  void shouldKeepWhatTheApplicationHolds() {
    PeerDirectory directory = directory(1);
    PeerDirectory.Entry held = directory.admit(address(1), told::add);
    directory.onPath("127.0.0.1:1");
    assertEquals(Map.of(), directory.onPathEnded("127.0.0.1:1"));
    assertEquals(List.of(), told, "told of a peer that has no worker");
    held.handle().port();
    assertEquals(List.of(held.handle()), told);
    assertSame(held, directory.admit(address(1), told::add));
    assertEquals(List.of(held.handle()), told, "told of a peer that it holds already");
    directory.onPathOfCaller(caller(2), 0);
    PeerDirectory.Entry caller = directory.admit(address(2), told::add);
    assertEquals(Map.of(), directory.onPathEnded("127.0.0.1:2"));
    assertSame(caller, directory.find("127.0.0.1:2"));
  }

  @Test
  void shouldTakeKnownPeersWhenFullAndNewOnesOnceOneWasForgotten() {
    PeerDirectory directory = directory(1);
    directory.onPathOfCaller(caller(1), 0);
    directory.admit(address(2), told::add);
    assertThrows(TransportException.class, () -> directory.onPathOfCaller(caller(3), 0));
    assertThrows(TransportException.class, () -> directory.admit(address(3), told::add));
    directory.onPathOfCaller(caller(1), 0);
    directory.onPathOfCaller(caller(2), 0);
    directory.onPathEnded("127.0.0.1:1");
    directory.onPathEnded("127.0.0.1:1");
    assertNotNull(directory.admit(address(3), told::add));
  }

  @Test
  void shouldGiveAPlaceOfTheIdentityThatHoldsMostToAnotherOne() {
    PeerDirectory directory = directory(1);
    List<Map<Integer, PeerLink>> yielded = new ArrayList<>();
    directory.onYield(yielded::add);
    directory.onPathOfCaller(caller(1, "A"), 0);
    PeerLink newest = directory.onPathOfCaller(caller(2, "A"), 0);
    assertThrows(TransportException.class, () -> directory.onPathOfCaller(caller(3, "A"), 0));
    assertFalse(directory.canTake(caller(3, "A")));
    assertTrue(directory.canTake(caller(4, "B")));
    directory.onPathOfCaller(caller(4, "B"), 0);
    assertEquals(List.of(Map.of(0, newest)), yielded);
    assertTrue(directory.isLeaving("127.0.0.1:2"));
    assertThrows(TransportException.class, () -> directory.onPathOfCaller(caller(2, "A"), 0));
    directory.onPathEnded("127.0.0.1:2");
    assertFalse(directory.isLeaving("127.0.0.1:2"));
    assertThrows(TransportException.class, () -> directory.admit(address(5), told::add));
    assertEquals(2, directory.size());
  }

  @Test
  void shouldGiveACallerALinkOnTheWorkerItWasGiven() {
    PeerDirectory directory = directory(4);
    PeerDirectory.Entry held = directory.admit(address(1), told::add);
    int own = held.handle().port().worker();
    assertSame(held.handle().link(), directory.onPathOfCaller(caller(1), own));
    PeerLink other = directory.onPathOfCaller(caller(1), (own + 1) % 4);
    assertNotSame(held.handle().link(), other);
    assertSame(other, directory.onPathOfCaller(caller(1), (own + 1) % 4));
    assertEquals("127.0.0.1:1", other.identity());
  }

  @Test
  void shouldSpreadCallersOverTheWorkersAndCountThoseThatLeft() {
    PeerDirectory directory = directory(2);
    int first = directory.workerForCaller();
    directory.onPathOfCaller(caller(1), first);
    int second = directory.workerForCaller();
    directory.onPathOfCaller(caller(2), second);
    assertEquals(Set.of(0, 1), new TreeSet<>(List.of(first, second)));
    directory.onPathEnded("127.0.0.1:2");
    assertEquals(second, directory.workerForCaller());
  }

  @Test
  void shouldRouteAMillionTimesEachPeerToOneWorker() {
    PeerDirectory directory = directory(8, 10_000);
    int[] workerOf = new int[10_000];
    Arrays.fill(workerOf, -1);
    for (int route = 0; route < 1_000_000; route++) {
      int peer = (int) (route * 7_919L % workerOf.length);
      if (route % 50_000 == 0) {
        // Whatever happens to the workers meanwhile.
        load(route / 50_000 % 8, 1L << 40);
        directory.onNic(route / 50_000 % 8, route % 100_000 == 0);
      }
      int worker = directory.admit(address(1 + peer), told::add).handle().port().worker();
      if (workerOf[peer] < 0) {
        workerOf[peer] = worker;
      }
      assertEquals(workerOf[peer], worker);
    }
    assertEquals(workerOf.length, told.size());
  }

  @Test
  void shouldDivertNewPeersFromAnOverloadedWorkerAndLeaveItsOwn() {
    PeerDirectory directory = directory(4, 1_000);
    int[] workers = workersOf(directory, 1, 400);
    load(2, 1 << 20);
    int[] further = workersOf(directory, 401, 400);
    assertEquals(0, Arrays.stream(further).filter(worker -> worker == 2).count());
    assertArrayEquals(workers, workersOf(directory, 1, 400));
    assertTrue(Arrays.stream(workers).anyMatch(worker -> worker == 2));
    load(2, -(1 << 20));
    assertTrue(Arrays.stream(workersOf(directory, 801, 100)).anyMatch(worker -> worker == 2));
  }

  @Test
  void shouldGiveNoNewPeerToAWorkerWhoseNicIsDown() {
    PeerDirectory directory = directory(4, 1_000);
    int[] workers = workersOf(directory, 1, 100);
    directory.onNic(3, false);
    assertEquals(
        0, Arrays.stream(workersOf(directory, 101, 200)).filter(worker -> worker == 3).count());
    for (int i = 0; i < 10; i++) {
      assertNotEquals(3, directory.workerForCaller());
    }
    assertArrayEquals(workers, workersOf(directory, 1, 100));
    directory.onNic(3, true);
    assertTrue(Arrays.stream(workersOf(directory, 301, 100)).anyMatch(worker -> worker == 3));
  }

  @Test
  void shouldPutAFirstCallWithDependenciesOnTheWorkerOfThose() {
    PeerDirectory directory = directory(8, 1_000);
    for (int i = 0; i < 200; i++) {
      int worker = i % 8;
      PeerHandle handle = directory.admit(address(1 + i), told::add).handle();
      assertFalse(handle.isPlaced());
      handle.link(after(ports.get((worker + 1) % 8), ports.get(worker)));
      assertEquals(worker, handle.port().worker());
    }
    PeerHandle placed = directory.admit(address(1), told::add).handle();
    placed.link(after(ports.get(5)));
    assertEquals(0, placed.port().worker(), "a peer was moved");
    directory.onNic(6, false);
    PeerHandle other = directory.admit(address(500), told::add).handle();
    other.link(after(ports.get(6)));
    assertNotEquals(6, other.port().worker());
  }

  @Test
  void shouldGiveACallerTheWorkerOfThisNodesCallsToIt() {
    PeerDirectory directory = directory(8, 1_000);
    for (int i = 0; i < 50; i++) {
      PeerHandle handle = directory.admit(address(1 + i), told::add).handle();
      assertEquals(handle.port().worker(), directory.workerForCaller("127.0.0.1:" + (1 + i)));
    }
    PeerHandle unplaced = directory.admit(address(100), told::add).handle();
    int worker = directory.workerForCaller("127.0.0.1:100");
    PeerLink link = directory.onPathOfCaller(caller(100), worker);
    assertSame(link, unplaced.link(), "its first call goes by the path that is there");
  }

  @Test
  void shouldSpreadCallersThatComeAtOnce() {
    PeerDirectory directory = directory(8, 1_000);
    Set<Integer> given = new TreeSet<>();
    for (int i = 0; i < 8; i++) {
      given.add(directory.workerForCaller());
    }
    assertEquals(8, given.size());
  }

  @Test
  void shouldSpreadTheLoadOfManyPeersOverEightNics() {
    PeerDirectory directory = directory(8, 10_000);
    Random random = new Random(1);
    Random hashes = new Random(2);
    long[] loads = new long[8];
    long[] single = new long[8];
    for (int i = 0; i < 2_000; i++) {
      // A few peers have much more to send than the remaining peers.
      long bytes = (long) (100_000 / (1 - 0.99 * random.nextDouble()));
      int worker = directory.admit(address(1 + i), told::add).handle().port().worker();
      load(worker, bytes);
      loads[worker] += bytes;
      single[hashes.nextInt(8)] += bytes;
    }
    double two = maxOverMean(loads);
    double one = maxOverMean(single);
    System.out.printf(
        "Load spread over 8 NICs by 2,000 peers: max/mean %.3f; by one hash %.3f%n", two, one);
    assertTrue(two < 1.02, () -> "max/mean " + two);
    assertTrue(two - 1 < (one - 1) / 3, () -> two + " by two choices, " + one + " by one hash");
  }

  /** Balls into bins: ln ln n / ln 2 above the mean, against sqrt(2 m/n ln n). */
  @Test
  void shouldKeepTheMostPeersOfAWorkerNearTheMean() {
    Random random = new Random(1);
    double two = 0;
    double one = 0;
    for (int run = 0; run < 100; run++) {
      WorkerChoice choice = new WorkerChoice(16, worker -> 0);
      long[] peers = new long[16];
      long[] single = new long[16];
      for (int i = 0; i < 320; i++) {
        int worker = choice.forPeer("10.0.0.1:" + (run * 320 + i));
        choice.onPeer(worker, 1);
        peers[worker]++;
        single[random.nextInt(16)]++;
      }
      two = Math.max(two, maxOverMean(peers));
      one += maxOverMean(single) / 100;
    }
    assertTrue(two <= 1.2, "max/mean by two choices at worst " + two);
    assertTrue(one >= 1.3, "max/mean by one hash on average " + one);
  }

  private static double maxOverMean(long[] loads) {
    return Arrays.stream(loads).max().orElseThrow() / Arrays.stream(loads).average().orElseThrow();
  }

  private static Dependencies after(SubmissionPort... ports) {
    Dependencies dependencies = Dependencies.NONE;
    for (SubmissionPort port : ports) {
      dependencies =
          dependencies.after(port.causality().newToken(), DependencyKind.RESPONSE_CRITICAL);
    }
    return dependencies;
  }

  private int[] workersOf(PeerDirectory directory, int firstPort, int count) {
    return IntStream.range(firstPort, firstPort + count)
        .map(port -> directory.admit(address(port), told::add).handle().port().worker())
        .toArray();
  }

  private void load(int worker, long bytes) {
    ports.get(worker).counters().addLoad(bytes);
  }

  private PeerDirectory directory(int workers) {
    return directory(workers, LIMIT);
  }

  private PeerDirectory directory(int workers, int limit) {
    TransportSettings settings = TransportSettings.parse("");
    ports.clear();
    for (int worker = 0; worker < workers; worker++) {
      ports.add(new SubmissionPort(worker, settings));
    }
    return new PeerDirectory(
        List.copyOf(ports),
        CallLimits.of(16),
        limit,
        peer -> new SharedPeerHealth(peer, HealthSettings.DEFAULT, HealthListener.NONE));
  }

  private static PeerDirectory.Caller caller(int port) {
    return caller(port, "all");
  }

  private static PeerDirectory.Caller caller(int port, String identity) {
    return new PeerDirectory.Caller(
        address(port),
        new HandshakeOutcome.Peer(
            "127.0.0.1:" + port,
            new HandshakeOutcome.ProvedIdentity(identity),
            "127.0.0.1",
            PeerIdentity.ofPreSharedKey("127.0.0.1:" + port)));
  }

  private static InetSocketAddress address(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }
}
