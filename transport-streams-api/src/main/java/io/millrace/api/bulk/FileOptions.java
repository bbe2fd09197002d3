package io.millrace.api.bulk;

/**
 * The options of a target that writes a file, and of a source that reads a file.
 *
 * @param replace whether the new file replaces an existing file, once all bytes are written;
 *     otherwise the transfer is refused
 * @param force whether bytes and name are on the device before the transfer is complete; without it
 *     a crash of the machine can lose or damage the file
 * @param deleteWhenDone whether the source deletes its file at the end of the transfer, be it
 *     success or failure; for files made for one transfer. A target takes no notice
 */
public record FileOptions(boolean replace, boolean force, boolean deleteWhenDone) {
  /** The options that replace an existing file, and force to the device. */
  public static final FileOptions DEFAULT = new FileOptions(true, true, false);

  /** Returns the same options, but an existing file refuses the transfer. */
  public FileOptions withoutReplacing() {
    return new FileOptions(false, force, deleteWhenDone);
  }

  /** Returns the same options, but the operating system decides when the bytes reach the device. */
  public FileOptions withoutForcing() {
    return new FileOptions(replace, false, deleteWhenDone);
  }

  /** Returns the same options, but the source deletes its file at the end of the transfer. */
  public FileOptions withDeleteWhenDone() {
    return new FileOptions(replace, force, true);
  }
}
