package io.millrace.samples.bench.peer;

import java.io.IOException;

/** A server that answers every call with the call's payload, and counts and drops bulk. */
public interface BenchServer extends AutoCloseable {
  /**
   * The server's address for clients: text without blanks, in the notation of the peer's own
   * client.
   */
  String address();

  @Override
  void close() throws IOException;
}
