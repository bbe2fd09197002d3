package io.millrace.samples.process;

import io.millrace.config.Addresses;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The members of a Pekko Cluster, with addresses given at their start. */
public final class ClusterAddresses {
  private ClusterAddresses() {}

  /**
   * Returns the settings for the actor system of a member.
   *
   * @param addresses the addresses of all members, host:port, in the same order at each member. The
   *     first member founds the cluster if no other member has a cluster
   * @return settings by key; the caller may add settings
   * @throws io.millrace.config.SettingsException if the own address is malformed
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
