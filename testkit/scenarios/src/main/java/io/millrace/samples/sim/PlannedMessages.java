package io.millrace.samples.sim;

import io.millrace.api.Route;
import io.millrace.api.codec.Codec;
import io.millrace.transfer.Headers;
import java.nio.ByteBuffer;
import org.apache.pekko.util.ByteString;

/**
 * The form of planned transfers on their way. Messages are arrays, made and checked by {@link
 * Pattern}; a single header comes ahead, with bytes that begin with an id.
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

  /** Returns the route of this name with arrays as messages. */
  static Route<byte[], byte[]> route(String name) {
    return Route.of(name, ByteArrays.CODEC, ByteArrays.CODEC);
  }

  /** The headers with these bytes. */
  static Headers headers(byte[] bytes) {
    return Headers.EMPTY.withBinary(HEADER, ByteString.fromArrayUnsafe(bytes));
  }

  /** Returns the headers with an id and nothing more. */
  static Headers headers(long id) {
    return headers(ByteBuffer.allocate(Long.BYTES).putLong(id).array());
  }

  /** Returns the bytes of these headers. */
  static byte[] bytes(Headers headers) {
    return headers
        .binary(HEADER)
        .orElseThrow(() -> new IllegalArgumentException("nothing is planned: " + headers))
        .toArrayUnsafe();
  }

  /** Returns the id at the beginning of these headers. */
  static long id(Headers headers) {
    return ByteBuffer.wrap(bytes(headers)).getLong();
  }

  /** Returns the encoded size of headers of this number of bytes. */
  static int encodedBytes(int bytes) {
    return EMPTY_BYTES + bytes;
  }
}
