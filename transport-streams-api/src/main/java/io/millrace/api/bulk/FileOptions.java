package io.millrace.api.bulk;

/**
 * How a target writes a file.
 *
 * @param replace whether a file that exists is replaced, once the new one is whole; otherwise the
 *     transfer is refused
 * @param force whether bytes and name are on the device before the transfer is complete; without it
 *     a crash of the machine can lose or damage the file
 */
public record FileOptions(boolean replace, boolean force) {
  /** Replaces, and forces to the device. */
  public static final FileOptions DEFAULT = new FileOptions(true, true);

  /** These options, but a file that exists refuses the transfer. */
  public FileOptions withoutReplacing() {
    return new FileOptions(false, force);
  }

  /** These options, but the operating system decides when the bytes reach the device. */
  public FileOptions withoutForcing() {
    return new FileOptions(replace, false);
  }
}
