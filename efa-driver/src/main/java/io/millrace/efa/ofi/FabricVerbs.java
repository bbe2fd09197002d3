package io.millrace.efa.ofi;

/**
 * Data plane of one endpoint: what is posted and what is polled. Called by the thread that owns the
 * endpoint. Nothing blocks except the first operations to a peer, while some providers connect;
 * nothing allocates.
 *
 * <p>A post answers 0 when it was taken, {@code -FI_EAGAIN} when it should be tried again after
 * polling, and another negative {@link FabricErrno} when it failed. A context is the address of 64
 * bytes that the provider may use until the operation completes.
 */
public interface FabricVerbs {
  /** {@code fi_send} of one message. */
  long send(long address, long bytes, long descriptor, long destination, long context);

  /** {@code fi_recv}: room for one message from anyone. */
  long receive(long address, long bytes, long descriptor, long context);

  /**
   * {@code fi_writemsg}.
   *
   * @param message address of a {@link WriteMessage}
   * @param flags {@code FI_DELIVERY_COMPLETE}, {@code FI_REMOTE_CQ_DATA}
   */
  long write(long message, long flags);

  /**
   * {@code fi_cq_read} into {@link CompletionEntries}.
   *
   * @return entries read, {@code -FI_EAGAIN} for none, {@code -FI_EAVAIL} when an error entry waits
   */
  long readCompletions(long entries, long count);

  /** {@code fi_cq_readerr} into a {@link CompletionError}; 1 when there was one. */
  long readCompletionError(long entry);

  /**
   * {@code fi_eq_read}, or, when an error waits, {@code fi_eq_readerr}; positive if there was one.
   */
  long readEvent(long buffer, long bytes);
}
