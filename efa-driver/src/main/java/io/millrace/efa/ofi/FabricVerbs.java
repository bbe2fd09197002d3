package io.millrace.efa.ofi;

/**
 * The data plane of one endpoint: posts and polls. Called by the thread that owns the endpoint. No
 * call blocks except the first operations to a peer, while certain providers connect; no call
 * allocates.
 *
 * <p>A post returns 0 when taken, {@code -FI_EAGAIN} when the caller should try again after
 * polling, and another negative {@link FabricErrno} on failure. A context is the address of 64
 * bytes for the provider's use until the operation completes.
 */
public interface FabricVerbs {
  /** {@code fi_send} of one message. */
  long send(long address, long bytes, long descriptor, long destination, long context);

  /** {@code fi_recv}: room for one message from any sender. */
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

  /** {@code fi_cq_readerr} into a {@link CompletionError}; returns 1 when an error was read. */
  long readCompletionError(long entry);

  /**
   * {@code fi_eq_read}, or, when an error waits, {@code fi_eq_readerr}; positive if an event was
   * read.
   */
  long readEvent(long buffer, long bytes);
}
