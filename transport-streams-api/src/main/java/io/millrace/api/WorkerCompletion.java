package io.millrace.api;

import org.agrona.DirectBuffer;

/**
 * Receives the outcome of one call on the worker's own thread. A completion must not block, and may
 * submit further calls; such calls, made on the worker's thread, do not allocate in the steady
 * state. The worker calls exactly one method of the completion, once; an exception of the
 * completion only causes the event {@code onCompletionFault}.
 */
public interface WorkerCompletion {
  /** Receives the response; {@code buffer} is valid until this method returns. */
  void onResponse(DirectBuffer buffer, int payloadOffset, int payloadLength);

  /** Receives the failure of the call. */
  void onFailure(CallException failure);
}
