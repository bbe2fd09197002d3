package io.millrace.handshake.tls;

import io.millrace.handshake.CertifiedHandshakeConformance;

class TlsConformanceTest extends CertifiedHandshakeConformance {
  @Override
  protected String name() {
    return "tls";
  }
}
