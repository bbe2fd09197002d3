package io.millrace.samples.bench.faults;

import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.Header;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;

/** Answers calls with their payload, on a thread of its own. */
final class AeronFaultServer {
  private static final int FRAGMENTS = 64;

  private final AeronFaultNode node;
  private final Subscription requests;
  private final ExclusivePublication responses;

  private AeronFaultServer(FaultSite site) {
    node = new AeronFaultNode(site);
    requests =
        node.aeron().addSubscription(AeronFaultNode.requests(site), AeronFaultNode.REQUEST_STREAM);
    responses =
        node.aeron()
            .addExclusivePublication(
                AeronFaultNode.responses(site), AeronFaultNode.RESPONSE_STREAM);
  }

  static AeronFaultServer open(FaultSite site) {
    AeronFaultServer server = new AeronFaultServer(site);
    Thread.ofPlatform().daemon().name("faults-aeron").start(server::run);
    return server;
  }

  private void run() {
    BackoffIdleStrategy idle = new BackoffIdleStrategy();
    while (true) {
      idle.idle(requests.controlledPoll(this::onRequest, FRAGMENTS));
    }
  }

  private ControlledFragmentHandler.Action onRequest(
      DirectBuffer buffer, int offset, int length, Header header) {
    return responses.offer(buffer, offset, length) < 0
        ? ControlledFragmentHandler.Action.ABORT
        : ControlledFragmentHandler.Action.CONTINUE;
  }
}
