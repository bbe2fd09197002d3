package io.millrace.api;

import io.millrace.api.codec.Codec;
import io.millrace.api.codec.CodecException;
import io.millrace.ends.FailureText;
import java.util.Objects;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.ActorAttributes;
import org.apache.pekko.stream.Supervision;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.util.ByteString;

/**
 * Applies codecs and names the failed step. Each exception of a codec, errors included, fails one
 * transfer with one exception. Any thread.
 */
final class Coding {
  private Coding() {}

  /** At the caller. */
  static <Q> byte[] encodeRequest(Codec<Q> codec, Q value) {
    return encode(codec, value, "the request");
  }

  /** At the handler. */
  static <Q> Q decodeRequest(Codec<Q> codec, byte[] message) {
    return decode(codec, message, "the request");
  }

  /** At the handler. */
  static <R> byte[] encodeResponse(Codec<R> codec, R value) {
    return encode(codec, value, "the response");
  }

  /** At the caller. */
  static <R> R decodeResponse(Codec<R> codec, byte[] message) {
    return decode(codec, message, "the response");
  }

  /**
   * Returns the flow with the stopping strategy: no element is left out, even if the application's
   * streams skip failed elements.
   */
  static <A, B> Flow<A, B, NotUsed> strict(Flow<A, B, NotUsed> flow) {
    return flow.withAttributes(
        ActorAttributes.withSupervisionStrategy(Supervision.getStoppingDecider()));
  }

  private static <T> byte[] encode(Codec<T> codec, T value, String what) {
    try {
      return Objects.requireNonNull(codec.encode(value), "the codec returned null").toArrayUnsafe();
    } catch (Exception | Error e) {
      throw new CodecException(what + " could not be encoded: " + FailureText.of(e), e);
    }
  }

  private static <T> T decode(Codec<T> codec, byte[] message, String what) {
    try {
      return Objects.requireNonNull(
          codec.decode(ByteString.fromArrayUnsafe(message)), "the codec returned null");
    } catch (Exception | Error e) {
      throw new CodecException(what + " could not be decoded: " + FailureText.of(e), e);
    }
  }
}
