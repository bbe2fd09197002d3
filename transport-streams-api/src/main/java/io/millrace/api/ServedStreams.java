package io.millrace.api;

import io.millrace.body.RequestScreen;
import io.millrace.ends.ExecutorLane;
import io.millrace.path.stream.StreamAcceptor;
import io.millrace.path.stream.StreamOffer;
import org.apache.pekko.stream.Materializer;

/**
 * The streams of one route: each is handed over to the executor.
 *
 * @param pattern one of {@link io.millrace.protocol.stream.StreamPattern}
 * @param screen says by the headers which are wanted
 * @param handler answers them
 * @param lane runs both
 * @param materializer runs the elements
 * @param faults what the handler throws
 */
record ServedStreams(
    int pattern,
    RequestScreen screen,
    ServedStream.Handler handler,
    ExecutorLane lane,
    Materializer materializer,
    HandlerFaults faults)
    implements StreamAcceptor {
  @Override
  public void onStream(StreamOffer offer) {
    new ServedStream(offer, this).handOver();
  }
}
