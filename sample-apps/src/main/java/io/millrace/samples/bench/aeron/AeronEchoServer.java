package io.millrace.samples.bench.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.Header;
import io.millrace.samples.bench.DutyThread;
import io.millrace.samples.bench.EchoServer;
import io.millrace.samples.bench.PeerSite;
import java.io.IOException;
import org.agrona.DirectBuffer;

/** Copies every message of the request stream into the response stream. */
final class AeronEchoServer implements EchoServer, DutyThread.Duty {
  private static final int FRAGMENTS_PER_POLL = 64;

  private final AeronPorts ports;
  private final AeronNode node;
  private final Subscription requests;
  private final ExclusivePublication responses;
  private final BufferClaim claim = new BufferClaim();
  private final ControlledFragmentHandler echo = this::onRequest;
  private final DutyThread thread;

  private AeronEchoServer(PeerSite site, int mtuBytes, AeronPorts ports) {
    this.ports = ports;
    node = AeronNode.open(site, mtuBytes);
    requests = node.subscribe(ports.requests(), AeronNode.REQUEST_STREAM);
    responses = node.publish(ports.responses(), AeronNode.RESPONSE_STREAM);
    thread = new DutyThread("aeron-duty", this, site.gate());
  }

  static AeronEchoServer open(PeerSite site, int mtuBytes) throws IOException {
    AeronEchoServer server = new AeronEchoServer(site, mtuBytes, AeronPorts.free());
    server.thread.start();
    return server;
  }

  @Override
  public String address() {
    return ports.toString();
  }

  @Override
  public void turn() {
    requests.controlledPoll(echo, FRAGMENTS_PER_POLL);
    node.turn();
  }

  @Override
  public void slowTurn() {
    node.slowTurn();
  }

  @Override
  public boolean isConnected() {
    return requests.isConnected() && responses.isConnected();
  }

  @Override
  public void onEnd() {
    node.close();
  }

  @Override
  public void close() {
    thread.close();
  }

  private ControlledFragmentHandler.Action onRequest(
      DirectBuffer buffer, int offset, int length, Header header) {
    if (responses.tryClaim(length, claim) < 0) {
      return ControlledFragmentHandler.Action.ABORT;
    }
    claim.buffer().putBytes(claim.offset(), buffer, offset, length);
    claim.commit();
    return ControlledFragmentHandler.Action.CONTINUE;
  }
}
