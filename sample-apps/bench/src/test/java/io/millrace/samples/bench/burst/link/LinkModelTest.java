package io.millrace.samples.bench.burst.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class LinkModelTest {
  private static final int SECOND_NS = 1_000_000_000;
  private static final LinkModel LINK = new LinkModel(100_000_000, 9_000);

  @Test
  void shouldCountEthernetIpUdpAndTheChunkPacketAroundThePayload() {
    assertEquals(9_014, LINK.fullPacketBytes());
    assertEquals(9_000 - 28 - 72, LINK.fullPayloadBytes());
    assertEquals(12_500_000 * 8_900.0 / 9_014, LINK.payloadBytesPerSecond());
  }

  @Test
  void shouldPutATransferIntoAsFewPacketsAsHoldIt() {
    assertEquals(4 + 114, LINK.wireBytes(4));
    assertEquals(9_014, LINK.wireBytes(8_900));
    assertEquals(8_901 + 2 * 114, LINK.wireBytes(8_901));
    assertEquals(16_384 + 2 * 114, LINK.wireBytes(16_384));
  }

  @Test
  void shouldDrainIdeallyAtTheRateOfTheLink() {
    assertEquals(SECOND_NS, new LinkModel(9_014 * 8_000L, 9_000).idealNs(1_000, 8_900));
  }

  @Test
  void shouldCallFullPacketsAtTheRateOfTheLinkAGoodputOfOne() {
    LinkModel link = new LinkModel(9_014 * 8_000L, 9_000);
    assertEquals(1, link.goodputOfLink(8_900_000, SECOND_NS), 1e-9);
    assertEquals(8_900 / 9_014.0, link.payloadOfLink(8_900_000, SECOND_NS), 1e-9);
    assertEquals(0, link.goodputOfLink(0, 0));
  }
}
