package io.millrace.path.write;

import io.millrace.body.BodyTerms;
import io.millrace.body.OutboundBody;
import io.millrace.body.SealedRecords;
import io.millrace.buffer.BufferBinding;
import io.millrace.crypto.Records;
import io.millrace.path.packet.PacketItems;
import io.millrace.protocol.region.WriteToken;
import io.millrace.protocol.transfer.OutboundFrame;
import io.millrace.protocol.transfer.TransferId;
import io.millrace.transfer.Protection;
import io.millrace.wire.FrameStart;
import io.millrace.wire.WriteFlags;
import io.millrace.wire.codec.CallStatus;
import io.millrace.wire.codec.FrameHeaderEncoder;
import io.millrace.wire.codec.GroupSizeEncoder;
import io.millrace.wire.codec.WriteNotifyEncoder;
import java.util.Arrays;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A WriteNotify frame: written fills with consecutive positions in one body, in records with
 * consecutive nonces under one data key. The frame keeps its content, because tokens go on to their
 * next fill. Pooled by {@link Notifications}; worker's thread only.
 */
final class Notification extends OutboundFrame {
  /** A limit that keeps the frame with its tags short enough for the smallest datagram. */
  private static final int MAX_RECORDS = 32;

  private static final int REGION_LENGTH = WriteNotifyEncoder.RegionsEncoder.sbeBlockLength();
  private static final int DATA_HEADER = 2;
  private static final int FIXED_LENGTH =
      FrameHeaderEncoder.ENCODED_LENGTH
          + WriteNotifyEncoder.BLOCK_LENGTH
          + GroupSizeEncoder.ENCODED_LENGTH
          + 2 * DATA_HEADER;
  private static final byte[] NO_BYTES = {};

  private final Notifications owner;
  private final int slot;
  private final WriteNotifyEncoder encoder = new WriteNotifyEncoder();
  private final NotifiedFills fills = new NotifiedFills();
  private int generation;
  private boolean isOver;
  private boolean isEnd;
  private int placing;
  private @Nullable BodyTerms terms;
  private @Nullable OutboundBody endOf;
  private long bufferId;
  private long position;
  private long firstNonce;
  private byte[] dataKey = NO_BYTES;
  private int keyLength;
  private final byte[] tags = new byte[MAX_RECORDS * Records.TAG_BYTES];
  private int tagsLength;
  private long endPosition;

  Notification(Notifications owner, int slot) {
    this.owner = owner;
    this.slot = slot;
  }

  /** Begins a notification of this fill. */
  void start(WriteFill fill) {
    SealedRecords sealed = fill.sealed();
    begin(fill.body().terms());
    position = fill.position();
    endPosition = position;
    BufferBinding binding = sealed.buffer().binding();
    firstNonce = binding.firstNonce() + fill.firstRecord();
    copyKey(binding.dataKey());
    bufferId = sealed.buffer().id();
    add(fill);
  }

  /** Whether the fill continues the fills of this notification, within the limits of a frame. */
  boolean canAdd(WriteFill fill) {
    SealedRecords sealed = fill.sealed();
    if (fills.isFull() || !fill.body().terms().equals(terms) || fill.position() != endPosition) {
      return false;
    }
    BufferBinding binding = sealed.buffer().binding();
    int records = tagsLength / Records.TAG_BYTES;
    return records + recordsOf(fill.lengthBytes()) <= MAX_RECORDS
        && binding.firstNonce() + fill.firstRecord() == firstNonce + records
        && Arrays.equals(binding.dataKey(), 0, binding.dataKey().length, dataKey, 0, keyLength);
  }

  /** Adds the fill, which ends the body if the fill is the end of the last sealed records. */
  void add(WriteFill fill) {
    SealedRecords sealed = fill.sealed();
    int length = fill.lengthBytes();
    int bytes = recordsOf(length) * Records.TAG_BYTES;
    byte[] from = sealed.buffer().binding().tags();
    System.arraycopy(from, fill.firstRecord() * Records.TAG_BYTES, tags, tagsLength, bytes);
    tagsLength += bytes;
    endPosition += length;
    isEnd = sealed.isLast() && fill.offset() + length == sealed.lengthBytes();
    fills.add(fill.token(), length);
  }

