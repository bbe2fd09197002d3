package io.millrace.udp.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.driver.DriverException;
import io.millrace.testkit.internal.driver.RecordingHandler;
import io.millrace.udp.internal.DestinationTable;
import io.millrace.udp.linux.FaultyLibc.ForgedError;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class ErrorQueueTest {
  private static final InetSocketAddress PEER =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 7);
  private static final int NO_SOCKET = -1;

  private final FaultyLibc libc = new FaultyLibc();
  private final DestinationTable destinations = new DestinationTable();
  private final PathEvents events = new PathEvents(destinations);
  private final RecordingHandler record = new RecordingHandler();
  private final Arena arena = Arena.ofAuto();
  private final DestinationAddresses addresses = new DestinationAddresses(arena);
  private final ErrorQueue errors =
      new ErrorQueue(libc, arena, IpVersion.IPV4, destinations, addresses, events);

  private int add() throws DriverException {
    int destination = destinations.add(PEER, 8_972);
    events.makeRoomFor(destination);
    addresses.set(destination, PEER);
    return destination;
  }

  @Test
  void shouldNotBelieveAnIcmpMessageAboutSizes() throws DriverException {
    int destination = add();
    libc.forge(new ForgedError(MessageLayout.EE_ORIGIN_ICMP, Errno.EMSGSIZE, 576, PEER));
    libc.forge(new ForgedError(MessageLayout.EE_ORIGIN_ICMP6, Errno.EMSGSIZE, 1_280, PEER));
    assertEquals(2, errors.drain(NO_SOCKET));
    events.deliver(record);
    assertEquals(List.of(), record.pathLimits());
    assertEquals(8_972, destinations.pathMaxBytes(destination));
    assertEquals(0, errors.localMtu());
  }

  @Test
  void shouldTellWhatTheLocalSystemRefused() throws DriverException {
    add();
    libc.forge(new ForgedError(MessageLayout.EE_ORIGIN_LOCAL, Errno.EMSGSIZE, 1_500, PEER));
    assertEquals(0, errors.drain(NO_SOCKET));
    assertEquals(1_500, errors.localMtu());
  }

  @Test
  void shouldTellThatAPeerIsUnreachable() throws DriverException {
    int destination = add();
    libc.forge(new ForgedError(MessageLayout.EE_ORIGIN_ICMP, Errno.ECONNREFUSED, 0, PEER));
    assertEquals(1, errors.drain(NO_SOCKET));
    events.deliver(record);
    assertEquals(List.of(destination), record.unreachable());
  }
}
