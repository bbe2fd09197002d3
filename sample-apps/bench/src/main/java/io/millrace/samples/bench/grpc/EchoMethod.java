package io.millrace.samples.bench.grpc;

import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The only method of the echo service; messages are plain bytes. */
public final class EchoMethod {
  /** The name of the service. */
  public static final String SERVICE = "millrace.bench.Echo";

  /** The method. */
  public static final MethodDescriptor<byte[], byte[]> ECHO =
      MethodDescriptor.newBuilder(new Bytes(), new Bytes())
          .setType(MethodType.UNARY)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Call"))
          .build();

  private EchoMethod() {}

  /** Marshals byte arrays. */
  static MethodDescriptor.Marshaller<byte[]> bytes() {
    return new Bytes();
  }

  /** Passes bytes unchanged, with a copy into the frame and a copy out of the frame. */
  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return BulkMethod.message(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        if (!(stream instanceof KnownLength)) {
          return stream.readAllBytes();
        }
        byte[] value = new byte[stream.available()];
        int read = stream.readNBytes(value, 0, value.length);
        if (read != value.length) {
          throw new IOException("message cut short: " + read + " of " + value.length + " bytes");
        }
        return value;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
