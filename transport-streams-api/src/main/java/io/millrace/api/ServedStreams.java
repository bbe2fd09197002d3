package io.millrace.api;

import io.millrace.body.RequestScreen;
import io.millrace.ends.ExecutorLane;
import io.millrace.path.stream.StreamAcceptor;
import io.millrace.path.stream.StreamOffer;
import org.apache.pekko.stream.Materializer;

/**
 * Serves the streams of one route: hands each stream over to the executor.
 *
 * @param pattern one of {@link io.millrace.protocol.stream.StreamPattern}
 * @param screen accepts or refuses streams by their headers
 * @param handler answers the streams
 * @param lane runs the screen and the handler
 * @param materializer runs the elements
 * @param faults counts the handler's exceptions
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
