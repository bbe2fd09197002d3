package io.millrace.config;

/**
 * Keys, and the scope of encryption.
 *
 * @param aead {@code auto}, or the name of the provider that seals packets
 * @param recordAead "auto", or the provider that seals records
 * @param keyBits 128 or 256
 * @param packetsPerKey packets after which a direction goes on to the next key
 * @param bytesPerKey sealed bytes after which a direction goes on to the next key
 * @param oldKeyTtlNs how long packets under a peer's earlier keys are taken once there is a later,
 *     ns
 * @param retire whether peers are told of keys that the peers need not keep any more
 * @param dataKeys keys of records
 * @param acceptUnsealed whether the node takes bodies with a payload that is only authenticated
 */
public record CryptoSettings(
    String aead,
    String recordAead,
    int keyBits,
    long packetsPerKey,
    long bytesPerKey,
    long oldKeyTtlNs,
    boolean retire,
    DataKeySettings dataKeys,
    boolean acceptUnsealed) {
  private static final int SHORT_KEY_BITS = 128;
  private static final int LONG_KEY_BITS = 256;
  private static final long LEAST_TTL_NS = 1_000_000_000;
  private static final long MOST_TTL_NS = 24L * 3_600 * 1_000_000_000;

  static CryptoSettings from(Section section) {
    int keyBits = section.integer("key-bits", SHORT_KEY_BITS, LONG_KEY_BITS);
    if (keyBits != SHORT_KEY_BITS && keyBits != LONG_KEY_BITS) {
      throw new SettingsException(section.key("key-bits"), "must be 128 or 256, not " + keyBits);
    }
    return new CryptoSettings(
        section.string("aead"),
        section.string("record-aead"),
        keyBits,
        section.count("packets-per-key", 2, 1L << 23),
        section.longBytes("bytes-per-key", 1 << 12, 1L << 46),
        section.nanos("old-key-ttl", LEAST_TTL_NS, MOST_TTL_NS),
        section.flag("retire"),
        DataKeySettings.from(section.child("data-keys")),
        section.flag("accept-unsealed"));
  }
}
