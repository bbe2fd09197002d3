package io.millrace.api;

/**
 * Accepts or refuses a request by its headers: once for each request, ahead of the handler, perhaps
 * on several threads at once. The acceptor runs on the transport's executor, with {@link
 * Transport#serveOnWorker(Route, ServeOptions, WorkerHandler)} also on the worker's thread. For a
 * payload larger than a datagram, the acceptor runs when the headers have arrived, before the node
 * takes memory for the payload. After a refusal the caller sends no more of the payload. An
 * acceptor must never wait.
 */
@FunctionalInterface
public interface RequestAcceptor {
  /** Takes every request. */
  RequestAcceptor ALL = offer -> {};

  /**
   * Accepts the request by returning normally.
   *
   * @throws Exception to refuse: the caller's transfer fails with {@code REFUSED} and this message
   */
  void accept(RequestOffer offer) throws Exception;
}
