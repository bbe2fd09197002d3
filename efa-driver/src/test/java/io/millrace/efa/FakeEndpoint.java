package io.millrace.efa;

import io.millrace.driver.DriverException;
import io.millrace.driver.DriverNotices;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.NotReadySettings;
import io.millrace.efa.ofi.FabricInfo;
import java.net.InetSocketAddress;
import java.util.SplittableRandom;

/** A fabric endpoint over a fake library, with a fake clock. */
final class FakeEndpoint implements AutoCloseable {
  static final int SEND_BUFFERS = 8;

  final FakeLibrary library = new FakeLibrary();
  final FakeVerbs verbs = library.verbs;
  final FabricEndpoint endpoint;
  long nowNs = 1;
  private byte nextPeer = 2;

  /** Opens an endpoint with a window of 8 operations, 8 receives and 8 send buffers. */
  FakeEndpoint() throws DriverException {
    this(FakeLibrary.INFO);
  }

  /** Opens such an endpoint with the grant of a provider. */
  FakeEndpoint(FabricInfo info) throws DriverException {
    EndpointSettings settings =
        new EndpointSettings(
            new InetSocketAddress(0),
            8 * 1_000,
            10_000,
            1_000,
            SEND_BUFFERS,
            4,
            false,
            0,
            1,
            NotReadySettings.DEFAULTS);
    EndpointSizes sizes = EndpointSizes.of(info, settings);
    FabricGrant grant = new FabricGrant(info, true);
    endpoint =
        FabricEndpoint.open(
            library,
            grant,
            sizes,
            DriverNotices.NONE,
            "fabric:fake",
            () -> nowNs,
            new SplittableRandom(1));
  }

  /** Returns a new destination; the provider's addresses count from 0, as the destinations do. */
  int destination() throws DriverException {
    return endpoint.resolve(new EndpointAddress("fabric:fake", new byte[] {nextPeer++}));
  }

  /** Completes the oldest datagram taken and not yet completed by the provider. */
  void completeSend() {
    FakeVerbs.Sent sent = verbs.sent.removeFirst();
    verbs.completions.add(new FakeVerbs.Done(sent.context(), 0, 0, 0));
  }

  @Override
  public void close() {
    endpoint.close();
  }
}
