package io.millrace.samples.bench.millrace;

import io.millrace.samples.bench.BenchServer;
import io.millrace.samples.bench.DutyThread;
import io.millrace.samples.bench.PeerSite;

/** Answers on the worker, which the duty thread drives. */
final class MillraceEchoServer implements BenchServer, DutyThread.Duty {
  private final MillraceNode node;
  private final DutyThread thread;

  MillraceEchoServer(PeerSite site) {
    node = new MillraceNode(site);
    node.transport()
        .serveOnWorker(
            MillraceNode.ECHO,
            call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
    thread = new DutyThread("millrace-duty", this, site.gate());
    thread.start();
  }

  @Override
  public String address() {
    return node.transport().address();
  }

  @Override
  public void turn() {
    node.turn();
  }

  @Override
  public void slowTurn() {
    node.turn();
  }

  /** The server cannot tell: it turns often until the first round and then sleeps longer. */
  @Override
  public boolean isConnected() {
    return node.transport().snapshot().workers().getFirst().transfers().requestsServed() > 0;
  }

  @Override
  public void onEnd() {
    node.close();
  }

  @Override
  public void close() {
    thread.close();
  }
}
