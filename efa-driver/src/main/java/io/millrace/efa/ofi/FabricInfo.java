package io.millrace.efa.ofi;

/**
 * What a provider granted: the first answer of {@code fi_getinfo}.
 *
 * @param address of the native structure, owned by whoever queried until {@link LibFabric#release}
 * @param provider the provider's full name, for example {@code tcp;ofi_rxm}
 * @param addressFormat {@code FI_SOCKADDR_IN} and the like
 * @param limits sizes
 * @param memory registration
 */
public record FabricInfo(
    long address, String provider, int addressFormat, FabricLimits limits, MemoryMode memory) {}
