package io.millrace.efa;

import io.millrace.efa.ofi.FabricConstants;
import io.millrace.efa.ofi.FabricException;
import io.millrace.efa.ofi.FabricInfo;
import io.millrace.efa.ofi.FabricVerbs;
import io.millrace.efa.ofi.LibFabric;

/**
 * The libfabric objects of one endpoint: opens the objects in order, closes the objects in the only
 * possible order.
 *
 * <p>An event queue is always bound: without one, an EFA endpoint whose peer writes with a stale
 * key ends the process. Owned by the endpoint's thread.
 */
final class FabricObjects {
  private static final int EXPECTED_PEERS = 256;

  private final LibFabric library;
  private final FabricInfo info;
  private long fabric;
  private long eventQueue;
  private long domain;
  private long addressVector;
  private long completionQueue;
  private long endpoint;

  private FabricObjects(LibFabric library, FabricInfo info) {
    this.library = library;
    this.info = info;
  }

  /**
   * Opens all objects and enables the endpoint. Owns {@code info} from here on, also after an
   * exception; no object stays open then.
   */
  static FabricObjects open(
      LibFabric library, FabricInfo info, int completionEntries, int deviceRetries)
      throws FabricException {
    FabricObjects objects = new FabricObjects(library, info);
    try {
      objects.openAll(completionEntries, deviceRetries);
      return objects;
    } catch (FabricException e) {
      objects.close();
      throw e;
    }
  }

  private void openAll(int completionEntries, int deviceRetries) throws FabricException {
    fabric = opened("fi_fabric", library.openFabric(info));
    eventQueue = opened("fi_eq_open", library.openEventQueue(fabric));
    domain = opened("fi_domain", library.openDomain(fabric, info));
    addressVector = opened("fi_av_open", library.openAddressVector(domain, EXPECTED_PEERS));
    completionQueue = opened("fi_cq_open", library.openCompletionQueue(domain, completionEntries));
    endpoint = opened("fi_endpoint", library.openEndpoint(domain, info));
    long flags = FabricConstants.FI_TRANSMIT | FabricConstants.FI_RECV;
    succeeded("fi_ep_bind of the address vector", library.bind(endpoint, addressVector, 0));
    succeeded("fi_ep_bind of the queue", library.bind(endpoint, completionQueue, flags));
    succeeded("fi_ep_bind of the event queue", library.bind(endpoint, eventQueue, 0));
    // before the endpoint is enabled; a provider without the option refuses it, and goes on
    library.deviceRetries(endpoint, deviceRetries);
    succeeded("fi_enable", library.enable(endpoint));
  }

  private long opened(String call, long result) throws FabricException {
    if (result <= 0) {
      throw new FabricException(call, (int) -result, library.errorText((int) -result));
    }
    return result;
  }

  private void succeeded(String call, int rc) throws FabricException {
    if (rc != 0) {
      throw new FabricException(call, -rc, library.errorText(rc));
    }
  }

  FabricVerbs verbs() throws FabricException {
    return library.verbs(endpoint, completionQueue, eventQueue);
  }

  byte[] localAddress() throws FabricException {
    return library.localAddress(endpoint);
  }

  long domain() {
    return domain;
  }

  long addressVector() {
    return addressVector;
  }

  long endpoint() {
    return endpoint;
  }

  /**
   * Closes all objects; memory regions must be closed before. Stops at the first object that cannot
   * be closed, because to close the objects below would break the open object.
   *
   * @return whether all objects are closed, so the endpoint's memory may be freed
   */
  boolean close() {
    boolean isClosed =
        closed(endpoint)
            && closed(completionQueue)
            && closed(eventQueue)
            && closed(addressVector)
            && closed(domain)
            && closed(fabric);
    if (isClosed) {
      library.release(info);
    }
    return isClosed;
  }

  private boolean closed(long object) {
    return object <= 0 || library.close(object) == 0;
  }
}
