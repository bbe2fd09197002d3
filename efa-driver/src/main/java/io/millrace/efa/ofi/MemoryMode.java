package io.millrace.efa.ofi;

/**
 * The mode of a provider's memory registration.
 *
 * @param bits {@code FI_MR_} bits that the provider requires
 * @param keyBytes bytes of a remote key
 * @param immediateBytes bytes of an immediate value that the provider carries
 */
public record MemoryMode(int bits, long keyBytes, long immediateBytes) {
  /** Whether buffers named in local operations need a descriptor. */
  public boolean isLocal() {
    return (bits & FabricConstants.FI_MR_LOCAL) != 0;
  }

  /** Whether peers name virtual addresses rather than offsets. */
  public boolean hasVirtualAddresses() {
    return (bits & FabricConstants.FI_MR_VIRT_ADDR) != 0;
  }

  /** Whether the provider chooses keys; otherwise the caller does. */
  public boolean hasProviderKeys() {
    return (bits & FabricConstants.FI_MR_PROV_KEY) != 0;
  }

  /** Whether a region is bound to an endpoint before use. */
  public boolean isEndpointBound() {
    return (bits & FabricConstants.FI_MR_ENDPOINT) != 0;
  }
}
