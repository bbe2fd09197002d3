package io.millrace.config;

/** A setting is missing, unknown or out of range; the message names the key and what is wanted. */
public final class SettingsException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception for {@code key}, a full path such as {@code millrace.workers.count}. */
  public SettingsException(String key, String problem) {
    super("configuration key '" + key + "': " + problem);
  }
}
