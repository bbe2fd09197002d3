package io.millrace.samples.process;

import io.millrace.config.Addresses;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Members of a Pekko Cluster that are named when they start. */
public final class ClusterAddresses {
  private ClusterAddresses() {}

  /**
   * What the actor system of one of them has to know.
   *
   * @param addresses of all of them, host:port, in the same order at each; the first one founds the
   *     cluster if none of the others has one
   * @return settings by key, which may be added to
   * @throws io.millrace.config.SettingsException if its own address is malformed
   */
  public static Map<String, Object> settings(String systemName, int self, List<String> addresses) {
    InetSocketAddress own = Addresses.parseArgument("the cluster's address", addresses.get(self));
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("pekko.remote.artery.canonical.hostname", own.getHostString());
    settings.put("pekko.remote.artery.canonical.port", own.getPort());
    settings.put(
        "pekko.cluster.seed-nodes",
        addresses.stream().map(each -> "pekko://" + systemName + "@" + each).toList());
    return settings;
  }
}
