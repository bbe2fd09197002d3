package io.millrace.api.codec;

import org.apache.pekko.util.ByteString;

/**
 * Turns values of one type into the bytes of one message and back. Both sides of a route must use
 * codecs that understand each other: no field on the wire names the encoding of a message. The
 * transport calls a codec on any thread, on several threads at once; a codec must not block.
 *
 * @param <T> the values; never null
 */
public interface Codec<T> {
  /**
   * Returns the bytes of a value. If the byte string consists of one array, the transport sends the
   * array itself and not a copy. {@link ByteString#fromArrayUnsafe} saves the copy of an array
   * without further changes.
   *
   * @throws Exception if the value has no encoding; the caller of the transport sees the message of
   *     the exception
   */
  ByteString encode(T value) throws Exception;

  /**
   * Returns the value of a whole message. The value may be a view of the message, which does not
   * change afterwards.
   *
   * @param message untrusted bytes, chosen by the other side
   * @throws Exception if the bytes are no encoding of a value; the other side gets the message of
   *     the exception
   */
  T decode(ByteString message) throws Exception;

  /** Returns the codec for bytes as messages, which copies no bytes. */
  static Codec<ByteString> bytes() {
    return BytesCodec.INSTANCE;
  }
}
