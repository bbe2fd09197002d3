package io.millrace.protocol.transfer;

/**
 * Layout of a 64-bit transfer id: 8 bits of the initiator's worker, 24 bits of generation, 32 bits
 * of slot; rule T-1. Retries keep the id, so a receiver that remembers one generation per slot can
 * tell a duplicate from a new transfer, in any order of arrival and with bounded memory.
 */
public final class TransferId {
  private static final int GENERATION_BITS = 24;
  private static final int GENERATION_MASK = (1 << GENERATION_BITS) - 1;

  private TransferId() {}

  /** Composes an id; the first generation of a slot is 1, so no id is zero. */
  public static long of(int worker, int generation, int slot) {
    return ((long) worker << 56)
        | ((long) (generation & GENERATION_MASK) << 32)
        | (slot & 0xFFFF_FFFFL);
  }

  /** The initiator's worker, 0 to 255. */
  public static int worker(long id) {
    return (int) (id >>> 56);
  }

  /** The slot's generation, 0 to 2^24 - 1. */
  public static int generation(long id) {
    return (int) (id >>> 32) & GENERATION_MASK;
  }

  /** The slot in the initiator's table. */
  public static int slot(long id) {
    return (int) id;
  }

  /**
   * The generation after this generation, modulo 2^24; zero is left out because fresh slots hold
   * zero.
   */
  public static int nextGeneration(int generation) {
    int next = (generation + 1) & GENERATION_MASK;
    return next == 0 ? 1 : next;
  }

  /** Whether {@code generation} comes after {@code reference} in serial number order. */
  public static boolean isNewer(int generation, int reference) {
    return ((generation - reference) & GENERATION_MASK) - 1 < GENERATION_MASK >>> 1
        && generation != reference;
  }
}
