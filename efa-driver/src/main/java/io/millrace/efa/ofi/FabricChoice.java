package io.millrace.efa.ofi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chooses among the answers of a provider, which come in the provider's order. Stateless. */
final class FabricChoice {
  /**
   * The modes that the driver offers in its hints, and whose demands it meets: each operation has a
   * context of 64 bytes.
   */
  static final long KNOWN_MODES = FabricConstants.FI_CONTEXT | FabricConstants.FI_CONTEXT2;

  private FabricChoice() {}

  /**
   * Returns the index of the first answer of the preferred fabric, or 0 if no answer of this fabric
   * is usable.
   *
   * @param answers at least one answer
   * @param fabric the name of the preferred fabric, or null for the provider's order
   * @param leastBytes the smallest message that must fit the fabric
   */
  static int best(List<FabricInfo> answers, @Nullable String fabric, long leastBytes) {
    for (int i = 0; i < answers.size(); i++) {
      FabricInfo answer = answers.get(i);
      if (answer.fabric().equals(fabric)
          && (answer.mode() & ~KNOWN_MODES) == 0
          && Long.compareUnsigned(answer.limits().messageBytes(), leastBytes) >= 0) {
        return i;
      }
    }
    return 0;
  }
}
