package io.millrace.udp.linux;

import static io.millrace.testkit.internal.driver.Node.turnUntil;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.NotReadySettings;
import io.millrace.testkit.internal.driver.Node;
import io.millrace.testkit.internal.driver.RecordingHandler.Completion;
import io.millrace.testkit.internal.driver.RecordingHandler.PathLimit;
import io.millrace.udp.Ipv6Loopback;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * The reaction of the sender to failed calls, with the failures planted into the real C library.
 */
@EnabledOnOs(OS.LINUX)
class SendFaultTest {
  private final FaultyLibc libc = new FaultyLibc();

  @Test
  void shouldKeepTrainQueuedWhileThereIsNoRoom() throws DriverException {
    for (int errno : new int[] {Errno.EAGAIN, Errno.ENOBUFS, Errno.ENOMEM}) {
      try (Node sender = Endpoints.node(libc);
          Node receiver = Endpoints.node()) {
        int destination = sender.resolve(receiver);
        libc.nextSend(-errno).nextSend(-errno);
        sender.post(destination, 1, 3_000, 1_000, 7);
        sender.turn();
        sender.turn();
        assertEquals(List.of(), sender.record().completions());
        assertTrue(sender.endpoint().hasPosted());
        sender.turn();
        assertFalse(sender.endpoint().hasPosted());
        assertEquals(List.of(ok(7)), sender.record().completions());
        assertTrue(turnUntil(() -> receiver.record().datagrams().size() == 3, receiver));
        assertEquals(0, sender.endpoint().counters().sendFailures);
      }
    }
  }

  @Test
  void shouldGiveDatagramUpWhenThereIsNoRoomForTooLong() throws DriverException {
    try (Node sender = Endpoints.node(libc);
        Node receiver = Endpoints.node()) {
      sender.post(sender.resolve(receiver), 1, 3_000, 1_000, 7);
      libc.everySend(-Errno.EAGAIN);
      for (int i = 0; i < SendFailures.MAX_BLOCKED_FLUSHES - 1; i++) {
        sender.turn();
      }
      assertEquals(List.of(), sender.record().completions());
      sender.turn();
      assertEquals(List.of(failed(7)), sender.record().completions());
      assertEquals(3, sender.endpoint().counters().sendFailures);
      assertEquals(0, sender.endpoint().counters().datagramsSent);
    }
  }

  @Test
  void shouldKeepOrderWhenCallTakesSomeMessagesOnly() throws DriverException {
    try (Node sender = Endpoints.node(libc);
        Node receiver = Endpoints.node()) {
      int destination = sender.resolve(receiver);
      libc.nextSend(1).nextSend(2).nextSend(-Errno.EINTR).nextSend(-Errno.EAGAIN);
      for (int i = 0; i < 6; i++) {
        sender.post(destination, i, 10 + i, 10 + i, i);
      }
      sender.turn();
      assertEquals(List.of(ok(0), ok(1), ok(2)), sender.record().completions());
      sender.turn();
      assertTrue(turnUntil(() -> receiver.record().datagrams().size() == 6, receiver));
      assertEquals(List.of(10, 11, 12, 13, 14, 15), receiver.record().lengths());
      assertEquals(6, sender.record().completions().size());
      assertEquals(6, sender.endpoint().counters().datagramsSent);
    }
  }

  @Test
  void shouldRetryOnceAfterErrorThatNobodyExplains() throws DriverException {
    try (Node sender = Endpoints.node(libc);
        Node receiver = Endpoints.node()) {
      int destination = sender.resolve(receiver);
      libc.nextSend(-Errno.EPERM);
      sender.post(destination, 1, 10, 10, 1);
      sender.turn();
      assertEquals(List.of(ok(1)), sender.record().completions());
      libc.nextSend(-Errno.EPERM).nextSend(-Errno.EPERM);
      sender.post(destination, 2, 20, 20, 2);
      sender.post(destination, 3, 30, 30, 3);
      sender.turn();
      assertEquals(List.of(ok(1), failed(2), ok(3)), sender.record().completions());
      assertTrue(turnUntil(() -> receiver.record().datagrams().size() == 2, receiver));
      assertEquals(List.of(10, 30), receiver.record().lengths());
      assertEquals(1, sender.endpoint().counters().sendFailures);
    }
  }

