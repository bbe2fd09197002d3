package io.millrace.samples.log.node;

import io.millrace.api.codec.Codec;
import io.millrace.samples.log.core.FieldReader;
import io.millrace.samples.log.core.FieldWriter;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.pekko.util.ByteString;

/**
 * Encodes a message as fields.
 *
 * @param write writes the fields of a message
 * @param read reads the same fields
 */
record FieldCodec<T>(BiConsumer<T, FieldWriter> write, Function<FieldReader, T> read)
    implements Codec<T> {
  @Override
  public ByteString encode(T value) {
    FieldWriter out = new FieldWriter();
    write.accept(value, out);
    return out.toBytes();
  }

  @Override
  public T decode(ByteString message) {
    FieldReader in = new FieldReader(message);
    T value = read.apply(in);
    in.end();
    return value;
  }
}