  private static int recordsOf(int length) {
    return (length + Records.RECORD_BYTES - 1) / Records.RECORD_BYTES;
  }

  /** Begins a notification that gives fills up, or tells only the end of a body. */
  void startEmpty(BodyTerms terms, long position) {
    begin(terms);
    this.position = position;
  }

  private void copyKey(byte[] key) {
    if (dataKey.length != key.length) {
      dataKey = new byte[key.length];
    }
    keyLength = key.length;
    System.arraycopy(key, 0, dataKey, 0, keyLength);
  }

  private void begin(BodyTerms terms) {
    this.terms = terms;
    generation = TransferId.nextGeneration(generation);
    fills.clear();
    tagsLength = 0;
    isOver = false;
    isEnd = false;
    placing = 0;
    endOf = null;
    bufferId = 0;
    firstNonce = 0;
    keyLength = 0;
    setCharged(false);
  }

  /** Gives the token's fill up. */
  void giveUp(WriteToken token) {
    fills.add(token, 0);
  }

  /** The bytes of the fills are in the peer's memory already. */
  void placed() {
    placing = WriteFlags.PLACED;
  }

  /** The peer must take the regions back, for writes into them may still land. */
  void returned() {
    placing = WriteFlags.RETURNED;
  }

  /** The body ends with this notification, which has no fills. */
  void endAlone(OutboundBody body) {
    isEnd = true;
    endOf = body;
  }

  boolean isFull() {
    return fills.isFull();
  }

  int slot() {
    return slot;
  }

  int generation() {
    return generation;
  }

  /** The body whose end this notification alone tells, or null. */
  @Nullable OutboundBody endOf() {
    return endOf;
  }

  /** Whether the notification belongs to the request of this transfer. */
  boolean begins(long transferId) {
    BodyTerms own = terms;
    return own != null && !own.isResponse() && own.transferId() == transferId;
  }

  boolean isOver() {
    return isOver;
  }

  void onOver() {
    isOver = true;
    endOf = null;
  }

  /** Whether the notification is empty, and waits for the next use. */
  boolean isFree() {
    return terms == null;
  }

  void clear() {
    terms = null;
    Arrays.fill(dataKey, (byte) 0);
    fills.clear();
  }

  private BodyTerms terms() {
    BodyTerms present = terms;
    if (present == null) {
      throw new IllegalStateException("the notification is over");
    }
    return present;
  }

  @Override
  public boolean isObsolete() {
    return isOver || fills.count() > 0 && !fills.isAnyOpen();
  }

  @Override
  public void onObsolete() {
    owner.onUnqueued(this);
  }

  @Override
  public int priority() {
    return terms().level();
  }

  @Override
  public int encodedLength() {
    return FIXED_LENGTH + fills.count() * REGION_LENGTH + keyLength + tagsLength;
  }

  @Override
  public int costBytes() {
    return 0;
  }

  @Override
  public int contentLength() {
    return 0;
  }

  @Override
  public long item() {
    return PacketItems.of(PacketItems.NOTIFY, ((long) generation << 32) | slot);
  }

  @Override
  public void encode(MutableDirectBuffer buffer, int offset) {
    BodyTerms what = terms();
    FrameStart.encode(
        buffer,
        offset,
        encodedLength(),
        WriteNotifyEncoder.BLOCK_LENGTH,
        WriteNotifyEncoder.TEMPLATE_ID);
    encoder
        .wrap(buffer, offset + FrameHeaderEncoder.ENCODED_LENGTH)
        .transferId(what.transferId())
        .bufferId(bufferId)
        .route(what.route())
        .bodyBytes(what.bodyBytes())
        .position(position)
        .firstNonce(firstNonce)
        .headersBytes(what.headersBytes())
        .pattern((short) what.pattern())
        .priority((short) what.priority())
        .flags((short) flags(what))
        .status(CallStatus.get((short) what.status()));
    fills.encode(encoder);
    encoder.putDataKey(dataKey, 0, keyLength).putTags(tags, 0, tagsLength);
  }

  private int flags(BodyTerms what) {
    return (what.isResponse() ? WriteFlags.RESPONSE : 0)
        | (isEnd ? WriteFlags.END : 0)
        | (what.protection() == Protection.AUTHENTICATED ? WriteFlags.AUTHENTICATED : 0)
        | placing;
  }
}
