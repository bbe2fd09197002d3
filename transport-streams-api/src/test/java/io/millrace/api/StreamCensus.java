package io.millrace.api;

/** Counts the streams for which a node still keeps state. */
final class StreamCensus {
  private StreamCensus() {}

  static long open(Transport node) {
    long open = 0;
    for (WorkerSnapshot worker : node.snapshot().workers()) {
      open += worker.transfers().streamsOpened() - worker.transfers().streamsEnded();
    }
    return open;
  }
}
