package io.millrace.handshake;

import io.millrace.crypto.AesKeySize;
import io.millrace.driver.EndpointAddress;
import java.util.List;

/** Adverts as seeds of fuzz tests. */
public final class AdvertSeeds {
  private AdvertSeeds() {}

  /** An advert of this identity, with endpoints of two drivers. */
  public static Advert advert(String identity, long incarnation) {
    return new Advert(
        1,
        incarnation,
        65_536,
        16,
        1_400,
        AesKeySize.AES_256,
        512,
        new CreditTerms(100, 20),
        List.of(
            new AdvertisedEndpoint(
                0,
                new AdvertisedNic(0, false, 24, 10_000),
                new EndpointAddress("udp", new byte[] {4, 127, 0, 0, 1, 1, 2})),
            new AdvertisedEndpoint(
                1,
                new AdvertisedNic(1, true, 64, 100_000),
                new EndpointAddress("fabric:tcp", new byte[28]))),
        identity);
  }

  /** The frame of an advert with two endpoints. */
  public static byte[] ofTwoEndpoints() {
    return AdvertCodec.encode(advert("dora:7400", 78), new EarlierPath(5, 6));
  }
}
