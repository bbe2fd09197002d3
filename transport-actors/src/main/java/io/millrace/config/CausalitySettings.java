package io.millrace.config;

/**
 * Slots of transfers that other transfers may wait for.
 *
 * @param initialSlots slots that have memory from the first slot on, and the same number again with
 *     each growth, at most 1,024 at a time
 * @param mostSlots transfers that may have a slot at once; each worker has an equal part
 * @param retainedOutcomes number of last outcomes of transfers that are still known
 */
public record CausalitySettings(int initialSlots, int mostSlots, int retainedOutcomes) {
  static CausalitySettings from(Section section) {
    return new CausalitySettings(
        section.integer("initial-slots", 1, 1 << 24),
        section.integer("max-slots", 1, 1 << 24),
        section.integer("retained-outcomes", 0, 1 << 24));
  }
}
