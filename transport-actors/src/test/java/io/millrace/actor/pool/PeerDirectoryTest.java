package io.millrace.actor.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.actor.peer.PeerHandle;
import io.millrace.actor.peer.PeerLink;
import io.millrace.actor.peer.SubmissionPort;
import io.millrace.config.TransportSettings;
import io.millrace.node.TransportException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PeerDirectoryTest {
  private final List<PeerHandle> told = new ArrayList<>();
  private static final int LIMIT = 2;

  @Test
  void shouldGiveNoPeerToAWorkerThatHasStopped() {
    PeerDirectory directory = directory(3, 1_000);
    directory.onWorkerStopped(0);
    directory.onWorkerStopped(2);
    for (int i = 0; i < 20; i++) {
      assertEquals(1, directory.leastLoadedWorker());
      assertEquals(1, directory.admit(address(1 + i), told::add).handle().port().worker());
    }
    directory.onWorkerStopped(1);
    assertFalse(directory.hasWorker());
    assertThrows(TransportException.class, () -> directory.admit(address(100), told::add));
  }

  @Test
  void shouldForgetACallerWhenItsLastPathEnds() {
    PeerDirectory directory = directory(1);
    PeerLink link = directory.onPathOfCaller(address(1), 0);
    assertSame(link, directory.onPathOfCaller(address(1), 0));
    assertEquals(1, directory.size());
    assertEquals(Map.of(), directory.onPathEnded("127.0.0.1:1"));
    assertEquals(Map.of(0, link), directory.onPathEnded("127.0.0.1:1"));
    assertEquals(0, directory.size());
    assertNull(directory.find("127.0.0.1:1"));
    assertNotSame(link, directory.onPathOfCaller(address(1), 0));
  }

  @Test
  void shouldKeepWhatTheApplicationHolds() {
    PeerDirectory directory = directory(1);
    PeerDirectory.Entry held = directory.admit(address(1), told::add);
    directory.onPath("127.0.0.1:1");
    assertEquals(Map.of(), directory.onPathEnded("127.0.0.1:1"));
    assertEquals(List.of(held.handle()), told);
    assertSame(held, directory.admit(address(1), told::add));
    assertEquals(List.of(held.handle()), told, "told of a peer that it holds already");
    directory.onPathOfCaller(address(2), 0);
    PeerDirectory.Entry caller = directory.admit(address(2), told::add);
    assertEquals(Map.of(), directory.onPathEnded("127.0.0.1:2"));
    assertSame(caller, directory.find("127.0.0.1:2"));
  }

  @Test
  void shouldTakeKnownPeersWhenFullAndNewOnesOnceOneWasForgotten() {
    PeerDirectory directory = directory(1);
    directory.onPathOfCaller(address(1), 0);
    directory.admit(address(2), told::add);
    assertThrows(TransportException.class, () -> directory.onPathOfCaller(address(3), 0));
    assertThrows(TransportException.class, () -> directory.admit(address(3), told::add));
    directory.onPathOfCaller(address(1), 0);
    directory.onPathOfCaller(address(2), 0);
    directory.onPathEnded("127.0.0.1:1");
    directory.onPathEnded("127.0.0.1:1");
    assertNotNull(directory.admit(address(3), told::add));
  }

  @Test
  void shouldGiveACallerALinkOnTheWorkerItWasGiven() {
    PeerDirectory directory = directory(4);
    PeerDirectory.Entry held = directory.admit(address(1), told::add);
    int own = held.handle().port().worker();
    assertSame(held.handle().link(), directory.onPathOfCaller(address(1), own));
    PeerLink other = directory.onPathOfCaller(address(1), (own + 1) % 4);
    assertNotSame(held.handle().link(), other);
    assertSame(other, directory.onPathOfCaller(address(1), (own + 1) % 4));
    assertEquals("127.0.0.1:1", other.identity());
  }

  @Test
  void shouldSpreadCallersOverTheWorkersAndCountThoseThatLeft() {
    PeerDirectory directory = directory(2);
    int first = directory.leastLoadedWorker();
    directory.onPathOfCaller(address(1), first);
    int second = directory.leastLoadedWorker();
    directory.onPathOfCaller(address(2), second);
    assertEquals(Set.of(0, 1), new TreeSet<>(List.of(first, second)));
    directory.onPathEnded("127.0.0.1:2");
    assertEquals(second, directory.leastLoadedWorker());
  }

  private static PeerDirectory directory(int workers) {
    return directory(workers, LIMIT);
  }

  private static PeerDirectory directory(int workers, int limit) {
    TransportSettings settings = TransportSettings.parse("");
    List<SubmissionPort> ports = new ArrayList<>();
    for (int worker = 0; worker < workers; worker++) {
      ports.add(new SubmissionPort(worker, settings));
    }
    return new PeerDirectory(ports, 16, limit);
  }

  private static InetSocketAddress address(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }
}