  @Test
  void shouldSendTrainInPiecesWhenKernelWillNotCutIt() throws DriverException {
    for (int errno : new int[] {Errno.EIO, Errno.EINVAL, Errno.EMSGSIZE}) {
      FaultyLibc refusing = new FaultyLibc().refuseTrains(errno);
      try (Node sender = Endpoints.node(refusing);
          Node receiver = Endpoints.node()) {
        int destination = sender.resolve(receiver);
        int callsPerTrain = 0;
        for (int i = 0; i < SendFailures.MAX_REFUSED_TRAINS; i++) {
          sender.post(destination, i, 3_500, 1_000, i);
          sender.turn();
          callsPerTrain = refusing.sends() / (i + 1);
        }
        assertEquals(3, callsPerTrain, "tried, tried again, sent in pieces");
        int before = refusing.sends();
        sender.post(destination, 9, 3_500, 1_000, 9);
        sender.turn();
        assertEquals(1, refusing.sends() - before, "not tried whole any more");
        List<byte[]> arrived = receiver.record().datagrams();
        assertTrue(turnUntil(() -> arrived.size() == 36, receiver));
        assertEquals(0, sender.endpoint().counters().sendFailures);
      }
    }
  }

  @Test
  void shouldSendMoreDatagramsThanOneCallTakes() throws DriverException {
    FaultyLibc refusing = new FaultyLibc();
    refusing.refuse(SocketOptions.SOL_UDP, SocketOptions.UDP_SEGMENT);
    try (Node sender = Endpoints.node(refusing);
        Node receiver = Endpoints.node()) {
      assertFalse(sender.endpoint().capabilities().segmentationOffload());
      int destination = sender.resolve(receiver);
      for (int i = 0; i < 3; i++) {
        sender.post(destination, i, 50 * 100, 100, i);
      }
      sender.turn();
      assertEquals(3, refusing.sends(), "150 datagrams, 64 in a call");
      assertTrue(turnUntil(() -> receiver.record().datagrams().size() == 150, receiver));
    }
  }

  @Test
  void shouldNameWhatWasRefused() throws DriverException {
    libc.refuse(SocketOptions.SOL_UDP, SocketOptions.UDP_SEGMENT)
        .refuse(SocketOptions.SOL_UDP, SocketOptions.UDP_GRO)
        .refuse(SocketOptions.SOL_SOCKET, SocketOptions.SO_RCVBUFFORCE)
        .refuse(SocketOptions.SOL_SOCKET, SocketOptions.SO_SNDBUFFORCE)
        .refuse(IpVersion.IPV4.level, IpVersion.IPV4.receiveTrafficClass)
        .refuse(IpVersion.IPV4.level, IpVersion.IPV4.mtuDiscover)
        .refuse(IpVersion.IPV4.level, IpVersion.IPV4.receiveErrors);
    EndpointSettings greedy =
        new EndpointSettings(
            Endpoints.loopback(),
            1 << 30,
            1 << 30,
            8_972,
            16,
            64,
            true,
            32,
            1,
            NotReadySettings.DEFAULTS);
    try (LinuxUdpEndpoint endpoint = LinuxUdpEndpoint.open(libc, greedy)) {
      List<String> subjects =
          endpoint.notices().degraded().stream()
              .map(notice -> notice.substring(0, notice.indexOf(':')))
              .toList();
      assertEquals(
          List.of("SO_RCVBUF", "SO_SNDBUF", "ECN", "MTU discovery", "error queue", "GSO", "GRO"),
          subjects);
      assertFalse(endpoint.capabilities().ecn());
      assertFalse(endpoint.capabilities().errorQueue());
      assertFalse(endpoint.capabilities().receiveCoalescing());
    }
  }

