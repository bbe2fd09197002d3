package io.millrace.crypto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.millrace.crypto.HandshakeOutcome.ProvedIdentity;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;

/** The peers that share a single part of a node's memory. */
final class ProvedIdentityTest {
  private static final ProvedIdentity KEY = new ProvedIdentity("key:5a0d");

  @Test
  void shouldGiveNobodyMoreForMorePorts() {
    assertEquals(KEY.shareOf("10.0.0.1:7400"), KEY.shareOf("10.0.0.1:7401"));
    assertEquals(KEY.shareOf("[fd00::1]:7400"), KEY.shareOf("[fd00::1]:1"));
  }

  @Test
  void shouldGiveEachHostOfASharedCertificateAShare() {
    assertNotEquals(KEY.shareOf("10.0.0.1:7400"), KEY.shareOf("10.0.0.2:7400"));
  }

  @Test
  void shouldTellKeysOfOneHostApart() {
    assertNotEquals(
        KEY.shareOf("10.0.0.1:7400"), new ProvedIdentity("key:77").shareOf("10.0.0.1:7400"));
  }

  @Test
  void shouldKnowPeersWithoutACertificateByTheirAddress() {
    ProvedIdentity address = ProvedIdentity.ofAddress(InetAddress.ofLiteral("10.0.0.1"));
    assertEquals("10.0.0.1:7400", address.shareOf("10.0.0.1:7400"));
    assertEquals("10.0.0.1:7400", ProvedIdentity.NONE.shareOf("10.0.0.1:7400"));
  }
}
