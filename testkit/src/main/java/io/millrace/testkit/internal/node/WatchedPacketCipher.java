package io.millrace.testkit.internal.node;

import io.millrace.crypto.AeadKey;
import io.millrace.crypto.PacketCipher;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** Passes all to the actual cipher, tells what is sealed and opened, and lets it be changed. */
final class WatchedPacketCipher extends PacketCipher {
  private final PacketCipher actual;
  private final PlainPacket packet;
  private final long keyTail;
  private final List<CipherObserver> observers;
  private final List<PacketTamper> tampers;
  private final Runnable onReleased;

  WatchedPacketCipher(
      PacketCipher actual,
      AeadKey key,
      KeyInUse inUse,
      NodeObservers observers,
      Runnable onReleased) {
    super(key, inUse.use(), inUse.limits());
    this.actual = actual;
    packet = new PlainPacket(inUse, new UnsafeBuffer(0, 0));
    keyTail = inUse.nonceTail();
    this.observers = observers.ciphers();
    tampers = observers.tampers();
    this.onReleased = onReleased;
  }

  @Override
  protected void sealInPlace(
      UnsafeBuffer buffer, int packetOffset, int headerLength, int bodyLength, long nonceTail) {
    long number = nonceTail ^ keyTail;
    packet.wrap(buffer, packetOffset, headerLength, bodyLength, number);
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
      UnsafeBuffer buffer, int packetOffset, int headerLength, int bodyLength, long nonceTail) {
    long number = nonceTail ^ keyTail;
    if (!actual.open(buffer, packetOffset, headerLength, bodyLength, number)) {
      return false;
    }
    packet.wrap(buffer, packetOffset, headerLength, bodyLength, number);
    for (int i = 0; i < observers.size(); i++) {
      observers.get(i).onPacketOpened(packet);
    }
    for (int i = 0; i < tampers.size(); i++) {
      tampers.get(i).onOpened(packet, buffer);
    }
    return true;
  }

  @Override
  protected void release() {
    actual.close();
    onReleased.run();
  }
}
