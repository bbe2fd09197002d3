package io.millrace.efa.ofi;

/**
 * The control plane of libfabric, as far as the driver uses libfabric.
 *
 * <p>Objects are addresses. A method that opens an object returns the object's address, or a
 * negative {@link FabricErrno}; a method with an action returns 0 or a negative error number. All
 * methods may allocate, lock and block for a bounded time. Objects of one domain belong to one
 * thread ({@code FI_THREAD_DOMAIN}).
 */
public interface LibFabric {
  /** Returns the library's version, major in the upper 16 bits. */
  int version();

  /** Returns libfabric's text for an error number. */
  String errorText(int errno);

  /**
   * {@code fi_getinfo}: asks for a provider.
   *
   * @throws FabricException for example with {@code FI_ENODATA} when no provider matches
   */
  FabricInfo query(FabricHints hints) throws FabricException;

  /** Frees an answer of {@link #query}. */
  void release(FabricInfo info);

  /** {@code fi_fabric}. */
  long openFabric(FabricInfo info);

  /** {@code fi_domain}. */
  long openDomain(long fabric, FabricInfo info);

  /** {@code fi_eq_open}, without a wait object. */
  long openEventQueue(long fabric);

  /** {@code fi_av_open}: a table expecting this many addresses. */
  long openAddressVector(long domain, int addresses);

  /** {@code fi_cq_open}: entries of {@link CompletionEntries}, without a wait object. */
  long openCompletionQueue(long domain, int entries);

  /** {@code fi_endpoint}. */
  long openEndpoint(long domain, FabricInfo info);

  /** {@code fi_ep_bind} and {@code fi_mr_bind}. */
  int bind(long object, long to, long flags);

  /**
   * {@code fi_setopt} of {@code FI_OPT_EFA_RNR_RETRY}: how often the device repeats a message whose
   * receiver is not ready, before the message fails. Before {@link #enable}.
   *
   * @return 0, or a negative error number from a provider without the option
   */
  int deviceRetries(long endpoint, long retries);

  /** {@code fi_enable} and {@code fi_mr_enable}. */
  int enable(long object);

  /** {@code fi_close}. Objects close in this order: mr, ep, cq, eq, av, domain, fabric. */
  int close(long object);

  /** {@code fi_getname}: the endpoint's address for peers, in the provider's format. */
  byte[] localAddress(long endpoint) throws FabricException;

  /** {@code fi_av_insert} of one address; returns the small number of the address. */
  long insertAddress(long addressVector, byte[] address);

  /** {@code fi_av_remove} of one address. */
  int removeAddress(long addressVector, long address);

  /** {@code fi_mr_reg}; {@code key} counts if the provider does not choose keys. */
  long registerMemory(long domain, long address, long bytes, long access, long key);

  /** {@code fi_mr_key} of a region. */
  long remoteKey(long region);

  /** {@code fi_mr_desc} of a region. */
  long descriptor(long region);

  /**
   * Returns the data plane of an enabled endpoint and its queues.
   *
   * @throws FabricException {@code FI_ENOSYS} if the endpoint lacks a required function
   */
  FabricVerbs verbs(long endpoint, long completionQueue, long eventQueue) throws FabricException;
}
