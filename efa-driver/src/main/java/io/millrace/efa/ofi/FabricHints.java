package io.millrace.efa.ofi;

import org.jspecify.annotations.Nullable;

/**
 * The query to {@code fi_getinfo}; the endpoint type is always RDM and the threading model always
 * {@code FI_THREAD_DOMAIN}.
 *
 * @param provider libfabric's name of the provider, for example {@code sockets}
 * @param node local address to bind to, or null to let the provider choose
 * @param service local port, or null to let the provider choose
 * @param capabilities {@code FI_MSG} and the like
 * @param memoryModeBits {@code FI_MR_} bits that the caller accepts
 * @param dataProgress {@code FI_PROGRESS_} value
 * @param transmitFlags operation flags required of transmits, for example {@code
 *     FI_DELIVERY_COMPLETE}
 * @param fabric the name of the fabric to choose if the provider has several, or null for the first
 */
public record FabricHints(
    String provider,
    @Nullable String node,
    @Nullable String service,
    long capabilities,
    int memoryModeBits,
    int dataProgress,
    long transmitFlags,
    @Nullable String fabric) {}
