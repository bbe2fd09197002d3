package io.millrace.api.bulk;

import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.Headers;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Creates targets of bulk transfers. Each target serves one transfer, which completes or aborts the
 * target; the application must abort a target that no transfer takes.
 */
public final class BulkTarget {
  private BulkTarget() {}

  /**
   * Writes into an array from its start; a longer transfer fails. After a failure the written bytes
   * are zero.
   */
  public static BodyTarget into(byte[] bytes) {
    Objects.requireNonNull(bytes, "bytes");
    return new SegmentTarget(MemorySegment.ofArray(bytes));
  }

  /**
   * Writes into memory from its start; the memory must stay alive until the transfer ends. A longer
   * transfer fails. After a failure the written bytes are zero. Use {@link MemorySegment#asSlice}
   * for a range.
   *
   * @throws IllegalArgumentException if the memory is read-only or only one thread may access it
   */
  public static BodyTarget into(MemorySegment memory) {
    Objects.requireNonNull(memory, "memory");
    return new SegmentTarget(memory);
  }

  /** Writes a file with the default options; see {@link #file(Path, FileOptions)}. */
  public static BodyTarget file(Path file) throws IOException {
    return file(file, FileOptions.DEFAULT);
  }

  /**
   * Writes a file that appears under its name when all bytes are written. Until then the bytes are
   * in a hidden file in the same directory, which only the owner may open. A failed transfer
   * deletes the hidden file; after the death of the process, {@link #removeAbandoned} deletes the
   * file. Under its final name the file has the mode of the replaced file, or the mode of a new
   * file of this process. A link of this name is replaced, not followed. If all is done but the
   * device does not confirm the name, {@link BodyTarget#complete} throws {@link
   * UnforcedNameException}: the file is in place.
   *
   * @throws IOException if the file cannot be written here, is a directory, a device, a pipe, a
   *     socket or a link to a file of these kinds, or exists and shall not be replaced
   */
  public static BodyTarget file(Path file, FileOptions options) throws IOException {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(options, "options");
    return FileTarget.open(file, options);
  }

  /**
   * Deletes the hidden files that {@link #file(Path, FileOptions)} left in a directory when its
   * process was killed. A living process holds a lock of the operating system on the hidden file,
   * so the file stays. The files of resumable transfers, the files without write permission for
   * this process, and all files in a file system without locks stay, too. Blocks until the
   * directory is listed; any thread.
   *
   * @param directory the directory of the final files; subdirectories are not searched
   * @return the number of deleted files
   * @throws IOException if the directory cannot be listed
   */
  public static int removeAbandoned(Path directory) throws IOException {
    Objects.requireNonNull(directory, "directory");
    return LiveParts.removeAbandoned(directory);
  }

  /**
   * Writes a file as {@link #file(Path, FileOptions)} does, but a failed transfer leaves the
   * verified bytes. The next transfer from the same source continues behind these bytes.
   *
   * @param identity the identity of the source: a digest or a version, at most {@value
   *     ResumableTarget#MAX_IDENTITY_BYTES} bytes; bytes left by another identity are overwritten
   * @throws IOException if the file cannot be written here, exists and shall not be replaced, or is
   *     being written by another resumable transfer
   */
  public static ResumableTarget resumable(Path file, byte[] identity, FileOptions options)
      throws IOException {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(identity, "identity");
    Objects.requireNonNull(options, "options");
    return ResumableTarget.open(file, identity, options);
  }

  /** Writes two targets; see {@link #tee(BodyTarget, BodyTarget, TeePolicy, Consumer)}. */
  public static BodyTarget tee(BodyTarget primary, BodyTarget cache, TeePolicy policy) {
    return tee(primary, cache, policy, failure -> {});
  }

  /**
   * Writes the same bytes to two targets, at the pace of the slower one.
   *
   * @param policy the effect of a failure of the cache; a failure of the primary fails both targets
   * @param onCacheDropped gets, once and on the executor's thread, the reason why the cache was
   *     given up, or why the primary could not complete after the cache had completed ({@link
   *     TeePolicy#FAIL_BOTH})
   */
  public static BodyTarget tee(
      BodyTarget primary,
      BodyTarget cache,
      TeePolicy policy,
      Consumer<? super Exception> onCacheDropped) {
    Objects.requireNonNull(primary, "primary");
    Objects.requireNonNull(cache, "cache");
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(onCacheDropped, "onCacheDropped");
    return new TeeTarget(primary, cache, policy, onCacheDropped);
  }

  /**
   * Returns the same target with headers for the answer to a write: {@link BulkReceipt#headers()}
   * at the writer's side.
   *
   * @param headers supplies the headers, on the executor, when the target has completed, so the
   *     headers can describe the stored bytes. With more than {@code millrace.limits.headers}
   *     bytes, the write gets the answer {@code RESPONSE_TOO_LARGE}. An exception of the supplier
   *     answers {@code TARGET_FAILED}.
   */
  public static BodyTarget withHeaders(Supplier<Headers> headers, BodyTarget target) {
    return new AnsweringTarget(
        Objects.requireNonNull(headers, "headers"), Objects.requireNonNull(target, "target"));
  }
}
