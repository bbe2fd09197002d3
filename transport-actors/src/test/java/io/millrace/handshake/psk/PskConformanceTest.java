package io.millrace.handshake.psk;

import io.millrace.crypto.HandshakeCredentials;
import io.millrace.handshake.HandshakeConformance;

class PskConformanceTest extends HandshakeConformance {
  @Override
  protected String name() {
    return "psk";
  }

  @Override
  protected HandshakeCredentials credentials() {
    return PreSharedKey.ofHex("1f".repeat(32));
  }

  @Override
  protected HandshakeCredentials strangersCredentials() {
    return PreSharedKey.ofHex("2e".repeat(32));
  }
}
