package io.millrace.samples.bench.aeron;

import io.millrace.samples.bench.BenchPeer;
import io.millrace.samples.bench.EchoServer;
import io.millrace.samples.bench.PeerSite;
import io.millrace.samples.bench.UnaryClient;

/**
 * Aeron over UDP, in the clear, with the media driver embedded in each process.
 *
 * @param name the name in the report
 * @param mtuBytes the largest datagram payload of the publications
 */
public record AeronPeer(String name, int mtuBytes) implements BenchPeer {
  @Override
  public String family() {
    return "aeron";
  }

  @Override
  public String settings() {
    return "UDP unicast on 127.0.0.1, not encrypted; MTU "
        + mtuBytes
        + " B; ThreadingMode.INVOKER with the client's agent invoker, so that driver, client and"
        + " application share one spinning thread and nothing is handed over; exclusive"
        + " publications with tryClaim; one stream per direction; "
        + AeronNode.SETTINGS;
  }

  @Override
  public String threads() {
    return "each side one thread, aeron-duty: media driver, client conductor and application;"
        + " no idle strategy, it spins";
  }

  @Override
  public Completion completion() {
    return Completion.INLINE;
  }

  @Override
  public EchoServer openServer(PeerSite site) throws Exception {
    return AeronEchoServer.open(site, mtuBytes);
  }

  @Override
  public UnaryClient openClient(PeerSite site, String address) throws Exception {
    return AeronUnaryClient.open(site, mtuBytes, AeronPorts.parse(address));
  }
}
