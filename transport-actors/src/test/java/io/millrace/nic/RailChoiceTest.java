package io.millrace.nic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.PeerPin;
import io.millrace.crypto.AesKeySize;
import io.millrace.driver.EndpointAddress;
import io.millrace.handshake.Advert;
import io.millrace.handshake.AdvertisedEndpoint;
import io.millrace.handshake.AdvertisedNic;
import io.millrace.handshake.CreditTerms;
import io.millrace.path.network.Rail;
import io.millrace.path.network.RailPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RailChoiceTest {
  private static AdvertisedEndpoint udp(int nic, int network, int host) {
    return endpoint(nic, "udp", false, network, host);
  }

  private static AdvertisedEndpoint fabric(int nic, int network, int host) {
    return endpoint(nic, "efa", true, network, host);
  }

  private static AdvertisedEndpoint endpoint(
      int nic, String family, boolean isOneSided, int network, int host) {
    byte[] address = {10, (byte) network, 0, (byte) host, 1, 2};
    return new AdvertisedEndpoint(
        0, new AdvertisedNic(nic, isOneSided, 24, 0), new EndpointAddress(family, address));
  }

  private static RailPlan plan(
      List<AdvertisedEndpoint> local,
      List<AdvertisedEndpoint> remote,
      boolean isInitiator,
      @Nullable PeerPin pin) {
    List<String> drivers = local.stream().map(each -> each.address().family()).toList();
    return Objects.requireNonNull(RailChoice.of(local, drivers, remote, isInitiator, pin));
  }

  private static List<String> pairs(RailPlan plan) {
    return plan.rails().stream().map(rail -> rail.local() + "-" + rail.remote()).toList();
  }

  @Test
  void shouldWriteByEachRailOfAFabric() {
    List<AdvertisedEndpoint> one = List.of(fabric(0, 1, 1), fabric(1, 2, 1));
    List<AdvertisedEndpoint> other = List.of(fabric(0, 1, 2), fabric(1, 2, 2));
    RailPlan plan = plan(one, other, true, null);
    assertEquals(4, plan.rails().size());
    assertTrue(plan.rails().stream().allMatch(Rail::isOneSided));
  }

  /** Both sides name other drivers first; a peer on another host shares no memory. */
  @Test
  void shouldMeetOnTheBestFamilyOfBoth() {
    List<AdvertisedEndpoint> one =
        List.of(
            endpoint(0, "fabric:tcp", true, 1, 1),
            udp(0, 1, 1),
            fabric(0, 1, 1),
            endpoint(0, "fabric:shm@1", true, 1, 1));
    List<AdvertisedEndpoint> near =
        List.of(
            endpoint(0, "fabric:shm@1", true, 1, 2),
            endpoint(0, "fabric:tcp", true, 1, 2),
            fabric(0, 1, 2),
            udp(0, 1, 2));
    List<AdvertisedEndpoint> far =
        List.of(
            endpoint(0, "fabric:shm@2", true, 1, 3),
            endpoint(0, "fabric:tcp", true, 1, 3),
            udp(0, 1, 3));
    assertEquals(List.of("3-0", "2-2", "0-1", "1-3"), pairs(plan(one, near, true, null)));
    assertEquals(List.of("0-3", "2-2", "1-0", "3-1"), pairs(plan(near, one, false, null)));
    assertEquals(List.of("0-1", "1-2"), pairs(plan(one, far, true, null)));
  }

  @Test
  void shouldTakeEachFabricOfEfaForHardware() {
    List<AdvertisedEndpoint> both =
        List.of(endpoint(0, "fabric:tcp", true, 1, 1), endpoint(0, "efa-direct", true, 1, 1));
    assertEquals(List.of("1-1", "0-0"), pairs(plan(both, both, true, null)));
  }

  @Test
  void shouldPreferOneSidedWritesAndKeepDatagramsBehindThem() {
    List<AdvertisedEndpoint> one = List.of(fabric(0, 1, 1), udp(0, 1, 1));
    List<AdvertisedEndpoint> other = List.of(fabric(0, 1, 2), udp(0, 1, 2));
    RailPlan plan = plan(one, other, true, null);
    assertEquals(List.of("0-0", "1-1"), pairs(plan));
    assertTrue(plan.rails().getFirst().isOneSided());
    assertFalse(plan.rails().getLast().isOneSided());
    assertFalse(plan.isPinned());
  }

  @Test
  void shouldLetAFabricNodeTalkToOneWithDatagramsAlone() {
    List<AdvertisedEndpoint> one = List.of(fabric(0, 1, 1), udp(0, 1, 1));
    List<AdvertisedEndpoint> other = List.of(udp(0, 1, 2));
    assertEquals(List.of("1-0"), pairs(plan(one, other, true, null)));
    assertEquals(List.of("0-1"), pairs(plan(other, one, false, null)));
    assertNull(RailChoice.of(List.of(fabric(0, 1, 1)), List.of("efa"), other, true, null));
  }

  @Test
  void shouldPreferTwoAddressesOfOneNetwork() {
    List<AdvertisedEndpoint> one = List.of(udp(0, 1, 1), udp(1, 2, 1));
    List<AdvertisedEndpoint> other = List.of(udp(1, 2, 2), udp(0, 1, 2));
    assertEquals(List.of("0-1", "1-0", "0-0", "1-1"), pairs(plan(one, other, true, null)));
  }

  /** Both sides find the same pairs in the same order, whatever their endpoints. */
  @Test
  void shouldFindTheSameOrderOnBothSides() {
    Random random = new Random(7);
    for (int i = 0; i < 1_000; i++) {
      List<AdvertisedEndpoint> one = any(random);
      List<AdvertisedEndpoint> other = any(random);
      RailPlan here = RailChoice.of(one, names(one), other, true, null);
      RailPlan there = RailChoice.of(other, names(other), one, false, null);
      if (here == null || there == null) {
        assertEquals(here, there);
      } else {
        assertEquals(
            here.rails().stream().map(rail -> rail.local() + "-" + rail.remote()).toList(),
            there.rails().stream().map(rail -> rail.remote() + "-" + rail.local()).toList());
      }
    }
  }

  private static List<String> names(List<AdvertisedEndpoint> endpoints) {
    return endpoints.stream().map(each -> each.address().family()).toList();
  }

  private static List<AdvertisedEndpoint> any(Random random) {
    List<AdvertisedEndpoint> some = new ArrayList<>();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      some.add(
          random.nextBoolean()
              ? udp(random.nextInt(4), random.nextInt(2), random.nextInt(4))
              : fabric(random.nextInt(4), random.nextInt(2), random.nextInt(4)));
    }
    return some;
  }

  @Test
  void shouldKeepToAPinUnlessItMayFallBack() {
    List<AdvertisedEndpoint> one = List.of(fabric(0, 1, 1), udp(0, 1, 1));
    List<AdvertisedEndpoint> other = List.of(fabric(0, 1, 2), udp(0, 1, 2));
    RailPlan pinned = plan(one, other, true, new PeerPin("x", List.of("udp"), false));
    assertEquals(List.of("1-1"), pairs(pinned));
    assertTrue(pinned.isPinned());
    RailPlan preferred = plan(one, other, true, new PeerPin("x", List.of("udp"), true));
    assertEquals(List.of("1-1", "0-0"), pairs(preferred));
    assertNull(
        RailChoice.of(
            one,
            List.of("efa", "udp"),
            other,
            true,
            new PeerPin("x", List.of("fabric:shm"), false)));
    RailPlan same = plan(one, other, true, new PeerPin("x", List.of("efa", "udp"), false));
    assertFalse(same.isPinned());
  }

  @Test
  void shouldBoundDatagramsWhereNetworksDiffer() {
    List<AdvertisedEndpoint> one = List.of(fabric(0, 1, 1), udp(0, 1, 1));
    assertEquals(1_452, plan(one, one, true, null).mostBytesWithoutPieces());
    assertEquals(
        Integer.MAX_VALUE, plan(List.of(udp(0, 1, 1)), one, true, null).mostBytesWithoutPieces());
  }

  private static final AdvertisedEndpoint BRIDGE =
      new AdvertisedEndpoint(
          0,
          new AdvertisedNic(1, false, 16, 0, true),
          new EndpointAddress("udp", new byte[] {(byte) 172, 17, 0, 1, 1, 2}));

  private static Advert advert(long host, List<AdvertisedEndpoint> endpoints) {
    return new Advert(
        0, host, 0, 1, 1_400, AesKeySize.AES_128, 512, CreditTerms.ENDLESS, endpoints, "a:1", host);
  }

  /** The rails of the first of two nodes of these hosts; both nodes must see the same rails. */
  private static List<String> between(
      long host, List<AdvertisedEndpoint> one, long otherHost, List<AdvertisedEndpoint> other) {
    SharedAddresses shared = SharedAddresses.of(advert(host, one), advert(otherHost, other));
    SharedAddresses same = SharedAddresses.of(advert(otherHost, other), advert(host, one));
    RailPlan here = RailChoice.of(one, names(one), other, true, null, shared);
    RailPlan there = RailChoice.of(other, names(other), one, false, null, same);
    List<String> pairs = here == null ? List.of() : pairs(here);
    assertEquals(
        pairs,
        there == null
            ? List.of()
            : there.rails().stream().map(rail -> rail.remote() + "-" + rail.local()).toList());
    return pairs;
  }

  /** Rule N-12: both hosts have the bridge's address, on the first NIC or on a later one. */
  @Test
  void shouldMakeNoRailOfAnAddressThatBothHostsHave() {
    List<AdvertisedEndpoint> one = List.of(BRIDGE, udp(0, 1, 1));
    List<AdvertisedEndpoint> other = List.of(udp(0, 1, 2), BRIDGE);
    assertEquals(List.of("1-0"), between(1, one, 2, other));
    assertEquals(List.of("1-0"), between(0, one, 2, other), "a host is unknown");
    assertEquals(List.of("1-0"), between(0, one, 0, other), "both hosts are unknown");
    assertEquals(List.of(), between(1, List.of(BRIDGE), 2, List.of(BRIDGE)));
    assertEquals(List.of(), between(1, List.of(BRIDGE), 2, other), "leads the other one home");
  }

  @Test
  void shouldLetTwoNodesOfOneHostHaveOneAddress() {
    List<AdvertisedEndpoint> one = List.of(udp(0, 1, 1));
    assertEquals(List.of("0-0"), between(7, one, 7, one));
    assertEquals(List.of("0-0"), between(0, one, 0, one), "a host is unknown");
    List<AdvertisedEndpoint> both = List.of(udp(0, 1, 1), BRIDGE);
    assertEquals(4, between(7, both, 7, both).size());
    assertEquals(4, between(0, both, 7, both).size());
    assertEquals(List.of("0-0", "0-1"), between(0, one, 0, both), "one has all of its addresses");
  }

  /** A node without a NIC of its own says the loopback. */
  @Test
  void shouldMakeNoRailOfTheLoopbackBetweenHosts() {
    List<AdvertisedEndpoint> one = List.of(udp(0, 1, 1));
    List<AdvertisedEndpoint> loopback =
        List.of(
            new AdvertisedEndpoint(
                0,
                AdvertisedNic.ONLY,
                new EndpointAddress("udp", new byte[] {127, 0, 0, 1, 1, 2})));
    assertEquals(List.of(), between(1, one, 2, loopback));
    assertEquals(List.of("0-0"), between(1, one, 1, loopback));
    assertEquals(List.of("0-0"), between(1, one, 0, loopback), "perhaps of one host");
  }

  /** Addresses that are no IP addresses are of their family alone. */
  @Test
  void shouldCompareIpAddressesAlone() {
    List<AdvertisedEndpoint> named =
        List.of(
            new AdvertisedEndpoint(
                0, AdvertisedNic.ONLY, new EndpointAddress("efa", new byte[] {1, 2, 3, 4, 5})));
    assertEquals(List.of("0-0"), between(1, named, 2, named));
  }

  @Test
  void shouldTakeBridgesLast() {
    AdvertisedEndpoint otherBridge =
        new AdvertisedEndpoint(
            0,
            new AdvertisedNic(1, false, 16, 0, true),
            new EndpointAddress("udp", new byte[] {(byte) 172, 17, 0, 2, 1, 2}));
    List<AdvertisedEndpoint> one = List.of(BRIDGE, udp(1, 1, 1));
    List<AdvertisedEndpoint> other = List.of(otherBridge, udp(1, 2, 2));
    assertEquals(List.of("1-1", "0-0", "0-1", "1-0"), pairs(plan(one, other, true, null)));
  }

  /** Rule N-10. */
  @Test
  void shouldProveEndpointsAtTheAddressOfTheHandshakeAlone() {
    byte[] there = {10, 0, 0, 1, 0x1c, (byte) 0xe8};
    byte[] elsewhere = {10, 0, 0, 2, 0x1c, (byte) 0xe8};
    RailPlan plan =
        new RailPlan(
            List.of(
                new Rail(0, 0, new EndpointAddress("udp", there), false),
                new Rail(0, 1, new EndpointAddress("udp", elsewhere), false),
                new Rail(0, 2, new EndpointAddress("efa", elsewhere), false)),
            true,
            false);
    assertEquals(
        List.of(true, false, true),
        plan.provedAt(new byte[] {10, 0, 0, 1}).rails().stream().map(Rail::isProved).toList());
    assertEquals(
        List.of(false, false, true),
        plan.provedAt(new byte[16]).rails().stream().map(Rail::isProved).toList());
  }
}
