package io.millrace.config;

/**
 * A setting is missing, unknown or out of range; the message names the key and the expected value.
 */
public final class SettingsException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception for a key.
   *
   * @param key a full path such as {@code millrace.workers.count}
   * @param problem goes on from the key: begins with a verb
   */
  public SettingsException(String key, String problem) {
    this("configuration key '" + key + "' " + problem);
  }

  /** A fault outside of keys; {@code sentence} describes the fault. */
  SettingsException(String sentence) {
    super(sentence);
  }
}
