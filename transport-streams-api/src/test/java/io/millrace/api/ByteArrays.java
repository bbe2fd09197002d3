package io.millrace.api;

import io.millrace.api.codec.Codec;
import org.apache.pekko.util.ByteString;

/** A codec of arrays as messages, as in the layer below routes; copies no bytes. */
final class ByteArrays implements Codec<byte[]> {
  static final Codec<byte[]> CODEC = new ByteArrays();

  @Override
  public ByteString encode(byte[] value) {
    return ByteString.fromArrayUnsafe(value);
  }

  @Override
  public byte[] decode(ByteString message) {
    return message.toArrayUnsafe();
  }
}
