package io.millrace.protocol.stream;

import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * The element of a flow of which a part has arrived. The buffer grows as parts come, at most to
 * twice the arrived bytes, and sets its memory aside first. The part within the flow's window
 * counts together with waiting elements, the rest together with assembled elements. Owned by the
 * flow's {@link StreamReceiver}.
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

  /** Whether a partial element is present. */
  boolean isBegun() {
    return length > 0;
  }

  /** The arrived bytes of the element. */
  int length() {
    return length;
  }

  /** Adds a part that is not the last; false without memory for the part. */
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

  /** Adds the last part, returns the whole element and keeps no part of the element. */
  byte[] complete(DirectBuffer buffer, int at, int more) {
    byte[] whole = new byte[length + more];
    System.arraycopy(bytes, 0, whole, 0, length);
    buffer.getBytes(at, whole, length, more);
    clear();
    return whole;
  }

  /** Forgets the partial element. */
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
