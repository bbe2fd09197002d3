package io.millrace.samples.store;

import io.millrace.samples.file.Sha256;
import io.millrace.transfer.BodyTarget;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.concurrent.CompletableFuture;

/**
 * The bytes of a load, which arrive in order from one source after the other. The bytes of a source
 * stay when the source fails: the next source goes on with the next byte. A chunk that does not
 * match the manifest is refused and comes again from its first byte. A single source writes at a
 * time.
 */
final class ArrivingBytes {
  private final Manifest manifest;
  private final ReplicaBytes into;
  private final MessageDigest digest = Sha256.begin();
  private volatile long arrived;
  private int refusedChunks;

  /**
   * The number of sources so far, and the number of the source that brought the first byte of this
   * chunk.
   */
  private int sources;

  private int chunkBegunBy;

  ArrivingBytes(Manifest manifest, ReplicaBytes into) {
    this.manifest = manifest;
    this.into = into;
  }

  /** Returns the position of the first missing byte; any thread. */
  long arrived() {
    return arrived;
  }

  boolean isComplete() {
    return arrived == manifest.sizeBytes();
  }

  int refusedChunks() {
    return refusedChunks;
  }

  /** Begins with another source. */
  Arrival begin() {
    sources++;
    return new Arrival();
  }

  /** The bytes of one source, from the first missing byte on. */
  final class Arrival implements BodyTarget {
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private boolean isCorrupt;
    private boolean isMixed;

    /** Completes when this source writes no more, well or not. */
    CompletableFuture<Void> ended() {
      return ended;
    }

    /** Returns whether this source alone brought a refused chunk. */
    boolean isCorrupt() {
      return isCorrupt;
    }

    /**
     * Returns whether a chunk was refused whose first bytes another source had brought: nobody
     * knows the faulty source, so this source may try the whole chunk.
     */
    boolean isMixed() {
      return isMixed;
    }

    @Override
    public boolean waitsForDevice() {
      return into.kind() == MemoryKind.DISK;
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
      int at = offset;
      int left = length;
      while (left > 0) {
        if (isComplete()) {
          throw new StoreException("the source has more bytes than the artifact");
        }
        int taken = (int) Math.min(left, manifest.chunkEnd(arrived) - arrived);
        take(from, at, taken);
        at += taken;
        left -= taken;
      }
    }

    private void take(byte[] from, int offset, int length) throws IOException {
      if (arrived % manifest.chunkBytes() == 0) {
        digest.reset();
        chunkBegunBy = sources;
      }
      long start = arrived;
      into.write(start, from, offset, length);
      digest.update(from, offset, length);
      if (start + length == manifest.chunkEnd(start)) {
        verify(start);
      }
      arrived = start + length;
    }

    private void verify(long inChunk) throws StoreException {
      int chunk = (int) (inChunk / manifest.chunkBytes());
      if (Sha256.end(digest).equals(manifest.digests().get(chunk))) {
        return;
      }
      refusedChunks++;
      isCorrupt = chunkBegunBy == sources;
      isMixed = !isCorrupt;
      arrived = (long) chunk * manifest.chunkBytes();
      throw new StoreException("chunk " + chunk + " does not match the manifest");
    }

    @Override
    public void complete() {
      ended.complete(null);
    }

    @Override
    public void abort(Throwable cause) {
      ended.complete(null);
    }
  }
}