  /** {@code ulimit -n} is low: a busy peer gets no socket of its own, and loses no datagrams. */
  @Test
  void shouldSendThroughItsOneSocketWhenDescriptorsRunOut() throws DriverException {
    EndpointSettings wish = EndpointSettings.defaults(Endpoints.loopback()).withSourcePorts(4);
    try (Node sender = new Node(LinuxUdpEndpoint.open(libc.haveSockets(2), wish));
        Node receiver = Endpoints.node()) {
      assertEquals(
          List.of("source ports: asked for 4, got 2 (errno 24)"),
          sender.endpoint().notices().degraded());
      int destination = sender.resolve(receiver);
      for (int i = 0; i < 2 * ConnectedSockets.BUSY_TRAINS; i++) {
        sender.post(destination, i, 100, 100, i);
        sender.turn();
      }
      int all = 2 * ConnectedSockets.BUSY_TRAINS;
      assertTrue(turnUntil(() -> receiver.record().datagrams().size() == all, receiver));
      assertEquals(0, sender.endpoint().counters().sendFailures);
    }
  }

  @Test
  void shouldHaveNothingToTellWhereEverythingIsGranted() throws DriverException {
    try (LinuxUdpEndpoint endpoint = Endpoints.open()) {
      assertEquals(List.of(), endpoint.notices().degraded());
    }
  }

  @Test
  @EnabledIf(value = "io.millrace.udp.Ipv6Loopback#isPresent", disabledReason = "no ::1")
  void shouldLearnPathLimitFromRefusedDatagram() throws DriverException {
    libc.claimMtu(70_000);
    EndpointSettings large =
        new EndpointSettings(
            Ipv6Loopback.anyPort(),
            4 << 20,
            4 << 20,
            65_507,
            16,
            64,
            true,
            32,
            1,
            NotReadySettings.DEFAULTS);
    try (Node sender = new Node(LinuxUdpEndpoint.open(libc, large));
        Node receiver = new Node(LinuxUdpEndpoint.open(new FfmLibc(), large))) {
      int destination = sender.resolve(receiver);
      assertEquals(65_507, sender.endpoint().pathMaxDatagramBytes(destination));
      sender.post(destination, 1, 65_507, 65_507, 1);
      sender.turn();
      assertEquals(List.of(failed(1)), sender.record().completions());
      // Loopback carries packets of 65,536 bytes, with 48 bytes of headers.
      assertEquals(List.of(new PathLimit(destination, 65_488)), sender.record().pathLimits());
      assertEquals(65_488, sender.endpoint().pathMaxDatagramBytes(destination));
      sender.post(destination, 2, 65_488, 65_488, 2);
      assertTrue(turnUntil(() -> !receiver.record().datagrams().isEmpty(), sender, receiver));
      sender.post(destination, 3, 65_507, 65_507, 3);
      sender.turn();
      assertEquals(1, sender.record().pathLimits().size(), "it is news only once");
    }
  }

  @Test
  void shouldLetTrainsOfReleasedDestinationFailThatCouldNotLeave() throws DriverException {
    try (Node sender = Endpoints.node(libc);
        Node receiver = Endpoints.node()) {
      int destination = sender.resolve(receiver);
      libc.everySend(-Errno.EAGAIN);
      for (int i = 0; i < 3; i++) {
        sender.post(destination, i, 10, 10, i);
      }
      sender.endpoint().release(destination);
      libc.everySend(0);
      sender.turn();
      List<Completion> completions = sender.record().completions();
      assertEquals(List.of(failed(0), failed(1), failed(2)), completions);
      for (int i = 0; i < Endpoints.SEND_BUFFERS; i++) {
        assertNotNull(sender.endpoint().acquireSendBuffer());
      }
      assertEquals(Collections.emptyList(), receiver.record().datagrams());
    }
  }

  private static Completion ok(long context) {
    return new Completion(context, CompletionHandler.STATUS_OK);
  }

  private static Completion failed(long context) {
    return new Completion(context, CompletionHandler.STATUS_FAILED);
  }
}
