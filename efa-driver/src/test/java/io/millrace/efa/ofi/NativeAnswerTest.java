package io.millrace.efa.ofi;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.efa.ofi.FabricLayouts.FiEpAttr;
import io.millrace.efa.ofi.FabricLayouts.FiFabricAttr;
import io.millrace.efa.ofi.FabricLayouts.FiInfo;
import io.millrace.efa.ofi.FabricLayouts.FiLinkAttr;
import io.millrace.efa.ofi.FabricLayouts.FidNic;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The largest message of a native answer of {@code fi_getinfo}, built as a provider builds it. */
class NativeAnswerTest {
  private static final int STRUCTURE_BYTES = 256;
  private static final long LARGEST = 1 << 30;
  private static final long NO_LIMIT = -1;

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment info = structure();
  private final MemorySegment fabric = structure();
  private final MemorySegment endpoint = structure();
  private final MemorySegment nic = structure();
  private final MemorySegment link = structure();

  private MemorySegment structure() {
    return arena.allocate(STRUCTURE_BYTES, Long.BYTES);
  }

  @BeforeEach
  void build() {
    info.set(JAVA_LONG, FiInfo.TX_ATTR, structure().address());
    info.set(JAVA_LONG, FiInfo.RX_ATTR, structure().address());
    info.set(JAVA_LONG, FiInfo.DOMAIN_ATTR, structure().address());
    info.set(JAVA_LONG, FiInfo.EP_ATTR, endpoint.address());
    info.set(JAVA_LONG, FiInfo.FABRIC_ATTR, fabric.address());
    info.set(JAVA_LONG, FiInfo.NIC, nic.address());
    nic.set(JAVA_LONG, FidNic.LINK_ATTR, link.address());
  }

  @AfterEach
  void free() {
    arena.close();
  }

  private long messageBytes(String provider, String name, long largest, long mtu) {
    fabric.set(JAVA_LONG, FiFabricAttr.PROV_NAME, arena.allocateFrom(provider).address());
    fabric.set(JAVA_LONG, FiFabricAttr.NAME, arena.allocateFrom(name).address());
    endpoint.set(JAVA_LONG, FiEpAttr.MAX_MSG_SIZE, largest);
    link.set(JAVA_LONG, FiLinkAttr.MTU, mtu);
    return PanamaLibFabric.readInfo(info.address()).limits().messageBytes();
  }

  @Test
  void shouldBoundAMessageOfEfaDirectByTheLink() {
    assertEquals(8_928, messageBytes("efa", "efa-direct", LARGEST, 8_928));
    assertEquals(8_928, messageBytes("efa", "efa-direct", NO_LIMIT, 8_928));
    assertEquals(8_000, messageBytes("efa", "efa-direct", 8_000, 8_928));
  }

  @Test
  void shouldTakeTheLimitOfAProviderThatSendsInParts() {
    assertEquals(NO_LIMIT, messageBytes("efa", "efa", NO_LIMIT, 8_928));
    assertEquals(LARGEST, messageBytes("tcp;ofi_rxm", "10.0.0.0/8", LARGEST, 1_500));
    assertEquals(LARGEST, messageBytes("verbs;ofi_rxm", "IB-0xfe80", LARGEST, 4_096));
  }

  @Test
  void shouldTakeTheLimitOfTheProviderWithoutAKnownLink() {
    assertEquals(LARGEST, messageBytes("efa", "efa-direct", LARGEST, 0));
    nic.set(JAVA_LONG, FidNic.LINK_ATTR, 0);
    assertEquals(LARGEST, messageBytes("efa", "efa-direct", LARGEST, 8_928));
    info.set(JAVA_LONG, FiInfo.NIC, 0);
    assertEquals(LARGEST, messageBytes("efa", "efa-direct", LARGEST, 8_928));
  }
}
