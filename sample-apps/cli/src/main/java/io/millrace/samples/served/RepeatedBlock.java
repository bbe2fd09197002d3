package io.millrace.samples.served;

import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.LentBytes;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Payload without memory of its own: a block of random bytes, again and again, for any length. The
 * length of the block is prime, so that bytes at a wrong place are seldom right.
 */
public final class RepeatedBlock {
  private static final int BLOCK_BYTES = 262_139;
  private static final int SAMPLE_BYTES = 32;
  private static final int STEP_BYTES = 1_009;
  private static final byte[] BLOCK = block();

  private RepeatedBlock() {}

  /** Returns a source of this number of bytes. */
  public static BodySource source(long lengthBytes) {
    return new Source(lengthBytes);
  }

  /**
   * Returns a target that looks at some bytes of each given piece, at another place each time. The
   * target fails the transfer if these bytes differ from the bytes of {@link #source}.
   */
  public static BodyTarget sampled() {
    return new Sampled();
  }

  private static byte[] block() {
    byte[] block = new byte[BLOCK_BYTES];
    new SplittableRandom(BLOCK_BYTES).nextBytes(block);
    return block;
  }

  private static final class Source implements BodySource {
    private final long lengthBytes;
    private final LentBytes lent = new LentBytes();
    private long position;

    Source(long lengthBytes) {
      this.lengthBytes = lengthBytes;
    }

    @Override
    public long lengthBytes() {
      return lengthBytes;
    }

    @Override
    public @Nullable LentBytes lend(int most) {
      int at = (int) (position % BLOCK_BYTES);
      int part = (int) Math.min(Math.min(most, BLOCK_BYTES - at), lengthBytes - position);
      position += part;
      return part == 0 ? null : lent.set(BLOCK, at, part);
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      int wanted = (int) Math.min(length, lengthBytes - position);
      if (wanted == 0) {
        return -1;
      }
      int done = 0;
      while (done < wanted) {
        int at = (int) (position % BLOCK_BYTES);
        int part = Math.min(wanted - done, BLOCK_BYTES - at);
        System.arraycopy(BLOCK, at, into, offset + done, part);
        done += part;
        position += part;
      }
      return wanted;
    }

    @Override
    public void close() {
      // the block is shared by all sources
    }
  }

  private static final class Sampled implements BodyTarget {
    private long position;
    private int step;

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      step += STEP_BYTES;
      int sample = Math.min(SAMPLE_BYTES, length);
      int skipped = step % (length - sample + 1);
      int at = (int) ((position + skipped) % BLOCK_BYTES);
      int compared = Math.min(sample, BLOCK_BYTES - at);
      int from = offset + skipped;
      if (!Arrays.equals(bytes, from, from + compared, BLOCK, at, at + compared)) {
        throw new IOException("byte " + (position + skipped) + " differs from the sent byte");
      }
      position += length;
    }

    @Override
    public void complete() {
      // counted and dropped
    }

    @Override
    public void abort(Throwable cause) {
      // nothing to undo
    }
  }
}
