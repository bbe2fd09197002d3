package io.millrace.samples.bench.millrace;

import io.millrace.samples.bench.peer.BenchServer;
import io.millrace.samples.bench.peer.DutyThread;
import io.millrace.samples.bench.peer.PeerSite;
import io.millrace.samples.certs.CertificatesException;
import java.io.IOException;

/** Answers on the worker, which the duty thread drives, and counts bulk on the duty thread. */
final class MillraceEchoServer implements BenchServer, DutyThread.Duty {
  private final MillraceNode node;
  private final BulkCounter bulk = new BulkCounter();
  private final DutyThread thread;

  MillraceEchoServer(PeerSite site, int datagramBytes) throws IOException, CertificatesException {
    node = new MillraceNode(site, datagramBytes);
    bulk.serve(node.transport());
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

  /**
   * The server cannot see connections: until the first round the server turns often, and afterwards
   * sleeps longer.
   */
  @Override
  public boolean isConnected() {
    return bulk.hasBegun()
        || node.transport().snapshot().workers().getFirst().transfers().requestsServed() > 0;
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
