package io.millrace.samples.store;

import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.Headers;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Takes a new artifact, with an id that follows from its bytes. Answers with the id. */
final class PutTarget implements BodyTarget {
  private final FileBytes bytes;
  private final int chunkBytes;
  private final Manifest.Builder builder;
  private final Keeping keeping;
  private @Nullable Manifest manifest;

  /** Keeps the whole artifact. */
  interface Keeping {
    void keep(Manifest manifest, FileBytes bytes) throws IOException;
  }

  PutTarget(FileBytes bytes, int chunkBytes, Keeping keeping) {
    this.bytes = bytes;
    this.chunkBytes = chunkBytes;
    builder = new Manifest.Builder(chunkBytes);
    this.keeping = keeping;
  }

  /**
   * Refuses an artifact of more chunks than a manifest has room for.
   *
   * @param sizeBytes the least size of the artifact; negative if unknown
   */
  static void requireFit(long sizeBytes, int chunkBytes) throws StoreException {
    long mostBytes = (long) Manifest.MOST_CHUNKS * chunkBytes;
    if (sizeBytes > mostBytes) {
      throw new StoreException(
          "an artifact may have at most %d chunks of %d bytes here, %d bytes; this artifact has %d"
              .formatted(Manifest.MOST_CHUNKS, chunkBytes, mostBytes, sizeBytes));
    }
  }

  @Override
  public boolean waitsForDevice() {
    return true;
  }

  @Override
  public void write(byte[] from, int offset, int length) throws IOException {
    long at = builder.sizeBytes();
    requireFit(at + length, chunkBytes);
    bytes.write(at, from, offset, length);
    builder.add(from, offset, length);
  }

  @Override
  public void complete() throws IOException {
    Manifest built;
    try {
      built = builder.build();
      bytes.complete(built);
    } catch (IOException | RuntimeException | Error e) {
      bytes.release();
      throw e;
    }
    // A file with a name stays: this daemon has the artifact, and tells the coordinator at its next
    // start.
    keeping.keep(built, bytes);
    manifest = built;
  }

  @Override
  public Headers receiptHeaders() {
    Manifest built = manifest;
    return built == null ? Headers.EMPTY : Headers.of(StoreRoutes.ARTIFACT, built.id());
  }

  @Override
  public void abort(Throwable cause) {
    bytes.release();
  }
}
