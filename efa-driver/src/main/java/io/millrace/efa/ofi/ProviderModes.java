package io.millrace.efa.ofi;

import static io.millrace.efa.ofi.NativeMemory.readInt;
import static io.millrace.efa.ofi.NativeMemory.readLong;
import static io.millrace.efa.ofi.NativeMemory.readString;

import io.millrace.efa.ofi.FabricLayouts.FiDomainAttr;
import io.millrace.efa.ofi.FabricLayouts.FiFabricAttr;
import io.millrace.efa.ofi.FabricLayouts.FiInfo;
import io.millrace.efa.ofi.FabricLayouts.FiTxAttr;
import java.util.List;

/**
 * Parts of a provider's grant that only people read.
 *
 * @param fabric the name of the fabric, for example {@code efa-direct}, or a network
 * @param injectBytes largest message that the provider copies at the post
 * @param threading the threading model granted
 * @param controlProgress the progress granted for the control plane
 * @param dataProgress the progress granted for operations
 */
public record ProviderModes(
    String fabric,
    long injectBytes,
    String threading,
    String controlProgress,
    String dataProgress) {
  /** The names of {@code enum fi_threading}. */
  private static final List<String> THREADING =
      List.of("unspecified", "safe", "fid", "domain", "completion", "endpoint");

  /** The names of {@code enum fi_progress}. */
  private static final List<String> PROGRESS =
      List.of("unspecified", "auto", "manual", "control-unified");

  /** Reads the modes of a grant that is not released yet. */
  public static ProviderModes of(FabricInfo info) {
    long domain = readLong(info.address() + FiInfo.DOMAIN_ATTR);
    long transmit = readLong(info.address() + FiInfo.TX_ATTR);
    long fabric = readLong(info.address() + FiInfo.FABRIC_ATTR);
    return new ProviderModes(
        readString(readLong(fabric + FiFabricAttr.NAME)),
        readLong(transmit + FiTxAttr.INJECT_SIZE),
        name(THREADING, readInt(domain + FiDomainAttr.THREADING)),
        name(PROGRESS, readInt(domain + FiDomainAttr.CONTROL_PROGRESS)),
        name(PROGRESS, readInt(domain + FiDomainAttr.DATA_PROGRESS)));
  }

  private static String name(List<String> names, int value) {
    return value >= 0 && value < names.size() ? names.get(value) : String.valueOf(value);
  }
}
