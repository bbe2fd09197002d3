package io.millrace.path.region;

import io.millrace.path.packet.RareFrame;
import io.millrace.protocol.region.ReceiveRegion;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.RecordRequestEncoder;
import org.agrona.MutableDirectBuffer;

/** Asks the peer to write records of a fill again, because their tags were wrong. Rare. */
final class RecordRequestFrame extends RareFrame {
  private final ReceiveRegion region;
  private final int fill;
  private final long key;
  private final long records;

  RecordRequestFrame(ReceiveRegion region, long records) {
    this.region = region;
    this.records = records;
    fill = region.fill();
    key = region.key();
  }

  @Override
  public int encodedLength() {
    return FrameStart.LENGTH + RecordRequestEncoder.BLOCK_LENGTH;
  }

  @Override
  public void encode(MutableDirectBuffer buffer, int offset) {
    FrameStart.encode(
        buffer,
        offset,
        encodedLength(),
        RecordRequestEncoder.BLOCK_LENGTH,
        RecordRequestEncoder.TEMPLATE_ID);
    new RecordRequestEncoder()
        .wrap(buffer, offset + FrameStart.LENGTH)
        .region(region.index())
        .fill(fill)
        .key(key)
        .records(records);
  }

  @Override
  public boolean isObsolete() {
    return region.key() != key || region.fill() != fill;
  }
}
