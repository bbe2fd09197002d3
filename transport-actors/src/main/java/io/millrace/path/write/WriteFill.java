package io.millrace.path.write;

import io.millrace.body.OutboundBody;
import io.millrace.body.SealedRecords;
import io.millrace.crypto.Records;
import io.millrace.memory.SegmentBuffer;
import io.millrace.protocol.region.WriteToken;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Sealed records on their way into a region. Holds the records' buffer until the peer has taken the
 * bytes over. Pooled by its path; worker's thread only.
 */
final class WriteFill {
  private static final int MOST_REPEATS = 1_024;

  private @Nullable OutboundBody body;
  private @Nullable SealedRecords sealed;
  private @Nullable WriteToken token;
  private int offset;
  private int lengthBytes;
  private int sentBytes;

  /** Bytes not yet allowed by the token, as known to the demand of the path. */
  private int owedBytes;

  private int repeatedRecords;

  // Records to be written again, a bit each, and the progress in the lowest record.
  private long wantedRecords;
  private int wantedSentBytes;
  private boolean isListed;
  private boolean isWritten;
  private @Nullable WriteBatch batch;

  void start(OutboundBody body, SealedRecords sealed, int offset, int length, WriteToken token) {
    this.body = body;
    this.sealed = sealed;
    this.offset = offset;
    this.lengthBytes = length;
    this.token = token;
    sentBytes = 0;
    owedBytes = 0;
    isWritten = false;
    isListed = false;
    batch = null;
    repeatedRecords = 0;
    clearWanted();
    sealed.buffer().retain();
  }

  /** Begins the fill anew in another region. */
  void restart(WriteToken token) {
    this.token = token;
    sentBytes = 0;
    isWritten = false;
  }

  /** The first bytes of the fill go another way. */
  void leaveOut(int bytes) {
    offset += bytes;
    lengthBytes -= bytes;
    token = null;
  }

  /** Whether nobody wants the fill any more. */
  boolean isOver() {
    return body == null;
  }

  void clear() {
    sealed().buffer().release();
    body = null;
    sealed = null;
    token = null;
  }

  OutboundBody body() {
    OutboundBody present = body;
    if (present == null) {
      throw new IllegalStateException("the fill is over");
    }
    return present;
  }

  SealedRecords sealed() {
    SealedRecords present = sealed;
    if (present == null) {
      throw new IllegalStateException("the fill is over");
    }
    return present;
  }

  WriteToken token() {
    WriteToken present = token;
    if (present == null) {
      throw new IllegalStateException("the fill is over");
    }
    return present;
  }

  int offset() {
    return offset;
  }

  /** The position of the first byte in the body. */
  long position() {
    return sealed().position() + offset;
  }

  /** The number of the first record, from 0 in the buffer. */
  int firstRecord() {
    return offset / Records.RECORD_BYTES;
  }

  int lengthBytes() {
    return lengthBytes;
  }

  int owedBytes() {
    return owedBytes;
  }

  void owedBytes(int bytes) {
    owedBytes = bytes;
  }

  int sentBytes() {
    return sentBytes;
  }

  /**
   * Whether the peer is told of the fill, or will be: no more bytes of the fill are to be written.
   */
  boolean isWritten() {
    return isWritten;
  }

  void onWritten() {
    isWritten = true;
  }

  /** The number of bytes under the grant offset that may go now. */
  int sendableBytes() {
    return Math.min(lengthBytes, token().authorisedBytes()) - sentBytes;
  }

  void onSent(int bytes) {
    sentBytes += bytes;
  }

  /** Whether the fill stands in the queue of fills being sent. */
  boolean isListed() {
    return isListed;
  }

  void setListed(boolean isListed) {
    this.isListed = isListed;
  }

  /** The one-sided writes of the fill, or null without writes so far. */
  @Nullable WriteBatch batch() {
    return batch;
  }

  void batch(@Nullable WriteBatch writes) {
    batch = writes;
  }

  /** The number of contiguous bytes that may go now. */
  int contiguousBytes() {
    int segmentBytes = sealed().buffer().segmentBytes();
    return Math.min(sendableBytes(), segmentBytes - (offset + sentBytes) % segmentBytes);
  }

  /**
   * The peer asks for these records again, a bit for each record. Takes no record of a fill not yet
   * written, for no honest peer can call such a record wrong. Takes no record already waiting, no
   * record beyond the fill, and no more records in all than any honest peer asks for.
   *
   * @return the number of records newly waiting
   */
  int want(long records) {
    if (!isWritten) {
      return 0;
    }
    int last = (lengthBytes - 1) / Records.RECORD_BYTES;
    long fresh = records & ~wantedRecords & (-1L >>> (Long.SIZE - 1 - last));
    int taken = 0;
    while (fresh != 0 && repeatedRecords < MOST_REPEATS) {
      wantedRecords |= Long.lowestOneBit(fresh);
      fresh &= fresh - 1;
      repeatedRecords++;
      taken++;
    }
    return taken;
  }

  /** Whether a record waits to be written again. */
  boolean hasWanted() {
    return wantedRecords != 0;
  }

  /** The offset of the next byte to be written again. */
  int wantedAt() {
    return Long.numberOfTrailingZeros(wantedRecords) * Records.RECORD_BYTES + wantedSentBytes;
  }

  /** The number of bytes from there to the end of the record. */
  int wantedBytes() {
    int at = wantedAt();
    int end = (at / Records.RECORD_BYTES + 1) * Records.RECORD_BYTES;
    return Math.min(end, lengthBytes) - at;
  }

  void onWantedSent(int bytes) {
    if (bytes == wantedBytes()) {
      wantedRecords &= wantedRecords - 1;
      wantedSentBytes = 0;
    } else {
      wantedSentBytes += bytes;
    }
  }

  /** No record is to be written again. */
  void clearWanted() {
    wantedRecords = 0;
    wantedSentBytes = 0;
  }

  /**
   * Whether the seal of the packets covers the bytes: records arrived wrong, or other peers have
   * the key.
   */
  boolean isCovered() {
    return repeatedRecords > 0 || body().isCovered();
  }

  /** Copies sealed bytes of the fill into a packet. */
  void copy(int at, int length, MutableDirectBuffer out, int outAt) {
    int segmentBytes = sealed().buffer().segmentBytes();
    int from = offset + at;
    int done = 0;
    while (done < length) {
      SegmentBuffer segment = sealed().buffer().segment((from + done) / segmentBytes);
      int offset = (from + done) % segmentBytes;
      int count = Math.min(length - done, segmentBytes - offset);
      out.putBytes(outAt + done, segment, offset, count);
      done += count;
    }
  }
}
