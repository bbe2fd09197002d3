package io.millrace.samples.sim;

import io.millrace.api.Route;
import io.millrace.api.codec.Codec;
import io.millrace.transfer.Headers;
import java.nio.ByteBuffer;
import org.apache.pekko.util.ByteString;

/**
 * How what is planned travels: its messages are arrays, as {@link Pattern} makes and checks them,
 * and ahead of them there is one header, whose bytes begin with an id.
 */
final class PlannedMessages {
  private static final String HEADER = "planned-bin";
  private static final int EMPTY_BYTES = headers(new byte[0]).encodedBytes();

  private PlannedMessages() {}

  /** Copies nothing. */
  private static final class ByteArrays implements Codec<byte[]> {
    private static final Codec<byte[]> CODEC = new ByteArrays();

    @Override
    public ByteString encode(byte[] value) {
      return ByteString.fromArrayUnsafe(value);
    }

    @Override
    public byte[] decode(ByteString message) {
      return message.toArrayUnsafe();
    }
  }

  /** The route of this name whose messages are arrays. */
  static Route<byte[], byte[]> route(String name) {
    return Route.of(name, ByteArrays.CODEC, ByteArrays.CODEC);
  }

  /** The headers with these bytes. */
  static Headers headers(byte[] bytes) {
    return Headers.EMPTY.withBinary(HEADER, ByteString.fromArrayUnsafe(bytes));
  }

  /** The headers with an id and nothing more. */
  static Headers headers(long id) {
    return headers(ByteBuffer.allocate(Long.BYTES).putLong(id).array());
  }

  /** The bytes that these headers have. */
  static byte[] bytes(Headers headers) {
    return headers
        .binary(HEADER)
        .orElseThrow(() -> new IllegalArgumentException("nothing is planned: " + headers))
        .toArrayUnsafe();
  }

  /** The id with which these headers begin. */
  static long id(Headers headers) {
    return ByteBuffer.wrap(bytes(headers)).getLong();
  }

  /** What headers of so many bytes have when they travel. */
  static int encodedBytes(int bytes) {
    return EMPTY_BYTES + bytes;
  }
}
