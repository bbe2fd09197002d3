package io.millrace.actor.body;

import io.millrace.crypto.Records;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The bytes of one receive region. Where a NIC writes into it, it lies off heap. Where the worker
 * copies chunks into it, it lies in an array with room for a tag behind each record, so that a
 * record is opened where it lies: the worker lets no chunk land in a fill that is being opened. One
 * thread at a time: the worker, then the executor, then the worker.
 */
public final class RegionMemory {
  private static final byte[] NO_ARRAY = {};

  private final UnsafeBuffer bytes;
  private final byte[] array;
  private final int strideBytes;

  private RegionMemory(UnsafeBuffer bytes, byte[] array, int strideBytes) {
    this.bytes = bytes;
    this.array = array;
    this.strideBytes = strideBytes;
  }

  /** A region of this size in an array. */
  public static RegionMemory onHeap(int sizeBytes) {
    int stride = Records.RECORD_BYTES + Records.TAG_BYTES;
    byte[] array = new byte[(int) Records.count(sizeBytes) * stride];
    return new RegionMemory(new UnsafeBuffer(array), array, stride);
  }

  /** A region off heap. */
  public static RegionMemory offHeap(ByteBuffer memory) {
    return new RegionMemory(new UnsafeBuffer(memory), NO_ARRAY, Records.RECORD_BYTES);
  }

  /** All of it, tags' room included. */
  public UnsafeBuffer buffer() {
    return bytes;
  }

  /** Copies bytes of a chunk to {@code at}. */
  public void put(int at, DirectBuffer from, int offset, int length) {
    int done = 0;
    while (done < length) {
      int within = (at + done) % Records.RECORD_BYTES;
      int count = Math.min(length - done, Records.RECORD_BYTES - within);
      bytes.putBytes(
          offsetOf((at + done) / Records.RECORD_BYTES) + within, from, offset + done, count);
      done += count;
    }
  }

  /** A checksum over the first bytes; the room for tags is left out. Allocates. */
  public long checksum(int lengthBytes) {
    CRC32C checksum = new CRC32C();
    ByteBuffer view = array.length > 0 ? ByteBuffer.wrap(array) : bytes.byteBuffer().duplicate();
    for (int at = 0; at < lengthBytes; at += Records.RECORD_BYTES) {
      int start = offsetOf(at / Records.RECORD_BYTES);
      view.limit(start + Math.min(Records.RECORD_BYTES, lengthBytes - at)).position(start);
      checksum.update(view);
      view.limit(view.capacity());
    }
    return checksum.getValue();
  }

  /** Whether records can be opened where they lie. */
  boolean isOnHeap() {
    return array.length > 0;
  }

  /** The array, with room for a tag behind each record. */
  byte[] array() {
    return array;
  }

  /** Where a record begins. */
  int offsetOf(int record) {
    return record * strideBytes;
  }
}
