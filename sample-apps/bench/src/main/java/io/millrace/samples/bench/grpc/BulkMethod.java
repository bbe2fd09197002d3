package io.millrace.samples.bench.grpc;

import io.grpc.Drainable;
import io.grpc.HasByteBuffer;
import io.grpc.KnownLength;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import io.millrace.samples.bench.peer.BulkTally;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * Client-streaming methods that answer with the number of bytes and the bytes' checksum. A message
 * is not materialised on arrival: the marshaller returns the stream over the frames, and the
 * listener reads the bytes in place, before gRPC releases the frames.
 */
final class BulkMethod {
  static final int ANSWER_BYTES = 2 * Long.BYTES;
  static final MethodDescriptor<InputStream, byte[]> COUNT = method("Count");
  static final MethodDescriptor<InputStream, byte[]> VERIFY = method("Verify");

  private BulkMethod() {}

  /** A message over these bytes; gRPC copies the bytes while sending. */
  static InputStream message(byte[] bytes) {
    return new SentBytes(bytes);
  }

  static ServerCallHandler<InputStream, byte[]> handler(boolean verifying) {
    return (call, headers) -> {
      call.sendHeaders(new Metadata());
      // HTTP/2 flow control bounds the messages under way; the listener handles each message on
      // arrival
      call.request(Integer.MAX_VALUE);
      return new Counter(call, new BulkTally(verifying));
    };
  }

  private static MethodDescriptor<InputStream, byte[]> method(String name) {
    return MethodDescriptor.newBuilder(new AsTheyLie(), EchoMethod.bytes())
        .setType(MethodType.CLIENT_STREAMING)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(EchoMethod.SERVICE, name))
        .build();
  }

  private static final class Counter extends ServerCall.Listener<InputStream> {
    private final ServerCall<InputStream, byte[]> call;
    private final BulkTally tally;

    Counter(ServerCall<InputStream, byte[]> call, BulkTally tally) {
      this.call = call;
      this.tally = tally;
    }

    @Override
    public void onMessage(InputStream message) {
      try {
        if (tally.isVerifying()) {
          verify(message);
        } else {
          tally.onBytes(message.available());
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void verify(InputStream message) throws IOException {
      while (message.available() > 0) {
        if (message instanceof HasByteBuffer buffers && buffers.byteBufferSupported()) {
          ByteBuffer buffer = buffers.getByteBuffer();
          if (buffer != null) {
            int length = buffer.remaining();
            tally.onBytes(buffer);
            message.skipNBytes(length);
            continue;
          }
        }
        byte[] rest = message.readAllBytes();
        tally.onBytes(rest, 0, rest.length);
      }
    }

    @Override
    public void onHalfClose() {
      ByteBuffer answer = ByteBuffer.allocate(ANSWER_BYTES);
      answer.putLong(tally.bytes()).putLong(tally.checksum());
      call.sendMessage(answer.array());
      call.close(Status.OK, new Metadata());
    }
  }

  private static final class AsTheyLie implements MethodDescriptor.Marshaller<InputStream> {
    @Override
    public InputStream stream(InputStream value) {
      return value;
    }

    @Override
    public InputStream parse(InputStream stream) {
      return stream;
    }
  }

  /** Lets the framer take the bytes without a buffer in between. */
  static final class SentBytes extends ByteArrayInputStream implements KnownLength, Drainable {
    SentBytes(byte[] bytes) {
      super(bytes);
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      int length = count - pos;
      target.write(buf, pos, length);
      pos = count;
      return length;
    }
  }
}
