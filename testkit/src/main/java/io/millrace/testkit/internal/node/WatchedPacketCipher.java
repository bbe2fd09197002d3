package io.millrace.testkit.internal.node;

import io.millrace.crypto.AeadKey;
import io.millrace.crypto.PacketCipher;
import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.PacketHeader;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Passes all calls to the actual cipher, reports sealed and opened packets, and lets tampers change
 * packets. No observer is told of a packet that is opened but not accepted because its number is
 * below the window.
 */
final class WatchedPacketCipher extends PacketCipher {
  private final PacketCipher actual;
  private final PlainPacket packet;
  private final long keyTail;
  private final List<CipherObserver> observers;
  private final List<PacketTamper> tampers;
  private final IntPredicate late;
  private final Runnable onReleased;

  WatchedPacketCipher(
      PacketCipher actual,
      AeadKey key,
      KeyInUse inUse,
      NodeObservers observers,
      IntPredicate late,
      Runnable onReleased) {
    super(key, inUse.use(), inUse.limits());
    this.actual = actual;
    packet = new PlainPacket(inUse, new SegmentBuffer(0, 0));
    keyTail = inUse.nonceTail();
    this.observers = observers.ciphers();
    tampers = observers.tampers();
    this.late = late;
    this.onReleased = onReleased;
  }

  @Override
  protected void sealInPlace(
      SegmentBuffer buffer, int packetOffset, int headerLength, int bodyLength, long nonceTail) {
    long number = nonceTail ^ keyTail;
    packet.wrap(buffer, packetOffset, headerLength, bodyLength, number);
    if (isRetirement(buffer, packetOffset)) {
      observers.forEach(each -> each.onRetirementSealed(packet));
      actual.seal(buffer, packetOffset, headerLength, bodyLength, number);
      return;
    }
    for (int i = 0; i < tampers.size(); i++) {
      tampers.get(i).onSealing(packet, buffer);
    }
    for (int i = 0; i < observers.size(); i++) {
      observers.get(i).onPacketSealed(packet);
    }
    actual.seal(buffer, packetOffset, headerLength, bodyLength, number);
  }

  @Override
  protected boolean openInPlace(
      SegmentBuffer buffer, int packetOffset, int headerLength, int bodyLength, long nonceTail) {
    long number = nonceTail ^ keyTail;
    boolean isLate = late.test(PacketHeader.destinationWorker(buffer, packetOffset));
    if (!actual.open(buffer, packetOffset, headerLength, bodyLength, number)) {
      return false;
    }
    if (isLate) {
      return true;
    }
    packet.wrap(buffer, packetOffset, headerLength, bodyLength, number);
    if (isRetirement(buffer, packetOffset)) {
      observers.forEach(each -> each.onRetirementOpened(packet));
      return true;
    }
    for (int i = 0; i < observers.size(); i++) {
      observers.get(i).onPacketOpened(packet);
    }
    for (int i = 0; i < tampers.size(); i++) {
      tampers.get(i).onOpened(packet, buffer);
    }
    return true;
  }

  private static boolean isRetirement(SegmentBuffer buffer, int offset) {
    return buffer.getByte(offset) == PacketHeader.FORM_RETIREMENT;
  }

  @Override
  protected void release() {
    actual.close();
    onReleased.run();
  }
}
