package io.millrace.efa.ofi;

/**
 * The grant of a provider: the chosen answer of {@code fi_getinfo}.
 *
 * @param address the address of the native structure, owned by the caller of the query until {@link
 *     LibFabric#release}
 * @param provider the provider's full name, for example {@code tcp;ofi_rxm}
 * @param fabric the name of the provider's fabric, for example {@code efa-direct}
 * @param mode {@code FI_CONTEXT2} and the like: what the provider requires of its caller
 * @param addressFormat {@code FI_SOCKADDR_IN} and the like
 * @param limits the sizes granted
 * @param memory the mode of memory registration
 */
public record FabricInfo(
    long address,
    String provider,
    String fabric,
    long mode,
    int addressFormat,
    FabricLimits limits,
    MemoryMode memory) {
  /** The fabric of the provider efa without a protocol of the provider's own. */
  public static final String EFA_DIRECT = "efa-direct";
}
