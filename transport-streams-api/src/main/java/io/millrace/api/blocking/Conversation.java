package io.millrace.api.blocking;

/**
 * A stream of requests and a stream of responses, each with its own pace and its own end. One
 * thread may send while another thread reads; a single thread may do both in turns, if the peer
 * answers before it stops taking requests.
 *
 * <p>A conversation that is not closed stays open until both directions have ended, or until the
 * deadline of the stream or the end of the transport.
 *
 * @param <Q> the requests
 * @param <R> the responses
 */
public final class Conversation<Q, R> implements RowWriter<Q>, AutoCloseable {
  private final Sending<Q> requests;
  private final Rows<R> responses;

  Conversation(Departures<Q> requests, Rows<R> responses) {
    this.requests = new Sending<>(requests, this::close);
    this.responses = responses;
  }

  @Override
  public boolean send(Q request) {
    return requests.send(request);
  }

  /** Ends the requests; the responses go on. Does not wait. Idempotent. */
  public void finishRequests() {
    requests.end();
  }

  /** Returns the responses. Closing the responses leaves the requests open. */
  public Rows<R> responses() {
    return responses;
  }

  /** Cancels both directions, unless they have ended. Does not wait. Idempotent. */
  @Override
  public void close() {
    requests.fail("the conversation was closed");
    responses.close();
  }
}
