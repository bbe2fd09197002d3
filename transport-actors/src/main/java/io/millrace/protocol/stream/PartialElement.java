package io.millrace.protocol.stream;

import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * The element of a flow of which a part has arrived. It grows as parts come, at most to twice what
 * is there, and sets its memory aside first: what is within the flow's window with all that waits,
 * the rest with what is put together. Owned by the flow's {@link StreamReceiver}.
 */
final class PartialElement {
  private static final byte[] NO_BYTES = {};

  private final StreamWindow window;
  private final ElementMemory memory;
  private byte[] bytes = NO_BYTES;
  private int length;
  private long waitingBytes;
  private long assemblyBytes;

  PartialElement(StreamWindow window, ElementMemory memory) {
    this.window = window;
    this.memory = memory;
  }

  /** Whether there is one. */
  boolean isBegun() {
    return length > 0;
  }

  /** Bytes of it that have arrived. */
  int length() {
    return length;
  }

  /** Adds a part that is not the last; false if there is no memory for it. */
  boolean append(DirectBuffer buffer, int at, int more) {
    if (length + more > bytes.length) {
      int grown = Math.min(Math.max(length + more, bytes.length * 2), window.elementBytes());
      if (!reserve(grown)) {
        return false;
      }
      bytes = Arrays.copyOf(bytes, grown);
    }
    buffer.getBytes(at, bytes, length, more);
    length += more;
    return true;
  }

  private boolean reserve(int capacity) {
    long waiting = Math.min(capacity, window.bytes()) - waitingBytes;
    if (waiting > 0 && !memory.reserve(waiting)) {
      return false;
    }
    waitingBytes += waiting;
    long beyond = Math.max(0, capacity - window.bytes()) - assemblyBytes;
    if (beyond > 0 && !memory.reserveAssembly(beyond)) {
      return false;
    }
    assemblyBytes += beyond;
    return true;
  }

  /** Adds the last part, returns the whole element and keeps nothing of it. */
  byte[] complete(DirectBuffer buffer, int at, int more) {
    byte[] whole = new byte[length + more];
    System.arraycopy(bytes, 0, whole, 0, length);
    buffer.getBytes(at, whole, length, more);
    clear();
    return whole;
  }

  /** There is none any more. */
  void clear() {
    bytes = NO_BYTES;
    length = 0;
    if (waitingBytes > 0) {
      memory.giveBack(waitingBytes);
      waitingBytes = 0;
    }
    if (assemblyBytes > 0) {
      memory.giveBackAssembly(assemblyBytes);
      assemblyBytes = 0;
    }
  }
}
