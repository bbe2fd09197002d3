package io.millrace.api.blocking;

import io.millrace.api.Call;
import io.millrace.api.Response;

/**
 * A stream of requests with one response:
 *
 * <pre>{@code
 * try (Upload<Row, Total> upload = peer.upload(route)) {
 *   for (Row row : table) {
 *     upload.send(row);
 *   }
 *   Total total = upload.finish();
 * }
 * }</pre>
 *
 * <p>An upload that is closed ahead of {@link #finish} is cancelled: the peer's handler sees its
 * requests fail. An upload that is neither finished nor closed stays open until the deadline of the
 * stream or the end of the transport. One thread at a time sends; any thread closes.
 *
 * @param <Q> the requests
 * @param <R> the response
 */
public final class Upload<Q, R> implements RowWriter<Q>, AutoCloseable {
  private final Sending<Q> requests;
  private final Call<R> answer;

  Upload(Departures<Q> requests, Call<R> answer) {
    this.requests = new Sending<>(requests, this::close);
    this.answer = answer;
  }

  @Override
  public boolean send(Q request) {
    return requests.send(request);
  }

  /**
   * Ends the requests and waits for the response. An interrupt of the waiting thread cancels the
   * stream.
   *
   * @throws io.millrace.api.CallException if the stream has failed, or was cancelled
   */
  public R finish() {
    requests.end();
    return Waits.await(answer, this::close);
  }

  /** Ends the requests and waits for the response with its headers, as {@link #finish}. */
  public Response<R> finishWithHeaders() {
    requests.end();
    return Waits.await(answer.response().toCompletableFuture(), this::close);
  }

  /** Cancels the stream, unless the response is there. Does not wait. Idempotent. */
  @Override
  public void close() {
    requests.fail("the upload was closed ahead of its response");
    if (!answer.isDone()) {
      answer.cancel(false);
    }
  }
}
