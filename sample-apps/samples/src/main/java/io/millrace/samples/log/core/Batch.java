package io.millrace.samples.log.core;

import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.util.ByteString;

/** The operations of one slot. */
public final class Batch {
  private Batch() {}

  /** Encodes operations as the value of a slot. */
  public static ByteString encode(List<Operation> operations) {
    FieldWriter out = new FieldWriter().small(operations.size());
    operations.forEach(operation -> operation.write(out));
    return out.toBytes();
  }

  /** Decodes the operations of a slot's value; an empty value has no operations. */
  public static List<Operation> decode(ByteString value) {
    if (value.isEmpty()) {
      return List.of();
    }
    FieldReader in = new FieldReader(value);
    int count = in.count(Operation.LEAST_BYTES);
    List<Operation> operations = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      operations.add(Operation.read(in));
    }
    in.end();
    return operations;
  }
}
