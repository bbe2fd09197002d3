package io.millrace.efa;

import io.millrace.driver.EndpointSettings;
import io.millrace.efa.ofi.FabricConstants;
import io.millrace.efa.ofi.FabricErrno;
import io.millrace.efa.ofi.FabricException;
import io.millrace.efa.ofi.FabricHints;
import io.millrace.efa.ofi.FabricInfo;
import io.millrace.efa.ofi.LibFabric;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The grant of a provider for one endpoint.
 *
 * @param info the provider's answer; the holder of the grant releases the answer
 * @param hasDeliveryComplete whether writes can complete when the bytes are in the target's memory
 */
record FabricGrant(FabricInfo info, boolean hasDeliveryComplete) {
  private static final long CAPABILITIES =
      FabricConstants.FI_MSG
          | FabricConstants.FI_SEND
          | FabricConstants.FI_RECV
          | FabricConstants.FI_RMA
          | FabricConstants.FI_WRITE
          | FabricConstants.FI_REMOTE_WRITE;

  /**
   * Asks {@code provider} for an endpoint.
   *
   * @param settings the address to bind; null for a mere query
   */
  static FabricGrant ask(LibFabric library, String provider, @Nullable EndpointSettings settings)
      throws FabricException {
    ProviderTraits traits = ProviderTraits.of(provider);
    String node = null;
    String service = null;
    if (traits.ipAddressed() && settings != null) {
      InetSocketAddress bind = settings.bindAddress();
      InetAddress address = bind.getAddress();
      node = address == null || address.isAnyLocalAddress() ? null : address.getHostAddress();
      service = bind.getPort() == 0 ? null : Integer.toString(bind.getPort());
    }
    // asked separately: as part of the main query, the flag would become the default of every
    // operation
    FabricInfo completing =
        traits.honoursDeliveryComplete()
            ? completing(
                library,
                hints(provider, traits, node, service, FabricConstants.FI_DELIVERY_COMPLETE))
            : null;
    FabricInfo info = library.query(hints(provider, traits, node, service, 0));
    return new FabricGrant(info, completing != null && isSameFabric(info, completing));
  }

  /** Whether the endpoint is on the fabric efa-direct, which does not talk to the fabric efa. */
  boolean isDirect() {
    return info.fabric().equals(FabricInfo.EFA_DIRECT);
  }

  private static FabricHints hints(
      String provider,
      ProviderTraits traits,
      @Nullable String node,
      @Nullable String service,
      long transmitFlags) {
    return new FabricHints(
        provider,
        node,
        service,
        CAPABILITIES,
        traits.memoryModeBits(),
        traits.dataProgress(),
        transmitFlags,
        traits.preferredFabric());
  }

  /** Returns the answer, which is released already, to a query; null for none. */
  private static @Nullable FabricInfo completing(LibFabric library, FabricHints hints)
      throws FabricException {
    try {
      FabricInfo answer = library.query(hints);
      library.release(answer);
      return answer;
    } catch (FabricException e) {
      if (e.errno() == FabricErrno.FI_ENODATA) {
        return null;
      }
      throw e;
    }
  }

  /** Whether what one answer grants holds for the other, too. */
  private static boolean isSameFabric(FabricInfo one, FabricInfo other) {
    return one.provider().equals(other.provider()) && one.fabric().equals(other.fabric());
  }
}
