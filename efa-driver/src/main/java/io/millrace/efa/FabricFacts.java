package io.millrace.efa;

import io.millrace.efa.ofi.FabricConstants;
import io.millrace.efa.ofi.FabricException;
import io.millrace.efa.ofi.LibFabric;
import io.millrace.efa.ofi.ProviderModes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.regex.Pattern;

/** The facts about libfabric and a provider's grant that a person asks for. Any thread. */
final class FabricFacts {
  /** Providers over IP name a fabric by its network, which would tell addresses of the host. */
  private static final Pattern NETWORK = Pattern.compile(".*[.:].*/\\d+");

  private static final Map<Integer, String> MEMORY_MODES =
      Map.of(
          FabricConstants.FI_MR_LOCAL, "local",
          FabricConstants.FI_MR_VIRT_ADDR, "virt_addr",
          FabricConstants.FI_MR_ALLOCATED, "allocated",
          FabricConstants.FI_MR_PROV_KEY, "prov_key",
          FabricConstants.FI_MR_ENDPOINT, "endpoint");

  private FabricFacts() {}

  /** Returns the facts; only the library's fact if the provider grants nothing. */
  static SequencedMap<String, String> of(LibFabric library, String provider) {
    SequencedMap<String, String> facts = new LinkedHashMap<>();
    int version = library.version();
    facts.put("library", "libfabric " + (version >>> 16) + "." + (version & 0xFFFF));
    try {
      FabricGrant grant = FabricGrant.ask(library, provider, null);
      try {
        putGrant(facts, grant, ProviderModes.of(grant.info()));
      } finally {
        library.release(grant.info());
      }
    } catch (FabricException e) {
      // the driver's probe tells the reason
    }
    return facts;
  }

  private static void putGrant(Map<String, String> facts, FabricGrant grant, ProviderModes modes) {
    facts.put("provider", grant.info().provider());
    if (!NETWORK.matcher(modes.fabric()).matches()) {
      facts.put("fabric", modes.fabric());
    }
    facts.put("mr_mode", memoryMode(grant.info().memory().bits()));
    facts.put("key_bytes", String.valueOf(grant.info().memory().keyBytes()));
    facts.put("immediate_bytes", String.valueOf(grant.info().memory().immediateBytes()));
    facts.put("inject_bytes", String.valueOf(modes.injectBytes()));
    facts.put("max_message_bytes", Long.toUnsignedString(grant.info().limits().messageBytes()));
    facts.put("transmit_entries", String.valueOf(grant.info().limits().transmitEntries()));
    facts.put("receive_entries", String.valueOf(grant.info().limits().receiveEntries()));
    facts.put("delivery_complete", grant.hasDeliveryComplete() ? "yes" : "no");
    facts.put("threading", modes.threading());
    facts.put("control_progress", modes.controlProgress());
    facts.put("data_progress", modes.dataProgress());
  }

  private static String memoryMode(int bits) {
    List<String> names = new ArrayList<>();
    for (int bit = 0; bit < Integer.SIZE; bit++) {
      if ((bits & 1 << bit) != 0) {
        names.add(MEMORY_MODES.getOrDefault(1 << bit, "bit " + bit));
      }
    }
    return names.isEmpty() ? "none" : String.join(" ", names);
  }
}
