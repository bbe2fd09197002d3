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
 * Makes targets of bulk transfers. Each serves one transfer, which completes or aborts it; one that
 * no transfer takes must be aborted by whoever made it.
 */
public final class BulkTarget {
  private BulkTarget() {}

  /**
   * Writes into an array from its start; a transfer that does not fit fails. After a failure the
   * bytes that were written are zero.
   */
  public static BodyTarget into(byte[] bytes) {
    return new SegmentTarget(MemorySegment.ofArray(bytes));
  }

  /**
   * Writes into memory from its start, which must stay alive until the transfer ends; a transfer
   * that does not fit fails. After a failure the bytes that were written are zero. Use {@link
   * MemorySegment#asSlice} for a range.
   *
   * @throws IllegalArgumentException if the memory is read-only or only one thread may access it
   */
  public static BodyTarget into(MemorySegment memory) {
    return new SegmentTarget(memory);
  }

  /** Writes a file with the default options; see {@link #file(Path, FileOptions)}. */
  public static BodyTarget file(Path file) throws IOException {
    return file(file, FileOptions.DEFAULT);
  }

  /**
   * Writes a file that appears under its name when it is whole. Until then it is a hidden file in
   * the same directory, which a failed transfer deletes; only the death of the process leaves it,
   * and {@link #removeAbandoned} deletes it then. Nobody but its owner may open it; under its name
   * it has the mode of the file that it replaces, or that of any new file of this process. A link
   * of this name is replaced, not followed. If all is done but the device does not confirm the
   * name, {@link BodyTarget#complete} throws {@link UnforcedNameException}: the file is in place.
   *
   * @throws IOException if the file cannot be written here, is a directory, a device, a pipe, a
   *     socket or a link to one of them, or exists and shall not be replaced
   */
  public static BodyTarget file(Path file, FileOptions options) throws IOException {
    return FileTarget.open(file, options);
  }

  /**
   * Deletes the hidden files that {@link #file(Path, FileOptions)} left in a directory when its
   * process was killed. One that a living process writes is held by a lock of the operating system,
   * and stays; so does what a resumable transfer left, what this process may not write, and
   * everything in a file system without locks. Blocks as long as it takes to list the directory;
   * any thread.
   *
   * @param directory where the files were to appear; those below it are not looked at
   * @return how many were deleted
   * @throws IOException if the directory cannot be listed
   */
  public static int removeAbandoned(Path directory) throws IOException {
    return LiveParts.removeAbandoned(directory);
  }

  /**
   * Writes a file as {@link #file(Path, FileOptions)} does, but a failed transfer leaves what was
   * verified, and the next one from the same source goes on there.
   *
   * @param identity what the source is: a digest or a version, at most {@value
   *     ResumableTarget#MAX_IDENTITY_BYTES} bytes; whatever another identity left is overwritten
   * @throws IOException if the file cannot be written here, exists and shall not be replaced, or is
   *     being written by another resumable transfer
   */
  public static ResumableTarget resumable(Path file, byte[] identity, FileOptions options)
      throws IOException {
    return ResumableTarget.open(file, identity, options);
  }

  /** Writes two targets; see {@link #tee(BodyTarget, BodyTarget, TeePolicy, Consumer)}. */
  public static BodyTarget tee(BodyTarget primary, BodyTarget cache, TeePolicy policy) {
    return tee(primary, cache, policy, failure -> {});
  }

  /**
   * Writes the same bytes to two targets, at the pace of the slower one.
   *
   * @param policy what a failure of the cache does; a failure of the primary fails both
   * @param onCacheDropped hears once, on the executor's thread, why the cache was given up, or why
   *     the primary could not be completed after the cache was ({@link TeePolicy#FAIL_BOTH})
   */
  public static BodyTarget tee(
      BodyTarget primary,
      BodyTarget cache,
      TeePolicy policy,
      Consumer<? super Exception> onCacheDropped) {
    return new TeeTarget(primary, cache, policy, onCacheDropped);
  }

  /**
   * The same target, and headers with which a write to it is answered: {@link
   * BulkReceipt#headers()} at the writer's side.
   *
   * @param headers asked for on the executor when the target has completed, so that they can tell
   *     of what was stored; at most {@code millrace.limits.headers} bytes, else the write is
   *     answered {@code RESPONSE_TOO_LARGE}. What it throws answers {@code TARGET_FAILED}.
   */
  public static BodyTarget withHeaders(Supplier<Headers> headers, BodyTarget target) {
    return new AnsweringTarget(
        Objects.requireNonNull(headers, "headers"), Objects.requireNonNull(target, "target"));
  }
}
