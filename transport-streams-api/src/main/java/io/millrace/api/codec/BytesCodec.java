package io.millrace.api.codec;

/** The array is the message. */
final class BytesCodec implements Codec<byte[]> {
  static final BytesCodec INSTANCE = new BytesCodec();

  private BytesCodec() {}

  @Override
  public byte[] encode(byte[] value) {
    return value;
  }

  @Override
  public byte[] decode(byte[] message) {
    return message;
  }
}
