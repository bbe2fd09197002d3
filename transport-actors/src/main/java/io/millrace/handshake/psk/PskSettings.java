package io.millrace.handshake.psk;

/**
 * The settings of a node's side of the exchange.
 *
 * @param key the key that peers share
 * @param incarnation random, new in each process
 * @param protocolVersion version of the packets and frames that follow, 0 to 65,534
 * @param times how long to wait
 * @param limits how much to remember
 */
public record PskSettings(
    PreSharedKey key, long incarnation, int protocolVersion, PskTimes times, PskLimits limits) {
  /** The version of packets and frames that this release speaks. */
  public static final int PROTOCOL_VERSION = 1;

  private static final int MAX_VERSION = 65_534;

  /**
   * Checks the version.
   *
   * @throws IllegalArgumentException if the version does not fit its field
   */
  public PskSettings {
    if (protocolVersion < 0 || protocolVersion > MAX_VERSION) {
      throw new IllegalArgumentException(
          "a protocol version is 0 to 65534, not " + protocolVersion);
    }
  }

  /** This release's version with default times and limits. */
  public static PskSettings of(PreSharedKey key, long incarnation) {
    return new PskSettings(key, incarnation, PROTOCOL_VERSION, PskTimes.DEFAULT, PskLimits.DEFAULT);
  }
}
