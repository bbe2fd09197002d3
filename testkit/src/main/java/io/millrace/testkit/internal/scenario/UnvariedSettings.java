package io.millrace.testkit.internal.scenario;

import java.util.Map;

/**
 * Settings that no seed draws, and why. All other settings must have several values over many
 * seeds.
 */
public final class UnvariedSettings {
  private static final String OF_EACH_NODE = "each node has its own";
  private static final String OF_THE_NETWORK = "the queues of simulated sockets are the network's";
  private static final String ONE_HANDSHAKE = "simulated nodes have a pre-shared key";
  private static final String REAL_THREADS = "of real threads; simulated workers have none";
  private static final String CIPHERS = "whatever seals gives the same bytes; tests of their own";
  private static final String BURSTS = "not yet: bursts have a simulation of their own";
  private static final String CREDIT =
      "not yet: limits that shrink (rule C-7) break 'no acknowledgement of acknowledgements'";
  private static final String PROBE_TIMES =
      "not yet: they move every seed of the corpus; ProbeTimesTest compares the times";
  private static final String ONE_ATTEMPT =
      "the oracles judge each attempt: workloads declare no call idempotent";
  private static final String UNREADY = "no workload has a peer that is not ready";
  private static final String STRANGERS = "there are no strangers";

  /** Settings with the usual value in every seed, and why. */
  public static final Map<String, String> OF_TRANSPORTS =
      Map.ofEntries(
          Map.entry("handshake.listen", OF_EACH_NODE),
          Map.entry("handshake.advertised", OF_EACH_NODE),
          Map.entry("handshake.keyLog", OF_EACH_NODE),
          Map.entry("handshake.provider", ONE_HANDSHAKE),
          Map.entry("handshake.tls.authorities", ONE_HANDSHAKE),
          Map.entry("handshake.tls.certificate", ONE_HANDSHAKE),
          Map.entry("handshake.tls.privateKey", ONE_HANDSHAKE),
          Map.entry("handshake.tls.revocations", ONE_HANDSHAKE),
          Map.entry("handshake.tls.peerNames", ONE_HANDSHAKE),
          Map.entry("handshake.tls.postQuantum", ONE_HANDSHAKE),
          Map.entry("handshake.psk", "all nodes have the same"),
          Map.entry("handshake.limits.perPrefix", STRANGERS),
          Map.entry("handshake.limits.total", STRANGERS),
          Map.entry("workers.cores.isAuto", REAL_THREADS),
          Map.entry("workers.cores.ids", REAL_THREADS),
          Map.entry("workers.numa", REAL_THREADS),
          Map.entry("workers.idleStrategy", REAL_THREADS),
          Map.entry("workers.watch.hangAfterNs", REAL_THREADS),
          Map.entry("workers.watch.everyNs", REAL_THREADS),
          Map.entry("nic.places.drivers", "the simulated one"),
          Map.entry("nic.places.isSearchVain", "no NIC is searched for"),
          Map.entry("nic.places.pins", "there is one driver to choose from"),
          Map.entry("nic.notReady.deviceRetries", UNREADY),
          Map.entry("nic.notReady.firstWaitNs", UNREADY),
          Map.entry("nic.notReady.longestWaitNs", UNREADY),
          Map.entry("nic.receiveBufferBytes", OF_THE_NETWORK),
          Map.entry("nic.sendBufferBytes", OF_THE_NETWORK),
          Map.entry("nic.rates.link.bitsPerSecond", CREDIT),
          Map.entry("nic.rates.link.queueBytes", CREDIT),
          Map.entry("nic.rates.link.grantBitsPerSecond", CREDIT),
          Map.entry("nic.rates.forecastsAnswers", CREDIT),
          Map.entry("recovery.pto.factor", PROBE_TIMES),
          Map.entry("recovery.pto.jitterPercent", PROBE_TIMES),
          Map.entry("limits.waiting.pending.low", BURSTS),
          Map.entry("limits.waiting.pending.high", BURSTS),
          Map.entry("limits.process.logsEvents", "logging changes no behaviour"),
          Map.entry("limits.process.jfr", "no simulated node records"),
          Map.entry("limits.waiting.retries.calls", ONE_ATTEMPT),
          Map.entry("limits.waiting.retries.attempts", ONE_ATTEMPT),
          Map.entry("limits.waiting.retries.backoffNs", ONE_ATTEMPT),
          Map.entry("limits.waiting.retries.maxBackoffNs", ONE_ATTEMPT),
          Map.entry("limits.waiting.retries.budgetPercent", ONE_ATTEMPT),
          Map.entry("limits.waiting.retries.budgetBurst", ONE_ATTEMPT),
          Map.entry("limits.waiting.retries.waitingBytes", ONE_ATTEMPT),
          Map.entry("limits.headersBytes", "workloads are not to send longer headers"),
          Map.entry("limits.process.shutdownDrain", "no simulated process is told to end"),
          Map.entry("regions.packetSlots", "tests of their own have slots"),
          Map.entry("transfers.registration.mostBytes", "the number of stretches bounds it, too"),
          Map.entry("crypto.aead", CIPHERS),
          Map.entry("crypto.recordAead", CIPHERS),
          Map.entry("crypto.acceptUnsealed", "workloads send payloads that are not sealed"),
          Map.entry("transfers.broadcastPoolBytes", "half of the buffer pool is less, and varies"));

  /** The unvaried settings of simulated nodes, by the names of reports. */
  private static final Map<String, String> OF_NODES =
      Map.of("node.leastStepNs", "the longest step varies, and is drawn above it");

  private UnvariedSettings() {}

  /** Whether a setting need not vary, by its name in {@code Drawn}. */
  public static boolean has(String name) {
    return OF_TRANSPORTS.containsKey(name) || OF_NODES.containsKey(name);
  }
}
