package io.millrace.nic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.config.TransportSettings;
import io.millrace.node.AddressNetwork;
import io.millrace.protocol.congestion.ReceiveBudget;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeNicsTest {
  private static ReceiveBudget budget(String nics) {
    TransportSettings settings = TransportSettings.parse(nics);
    return NodeNics.of(settings, names -> List.of(), local -> AddressNetwork.UNKNOWN)
        .receiveBudget();
  }

  /** All peers may come by the NIC with the least queue. */
  @Test
  void shouldTakeBudgetOfLeastNic() {
    ReceiveBudget found =
        budget(
            """
            millrace.nic.bandwidth = 10 Gbit/s
            millrace.nics = [
              {name = a, address = "127.0.0.1:0", queue = 4 MiB}
              {name = b, address = "127.0.0.1:0", queue = 64 KiB}
            ]
            """);
    assertEquals(new ReceiveBudget(1, 64 << 10).limitBytes(), found.limitBytes());
  }

  @Test
  void shouldLookForEachDriverOfTheOnlyNic() {
    List<String> asked = new ArrayList<>();
    NodeNics.of(
        TransportSettings.parse("millrace.nic.driver = [efa, udp]"),
        names -> {
          asked.addAll(names);
          return List.of();
        },
        local -> AddressNetwork.UNKNOWN);
    assertEquals(List.of("efa", "udp"), asked);
  }

  @Test
  void shouldBoundNothingWithoutBandwidth() {
    assertFalse(budget("").isBounded());
  }
}
