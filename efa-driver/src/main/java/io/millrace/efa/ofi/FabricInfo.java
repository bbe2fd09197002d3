package io.millrace.efa.ofi;

/**
 * The grant of a provider: the first answer of {@code fi_getinfo}.
 *
 * @param address the address of the native structure, owned by the caller of the query until {@link
 *     LibFabric#release}
 * @param provider the provider's full name, for example {@code tcp;ofi_rxm}
 * @param addressFormat {@code FI_SOCKADDR_IN} and the like
 * @param limits the sizes granted
 * @param memory the mode of memory registration
 */
public record FabricInfo(
    long address, String provider, int addressFormat, FabricLimits limits, MemoryMode memory) {}
