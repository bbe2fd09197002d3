package io.millrace.body;

import io.millrace.crypto.Records;
import io.millrace.memory.SegmentBuffer;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a receive region. A region written by a NIC lies off heap. A region written by the
 * worker's copies of chunks lies in an array. Room for a tag follows each record, so that a record
 * is opened in place. The worker lets no chunk land in a fill being opened. The array is made at
 * the first chunk, and stays until all regions of the worker rest. One thread at a time: the
 * worker, then the executor, then the worker.
 */
public final class RegionMemory {
  private static final byte[] NO_ARRAY = {};

  private final int strideBytes;

  /** The length of the array, or 0 off heap. */
  private final int arrayBytes;

  private byte[] array = NO_ARRAY;
  private @Nullable SegmentBuffer bytes;

  private RegionMemory(@Nullable SegmentBuffer bytes, int arrayBytes, int strideBytes) {
    this.bytes = bytes;
    this.arrayBytes = arrayBytes;
    this.strideBytes = strideBytes;
  }

  /** A region of this size in an array, made at the first chunk. */
  public static RegionMemory onHeap(int sizeBytes) {
    int stride = Records.RECORD_BYTES + Records.TAG_BYTES;
    return new RegionMemory(null, (int) Records.count(sizeBytes) * stride, stride);
  }

  /** A region off heap. */
  public static RegionMemory offHeap(ByteBuffer memory) {
    return new RegionMemory(new SegmentBuffer(memory), 0, Records.RECORD_BYTES);
  }

  /** All bytes of the region, the tags' room included. */
  public SegmentBuffer buffer() {
    SegmentBuffer made = bytes;
    if (made == null) {
      array = new byte[arrayBytes];
      made = new SegmentBuffer(array);
      bytes = made;
    }
    return made;
  }

  /** Gives back an array that nobody needs; the next chunk gets an array of zeros. */
  public void giveBack() {
    if (isOnHeap()) {
      array = NO_ARRAY;
      bytes = null;
    }
  }

  /** Copies bytes of a chunk to {@code at}. */
  public void put(int at, DirectBuffer from, int offset, int length) {
    SegmentBuffer target = buffer();
    int done = 0;
    while (done < length) {
      int within = (at + done) % Records.RECORD_BYTES;
      int count = Math.min(length - done, Records.RECORD_BYTES - within);
      target.putBytes(
          offsetOf((at + done) / Records.RECORD_BYTES) + within, from, offset + done, count);
      done += count;
    }
  }

  /** A checksum over the first bytes; the room for tags is left out. Allocates. */
  public long checksum(int lengthBytes) {
    CRC32C checksum = new CRC32C();
    SegmentBuffer all = buffer();
    ByteBuffer view = isOnHeap() ? ByteBuffer.wrap(array) : all.byteBuffer().duplicate();
    for (int at = 0; at < lengthBytes; at += Records.RECORD_BYTES) {
      int start = offsetOf(at / Records.RECORD_BYTES);
      view.limit(start + Math.min(Records.RECORD_BYTES, lengthBytes - at)).position(start);
      checksum.update(view);
      view.limit(view.capacity());
    }
    return checksum.getValue();
  }

  /** Whether records can be opened in place. */
  boolean isOnHeap() {
    return arrayBytes > 0;
  }

  /** The array, with room for a tag behind each record. */
  byte[] array() {
    var _ = buffer();
    return array;
  }

  /** The offset of a record. */
  int offsetOf(int record) {
    return record * strideBytes;
  }
}
