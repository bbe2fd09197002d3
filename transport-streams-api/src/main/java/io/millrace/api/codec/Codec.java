package io.millrace.api.codec;

/**
 * Turns values of one type into the bytes of one message and back. Both sides of a route must use
 * codecs that understand each other: nothing on the wire says how a message is encoded. Called on
 * any thread, on several at once, and must not block.
 *
 * @param <T> the values; never null
 */
public interface Codec<T> {
  /**
   * The bytes of a value, the whole array. The transport sends this array itself, and again after a
   * loss: once returned it must never be changed. The same array may be returned any number of
   * times.
   *
   * @throws Exception if the value has no encoding; what the caller of the transport sees of it is
   *     the message
   */
  byte[] encode(T value) throws Exception;

  /**
   * The value of a whole message. The array is the codec's from now on: the value may be a view of
   * it, or the array itself.
   *
   * @param message bytes that the other side chose: do not trust them
   * @throws Exception if the bytes are no encoding of a value; the message is told to the other
   *     side
   */
  T decode(byte[] message) throws Exception;

  /** Messages that are bytes anyway; copies nothing. */
  static Codec<byte[]> bytes() {
    return BytesCodec.INSTANCE;
  }
}
