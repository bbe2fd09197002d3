package io.millrace.testkit.internal.node;

import io.millrace.wire.PacketHeader;
import org.agrona.DirectBuffer;

/**
 * A packet in the hands of a cipher: header and plain body. Valid during the call that it was given
 * to only; the same object each time.
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

  /** The key and whose it is. */
  public KeyInUse key() {
    return key;
  }

  /** The id that its path had first; the packet bears that of the path's present secret. */
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

  /** The last 8 bytes of its nonce. */
  public long nonce() {
    return key.nonceTail() ^ number;
  }

  /** Where it lies. */
  public DirectBuffer buffer() {
    return buffer;
  }

  /** Where its header begins. */
  public int offset() {
    return offset;
  }

  /** Where its body begins. */
  public int bodyOffset() {
    return offset + headerLength;
  }

  /** Bytes of the body, without the tag. */
  public int bodyLength() {
    return bodyLength;
  }

  /** Bytes of header and body, which is what counts against the limits of a key. */
  public int sealedBytes() {
    return headerLength + bodyLength;
  }
}
