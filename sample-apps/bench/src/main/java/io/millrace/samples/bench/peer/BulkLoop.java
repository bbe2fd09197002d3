package io.millrace.samples.bench.peer;

import io.millrace.memory.SegmentBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.agrona.BitUtil;
import org.agrona.concurrent.NanoClock;

/**
 * A one-way load, block after block: decides whether a further block may leave and judges the
 * receiver's counts. A timed loop repeats the same block until the end of the time and compares the
 * count of bytes. A verifying loop sends some blocks, each with its number inside, and also
 * compares a checksum over all blocks. For one thread at a time; only {@link #awaitDone} is for
 * another thread.
 */
public final class BulkLoop {
  /** Bytes of a block, which is a message where a transport has messages. */
  public static final int BLOCK_BYTES = 256 << 10;

  private static final int VERIFIED_BLOCKS = 64;

  private final Workload workload;
  private final NanoClock clock;
  private final boolean verifying;
  private final long durationNs;
  private final byte[] block = new byte[BLOCK_BYTES];
  private final SegmentBuffer numberField = new SegmentBuffer(block, 0, BitUtil.SIZE_OF_LONG);
  private final CRC32C checksum = new CRC32C();
  private final CountDownLatch done = new CountDownLatch(1);
  private boolean started;
  private long startNs;
  private long blocks;
  private RoundResult result = RoundResult.NONE;

  private BulkLoop(Workload workload, boolean verifying, long durationNs, NanoClock clock) {
    this.workload = workload;
    this.verifying = verifying;
    this.durationNs = durationNs;
    this.clock = clock;
    new SplittableRandom(1).nextBytes(block);
  }

  /** A loop over {@code durationNs} from the first block on. */
  public static BulkLoop timed(Workload workload, long durationNs, NanoClock clock) {
    return new BulkLoop(workload, false, durationNs, clock);
  }

  /** A loop over some blocks with a check of every byte. */
  public static BulkLoop verifying(Workload workload, NanoClock clock) {
    return new BulkLoop(workload, true, 0, clock);
  }

  /** Whether the receiver has to compute a checksum. */
  public boolean isVerifying() {
    return verifying;
  }

  /** No datagram may be larger, where a transport has datagrams. */
  public int datagramBytes() {
    return workload.datagramBytes();
  }

  /** The duration of a timed loop. */
  public long durationNs() {
    return durationNs;
  }

  /** Whether a further block may leave now; the first question starts the clock. */
  public boolean canSend() {
    long nowNs = clock.nanoTime();
    if (!started) {
      started = true;
      startNs = nowNs;
    }
    return verifying ? blocks < VERIFIED_BLOCKS : nowNs - startNs < durationNs;
  }

  /** The next block, which leaves now; the array is the same each time. */
  public byte[] next() {
    blocks++;
    if (verifying) {
      numberField.putLong(0, blocks);
      checksum.update(block, 0, BLOCK_BYTES);
    }
    return block;
  }

  /** The number of bytes that have left so far. */
  public long sentBytes() {
    return blocks * BLOCK_BYTES;
  }

  /** Takes the receiver's counts after the last byte; ends the loop. */
  public void onDelivered(long bytes, long receiverChecksum) {
    boolean right = bytes == sentBytes() && (!verifying || receiverChecksum == checksum.getValue());
    onMeasured(bytes, clock.nanoTime() - startNs, right, List.of());
  }

  /** Takes the figures of a client with its own measurement; ends the loop. */
  public void onMeasured(long bytes, long elapsedNs, boolean right, List<Piece> pieces) {
    result = new RoundResult(bytes / BLOCK_BYTES, elapsedNs, 0, 0, right ? 0 : 1, bytes, pieces);
    done.countDown();
  }

  /** Records the failure of the transfer, which the round will report. */
  public void onFailure(String why) {
    System.err.println("bulk: " + why);
    onMeasured(0, 1, false, List.of());
  }

  /** Waits, on any thread but the sending thread, until done; false after the timeout. */
  public boolean awaitDone(long timeoutNs) throws InterruptedException {
    return done.await(timeoutNs, TimeUnit.NANOSECONDS);
  }

  /** The measurements; valid once done. */
  public RoundResult result() {
    return result;
  }
}
