package io.millrace.testkit.path;

import io.millrace.testkit.internal.path.PairWorker;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A side of a {@link PathPair}: serves routes, and calls routes of the other side. A call begins
 * with the next turn of its side.
 */
public final class PairSide {
  private final PairWorker worker;

  PairSide(PairWorker worker) {
    this.worker = worker;
  }

  void turn(long nowNs) {
    worker.turn(nowNs);
  }

  /**
   * Serves the unary calls of a route.
   *
   * @param handler makes the payload of the response from the payload of the request; an exception
   *     of the handler refuses the call
   * @throws IllegalArgumentException if this side serves such calls of the route already
   */
  public void serve(String route, UnaryOperator<byte[]> handler) {
    worker.serve(route, handler);
  }

  /**
   * Serves the bulk writes of a route.
   *
   * @param receiver gets the payload of each complete write; an exception of the receiver fails the
   *     write
   * @throws IllegalArgumentException if this side serves bulk writes of the route already
   */
  public void serveWrites(String route, Consumer<byte[]> receiver) {
    worker.serveWrites(route, receiver);
  }

  /**
   * Serves the streams of a route; the flow to the caller ends with the flow from the caller.
   *
   * @param handler answers each element with an element; an exception of the handler fails the
   *     stream
   * @throws IllegalArgumentException if this side serves streams of the route already
   */
  public void serveStreams(String route, UnaryOperator<byte[]> handler) {
    worker.serveStreams(route, handler);
  }

  /** Calls a route of the other side. */
  public PairCall call(String route, byte[] payload) {
    return new PairCall(worker.call(route, payload));
  }

  /** Writes a payload in bulk to a route of the other side; the payload must not change. */
  public PairCall write(String route, byte[] payload) {
    return new PairCall(worker.write(route, payload));
  }

  /**
   * Encrypts a payload once, and writes the payload several times to a route of the other side, as
   * a broadcast to several peers does; the payload must not change.
   *
   * @param writes 1 or more
   */
  public List<PairCall> broadcast(String route, byte[] payload, int writes) {
    if (writes < 1) {
      throw new IllegalArgumentException("a broadcast has one write at least");
    }
    return worker.broadcast(route, payload, writes).stream().map(PairCall::new).toList();
  }

  /** Opens a stream to a route of the other side. */
  public PairStream open(String route) {
    return new PairStream(worker.open(route));
  }
}
