package io.millrace.api.blocking;

/**
 * The sending end of a stream. One thread at a time.
 *
 * @param <T> the elements
 */
public interface RowWriter<T> {
  /**
   * Sends an element; waits while the receiver demands no more and 16 elements wait already. An
   * interrupt of the waiting thread cancels the stream.
   *
   * @return false if the receiver wants no more elements; the element is dropped
   * @throws io.millrace.api.CallException if the stream has failed, or was cancelled
   */
  boolean send(T element);
}
