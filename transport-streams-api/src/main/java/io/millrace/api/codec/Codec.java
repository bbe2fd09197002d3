package io.millrace.api.codec;

import org.apache.pekko.util.ByteString;

/**
 * Turns values of one type into the bytes of one message and back. Both sides of a route must use
 * codecs that understand each other: nothing on the wire says how a message is encoded. Called on
 * any thread, on several at once, and must not block.
 *
 * @param <T> the values; never null
 */
public interface Codec<T> {
  /**
   * The bytes of a value. The transport sends the array below it, if there is one array, and not a
   * copy: {@link ByteString#fromArrayUnsafe} saves copying one that nobody changes any more.
   *
   * @throws Exception if the value has no encoding; what the caller of the transport sees of it is
   *     the message
   */
  ByteString encode(T value) throws Exception;

  /**
   * The value of a whole message. The value may be a view of the message: nobody changes that.
   *
   * @param message bytes that the other side chose: do not trust them
   * @throws Exception if the bytes are no encoding of a value; the message is told to the other
   *     side
   */
  T decode(ByteString message) throws Exception;

  /** Messages that are bytes anyway; copies nothing. */
  static Codec<ByteString> bytes() {
    return BytesCodec.INSTANCE;
  }
}
