package io.millrace.actor.peer;

import io.millrace.actor.body.BodyTerms;
import io.millrace.actor.body.OutboundBody;
import io.millrace.actor.body.SealedPart;
import io.millrace.actor.body.WriteFlags;
import io.millrace.buffer.BufferBinding;
import io.millrace.crypto.Protection;
import io.millrace.crypto.Records;
import io.millrace.protocol.region.WriteToken;
import io.millrace.protocol.transfer.OutboundFrame;
import io.millrace.protocol.transfer.TransferId;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.CallStatus;
import io.millrace.wire.codec.FrameHeaderEncoder;
import io.millrace.wire.codec.GroupSizeEncoder;
import io.millrace.wire.codec.WriteNotifyEncoder;
import java.util.Arrays;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A WriteNotify frame: fills of one part that were written. It keeps what it says, because tokens
 * go on to their next fill. Pooled by {@link WriteNotices}; worker's thread only.
 */
final class WriteNotice extends OutboundFrame {
  static final int MAX_FILLS = 8;

  private static final int REGION_LENGTH = WriteNotifyEncoder.RegionsEncoder.sbeBlockLength();
  private static final int DATA_HEADER = 2;
  private static final int FIXED_LENGTH =
      FrameHeaderEncoder.ENCODED_LENGTH
          + WriteNotifyEncoder.BLOCK_LENGTH
          + GroupSizeEncoder.ENCODED_LENGTH
          + 2 * DATA_HEADER;
  private static final byte[] NO_BYTES = {};

  private final int slot;
  private final WriteNotifyEncoder encoder = new WriteNotifyEncoder();
  private final @Nullable WriteToken[] tokens = new WriteToken[MAX_FILLS];
  private final int[] regions = new int[MAX_FILLS];
  private final int[] fills = new int[MAX_FILLS];
  private final long[] keys = new long[MAX_FILLS];
  private final int[] lengths = new int[MAX_FILLS];
  private int generation;
  private int count;
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
  private byte[] tags = NO_BYTES;
  private int tagsOffset;
  private int tagsLength;

  WriteNotice(int slot) {
    this.slot = slot;
  }

  /** Begins a notice of fills of this part, from {@code partOffset} on. */
  void start(BodyTerms terms, SealedPart part, int partOffset) {
    begin(terms);
    position = part.position() + partOffset;
    if (part.lengthBytes() > 0) {
      int record = partOffset / Records.RECORD_BYTES;
      BufferBinding binding = part.buffer().binding();
      firstNonce = binding.firstNonce() + record;
      copyKey(binding.dataKey());
      tags = binding.tags();
      tagsOffset = record * Records.TAG_BYTES;
      bufferId = part.buffer().id();
    }
  }

  private void copyKey(byte[] key) {
    if (dataKey.length != key.length) {
      dataKey = new byte[key.length];
    }
    keyLength = key.length;
    System.arraycopy(key, 0, dataKey, 0, keyLength);
  }

  /** Begins a notice that gives fills up. */
  void startAbandoning(BodyTerms terms) {
    begin(terms);
    position = 0;
  }

  private void begin(BodyTerms terms) {
    this.terms = terms;
    generation = TransferId.nextGeneration(generation);
    count = 0;
    tagsLength = 0;
    isOver = false;
    isEnd = false;
    placing = 0;
    endOf = null;
    bufferId = 0;
    firstNonce = 0;
    keyLength = 0;
    tags = NO_BYTES;
    tagsOffset = 0;
    setCharged(false);
  }

  /** Adds the token's fill with this many bytes. */
  void add(WriteToken token, int length) {
    tokens[count] = token;
    regions[count] = token.region();
    fills[count] = token.fill();
    keys[count] = token.key();
    lengths[count] = length;
    count++;
    tagsLength += (length + Records.RECORD_BYTES - 1) / Records.RECORD_BYTES * Records.TAG_BYTES;
  }

  /** The bytes of its fills are in the peer's memory already. */
  void placed() {
    placing = WriteFlags.PLACED;
  }

  /** The peer must take the regions back, for writes into them may still land. */
  void returned() {
    placing = WriteFlags.RETURNED;
  }

  /** The body ends with this notice. */
  void end() {
    isEnd = true;
  }

  /** The body ends with this notice, which has no fills. */
  void endAlone(OutboundBody body) {
    isEnd = true;
    endOf = body;
  }

  boolean isFull() {
    return count == MAX_FILLS;
  }

  int slot() {
    return slot;
  }

  int generation() {
    return generation;
  }

  /** The body whose end this notice alone tells, or null. */
  @Nullable OutboundBody endOf() {
    return endOf;
  }

  boolean isOver() {
    return isOver;
  }

  void onOver() {
    isOver = true;
    endOf = null;
  }

  void clear() {
    terms = null;
    Arrays.fill(dataKey, (byte) 0);
    tags = NO_BYTES;
    for (int i = 0; i < count; i++) {
      tokens[i] = null;
    }
  }

  private BodyTerms terms() {
    BodyTerms present = terms;
    if (present == null) {
      throw new IllegalStateException("the notice is over");
    }
    return present;
  }

  @Override
  public boolean isObsolete() {
    if (isOver) {
      return true;
    }
    boolean wanted = count == 0;
    for (int i = 0; i < count; i++) {
      WriteToken token = tokens[i];
      wanted |= token != null && token.key() == keys[i] && token.fill() == fills[i];
    }
    return !wanted;
  }

  @Override
  public int priority() {
    return terms().priority();
  }

  @Override
  public int encodedLength() {
    return FIXED_LENGTH + count * REGION_LENGTH + keyLength + tagsLength;
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
    return ((long) WriteItems.NOTIFY << 56) | ((long) generation << 32) | slot;
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
    WriteNotifyEncoder.RegionsEncoder group = encoder.regionsCount(count);
    for (int i = 0; i < count; i++) {
      group.next().region(regions[i]).fill(fills[i]).key(keys[i]).lengthBytes(lengths[i]);
    }
    encoder.putDataKey(dataKey, 0, keyLength).putTags(tags, tagsOffset, tagsLength);
  }

  private int flags(BodyTerms what) {
    return (what.isResponse() ? WriteFlags.RESPONSE : 0)
        | (isEnd ? WriteFlags.END : 0)
        | (what.protection() == Protection.AUTHENTICATED ? WriteFlags.AUTHENTICATED : 0)
        | placing;
  }
}
