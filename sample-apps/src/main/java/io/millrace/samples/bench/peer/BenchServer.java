package io.millrace.samples.bench.peer;

import java.io.IOException;

/** A server that answers every call with its own payload, and counts and drops bulk. */
public interface BenchServer extends AutoCloseable {
  /** Where clients find it: text without blanks that the peer's own client understands. */
  String address();

  @Override
  void close() throws IOException;
}
