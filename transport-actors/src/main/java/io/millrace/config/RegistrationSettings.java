package io.millrace.config;

/**
 * The parts of the buffer pool that an endpoint registers for one-sided writes.
 *
 * @param stretchBytes bytes that are registered at once; a multiple of 64 KiB
 * @param mostStretches parts that an endpoint keeps registered at most
 * @param mostBytes bytes of these parts at most; at least {@code stretchBytes}
 */
public record RegistrationSettings(int stretchBytes, int mostStretches, long mostBytes) {
  private static final int UNIT_BYTES = TransferSettings.LARGE_BLOCK_BYTES;

  static RegistrationSettings from(Section section) {
    int stretchBytes = section.bytes("stretch", UNIT_BYTES, 1 << 30);
    if (stretchBytes % UNIT_BYTES != 0) {
      throw new SettingsException(
          section.key("stretch"),
          "must be a multiple of 64 KiB, not " + HoconText.size(stretchBytes));
    }
    return new RegistrationSettings(
        stretchBytes,
        section.integer("stretches", 1, 1 << 20),
        section.longBytes("bytes", stretchBytes, 1L << 40));
  }
}
