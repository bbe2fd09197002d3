package io.millrace.spring;

import io.millrace.api.codec.Codec;
import org.apache.pekko.util.ByteString;

/**
 * A request, and the bytes that the request had on the wire.
 *
 * @param message the decoded request
 * @param bytes the size of the encoded request
 */
record SizedRequest(Object message, int bytes) {
  /** Returns the codec of such requests, which keeps the size beside the request. */
  static Codec<SizedRequest> codec(Codec<Object> messages) {
    return new Codec<>() {
      @Override
      public ByteString encode(SizedRequest value) throws Exception {
        return messages.encode(value.message());
      }

      @Override
      public SizedRequest decode(ByteString message) throws Exception {
        return new SizedRequest(messages.decode(message), message.size());
      }
    };
  }
}
