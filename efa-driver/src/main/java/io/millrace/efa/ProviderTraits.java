package io.millrace.efa;

import io.millrace.efa.ofi.FabricConstants;
import io.millrace.efa.ofi.FabricInfo;
import org.jspecify.annotations.Nullable;

/**
 * The differences of libfabric's providers that {@code fi_getinfo} does not report.
 *
 * @param ipAddressed whether endpoints bind to an IP address and port; otherwise the device decides
 * @param memoryModeBits {@code FI_MR_} bits to offer
 * @param dataProgress {@code FI_PROGRESS_} value to ask for
 * @param preferredFabric the fabric to choose if the provider has several, or null
 * @param honoursDeliveryComplete whether the provider obeys a granted {@code FI_DELIVERY_COMPLETE}
 * @param maxDatagramBytes limit of a message, below the limit that the provider reports
 */
record ProviderTraits(
    boolean ipAddressed,
    int memoryModeBits,
    int dataProgress,
    @Nullable String preferredFabric,
    boolean honoursDeliveryComplete,
    int maxDatagramBytes) {
  /**
   * Bytes that the provider shm copies into the target's memory at the post. A longer message waits
   * for the target, and no later write completes before: a target that dies would stop all writes.
   */
  private static final int SHARED_MEMORY_COPY_BYTES = 4_096;

  private static final int OFFSETS_ONLY =
      FabricConstants.FI_MR_LOCAL
          | FabricConstants.FI_MR_ALLOCATED
          | FabricConstants.FI_MR_PROV_KEY
          | FabricConstants.FI_MR_ENDPOINT;

  private static final int ANY_MODE = OFFSETS_ONLY | FabricConstants.FI_MR_VIRT_ADDR;

  /** Returns the traits of {@code provider}, by libfabric's name. */
  static ProviderTraits of(String provider) {
    if (provider.startsWith("shm")) {
      // with virtual addresses the provider copies between processes without checking keys
      return new ProviderTraits(
          false,
          OFFSETS_ONLY,
          FabricConstants.FI_PROGRESS_UNSPEC,
          null,
          true,
          SHARED_MEMORY_COPY_BYTES);
    }
    if (provider.startsWith("efa")) {
      return new ProviderTraits(
          false,
          ANY_MODE,
          FabricConstants.FI_PROGRESS_UNSPEC,
          FabricInfo.EFA_DIRECT,
          true,
          Integer.MAX_VALUE);
    }
    if (provider.startsWith("sockets")) {
      // automatic progress costs three threads an endpoint
      return new ProviderTraits(
          true, ANY_MODE, FabricConstants.FI_PROGRESS_MANUAL, null, true, Integer.MAX_VALUE);
    }
    // net, the predecessor of tcp, grants delivery-complete and ignores the flag
    boolean honours = !provider.startsWith("net");
    return new ProviderTraits(
        true, ANY_MODE, FabricConstants.FI_PROGRESS_UNSPEC, null, honours, Integer.MAX_VALUE);
  }
}
