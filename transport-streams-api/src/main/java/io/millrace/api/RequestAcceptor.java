package io.millrace.api;

/**
 * Says by the headers of a request whether it is wanted: once for each, ahead of its handler, on
 * the transport's executor (with {@link Transport#serveOnWorker(Route, ServeOptions,
 * WorkerHandler)} also on the worker's thread), perhaps on several threads at once. Of a payload
 * that does not fit a datagram it is asked when the headers are there and before memory is taken
 * for the payload; the caller of one that is refused sends no more of it. It must not wait for
 * anything.
 */
@FunctionalInterface
public interface RequestAcceptor {
  /** Takes every request. */
  RequestAcceptor ALL = offer -> {};

  /**
   * Returns if the request is wanted.
   *
   * @throws Exception the caller's transfer fails with {@code REFUSED} and this message
   */
  void accept(RequestOffer offer) throws Exception;
}
