package io.millrace.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.TransportSettings;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.EndpointCounters;
import io.millrace.ends.InlineBudget;
import io.millrace.handshake.Advert;
import io.millrace.handshake.AdvertCodec;
import io.millrace.handshake.AdvertFrames;
import io.millrace.handshake.AdvertisedEndpoint;
import io.millrace.handshake.AdvertisedNic;
import io.millrace.loop.LoopCounters;
import io.millrace.nic.EndpointDescription;
import io.millrace.nic.NicShare;
import io.millrace.worker.WorkerDescription;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The content of adverts: the endpoints of all workers, as far as an advert has room. */
class NodeAdvertsTest {
  private static final TransportSettings SETTINGS =
      TransportSettings.parse(
          "millrace.handshake { provider = psk, psk = \"" + "1f".repeat(32) + "\" }");
  private static final String IDENTITY = "10.0.0.9:7400";
  private static final long HOST = 77;
  private static final int ROOM = AdvertFrames.MAX_ADVERT_BYTES;

  private static NodeAdverts adverts(int workers) {
    InlineBudget budget = new InlineBudget(SETTINGS.limits(), SETTINGS.nic().maxDatagramBytes());
    NodeAdverts adverts = new NodeAdverts(SETTINGS, budget, 5, HOST);
    adverts.onWorkersStarted(
        IntStream.range(0, workers).mapToObj(NodeAdvertsTest::worker).toList());
    return adverts;
  }

  /** A worker with an endpoint of a fabric and one of UDP. */
  private static WorkerDescription worker(int number) {
    EndpointAddress fabric = new EndpointAddress("efa", new byte[] {'e', (byte) number});
    EndpointAddress udp =
        new EndpointAddress("udp", new byte[] {10, 0, 0, 9, 0x1c, (byte) (0xe8 + number)});
    return new WorkerDescription(
        number,
        "",
        -1,
        fabric,
        1_400,
        new LoopCounters(),
        new EndpointCounters(),
        List.of(endpoint("efa", 0, fabric), endpoint("udp", 1, udp)),
        SETTINGS.nic().link());
  }

  private static EndpointDescription endpoint(String driver, int nic, EndpointAddress address) {
    return new EndpointDescription(
        "nic" + nic,
        new AdvertisedNic(nic, nic == 0, 24, 0),
        driver,
        address,
        new EndpointCounters(),
        new NicShare(SETTINGS.nic().rates(), 1));
  }

  private static List<String> said(Advert advert) {
    return advert.endpoints().stream().map(NodeAdvertsTest::text).toList();
  }

  private static String text(AdvertisedEndpoint endpoint) {
    byte[] bytes = endpoint.address().bytes();
    return endpoint.worker() + " " + endpoint.address().family() + " " + bytes[bytes.length - 1];
  }

  @Test
  void shouldTellAddressesPortsAndNamesOfEachWorker() {
    Advert advert = adverts(3).of(1, IDENTITY, ROOM);
    assertEquals(
        List.of("1 efa 1", "1 udp -23", "0 efa 0", "0 udp -24", "2 efa 2", "2 udp -22"),
        said(advert));
    assertEquals(1, advert.worker());
    assertEquals(HOST, advert.host());
    assertEquals(advert, AdvertCodec.decode(AdvertCodec.encode(advert)));
  }

  @Test
  void shouldLeaveOutTheLastEndpointsThatFindNoRoom() {
    List<String> all = said(adverts(3).of(1, IDENTITY, ROOM));
    int least = AdvertCodec.encodedLength(adverts(3).of(1, IDENTITY, 0));
    int most = AdvertCodec.encodedLength(adverts(3).of(1, IDENTITY, ROOM));
    int before = 0;
    for (int room = least; room <= most; room++) {
      Advert advert = adverts(3).of(1, IDENTITY, room);
      assertTrue(AdvertCodec.encode(advert).length <= room, "room for " + room);
      int told = advert.endpoints().size();
      assertEquals(all.subList(0, told), said(advert));
      assertTrue(told >= before);
      before = told;
    }
    assertEquals(all.size(), before);
  }

  @Test
  void shouldTellNoMoreEndpointsThanAnAdvertHas() {
    Advert advert = adverts(64).of(63, IDENTITY, ROOM);
    assertEquals(Advert.MAX_ENDPOINTS, advert.endpoints().size());
    assertEquals(63, advert.endpoints().getFirst().worker());
    assertNotNull(AdvertCodec.decode(AdvertCodec.encode(advert)));
  }
}
