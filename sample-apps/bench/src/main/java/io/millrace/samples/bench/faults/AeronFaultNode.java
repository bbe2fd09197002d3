package io.millrace.samples.bench.faults;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

/** A media driver embedded in this process, and its client; both with threads of their own. */
final class AeronFaultNode {
  static final int REQUEST_STREAM = 10;
  static final int RESPONSE_STREAM = 11;

  /** Bytes ahead of the payload: the number of the call. */
  static final int HEAD_BYTES = Long.BYTES;

  private static final int TERM_BYTES = 1 << 20;

  private final Aeron aeron;

  AeronFaultNode(FaultSite site) {
    MediaDriver driver =
        MediaDriver.launchEmbedded(
            new MediaDriver.Context()
                .aeronDirectoryName(site.own().resolve("aeron").toString())
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .publicationTermBufferLength(TERM_BYTES)
                .threadingMode(ThreadingMode.SHARED));
    aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
  }

  Aeron aeron() {
    return aeron;
  }

  /** The channel on which the server listens for requests. */
  static String requests(FaultSite site) {
    return channel(FaultSite.SERVER_HOSTS.getFirst(), site.port());
  }

  /** The channel on which the client listens for answers. */
  static String responses(FaultSite site) {
    return channel(FaultSite.CLIENT_HOSTS.getFirst(), site.port());
  }

  private static String channel(String host, int port) {
    return "aeron:udp?endpoint=" + host + ":" + port;
  }
}
