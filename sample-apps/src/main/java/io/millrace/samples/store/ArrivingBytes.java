package io.millrace.samples.store;

import io.millrace.samples.file.Sha256;
import io.millrace.transfer.BodyTarget;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.concurrent.CompletableFuture;

/**
 * The bytes of one load, which arrive in order from one source after the other. What a source gave
 * stays when it fails: the next one goes on with the next byte. A chunk that is not what the
 * manifest says is refused and comes again from its first byte. One source at a time.
 */
final class ArrivingBytes {
  private final Manifest manifest;
  private final ReplicaBytes into;
  private final MessageDigest digest = Sha256.begin();
  private volatile long arrived;
  private int refusedChunks;

  /** How many sources have begun, and which of them brought the first byte of this chunk. */
  private int sources;

  private int chunkBegunBy;

  ArrivingBytes(Manifest manifest, ReplicaBytes into) {
    this.manifest = manifest;
    this.into = into;
  }

  /** The next byte that is missing; any thread. */
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

  /** What comes from one source: goes on at the first byte that is missing. */
  final class Arrival implements BodyTarget {
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private boolean isCorrupt;
    private boolean isMixed;

    /** Done once this source writes no more, well or not. */
    CompletableFuture<Void> ended() {
      return ended;
    }

    /** Whether this source alone brought a chunk that was refused. */
    boolean isCorrupt() {
      return isCorrupt;
    }

    /**
     * Whether a chunk was refused of which another source brought the first bytes: nobody knows
     * whose fault it was, so this source may try the whole chunk.
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
      throw new StoreException("chunk " + chunk + " is not what the manifest says");
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
