package io.millrace.samples.bench.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.logbuffer.BufferClaim;
import io.millrace.samples.bench.peer.BulkLoop;
import org.jspecify.annotations.Nullable;

/** Copies blocks into claims as long as a datagram carries. Confined to the duty thread. */
final class AeronBulkSender {
  /** Marks in the reserved value of a message. */
  static final long CALL = 0;

  static final long BULK = 1;
  static final long VERIFIED = 2;
  static final long END = 3;

  private static final int CLAIMS_PER_TURN = 16;

  private final BulkLoop loop;
  private final ExclusivePublication publication;
  private final BufferClaim claim = new BufferClaim();
  private final long mark;
  private byte @Nullable [] block;
  private int sent;
  private boolean ended;

  AeronBulkSender(BulkLoop loop, ExclusivePublication publication) {
    this.loop = loop;
    this.publication = publication;
    mark = loop.isVerifying() ? VERIFIED : BULK;
  }

  /** Claims datagrams as far as the window allows, a bounded number. */
  void turn() {
    for (int i = 0; i < CLAIMS_PER_TURN && !ended; i++) {
      byte[] current = block;
      if (current == null && loop.canSend()) {
        current = loop.next();
        block = current;
        sent = 0;
      }
      if (!(current == null ? end() : send(current))) {
        return;
      }
    }
  }

  void onCounted(long bytes, long checksum) {
    loop.onDelivered(bytes, checksum);
  }

  private boolean send(byte[] current) {
    int length = Math.min(publication.maxPayloadLength(), current.length - sent);
    if (!isClaimed(length)) {
      return false;
    }
    claim.buffer().putBytes(claim.offset(), current, sent, length);
    claim.reservedValue(mark).commit();
    sent += length;
    if (sent == current.length) {
      block = null;
    }
    return true;
  }

  private boolean end() {
    if (!isClaimed(Long.BYTES)) {
      return false;
    }
    claim.reservedValue(END).commit();
    ended = true;
    return true;
  }

  private boolean isClaimed(int length) {
    long position = publication.tryClaim(length, claim);
    if (position == Publication.NOT_CONNECTED
        || position == Publication.CLOSED
        || position == Publication.MAX_POSITION_EXCEEDED) {
      ended = true;
      loop.onFailure("the publication answered " + position);
    }
    return position >= 0;
  }
}
