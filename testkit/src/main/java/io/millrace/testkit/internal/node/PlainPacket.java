package io.millrace.testkit.internal.node;

import io.millrace.wire.PacketHeader;
import org.agrona.DirectBuffer;

/**
 * A packet in the hands of a cipher: header and plain body. Valid only during the call that
 * receives the packet; the same object each time.
 */
public final class PlainPacket {
  private final KeyInUse key;
  private DirectBuffer buffer;
  private long number;
  private int offset;
  private int headerLength;
  private int bodyLength;
  private boolean isPathKnown;
  private long pathId;

  PlainPacket(KeyInUse key, DirectBuffer nothing) {
    this.key = key;
    buffer = nothing;
  }

  PlainPacket wrap(DirectBuffer bytes, int at, int header, int body, long packetNumber) {
    buffer = bytes;
    offset = at;
    headerLength = header;
    bodyLength = body;
    number = packetNumber;
    isPathKnown = false;
    return this;
  }

  /** The key, with its owner. */
  public KeyInUse key() {
    return key;
  }

  /**
   * Returns the first id of the packet's path; the packet bears the id of the path's present
   * secret.
   */
  public long pathId() {
    if (!isPathKnown) {
      pathId = key.life().pathIdOf(PacketHeader.pathId(buffer, offset));
      isPathKnown = true;
    }
    return pathId;
  }

  /** The packet's number. */
  public long number() {
    return number;
  }

  /** The last 8 bytes of the packet's nonce. */
  public long nonce() {
    return key.nonceTail() ^ number;
  }

  /** The buffer with the packet. */
  public DirectBuffer buffer() {
    return buffer;
  }

  /** Offset of the header in the buffer. */
  public int offset() {
    return offset;
  }

  /** Offset of the body in the buffer. */
  public int bodyOffset() {
    return offset + headerLength;
  }

  /** Bytes of the body, without the tag. */
  public int bodyLength() {
    return bodyLength;
  }

  /** Returns the bytes of header and body, which count against the limits of a key. */
  public int sealedBytes() {
    return headerLength + bodyLength;
  }
}
