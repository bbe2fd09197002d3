package io.millrace.api;

import org.agrona.DirectBuffer;

/**
 * Takes the outcome of one call on the worker's own thread. It must not block; it may submit
 * further calls. Exactly one of its methods is called, once; what it throws is the event {@code
 * onCompletionFault} and nothing more.
 */
public interface WorkerCompletion {
  /** The response arrived; {@code buffer} is valid until this method returns. */
  void onResponse(DirectBuffer buffer, int payloadOffset, int payloadLength);

  /** The call failed. */
  void onFailure(CallException failure);
}
