package io.millrace.testkit.internal.driver;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.HoldCause;
import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.PacketHeader;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * Decides the fate of each datagram received by an endpoint, and passes on the surviving datagrams.
 * At most one datagram is held back at a time. Does not allocate after construction.
 */
final class ReceptionFaults implements CompletionHandler {
  private static final int MAX_DATAGRAM_BYTES = 65_535;

  // A held-back datagram must not be lost when no datagram follows.
  private static final int MAX_QUIET_POLLS = 1_024;

  private final Impairment impairment;
  private final SplittableRandom random;
  private final ImpairmentCounters counters;
  private final SegmentBuffer copy = nativeBuffer();
  private final SegmentBuffer held = nativeBuffer();
  private CompletionHandler handler = new Silent();
  private boolean isHolding;
  private int heldLength;
  private int heldEcn;
  private int heldFor;
  private int overtakenBy;
  private int quietPolls;

  ReceptionFaults(Impairment impairment, long seed, ImpairmentCounters counters) {
    this.impairment = impairment;
    this.counters = counters;
    random = new SplittableRandom(seed);
  }

  // Handlers may pass the address on to native code.
  private static SegmentBuffer nativeBuffer() {
    return new SegmentBuffer(ByteBuffer.allocateDirect(MAX_DATAGRAM_BYTES));
  }

  /** Sets the receiver of the surviving datagrams. */
  void deliverTo(CompletionHandler handler) {
    this.handler = handler;
  }

  /**
   * Notes that a poll brought this many datagrams and completions; returns how many datagrams were
   * delivered late afterwards.
   */
  int onPolled(int count) {
    quietPolls = count == 0 ? quietPolls + 1 : 0;
    if (isHolding && (overtakenBy >= heldFor || quietPolls >= MAX_QUIET_POLLS)) {
      letGo();
      return 1;
    }
    return 0;
  }

  @Override
  public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {
    counters.arrived++;
    if (happens(impairment.lossPercent())) {
      counters.lost++;
      return;
    }
    if (length > 0 && happens(impairment.corruptionPercent())) {
      int at = offset + random.nextInt(length);
      buffer.putByte(at, (byte) (buffer.getByte(at) ^ 1 << random.nextInt(Byte.SIZE)));
      counters.corrupted++;
    }
    corruptPayload(buffer, offset, length);
    if (happens(impairment.reorderPercent()) && !isHolding) {
      hold(buffer, offset, length, ecn);
      return;
    }
    if (happens(impairment.duplicationPercent())) {
      // The handler may write into the buffer, so the second delivery needs bytes of its own.
      copy.putBytes(0, buffer, offset, length);
      counters.duplicated++;
      deliver(buffer, offset, length, ecn);
      deliver(copy, 0, length, ecn);
    } else {
      deliver(buffer, offset, length, ecn);
    }
    if (isHolding && ++overtakenBy >= heldFor) {
      letGo();
    }
  }

  /** Flips a bit behind the tag of a packet of chunks. */
  private void corruptPayload(SegmentBuffer buffer, int offset, int length) {
    if (!happens(impairment.payloadCorruptionPercent())
        || !PacketHeader.isChunks(buffer, offset, length)) {
      return;
    }
    int sealed =
        PacketHeader.OVERHEAD + PacketHeader.chunks(buffer, offset) * PacketHeader.CHUNK_LENGTH;
    if (sealed < length) {
      int at = offset + sealed + random.nextInt(length - sealed);
      buffer.putByte(at, (byte) (buffer.getByte(at) ^ 1 << random.nextInt(Byte.SIZE)));
      counters.payloadsCorrupted++;
    }
  }

  private boolean happens(double percent) {
    return percent > 0 && random.nextDouble() * 100 < percent;
  }

  private void hold(SegmentBuffer buffer, int offset, int length, int ecn) {
    held.putBytes(0, buffer, offset, length);
    heldLength = length;
    heldEcn = ecn;
    heldFor = 1 + random.nextInt(impairment.maxHeldBackFor());
    overtakenBy = 0;
    quietPolls = 0;
    isHolding = true;
  }

  private void letGo() {
    isHolding = false;
    if (overtakenBy > 0) {
      counters.reordered++;
    }
    deliver(held, 0, heldLength, heldEcn);
  }

  private void deliver(SegmentBuffer buffer, int offset, int length, int ecn) {
    counters.delivered++;
    handler.onReceive(buffer, offset, length, ecn);
  }

  @Override
  public void onSendComplete(long context, int status) {
    handler.onSendComplete(context, status);
  }

  @Override
  public void onWriteComplete(long context, int status) {
    handler.onWriteComplete(context, status);
  }

  @Override
  public void onRemoteWrite(long immediate) {
    handler.onRemoteWrite(immediate);
  }

  @Override
  public void onUnreachable(int destination) {
    handler.onUnreachable(destination);
  }

  @Override
  public void onRefused(int destination, SegmentBuffer quoted, int offset, int length) {
    handler.onRefused(destination, quoted, offset, length);
  }

  @Override
  public void onHeld(int destination, HoldCause cause) {
    handler.onHeld(destination, cause);
  }

  @Override
  public void onLetGo(int destination) {
    handler.onLetGo(destination);
  }

  @Override
  public void onPathMaxDatagramBytes(int destination, int maxDatagramBytes) {
    handler.onPathMaxDatagramBytes(destination, maxDatagramBytes);
  }

  private static final class Silent implements CompletionHandler {
    @Override
    public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {
      throw new AssertionError("nothing arrives outside of poll");
    }
  }
}
