package io.millrace.worker;

import io.millrace.nic.EndpointDescription;
import io.millrace.nic.ReceiveLinks;
import io.millrace.nic.WorkerEndpoints;
import io.millrace.path.peer.WorkerServices;
import java.util.Arrays;

/**
 * Watches the NICs of a worker's endpoints: when a NIC goes down or comes up, every path hears of
 * the change in the same turn, and so do the node's events. The receive budget follows the NICs in
 * use. On the worker's thread; does not allocate while nothing changes.
 */
public final class NicWatch {
  /** How often a worker that makes turns has the system asked, ns. */
  private static final long PERIOD_NS = 10_000_000;

  private final WorkerServices services;
  private final WorkerEndpoints endpoints;
  private final Runnable onOwn;
  private final ReceiveLinks links;
  private final boolean[] isUp;
  private long refreshedNs = Long.MIN_VALUE / 2;

  /**
   * Every NIC counts as up until its first report of the contrary.
   *
   * @param onOwn runs when the first endpoint's NIC has changed
   */
  public NicWatch(WorkerServices services, WorkerEndpoints endpoints, Runnable onOwn) {
    this.services = services;
    this.endpoints = endpoints;
    this.onOwn = onOwn;
    links = new ReceiveLinks(endpoints, services.context().receiveBudget());
    isUp = new boolean[endpoints.size()];
    Arrays.fill(isUp, true);
  }

  /** A turn of the worker. */
  void onTurn(long nowNs) {
    if (nowNs - refreshedNs >= PERIOD_NS) {
      refreshedNs = nowNs;
      endpoints.refreshLinks();
      if (isUp.length > 1) {
        links.refresh();
      }
    }
    for (int i = 0; i < isUp.length; i++) {
      if (endpoints.isUp(i) != isUp[i]) {
        isUp[i] = !isUp[i];
        onChange(i, nowNs);
      }
    }
  }

  /** The worker ends. */
  void close() {
    links.close();
  }

  private void onChange(int endpoint, long nowNs) {
    String nic = name(endpoint);
    services.events().onNicChanged(services.worker(), nic, isUp[endpoint]);
    String fault = endpoints.endpoint(endpoint).fault();
    if (fault != null) {
      String resource = "endpoint " + endpoint + " of worker " + services.worker() + " on " + nic;
      services.events().onResourceMissing(resource, fault, "its peers go another way");
    }
    services.paths().forEach(path -> path.packets().onNics(nowNs));
    if (endpoint == 0) {
      onOwn.run();
    }
  }

  /** The name of the NIC, with the driver where the worker has the NIC by several drivers. */
  private String name(int endpoint) {
    EndpointDescription changed = endpoints.description(endpoint);
    for (int i = 0; i < isUp.length; i++) {
      if (i != endpoint && endpoints.description(i).nicName().equals(changed.nicName())) {
        return changed.nicName() + " by " + changed.driver();
      }
    }
    return changed.nicName();
  }
}
