package io.millrace.config;

/**
 * Keys of records: when a sender goes on to the next, and how long keys are kept.
 *
 * @param recordsPerKey records after which a sender takes another key for the same peer
 * @param bytesPerKey bytes after which a sender takes another key for the same peer
 * @param senderTtlNs after this time unused a sender forgets a key, ns
 * @param receiverCache keys that each record-opening thread keeps ready
 * @param receiverTtlNs after this time unused a receiver forgets a key, ns
 */
public record DataKeySettings(
    long recordsPerKey, long bytesPerKey, long senderTtlNs, int receiverCache, long receiverTtlNs) {
  private static final int LEAST_RECORDS = 4;
  private static final long LEAST_TTL_NS = 1_000_000;
  private static final long MOST_TTL_NS = 24L * 3_600 * 1_000_000_000;

  static DataKeySettings from(Section section) {
    DataKeySettings settings =
        new DataKeySettings(
            section.count("records-per-key", LEAST_RECORDS, 1L << 23),
            section.longBytes("bytes-per-key", TransferSettings.PART_BYTES, 1L << 36),
            section.nanos("sender-ttl", LEAST_TTL_NS, MOST_TTL_NS),
            section.integer("receiver-cache", 1, 1 << 16),
            section.nanos("receiver-ttl", LEAST_TTL_NS, MOST_TTL_NS));
    if (settings.receiverTtlNs < settings.senderTtlNs) {
      throw new SettingsException(
          section.key("receiver-ttl"), "must not be shorter than sender-ttl");
    }
    return settings;
  }
}
