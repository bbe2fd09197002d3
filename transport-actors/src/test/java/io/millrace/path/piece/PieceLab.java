package io.millrace.path.piece;

import io.millrace.path.packet.PathTerms;
import io.millrace.path.peer.FakeEndpoint;
import io.millrace.path.peer.PeerLink;
import io.millrace.path.peer.PeerPath;
import io.millrace.path.peer.TestCall;
import io.millrace.path.peer.WorkerLab;
import io.millrace.protocol.congestion.ReceiveBudget;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Two nodes that read frames in pieces, over fake endpoints. */
final class PieceLab {
  static final RouteId ROUTE = RouteId.of("r");
  static final int ETHERNET = 1_472;
  static final long STEP_NS = 1_000_000;

  /** A loss of nothing. */
  static final Predicate<byte[]> NONE = datagram -> false;

  final WorkerLab near = new WorkerLab(new FakeEndpoint(64, 64));
  final WorkerLab far;
  final PeerLink link = near.link(1);
  final List<byte[]> executed = new ArrayList<>();
  PeerPath path;
  PeerPath farPath;

  /** Opens a path between two nodes that take any number of bytes. */
  PieceLab() throws Exception {
    this(new WorkerLab(new FakeEndpoint(64, 64)), WorkerLab.WINDOW_BYTES, 0);
  }

  /** Opens a path to a node with this link, which allows so many bytes from the start. */
  PieceLab(ReceiveBudget receive, long base) throws Exception {
    this(new WorkerLab(new FakeEndpoint(64, 64), receive), base, 20);
  }

  private PieceLab(WorkerLab far, long base, int creditMs) throws Exception {
    this.far = far;
    far.routes.add(
        ROUTE,
        call -> {
          byte[] payload = new byte[call.payloadLength()];
          call.buffer().getBytes(call.payloadOffset(), payload);
          executed.add(payload);
          call.reply(call.buffer(), call.payloadOffset(), call.payloadLength());
        });
    path = near.open(link, terms(true, base, creditMs));
    farPath = far.open(far.link(1), terms(false, base, 0));
    run(20, NONE);
  }

  static PathTerms terms(boolean isInitiator, long base, int creditMs) {
    PathTerms terms = WorkerLab.terms(1, isInitiator, WorkerLab.WINDOW_BYTES);
    PathTerms.Agreement usual = terms.agreement();
    return new PathTerms(
        terms.peer(),
        terms.secret(),
        terms.initiator(),
        terms.workers(),
        terms.rails(),
        base,
        new PathTerms.Window(base, WorkerLab.WINDOW_BYTES),
        new PathTerms.Agreement(
            usual.remoteTransfers(),
            usual.maxDatagramBytes(),
            usual.keySize(),
            usual.remoteHeadersBytes(),
            creditMs,
            usual.queueNs(),
            false,
            true),
        terms.handshake());
  }

  TestCall call(byte[] payload) {
    TestCall call = new TestCall(link, ROUTE.id(), payload, false);
    link.onCall(call, near.nowNs);
    return call;
  }

  TestCall call(int bytes) {
    return call(new byte[bytes]);
  }

  /** Both nodes have turns; datagrams arrive unless lost. */
  void run(int ms, Predicate<byte[]> isLost) {
    for (int i = 0; i < ms; i++) {
      near.turns(1, STEP_NS);
      deliver(near, far, isLost);
      far.turns(1, STEP_NS);
      deliver(far, near, isLost);
    }
  }

  static void deliver(WorkerLab from, WorkerLab to, Predicate<byte[]> isLost) {
    from.endpoint.sent.removeIf(isLost);
    to.endpoint.arrivals.addAll(from.endpoint.sent);
    from.endpoint.sent.clear();
  }

  static boolean isTooLong(byte[] datagram) {
    return datagram.length > ETHERNET;
  }

  /** The networks of both nodes carry no more than Ethernet from now on. */
  void shrink() {
    path.packets().onLocalMtu(ETHERNET, near.nowNs);
    farPath.packets().onLocalMtu(ETHERNET, far.nowNs);
  }
}
