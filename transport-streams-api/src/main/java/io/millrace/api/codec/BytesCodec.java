package io.millrace.api.codec;

import org.apache.pekko.util.ByteString;

/** The codec of bytes, which are already the message. */
final class BytesCodec implements Codec<ByteString> {
  static final BytesCodec INSTANCE = new BytesCodec();

  private BytesCodec() {}

  @Override
  public ByteString encode(ByteString value) {
    return value;
  }

  @Override
  public ByteString decode(ByteString message) {
    return message;
  }
}
