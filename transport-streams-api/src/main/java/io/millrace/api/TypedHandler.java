package io.millrace.api;

/**
 * Serves a {@link TypedRoute} on the application's executor, where the request of a {@link
 * TypedCall} is decoded too; the elements of a {@link TypedStreamingCall} are decoded where they
 * are streamed. A request that cannot be decoded never reaches the handler: the caller's transfer
 * fails with {@code REQUEST_NOT_DECODED}. An answer that cannot be encoded fails it with {@code
 * HANDLER_FAILED}, as does what the handler throws.
 *
 * @param <C> what is asked: {@link TypedCall} or {@link TypedStreamingCall}
 * @param <A> the answer: a stage of a {@link TypedResponse}, or a {@link TypedStreamingResponse}
 */
@FunctionalInterface
public interface TypedHandler<C, A> {
  /** Answers one call or stream; a stage may be completed on any thread. */
  A answer(C call) throws Exception;
}
